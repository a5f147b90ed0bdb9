"""Which decision a page of a collection or journal is: from the parallel citations of a build.

"BGH, Urteil vom 12. März 2002 - VI ZR 1/01, BGHZ 150, 99 = NJW 2002, 123" says of two pages what
stands there. A page is known where everything that is said of it agrees.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fundstelle.citations.parse import parse
from fundstelle.corpus.decision_rows import place_key
from fundstelle.corpus.ingestion import CorpusWriter
from fundstelle.law.citations import DecisionCitation, FoundCitation, ReporterCitation
from fundstelle.law.decisions import DecisionText, PartKind, docket_key

_FILLER = (
    r"(?:[ ,(\[=–−-]|\n(?!\n)|(?<![a-z])(?:u\.\s?a\.?|ua\.?|m\.?\s?w\.?\s?N\.?|in:?"
    r"|abgedr(?:uckt|\.)\sin|veröff(?:entlicht|\.)\sin)(?![a-z])){0,12}"
)
_BEHIND_DECISION = re.compile(rf"(?!\n){_FILLER}")
_BEHIND_PAGE = re.compile(r"\s?(?:[,=]|,\s=)\s")
# The publisher's list of where the decision itself was printed.
_OWN_PLACES = re.compile(r"^Fundstellen?:[ \n]", re.MULTILINE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOT_YET_PRINTED = re.compile(r"\D*0*")  # "Slg. 2010, I-0000"
# "AP Nr. 30 zu § 1 KSchG Krankheit": the heading that counts is not read.
_COUNTED_BELOW_HEADING = re.compile(r"\szu\s(?:§|Art)")


RowNumber = tuple[int, int]  # the citing decision's number, the row's place among its own


@dataclass(frozen=True, slots=True)
class CitedRow:
    """A citation in a text, the first row made of it and the decision it was resolved to."""

    found: FoundCitation
    row: RowNumber | None
    number: int | None


@dataclass(frozen=True, slots=True)
class Witness:
    """What stands beside a page: a decision, its number if it is held, the row that names it.

    There is no row where the publisher says where the decision itself was printed.
    """

    court: str | None
    dockets: frozenset[str]  # keys
    day: str | None  # ISO
    number: int | None
    row: RowNumber | None
    speaks: bool = False  # whether its words tell court and docket without those before


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A page as one row names it; ``court`` is the one named with it."""

    row: RowNumber
    key: str
    court: str | None
    witness: Witness | None


@dataclass(frozen=True, slots=True)
class Known:
    """Whose page it is: the number of a decision held, or the row that names it, or both."""

    court: str | None
    number: int | None
    row: RowNumber | None


def find_places(rows: Sequence[CitedRow], text: DecisionText, own: Witness) -> list[NamedPlace]:
    """The pages that a decision cites, each with the decision beside it, if there is one."""
    return list(_PlaceFinder(text, own).find(rows))


class _PlaceFinder:
    """Goes through the citations of one text from left to right."""

    def __init__(self, text: DecisionText, own: Witness) -> None:
        self._text = text.text
        self._own = own
        self._own_lines = _find_own_lines(text)
        self._before: CitedRow | None = None  # what stands before the pages
        self._witness: Witness | None = None
        self._reporters: set[str] = set()
        self._end = 0

    def find(self, rows: Sequence[CitedRow]) -> Iterator[NamedPlace]:
        for row in rows:
            target = row.found.targets[0] if row.found.targets else None
            if isinstance(target, ReporterCitation):
                yield from self._read_page(row, target)
            else:
                self._reporters = set()
                self._before = row
            self._end = row.found.end

    def _read_page(self, row: CitedRow, target: ReporterCitation) -> Iterator[NamedPlace]:
        if row.found.start in self._own_lines:
            self._witness = self._own
        elif not self._is_beside(row.found, target):
            self._witness = None
        elif self._before is not None:  # few are read again: most have no page beside them
            self._witness = _make_witness(self._before)
        self._before = None
        self._reporters.add(target.reporter)
        if row.row is not None and _is_one_place(row.found, target):
            witness = self._witness if _can_print(target, self._witness) else None
            yield NamedPlace(row.row, place_key(target), target.court, witness)

    def _is_beside(self, found: FoundCitation, target: ReporterCitation) -> bool:
        """Whether the page is a further name of what stands before it.

        A second page of one reporter is another decision, and so is one with its own court.
        """
        if target.court is not None or target.reporter in self._reporters:
            return False
        pattern = _BEHIND_PAGE if self._reporters else _BEHIND_DECISION
        return pattern.fullmatch(self._text, self._end, found.start) is not None


def _can_print(target: ReporterCitation, witness: Witness | None) -> bool:
    """Whether the decision is not younger than the volume: then one of them is misprinted."""
    if witness is None or witness.day is None or _YEAR.fullmatch(target.volume) is None:
        return True
    return witness.day[:4] <= target.volume


def _is_one_place(found: FoundCitation, target: ReporterCitation) -> bool:
    """Whether the words tell one place, so that two who write the same mean the same."""
    if _NOT_YET_PRINTED.fullmatch(target.page):
        return False
    return _COUNTED_BELOW_HEADING.search(found.text) is None


def _make_witness(row: CitedRow) -> Witness | None:
    targets = [one for one in row.found.targets if isinstance(one, DecisionCitation)]
    dockets = frozenset(docket_key(one.docket) for one in targets if one.docket)
    if not dockets:
        return None
    first = targets[0]
    alone = parse(row.found.text).targets
    speaks = (
        bool(alone)
        and isinstance(alone[0], DecisionCitation)
        and (alone[0].court, alone[0].docket) == (first.court, first.docket)
    )
    return Witness(first.court, dockets, first.issued_on, row.number, row.row, speaks)


def _find_own_lines(text: DecisionText) -> range:
    """Where the publisher lists in which places this decision was printed."""
    head = text.parts[0] if text.parts else None
    if head is None or head.kind is not PartKind.HEAD:
        return range(0)
    opened = _OWN_PLACES.search(text.text, head.start, head.end)
    return range(opened.end(), head.end) if opened else range(0)


class Concordance:
    """All pages that the decisions of a build name."""

    def __init__(self) -> None:
        self._places: dict[str, list[NamedPlace]] = defaultdict(list)

    def add(self, places: Iterable[NamedPlace]) -> None:
        """Take in what decisions name."""
        for place in places:
            self._places[place.key].append(place)

    def write(self, writer: CorpusWriter) -> None:
        """Name what every page is of which the same is said everywhere."""
        for key, places in sorted(self._places.items()):
            known = agree([place.witness for place in places if place.witness is not None])
            if known is None:
                continue
            writer.add_place(key, known.number, known.row)
            if known.number is not None:
                rows = [place.row for place in places if place.court in {None, known.court}]
                writer.resolve_citings(rows, known.number)


def agree(witnesses: Sequence[Witness]) -> Known | None:
    """What all witnesses say; ``None`` where they contradict each other or say too little.

    A docket alone is that of many courts; with its day it is that of one.
    """
    courts = {one.court for one in witnesses if one.court is not None}
    days = {one.day for one in witnesses if one.day is not None}
    numbers = {one.number for one in witnesses if one.number is not None}
    if any(len(said) > 1 for said in (courts, days, numbers)) or not (courts or days):
        return None
    if not _share_dockets(witnesses):
        return None
    speaking = [one for one in witnesses if one.speaks and one.row is not None]
    best = min(speaking, key=lambda one: (one.day is None, one.row), default=None)
    return Known(
        next(iter(courts), None), next(iter(numbers), None), best.row if best is not None else None
    )


def _share_dockets(witnesses: Sequence[Witness]) -> bool:
    """Whether all name one decision: joined cases are cited by any of their dockets."""
    if len(witnesses) < 2:
        return True
    beside: dict[str, list[frozenset[str]]] = defaultdict(list)
    for one in witnesses:
        for docket in one.dockets:
            beside[docket].append(one.dockets)
    joined = set(witnesses[0].dockets)
    left = list(joined)
    while left:
        for dockets in beside.pop(left.pop(), ()):
            left += dockets - joined
            joined |= dockets
    return all(one.dockets & joined for one in witnesses)
