"""The audit log: entries and tool calls in, one chain of lines in the accounts database out.

Begin with ``log``, which writes and reads the chain; ``chain`` says what a line is, ``ends`` and
``verification`` what is wrong with one. ``calls`` gathers the tool calls of a process in a
``spool``; ``takeover`` and ``retention`` are what ``keeper`` sees to in the background.
"""
