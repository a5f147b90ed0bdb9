"""From a written citation to the norms of a build, and to the units below them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.rows import sort_key
from fundstelle.ingest.graph.asked import Asked, Unasked
from fundstelle.law.citations import (
    EuCitation,
    NormCitation,
    PathStep,
    name_ends,
    split_ends,
    write_path,
)
from fundstelle.law.identifiers import build_norm_id, fold, to_id
from fundstelle.law.norms import Level, NormStatus, Statute
from fundstelle.lookup.parts.brackets import read_brackets
from fundstelle.lookup.parts.following import NoUnit
from fundstelle.lookup.parts.present import find_parts
from fundstelle.lookup.reading.bare import list_others, name_before
from fundstelle.lookup.reading.letters import (
    list_spelt,
    read_as_below,
    read_as_double,
    read_as_letter,
)

_EU_UNITS = {"Art": "art", "Erwg": "recital", "Anhang": "annex"}  # as in the ids
_WIDEST_RANGE = 1_000  # a longer one is a reference to its two ends
_SIGNS = frozenset({"§", "Art"})
_ANNEX = "anlage"
_APPENDIX = "/anhang"
_MOST_KEPT = 65_536  # of what was looked up: the same provisions are cited again and again
_MOST_MEMBERS = 100  # of a range of Absätze, Nummern or Buchstaben


class CitedUnit(NamedTuple):
    """A unit that a citation means.

    ``ordinal`` is a norm's (-1 - statute for a whole law, ``None`` for what is not held), ``path``
    the part below it. ``within``: it is not named but lies between the two ends of a range.
    ``section`` is the number that was cited where one norm stands for several ("§§ 4 bis 6").
    """

    ordinal: int | None
    path: str
    within: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The sections of one statute in the order of their numbers."""

    keys: tuple[str, ...]
    ordinals: tuple[int, ...]


class Resolver:
    """From a written citation to the ordinals of the norms it means.

    ``asked`` takes note of the laws that are asked for; without it nothing is kept of them.
    """

    def __init__(self, store: WholeStore, asked: Asked | None = None) -> None:
        self.asked = asked or Unasked()
        self._ordinals = {norm_id: ordinal for ordinal, norm_id in store.iter_ids()}
        self.appendices = frozenset(
            ordinal for norm_id, ordinal in self._ordinals.items() if _APPENDIX in norm_id
        )
        """Every Anhang, which is read as an Anlage."""
        self._laws: dict[str, str] = {}
        self._statutes: dict[str, int] = {}
        for number, statute in enumerate(store.statutes.values()):
            self._laws.setdefault(fold(statute.abbreviation), statute.statute_id)
            self._statutes[statute.statute_id] = number
        self._shared: set[int | None] = set()
        self._ranges: dict[int, list[tuple[int, str, str]]] = {}
        for ordinal, number, low, high in store.iter_ranges():
            self._ranges.setdefault(number, []).append((ordinal, low, high))
            self._shared.add(ordinal)
        self._numbers: dict[str, _Numbers] = {}
        self._store = store
        self._find = lru_cache(maxsize=_MOST_KEPT)(self._look_up)
        self._is_numbered = lru_cache(maxsize=_MOST_KEPT)(self._look_whether_numbered)
        self._find_law = lru_cache(maxsize=_MOST_KEPT)(self._look_up_law)

    def find_statute(self, law: str) -> Statute | None:
        """The law that goes by that abbreviation."""
        statute_id = self._laws.get(fold(law))
        return self._store.statutes[statute_id] if statute_id is not None else None

    def resolve(self, citation: NormCitation) -> list[int | None]:
        """Ordinals (``-1 - statute`` for a whole law); ``[None]`` if nothing held is meant."""
        statute_id = None
        if citation.law:
            self.asked.ask_law(citation.law)
            statute_id = self._find_law(citation.law)
        if statute_id is None:
            return [None]
        if citation.number is None and citation.unit is None:
            return [-1 - self._statutes[statute_id]]
        number = get_number(citation)
        first = self._find(statute_id, number, citation.unit == "Art")
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
        self.asked.ask_act(statute_id)
        statute = self._statutes.get(statute_id)
        if statute is None:
            return [None]
        unit = _EU_UNITS.get(citation.unit or "", "art")
        if citation.number is None:
            only = self._ordinals.get(f"{statute_id}/{unit}") if unit == "annex" else None
            return [-1 - statute if only is None else only]
        return [self._ordinals.get(f"{statute_id}/{unit}_{citation.number.lower()}")]

    def resolve_units(self, citation: NormCitation | EuCitation) -> list[CitedUnit]:
        """Every unit that a citation means: all members of its ranges."""
        citation = self._choose(citation)
        citation = name_ends(citation) if isinstance(citation, NormCitation) else citation
        ordinals = self._resolve_any(citation)
        if isinstance(citation, EuCitation) and ordinals[0] is not None and ordinals[0] >= 0:
            citation = replace(citation, path=self._name_paragraph(ordinals[0], citation.path))
        if len(ordinals) == 1:
            section = (citation.number or "") if ordinals[0] in self._shared else ""
            if not any(step.to for step in citation.path):
                return [CitedUnit(ordinals[0], write_path(citation.path), section=section)]
            members = _unfold(citation.path)
            return [CitedUnit(ordinals[0], path, within, section) for path, within in members]
        # "§§ 2 bis 4 Abs. 1": what is below stands with the last; "§ 2 f." has nothing below it
        *covered, last = ordinals
        units = [CitedUnit(one, "", place > 0) for place, one in enumerate(covered)]
        only_next = not citation.number_end
        members = _unfold(split_ends(citation.path)[1])
        return [*units, *(CitedUnit(last, path, within or only_next) for path, within in members)]

    def _choose(self, citation: NormCitation | EuCitation) -> NormCitation | EuCitation:
        """What a member of a list means of what its words can: as the lookup reads it."""
        lettered = read_as_letter(citation)
        if lettered is not None and self._resolve_any(lettered) != [None]:
            return lettered
        double = read_as_double(citation)
        if double is not None and self._is_there(double):
            return double
        others = list_others(citation)
        spelt: list[NormCitation | EuCitation] = [*list_spelt(citation)]
        if (below := read_as_below(citation)) is not None:
            spelt.append(below)
        if not (others or spelt) or self._is_there(citation):
            return citation
        for other in spelt:
            if self._is_there(other):
                return other
        before = name_before(citation)
        if before is not None and self._is_there(before):
            return citation
        return next(filter(self._is_there, others), citation)

    def _is_there(self, citation: NormCitation | EuCitation) -> bool:
        """Whether nothing that a citation names is missing from the text as it is held now."""
        ordinals = self._resolve_any(citation)
        if ordinals[-1] is None or not citation.path:
            return ordinals[-1] is not None
        [norm] = self._store.get_norms_by_ordinal([ordinals[-1]])
        self.asked.ask_text(norm.norm_id)
        fassung = self._store.find_fassung(norm.norm_id)
        if fassung is None or fassung.status is not NormStatus.IN_FORCE:
            return True
        path = read_brackets(norm, fassung.segments, split_ends(citation.path)[1])
        return not isinstance(find_parts(norm, fassung, path), NoUnit)

    def _name_paragraph(self, ordinal: int, path: tuple[PathStep, ...]) -> tuple[PathStep, ...]:
        """``Art. 267 Abs. 3 AEUV``, whose paragraphs bear no numbers: its third Unterabsatz."""
        if not path or path[0].level != Level.ABSATZ or self._is_numbered(ordinal):
            return path
        return (replace(path[0], level=Level.UNTERABSATZ), *path[1:])

    def _look_whether_numbered(self, ordinal: int) -> bool:
        [norm] = self._store.get_norms_by_ordinal([ordinal])
        fassung = self._store.find_fassung(norm.norm_id)
        levels = {one.level for one in fassung.segments if one.parent < 0} if fassung else set()
        return Level.ABSATZ in levels or Level.UNTERABSATZ not in levels

    def _resolve_any(self, citation: NormCitation | EuCitation) -> list[int | None]:
        if isinstance(citation, EuCitation):
            return self.resolve_eu(citation)
        return self.resolve(citation)

    def _look_up_law(self, name: str) -> str | None:
        return self._laws.get(fold(name))

    def _look_up(self, statute_id: str, number: str, article: bool) -> int | None:
        # "art-1" is the id where a law counts both Artikel and §§.
        named = (f"art-{number}", number) if article else (number, f"art-{number}")
        if number.startswith(_ANNEX):  # an Anhang is read as an Anlage
            named = (number, f"anhang{number[len(_ANNEX) :]}")
        for candidate in named:
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
        if number.startswith(_ANNEX):
            inside: Sequence[int] = list(self._iter_annexes(statute_id, number, number_end))
        else:
            numbers = self._list(statute_id)
            low = bisect_left(numbers.keys, sort_key(number))
            high = bisect_right(numbers.keys, sort_key(number_end))
            inside = numbers.ordinals[low:high]
        if 0 < len(inside) <= _WIDEST_RANGE:
            yield from inside
        else:
            yield first
            yield from inside[-1:]

    def _iter_annexes(self, statute_id: str, number: str, number_end: str) -> Iterator[int]:
        """``Anlagen 1 bis 3``: those that are held; of Roman numbers none are counted."""
        low, high = number.removeprefix(f"{_ANNEX}-"), number_end
        if low.isdecimal() and high.isdecimal():
            for one in range(int(low), min(int(high), int(low) + _WIDEST_RANGE) + 1):
                ordinal = self._find(statute_id, f"{_ANNEX}-{one}", article=False)
                if ordinal is not None:
                    yield ordinal

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
    if citation.unit not in _SIGNS and citation.unit and to_id(citation.unit) not in {"", "art"}:
        number = to_id(f"{citation.unit} {number}")
    path = citation.path
    return f"{number}/{path[0].value}" if path and path[0].level == Level.SECTION else number


def _unfold(path: Sequence[PathStep]) -> Iterator[tuple[str, bool]]:
    """A path for each member of its range, and whether that lies between its ends."""
    place = next((place for place, step in enumerate(path) if step.to), None)
    if place is None:
        yield write_path(path), False
        return
    members = _list_members(path[place])
    for value in members:
        step = PathStep(path[place].level, value)
        within = value not in {members[0], members[-1]}
        yield write_path([*path[:place], step, *path[place + 1 :]]), within


def _list_members(step: PathStep) -> list[str]:
    """``Nr. 3 bis 6``: 3, 4, 5, 6; the first of "Abs. 2 ff.", the ends of what is not counted."""
    first, last = step.value, step.to or ""
    if first.isdecimal() and last.isdecimal():
        count = int(last) - int(first)
        if 0 < count < _MOST_MEMBERS:
            return [str(number) for number in range(int(first), int(last) + 1)]
        return [first, last]
    if step.follows:
        return [first]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha() and first < last:
        return [chr(letter) for letter in range(ord(first), ord(last) + 1)]
    return [first, last]
