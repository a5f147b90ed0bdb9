"""``fundstelle connect``: a client's own configuration, shown, written, and taken out again.

Begin with ``connect``, the command; ``edits`` changes a text, ``written`` a file.
"""
