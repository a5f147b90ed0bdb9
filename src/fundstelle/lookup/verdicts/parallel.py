"""Pages of a draft that belong to the decision before them: one citation, as lawyers write it.

``BVerwG, Urteil vom … - 7 C 22.15, NVwZ 2017, 1862 Rn. 12``: the Randnummer is the decision's. A
page that is known to be of a decision is judged by itself.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import DecisionCitation, FoundCitation, ReporterCitation
from fundstelle.lookup.decisions.pages import name_court
from fundstelle.lookup.verdicts.drafts import CitedPlace

_BESIDE = re.compile(r"\s?(?:,|=|-|–)?\s{1,2}\(?")


def join_pages(
    decisions: DecisionStore, text: str, places: Sequence[CitedPlace]
) -> list[CitedPlace]:
    """The citations of ``text``, each decision with the unknown pages that are written of it."""
    joined: list[CitedPlace] = []
    for place in places:
        before = joined[-1] if joined else None
        if before is not None and _is_of(decisions, text, place.found, before.found):
            joined[-1] = _join(text, before, place)
        else:
            joined.append(place)
    return joined


def _is_of(decisions: DecisionStore, text: str, page: FoundCitation, before: FoundCitation) -> bool:
    decision = before.targets[0]
    if not isinstance(decision, DecisionCitation) or len(page.targets) != 1:
        return False
    [target] = page.targets
    if not isinstance(target, ReporterCitation):
        return False
    return (
        name_court(target) in {None, decision.court}
        and _BESIDE.fullmatch(text, before.end, page.start) is not None
        and decisions.find_page(target) is None
    )


def _join(text: str, first: CitedPlace, second: CitedPlace) -> CitedPlace:
    start, end = first.found.start, second.found.end
    found = replace(
        first.found,
        end=end,
        text=text[start:end],
        targets=(*first.found.targets, *second.found.targets),
        inferred=first.found.inferred or second.found.inferred,
        normalised=(*first.found.normalised, *second.found.normalised),
    )
    return CitedPlace(found, (*first.quotes, *second.quotes))
