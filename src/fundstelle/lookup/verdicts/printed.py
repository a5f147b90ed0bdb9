"""Decisions of a draft that are cited as answers print them, with a number that no grammar reads.

Courts have Aktenzeichen of any shape, ``3194.Z3-3_01-22-49``: what looks like a decision and was
not read is looked for among the citations of those held, word for word.
"""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import DecisionCitation, FoundCitation

_MOST = 20  # places of a draft that are looked for
_REACH = 60  # characters from the court to the word for what it gave
_STARTS = re.compile(r"(?<!\w)[A-ZÄÖÜ]\w*")
_MOST_WORDS = 6  # with a capital, from the court on
_PASSAGES = re.compile(
    rf",? (?:juris )?{MARGIN} ?\d{{1,4}}[a-z]?(?!\w)(?:(?:, | und |-|–)\d{{1,4}}(?!\w))*"
)
_END = re.compile(r"[^;,()\n]{10,90}?(?=[;,()\n]|\.?\s*$|\.\s)")


def find_printed(
    decisions: DecisionStore, text: str, places: Sequence[int]
) -> Iterator[FoundCitation]:
    """The decisions held that are cited just so around the ``places``; they do not overlap."""
    floor = 0
    for place in places[:_MOST]:
        tail = _END.match(text, place) if place >= floor else None
        low = max(floor, place - _REACH)
        starts = [each.start() for each in _STARTS.finditer(text, low, place)]
        for start in starts[-_MOST_WORDS:] if tail is not None else ():
            assert tail is not None
            written = text[start : tail.end()]
            held = decisions.list_printed(written)
            if len(held) == 1 and held[0].dockets:
                on = held[0].issued_on
                target = DecisionCitation(
                    held[0].court, held[0].dockets[0], on.isoformat() if on else None
                )
                behind = _PASSAGES.match(text, tail.end())
                floor = behind.end() if behind else tail.end()
                yield FoundCitation(start, floor, text[start:floor], (target,))
                break
