"""A docket that stands alone in a draft, of a decision that the draft names in full elsewhere.

``OVG NRW, Urteil vom 12.12.2016 - 13 A 846/15``, and from then on ``13 A 846/15, Rn. 121``. Many
courts give such numbers; where the draft names one court with it, and one day, that is meant.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.law.citations import DecisionCitation, Target
from fundstelle.law.decisions import docket_key
from fundstelle.lookup.decisions.texts import drop_guessed_court, find_decisions, is_shared
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.written import Reading, read
from fundstelle.lookup.verdicts.parallel import WholePlace

_Named = tuple[str, str | None]  # court and day


def lend_courts(library: Library, places: Sequence[WholePlace]) -> list[WholePlace]:
    """The citations of a draft, each docket alone with what the draft names with that number."""
    named: defaultdict[str, set[_Named]] = defaultdict(set)
    for place in places:
        for target in place.found.targets:
            if isinstance(target, DecisionCitation) and target.docket:
                written = drop_guessed_court(place.found.text, target)
                if written.court:
                    named[docket_key(target.docket)].add((written.court, written.issued_on))
    return [_lend(library, place, named) for place in places]


def _lend(library: Library, place: WholePlace, named: dict[str, set[_Named]]) -> WholePlace:
    targets = tuple(_name(library, place.found.text, each, named) for each in place.found.targets)
    if targets == place.found.targets:
        return place
    alone = read(place.found.text, library)
    if not isinstance(alone, Reading) or alone.unparsed:
        return place
    return replace(place, found=replace(place.found, targets=targets))


def _name(library: Library, written: str, target: Target, named: dict[str, set[_Named]]) -> Target:
    if not isinstance(target, DecisionCitation):
        return target
    alone = drop_guessed_court(written, target)
    found = named.get(docket_key(target.docket or ""), set())
    courts = {court for court, _ in found}
    days = {day for _, day in found} - {None}
    if not is_shared(alone) or len(courts) != 1 or len(days) > 1:
        return target
    lent = replace(target, court=courts.pop(), issued_on=next(iter(days), None))
    return lent if find_decisions(library, lent) else target  # the court may have been misread
