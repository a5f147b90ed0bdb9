"""Marks of footnotes in a quote, as words have them that are pasted from EUR-Lex: ``Rates (4)``.

A stored text has none, and how a footnote is numbered depends on the edition. So a mark is told by
its place: no number of a provision or part stands there, and none that the text has there itself.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from fundstelle.lookup.comparing.folding import fold

_MOST = 60  # marks of a quote; each is looked for in the text

_DIGITS = "\\d⁰¹²³⁴-⁹"
_MARK = re.compile(  # one or several, behind a word or the number of an act
    r"(?P<before>(?<![^\W\d_])[^\W\d_]++|(?<!\d)\d{2,4}/\d{2,4}|[“”»«\"’])"
    rf"(?P<numbers>(?:\s{{0,2}}\(\s?[{_DIGITS}]{{1,3}}\s?\)(?!\w))+)"
)
_NUMBER = re.compile(rf"[{_DIGITS}]+")
# What a number in brackets may belong to: "Absatz (4)", "Anhang II (4)", "Article 2(1) and (4)".
_NUMBERED = re.compile(
    r"(?:ab[sa]|unterabs|art|nr|num|ziff|buchst|satz|sätz|punkt|point|para|sub|anh|annex|anlage"
    r"|teil|part|kap|chapter|abschn|section|titel|title|erw|recital|tab|form|fuß|foot)\w*"
    r"|\w|[ivxlc]+|und|oder|bis|sowie|and|or|to",
    re.IGNORECASE,
)


def drop_note_marks(written: str, notes: int, text: str) -> str:
    """A quote of a text with that many footnotes, without their marks; as it is if it has none.

    Marks ascend, and are no more than there are footnotes. ``text`` is folded.
    """
    marks = list(_iter_marks(written)) if notes and "(" in written else []
    if len(marks) > _MOST:
        return written
    marks = [mark for mark in marks if fold(mark[0]) not in text]
    numbers = [
        int(unicodedata.normalize("NFKC", number))
        for mark in marks
        for number in _NUMBER.findall(mark["numbers"])
    ]
    if not marks or len(numbers) > notes or any(one >= next_ for one, next_ in pairwise(numbers)):
        return written
    ends = [0, *(mark.end() for mark in marks)]
    starts = [*(mark.end("before") for mark in marks), len(written)]
    return "".join(written[end:start] for end, start in zip(ends, starts, strict=True))


def _iter_marks(written: str) -> Iterable[re.Match[str]]:
    for mark in _MARK.finditer(written):
        if _NUMBERED.fullmatch(mark["before"]) is None:
            yield mark
