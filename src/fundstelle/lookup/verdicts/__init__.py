"""Whether a citation can stand as it is written: one word on it, instead of its text.

In comes a citation or a whole draft, out go verdicts. ``judge`` judges one citation, ``drafts``
finds those of a text with the quotations that belong to them, ``check`` does both.
"""
