"""How sure it is that the first hit of a search answers its question.

Two things were found to tell: how far the first hit is in front of the second, and how many of the
telling words of the question stand in it. One or two words name a field rather than ask, and any
norm with them in its heading holds them all, so that it must be further in front. The bounds were
chosen on two thirds of the questions of the evaluation sets, and tried once on the rest
(``docs/search.md``); for decisions there are no such questions, so one of them in front is never
more than medium.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from fundstelle.search.index import LEARNED, SearchResult
from fundstelle.search.words.snippets import count_telling, share_words

_IN_FRONT = 1.6  # of the numbers that the learned order gives
_FEW = 2  # words that tell too little of what is asked ...
_IN_FRONT_OF_FEW = 3.0  # ... for less than this
_IN_FRONT_FUSED = 0.14  # of the score of the first: it is the first of every ranking
_TIED = 0.1
_TIED_FUSED = 0.01
_HELD = 0.75  # of the words
_HARDLY_HELD = 1 / 3
_ALONE = 3.0  # how far the only hit is in front

REPHRASE = (
    "The first hit may not be meant. Ask again with rephrasings, the nouns that a statute would"
    " use, or name the law (law_abbreviation); legal_list_laws finds its name."
)
LOOK_UP = (
    "What is cited is not there: legal_lookup says why, and what stands beside it. The hits were"
    " found by the other words."
)
GO_BACK = "These hits stand behind better ones; other words find more than further pages."


class Confidence(StrEnum):
    """Whether the first hit answers the question."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Lead:
    """By how much the first hit is in front of the second.

    ``is_fused``: the scores come from the places in several rankings, and say nothing else.
    ``is_learned``: they come from a model, whose numbers can be compared with bounds.
    """

    margin: float
    is_fused: bool = False
    is_learned: bool = False

    @classmethod
    def measure(cls, found: SearchResult, *, is_fused: bool) -> Self:
        """Of the first two hits of a ranking."""
        is_learned = LEARNED in found.stages
        if len(found.hits) < 2:
            return cls(_ALONE if found.hits else 0.0, is_fused, is_learned)
        first, second = (hit.score for hit in found.hits[:2])
        ahead = first - second
        return cls(ahead / first if is_fused and first else ahead, is_fused, is_learned)


def judge(lead: Lead, texts: Sequence[str], first: str | None) -> Confidence:
    """Weigh the lead, and how many words of one of the *texts* the *first* hit holds.

    *first* are the names and words of a norm, ``None`` of a decision.
    """
    if first is None:
        return Confidence.MEDIUM
    held = max((share_words(first, text) for text in texts), default=0.0)
    if lead.is_fused:
        tied, in_front = _TIED_FUSED, _IN_FRONT_FUSED
    else:
        asks_little = max(map(count_telling, texts), default=0) <= _FEW
        tied, in_front = _TIED, _IN_FRONT_OF_FEW if asks_little else _IN_FRONT
    if held < _HARDLY_HELD or lead.margin < tied:
        return Confidence.LOW
    is_high = lead.is_learned and held >= _HELD and lead.margin >= in_front
    return Confidence.HIGH if is_high else Confidence.MEDIUM
