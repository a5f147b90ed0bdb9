"""Pages of a draft that belong to the decision before them: one citation, as lawyers write it.

``BVerwG, Urteil vom … - 7 C 22.15, NVwZ 2017, 1862 Rn. 12``: the Randnummer is the decision's. A
page that is known to be of a decision is judged by itself, with the Randnummer, which is of both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import DecisionCitation, FoundCitation, ReporterCitation
from fundstelle.lookup.decisions.pages import name_court
from fundstelle.lookup.verdicts.drafts import CitedPlace

_BESIDE = re.compile(r"\s?[,=–-]?\s{1,2}[(\[]?")
_MARGIN = re.compile(rf"(?<!\w){MARGIN}\s?\d")


@dataclass(frozen=True, slots=True)
class WholePlace:
    """A citation with its pages; ``end`` is where what is read of it ends.

    That is behind the Randnummer of a page that follows, though the page is judged by itself.
    ``whole`` is where it ends, or the last of its quotations.
    """

    found: FoundCitation
    quotes: tuple[str, ...]
    end: int
    whole: int


def join_pages(
    decisions: DecisionStore, text: str, places: Sequence[CitedPlace]
) -> list[WholePlace]:
    """The citations of ``text``, each decision with the unknown pages that are written of it."""
    joined: list[WholePlace] = []
    head = last = 0  # of the decision that pages may follow: its number, and where its pages end
    for place in places:
        page = place.found
        if joined and _is_of(text, page, joined[head].found, last):
            if head == len(joined) - 1 and _is_unknown(decisions, page):
                joined[head] = _join(text, joined[head], place)
            else:
                joined.append(WholePlace(page, place.quotes, page.end, place.whole))
            if _MARGIN.search(page.text):
                joined[head] = replace(joined[head], end=page.end)
        else:
            head = len(joined)
            joined.append(WholePlace(page, place.quotes, page.end, place.whole))
        last = page.end
    return joined


def _is_of(text: str, page: FoundCitation, decision: FoundCitation, last: int) -> bool:
    target, first = page.targets[0], decision.targets[0]
    return (
        isinstance(target, ReporterCitation)
        and isinstance(first, DecisionCitation)
        and len(page.targets) == 1
        and name_court(target) in {None, first.court}
        and _BESIDE.fullmatch(text, last, page.start) is not None
    )


def _is_unknown(decisions: DecisionStore, page: FoundCitation) -> bool:
    target = page.targets[0]
    return isinstance(target, ReporterCitation) and decisions.find_page(target) is None


def _join(text: str, first: WholePlace, second: CitedPlace) -> WholePlace:
    start, end = first.found.start, second.found.end
    found = replace(
        first.found,
        end=end,
        text=text[start:end],
        targets=(*first.found.targets, *second.found.targets),
        inferred=first.found.inferred or second.found.inferred,
        normalised=(*first.found.normalised, *second.found.normalised),
    )
    return WholePlace(found, (*first.quotes, *second.quotes), end, max(first.whole, second.whole))
