"""Long texts in pieces that end on sentence borders."""

from collections.abc import Sequence

from fundstelle.law.norms import Segment


def find_cut(text: str, segments: Sequence[Segment], start: int, end: int, most: int) -> int:
    """Where a piece that begins at ``start`` should end: at most ``most`` code points on.

    The last end of a sentence or list item before the limit; failing that a line, a blank, or the
    limit itself. The result is greater than ``start`` and at most ``end``.
    """
    limit = start + most
    if limit >= end:
        return end
    border = max((s.end for s in segments if start < s.end <= limit), default=0)
    if border > start:
        return border
    for mark in ("\n", " "):
        place = text.rfind(mark, start, limit)
        if place > start:
            return place + 1
    return limit
