"""References from norm to norm: found in the stored texts, resolved against the build's ids."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.ingestion import Edge, WholeStore
from fundstelle.corpus.rows import sort_key
from fundstelle.ingest.sources.files.patience import TooSlow, limited
from fundstelle.law.citations import EuCitation, NormCitation, write_path
from fundstelle.law.identifiers import build_norm_id, fold, to_id
from fundstelle.law.norms import Level

_EU_UNITS = {"Art": "art", "Erwg": "recital", "Anhang": "annex"}  # as in the ids
MOST_EDGES = 20_000  # of one norm; the most that any has are 1,900
MOST_CHARS = 1_000  # of a reference as it is written; the longest that any decision has has 465
_WIDEST_RANGE = 30  # a longer one is a reference to its two ends


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The sections of one statute in the order of their numbers."""

    keys: tuple[str, ...]
    ordinals: tuple[int, ...]


class Resolver:
    """From a written citation to the ordinals of the norms it means."""

    def __init__(self, store: WholeStore) -> None:
        self._ordinals = {norm_id: ordinal for ordinal, norm_id in store.iter_ids()}
        self._laws: dict[str, str] = {}
        self._statutes: dict[str, int] = {}
        for number, statute in enumerate(store.statutes.values()):
            self._laws.setdefault(fold(statute.abbreviation), statute.statute_id)
            self._statutes[statute.statute_id] = number
        self._ranges: dict[int, list[tuple[int, str, str]]] = {}
        for ordinal, number, low, high in store.iter_ranges():
            self._ranges.setdefault(number, []).append((ordinal, low, high))
        self._numbers: dict[str, _Numbers] = {}
        self._store = store

    def resolve(self, citation: NormCitation) -> list[int | None]:
        """Ordinals (``-1 - statute`` for a whole law); ``[None]`` if nothing held is meant."""
        statute_id = self._laws.get(fold(citation.law)) if citation.law else None
        if statute_id is None:
            return [None]
        if citation.number is None and citation.unit is None:
            return [-1 - self._statutes[statute_id]]
        number = get_number(citation)
        first = self._find(statute_id, number)
        if first is None or citation.number is None:
            return [first]
        if citation.number_end:
            return list(self._between(statute_id, number, citation.number_end, first))
        if citation.follow == "f":
            return [first, *self._next(statute_id, number)]
        return [first]

    def resolve_eu(self, citation: EuCitation) -> list[int | None]:
        """As ``resolve``, for an act of the EU: ``eu/32016R0679/art_6``."""
        statute_id = f"eu/{citation.celex}"
        statute = self._statutes.get(statute_id)
        if statute is None:
            return [None]
        if citation.number is None:
            return [-1 - statute]
        unit = _EU_UNITS.get(citation.unit or "", "art")
        return [self._ordinals.get(f"{statute_id}/{unit}_{citation.number.lower()}")]

    def _find(self, statute_id: str, number: str) -> int | None:
        # "art-1" is the id where a law counts both Artikel and §§.
        for candidate in (number, f"art-{number}"):
            ordinal = self._ordinals.get(build_norm_id(statute_id, candidate))
            if ordinal is not None:
                return ordinal
        key = sort_key(number)
        for held, low, high in self._ranges.get(self._statutes[statute_id], ()):
            if low <= key <= high and number[:1].isdigit():
                return held
        return None

    def _between(
        self, statute_id: str, number: str, number_end: str, first: int
    ) -> Iterator[int | None]:
        numbers = self._list(statute_id)
        low = bisect_left(numbers.keys, sort_key(number))
        high = bisect_right(numbers.keys, sort_key(number_end))
        inside = numbers.ordinals[low:high]
        if 0 < len(inside) <= _WIDEST_RANGE:
            yield from inside
        else:
            yield first
            yield from inside[-1:]

    def _next(self, statute_id: str, number: str) -> tuple[int, ...]:
        numbers = self._list(statute_id)
        place = bisect_right(numbers.keys, sort_key(number))
        return numbers.ordinals[place : place + 1]

    def _list(self, statute_id: str) -> _Numbers:
        numbers = self._numbers.get(statute_id)
        if numbers is None:
            pairs = sorted(self._store.list_numbers(statute_id))
            numbers = _Numbers(tuple(key for key, _ in pairs), tuple(n for _, n in pairs))
            self._numbers[statute_id] = numbers
        return numbers


def get_number(citation: NormCitation) -> str:
    """The number part of the id: "823", "229/5" for Art. 229 § 5, "anlage-1"."""
    number = citation.number or ""
    if citation.unit and to_id(citation.unit) not in {"", "art"}:
        number = to_id(f"{citation.unit} {number}")
    nested = [step.value for step in citation.path[:1] if step.level == Level.SECTION]
    return "/".join([number, *nested])


def find_edges(
    store: WholeStore, names: LawNames, resolver: Resolver, first: int, last: int
) -> tuple[list[Edge], list[str]]:
    """All edges out of the norms with ordinals ``[first, last]``, ``MOST_EDGES`` of each.

    Beside them the ids of norms that took too long: of those there are none.
    """
    edges: list[Edge] = []
    endless: list[str] = []
    statutes = store.statutes
    for ordinal, norm, fassung in store.iter_between(first, last):
        law = statutes[norm.statute_id].abbreviation
        found = _iter_edges(ordinal, fassung.text, names, resolver, law)
        try:
            with limited():
                edges += list(islice(found, MOST_EDGES))
        except TooSlow:
            endless.append(norm.norm_id)
    return edges, endless


def _iter_edges(
    ordinal: int, text: str, names: LawNames, resolver: Resolver, law: str
) -> Iterator[Edge]:
    for found in find(text, names, law):
        for target in found.targets:
            cited: list[int | None]
            if isinstance(target, NormCitation):
                cited = resolver.resolve(target)
            elif isinstance(target, EuCitation):
                cited = resolver.resolve_eu(target)
            else:
                continue
            path = write_path(target.path)
            for one in cited:
                yield ordinal, one, path, found.text[:MOST_CHARS], found.start, found.end
