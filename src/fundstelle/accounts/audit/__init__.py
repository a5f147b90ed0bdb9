"""The audit log: entries and tool calls in, one chain of lines in the accounts database out.

Begin with ``log``, which goes on with the chain; ``chain`` says what a line is, ``reading`` finds
lines, ``ends`` and ``verification`` say what is wrong with them. ``calls`` gathers the tool calls
of a process in a ``spool``; ``takeover`` and ``retention`` are what ``keeper`` sees to in the
background.
"""
