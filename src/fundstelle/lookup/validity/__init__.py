"""Whether a text applies: what its publisher's notes say, and what the Constitutional Court judged.

A note is read clause by clause (``declared``), weighed for the part that is shown (``bearing``),
and told with the other notes on the text (``notes``).
"""
