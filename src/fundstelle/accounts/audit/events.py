"""What the log says of itself: the events that are no act of a person."""

SYSTEM = "system"  # the actor of what is done on the command line, or by the server itself

BEGUN = "log_begun"  # line 0: made with the database
CONTINUED = "log_continued"  # the lines before it are of a version that sealed no beginning
BROKEN = "chain_broken"  # the log was not as the server had left it; what was found
ACCEPTED = "findings_accepted"  # somebody has looked into what was found
REMOVED = "lines_removed"  # by retention: up to which line, and its hash
CALL = "tool_called"
LOST = "calls_lost"  # answered, but not recorded: how many, between when
RECOVERED = "calls_recovered"  # of a process that has ended without writing them

AT_MOST = "at_most"
"""A detail of lost calls: so many at most."""

UNKNOWN = "unknown"
"""A detail of lost calls: that there were any is not known, nor how many."""
