"""What decisions cite: found in their texts, resolved against the build's norms and decisions."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fundstelle.citations.find import find
from fundstelle.citations.laws.land_laws import LandLaws
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decisions import CitedKind
from fundstelle.corpus.ingestion import WholeDecisions
from fundstelle.corpus.rows import Row
from fundstelle.ingest.graph.asked import Asked, Unasked
from fundstelle.ingest.graph.columns import is_of_columns
from fundstelle.ingest.graph.concordance import (
    CitedRow,
    NamedPlace,
    RowNumber,
    Witness,
    find_places,
)
from fundstelle.ingest.graph.references import MOST_CHARS
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.text.sentences import find_starts
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    FoundCitation,
    GazetteCitation,
    MaterialCitation,
    NormCitation,
    ReporterCitation,
    Target,
    name_section,
)
from fundstelle.law.decisions import DecisionText, docket_key

_BREAK = re.compile("\n")
_MOST_CITINGS = 20_000  # of one decision; the most that any has are 700

# What is not held, and so resolves to nothing.
_UNHELD: Mapping[type[Target], CitedKind] = {
    ReporterCitation: CitedKind.REPORTER,
    GazetteCitation: CitedKind.GAZETTE,
    MaterialCitation: CitedKind.MATERIAL,
}

_Cited = tuple[CitedKind, int | None, int | None, str, bool]
"""Kind, norm or statute, decision, path, and whether it only lies within a range."""


@dataclass(frozen=True, slots=True)
class Citings:
    """What one decision cites.

    ``rows`` are as ``CorpusWriter.add_citings`` takes them, in the order of the text;
    ``ranged`` are those of them that cite what only lies within a range ("§§ 1 bis 9" § 5);
    ``places`` are those that name a page of a collection or journal; ``asked`` is what its reading
    asked of laws and of other decisions (``ingest.graph.asked``).
    """

    rows: Sequence[Row]
    ranged: Sequence[RowNumber]
    places: Sequence[NamedPlace]
    asked: "array[int]"


@dataclass(frozen=True, slots=True)
class _Known:
    """What tells decisions under one docket apart."""

    number: int
    court: str
    day: str | None


class DecisionResolver:
    """From a cited decision to its number in the build; ``asked`` takes note of what is asked."""

    def __init__(self, decisions: WholeDecisions, asked: Asked | None = None) -> None:
        self._asked = asked or Unasked()
        self._by_name: dict[str, int] = {}
        self._by_docket: dict[str, list[_Known]] = {}
        self._all: list[Witness] = []
        for number, decision in enumerate(decisions.iter_all()):
            day = decision.issued_on.isoformat() if decision.issued_on else None
            for name in filter(None, (decision.decision_id, decision.ecli)):
                self._by_name[name.casefold()] = number
            for docket in decision.dockets:
                known = _Known(number, decision.court, day)
                self._by_docket.setdefault(docket_key(docket), []).append(known)
            dockets = frozenset(map(docket_key, decision.dockets))
            self._all.append(Witness(decision.court, dockets, day, number, None))

    def describe(self, number: int) -> Witness:
        """A decision held, as its publisher names it."""
        return self._all[number]

    def resolve(self, citation: DecisionCitation) -> int | None:
        """The one decision held that is meant; ``None`` if there is none or several could be."""
        if citation.ecli:
            self._asked.ask_decision(citation.ecli)
            number = self._by_name.get(citation.ecli.casefold())
            if number is not None:
                return number
        if not citation.docket:
            return None
        key = docket_key(citation.docket)
        self._asked.ask_docket(key)
        known = self._by_docket.get(key, [])
        if citation.court:
            known = [one for one in known if one.court == citation.court]
        if citation.issued_on:
            known = [one for one in known if one.day in {citation.issued_on, None}]
        return known[0].number if len(known) == 1 else None


class CitingFinder:
    """Finds and resolves everything that a decision cites.

    What its reading asks is noted where ``norms`` and ``decisions`` take note of it together.
    """

    def __init__(self, names: LawNames, norms: Resolver, decisions: DecisionResolver) -> None:
        self._names = names
        self._norms = norms
        self._decisions = decisions

    def find(self, number: int, text: DecisionText) -> Citings:
        """Everything that the decision with that number cites."""
        places = _Places(text)
        rows: list[Row] = []
        ranged: list[RowNumber] = []
        cited_rows = []
        own = self._decisions.describe(number)
        land = LandLaws(text.text, own.day)
        for found in find(text.text, self._names):
            if is_of_columns(text.text, found):
                continue
            passage, start, end = places.find_around(found)
            targets = [self._unbind(target, found.start, land) for target in found.targets]
            cited = [one for target in targets for one in self._resolve(target)]
            kept = [one for one in cited if one[2] != number]  # not its own docket at its head
            if len(rows) + len(kept) > _MOST_CITINGS:
                break
            row = (number, len(rows)) if kept else None
            cited_rows.append(CitedRow(found, row, cited[0][2] if cited else None))
            for kind, norm, decision, path, within in kept:
                if within:
                    ranged.append((number, len(rows)))
                rows.append(
                    (
                        *(number, kind.value, norm, decision, path, found.text[:MOST_CHARS]),
                        *(found.start, found.end, passage, start, end, int(found.inferred)),
                    )
                )
        named = find_places(cited_rows, text, own)
        return Citings(rows, ranged, named, self._norms.asked.take())

    def give_up(self) -> Citings:
        """What is kept of a decision whose reading came to no end: that it must be read again."""
        self._norms.asked.ask_anew()
        return Citings((), (), (), self._norms.asked.take())

    def _unbind(self, target: Target, start: int, land: LandLaws) -> Target:
        """The target without its law where that is one of a Land, which is not held."""
        if not isinstance(target, NormCitation) or target.law is None:
            return target
        self._norms.asked.ask_law(target.law)
        other = land.means_other(target, start, self._norms.find_statute(target.law))
        return replace(target, law=None) if other else target

    def _resolve(self, target: Target) -> list[_Cited]:
        match target:
            case NormCitation():
                units = self._norms.resolve_units(target)
                return [
                    (
                        *(CitedKind.NORM, one.ordinal, None),
                        *(name_section(one.section, one.path), one.within),
                    )
                    for one in units
                ]
            case EuCitation():
                units = self._norms.resolve_units(target)
                return [
                    (CitedKind.EU_ACT, one.ordinal, None, one.path, one.within) for one in units
                ]
            case DecisionCitation():
                return [(CitedKind.DECISION, None, self._decisions.resolve(target), "", False)]
            case _:
                return [(_UNHELD[type(target)], None, None, "", False)]


class _Places:
    """Where in a decision something stands: its Randnummer and its sentence."""

    def __init__(self, text: DecisionText) -> None:
        self._text = text.text
        self._passages = text.passages
        self._starts = [passage.start for passage in text.passages]
        self._breaks = [found.start() for found in _BREAK.finditer(text.text)]
        self._line = (0, 0)
        self._sentences: list[int] = []

    def find_around(self, found: FoundCitation) -> tuple[str | None, int, int]:
        """The Randnummer, ``None`` outside of numbered paragraphs, and the sentence's bounds."""
        start, end = self._find_line(found.start, found.end)
        if (start, end) != self._line:
            self._line = start, end
            self._sentences = [start, *find_starts(self._text, start, end)]
        place = bisect_right(self._sentences, found.start) - 1
        last = bisect_right(self._sentences, found.end - 1)
        low = self._sentences[place]
        high = self._sentences[last] if last < len(self._sentences) else end
        return self._find_passage(found.start), low, high

    def _find_line(self, start: int, end: int) -> tuple[int, int]:
        before, behind = bisect_left(self._breaks, start), bisect_left(self._breaks, end)
        low = self._breaks[before - 1] + 1 if before else 0
        return low, self._breaks[behind] if behind < len(self._breaks) else len(self._text)

    def _find_passage(self, at: int) -> str | None:
        place = bisect_right(self._starts, at) - 1
        if place < 0 or self._passages[place].end <= at:
            return None
        return self._passages[place].number
