"""The quotations of a draft: between quotation marks of any kind, or set off as a block.

Sources: Duden, rules 7 to 12 (marks and half marks, both ways round); CommonMark 5.1 (``>``).
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = "{1,2000}+"
_LONGER = "{2001,}+"  # between marks that differ, so that no other can be taken for the last
_QUOTED = re.compile(
    rf"„([^„“”\"]{_LONGEST})[“”\"]|»([^«»]{_LONGEST})«|«([^«»]{_LONGEST})»"
    rf"|“([^“”„]{_LONGEST})”|”([^“”„]{_LONGEST})”|\"([^\"]{_LONGEST})\""
    rf"|‚([^‚‘’]{_LONGEST})[‘’]|›([^‹›]{_LONGEST})‹|‹([^‹›]{_LONGEST})›"
    rf"|(?<!\w)‘([^‘’]{_LONGEST})’(?!\w)|(?<!\w)'([^'\n]{_LONGEST})'(?!\w)"
    rf"|„([^„“”\"]{_LONGER})[“”]|»([^«»]{_LONGER})«"
)
_SETS_OFF = "„»«›‹‚“"  # these show where a quotation begins, so that it may hold a blank line
_BLOCK = re.compile(r"(?:^[ \t]{0,3}>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_MARKER = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_MARKS = "„“”\"»«›‹‚‘’'"
FEWEST_WORDS = 3  # less is a term, a title or a short name that is being defined
MOST_CHARS = 20_000  # of a quotation that is compared; as many as a draft sent in one call


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that a draft quotes, and where they stand with their marks; half-open."""

    start: int
    end: int
    words: str


def find_quotations(text: str) -> list[Quotation]:
    """Every quotation of some length, in the order of the text; none within another.

    Of a block whose words stand in quotation marks again, the words in the marks.
    """
    blocks = [each for each in _iter_blocks(text) if each.words[:1] not in _MARKS]
    ends = [each.end for each in blocks]
    marked = []
    for match in _QUOTED.finditer(text):
        at = bisect_left(ends, match.start() + 1)
        if at < len(blocks) and blocks[at].start < match.end():
            continue
        words = _MARKER.sub("", next(filter(None, match.groups())))
        if match[0][0] in _SETS_OFF or "\n\n" not in words:
            marked.append(Quotation(*match.span(), words))
    found = [each for each in (*blocks, *marked) if len(each.words.split()) >= FEWEST_WORDS]
    return sorted(found, key=lambda each: each.start)


def _iter_blocks(text: str) -> Iterator[Quotation]:
    for match in _BLOCK.finditer(text):
        words = _MARKER.sub("", match[0]).strip()
        if words:
            yield Quotation(match.start(), match.start() + len(match[0].rstrip()), words)
