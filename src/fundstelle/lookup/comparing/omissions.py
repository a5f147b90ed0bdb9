"""What a quote leaves out at a ``[...]`` where it begins or ends: the rest of that sentence."""

import re
from collections.abc import Sequence

from fundstelle.law.norms import Level, Segment

# Behind a word that no abbreviation is: "Abs. 1", "gem. § 5" and "z. B." go on.
_BORDER = re.compile(r"(?<=[^\W\d_]{4})[.!?][\"“”»«)]*\s+(?=[^\W\d_a-zäöü]|[(„»\"§\d])")

_MOST = 2_000  # characters that are looked at before a place and behind it


def list_left_out(
    text: str, segments: Sequence[Segment], unit: tuple[int, int], quoted: tuple[int, int]
) -> tuple[str, str]:
    """The words of the unit's text before and behind those quoted, in the same sentences.

    Offsets count in ``text``, half-open. A sentence is one that is marked, else one that ends with
    a full stop; of a very long one what is nearest.
    """
    (first, last), (start, end) = unit, quoted
    begins, _ = _find_sentence(text, segments, unit, start)
    _, ends = _find_sentence(text, segments, unit, max(start, end - 1))
    return text[max(first, begins) : start].strip(), text[end : min(last, ends)].strip()


def _find_sentence(
    text: str, segments: Sequence[Segment], unit: tuple[int, int], place: int
) -> tuple[int, int]:
    """The sentence that a place is in."""
    around = [
        (each.start, each.end)
        for each in segments
        if each.level == Level.SATZ and each.start <= place < each.end
    ]
    if around:
        return min(around, key=lambda span: span[1] - span[0])
    first, last = max(unit[0], place - _MOST), min(unit[1], place + _MOST)
    borders = (match.end() for match in _BORDER.finditer(text, first, last))
    before, behind = first, last
    for border in borders:
        if border > place:
            behind = border
            break
        before = border
    return before, behind
