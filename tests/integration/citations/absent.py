"""Provisions that are not there, and what may truly be said of the place where they would be."""

import random
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fundstelle.corpus.store import CorpusStore
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Level, Norm, NormKind, Segment
from fundstelle.lookup.answers import Evidence, Miss, Outcome, Place, Resolution
from fundstelle.lookup.misses.laws import FORMER, NAMESAKE
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.lookup.reading.land_names import is_land_name

_KINDS = (NormKind.SECTION, NormKind.ARTICLE)
_NUMBER_ALONE = 6  # characters: "(12)"
_Key = tuple[tuple[int, str], ...]

_WHY = {"repealed": FORMER, "ambiguous": NAMESAKE}


@dataclass(frozen=True, slots=True)
class Absence:
    """A citation of what is not there, beside the norm it was made from."""

    form: str
    written: str
    norm: Norm
    number: str | None = None  # of a section that is not there
    parent: str | None = None  # citation of the part whose further part is not there
    level: Level | None = None


class Contents:
    """The numbers of every law as its own list of contents has them, read without the lookup."""

    def __init__(self, store: CorpusStore) -> None:
        self.store = store
        self._orders: dict[tuple[str, NormKind], list[tuple[_Key, Norm]]] = {}
        self._numbers: dict[str, set[str]] = {}

    def get_order(self, statute_id: str, kind: NormKind) -> Sequence[tuple[_Key, Norm]]:
        """The §§ or the Artikel of a law by number; range norms stand at their first."""
        if (statute_id, kind) not in self._orders:
            for each in _KINDS:
                self._orders[statute_id, each] = []
            for norm in self.store.list_norms(statute_id):
                if norm.kind in _KINDS:
                    counted = NormKind.ARTICLE if "/" in norm.number else norm.kind
                    self._orders[statute_id, counted].append((read_key(norm), norm))
            for each in _KINDS:
                self._orders[statute_id, each].sort(key=lambda entry: entry[0])
        return self._orders[statute_id, kind]

    def get_numbers(self, statute_id: str) -> set[str]:
        """Every number of a law, those of headings included."""
        if statute_id not in self._numbers:
            norms = self.store.list_norms(statute_id)
            self._numbers[statute_id] = {norm.number for norm in norms}
        return self._numbers[statute_id]

    def find_beside(self, norm: Norm, key: _Key) -> tuple[Norm | None, Norm | None]:
        """The nearest norms below and above a key that nothing has."""
        order = self.get_order(norm.statute_id, norm.kind)
        below = [one for each, one in order if each < key]
        above = [one for each, one in order if each > key]
        return below[-1] if below else None, above[0] if above else None


def read_key(norm: Norm) -> _Key:
    """Where a norm stands among the numbers of its law."""
    number = norm.number.partition("~")[0]
    for prefix in ("art-", "par-"):
        number = number.removeprefix(prefix)
    return number_key(number.partition("-")[0] if norm.number_end else number)


def list_absences(norm: Norm, contents: Contents, chosen: random.Random) -> Iterator[Absence]:
    """A letter, a number, an Absatz and a Satz that are not there."""
    if norm.citation.startswith(("§ ", "Art. ")) and "/" not in norm.number:
        yield from _list_sections(norm, contents, chosen)
    fassung = contents.store.find_fassung(norm.norm_id)
    if fassung is not None and not contents.store.list_same(norm.norm_id.partition("~")[0]):
        law = contents.store.statutes[norm.statute_id].abbreviation
        for level in (Level.ABSATZ, Level.SATZ):
            yield _list_part(norm, fassung.segments, level, law, chosen)


def _list_sections(norm: Norm, contents: Contents, chosen: random.Random) -> Iterator[Absence]:
    sign, number = norm.citation.split()[:2]
    law = norm.citation.removeprefix(f"{sign} {number} ")
    digits = number.rstrip(string.ascii_lowercase)
    if not digits.isdecimal():
        return
    order = contents.get_order(norm.statute_id, norm.kind)
    used = {key for key, _ in order}
    named = contents.get_numbers(norm.statute_id)
    letters = [letter for letter in "abcdefghz" if number_key(digits + letter) not in used]
    highest = max(key[0][0] for key in used)
    absent = [("letter", digits + chosen.choice(letters))] if letters else []
    for one in order:
        if one[1].number_end is not None:
            highest = max(highest, number_key(one[1].number_end)[0][0])
    for form, wanted in (*absent, ("beyond the last", str(highest + 1))):
        if wanted not in named and not _is_in_range(order, wanted):  # a heading may bear it
            yield Absence(form, f"{sign} {wanted} {law}", norm, number=wanted)


def _is_in_range(order: Sequence[tuple[_Key, Norm]], number: str) -> bool:
    key = number_key(number)
    return any(
        each <= key <= number_key(one.number_end)
        for each, one in order
        if one.number_end is not None
    )


def _list_part(
    norm: Norm, segments: Sequence[Segment], level: Level, law: str, chosen: random.Random
) -> Absence:
    """One more than the parts of that level below the norm, or below one Absatz of it."""
    parent = -1
    if level is Level.SATZ:
        absaetze = [i for i, one in enumerate(segments) if _is_single(one, Level.ABSATZ)]
        parent = chosen.choice(absaetze) if absaetze else -1
    values = [one.value for one in segments if one.level is level and one.parent == parent]
    ends = [value.rpartition("-")[2] for value in values]  # "3-5": three that are gone
    numbers = [number_key(value)[0][0] for value in ends if value[0].isdigit()]
    further = max(numbers, default=1) + 1
    path = format_steps(get_steps(segments, parent))
    above = insert_path(norm.citation, path, law)
    word = {Level.ABSATZ: "Abs.", Level.SATZ: "Satz"}[level]
    written = insert_path(norm.citation, f"{path} {word} {further}".strip(), law)
    return Absence(f"{word} {'max + 1' if numbers else '2'}", written, norm, None, above, level)


def _is_single(segment: Segment, level: Level) -> bool:
    return segment.level is level and "-" not in segment.value


def find_fault(resolution: Resolution, absence: Absence, contents: Contents) -> str | None:
    """What is untrue in an answer; ``None`` for the right denial."""
    (outcome, *others) = resolution.outcomes
    if others or not isinstance(outcome, Miss):
        return f"{len(resolution.outcomes)} answers, the first {type(outcome).__name__}"
    if is_of_other_law(contents.store, absence.norm, outcome):
        return None
    if absence.number is not None:
        return _find_fault_of_section(outcome, absence, contents)
    return _find_fault_of_part(outcome, absence, contents)


def is_of_other_law(store: CorpusStore, norm: Norm, miss: Outcome) -> bool:
    """Whether the miss leads to a provision of another law of the name, of today or before."""
    if not isinstance(miss, Miss) or miss.status not in _WHY or not miss.suggestions:
        return False
    named = miss.suggestions[0]
    other = store.find_norm(named.norm_id or "") if named.why == _WHY[miss.status] else None
    return other is not None and other.statute_id != norm.statute_id


def _find_fault_of_section(miss: Miss, absence: Absence, contents: Contents) -> str | None:
    norm, number = absence.norm, absence.number or ""
    order = [one for _, one in contents.get_order(norm.statute_id, norm.kind)]
    before, after = contents.find_beside(norm, number_key(number))
    # what the publisher passes over without a word, or has left of a law, nobody denies
    is_between = number.isdecimal() and before is not None and after is not None
    is_shared = is_land_name(contents.store.statutes[norm.statute_id])  # with laws of Länder
    is_open = is_between or is_shared or read_key(order[0])[0][0] > 1
    if miss.status != ("not_in_corpus" if is_open else "norm_does_not_exist"):
        return miss.status
    if is_shared:  # what the law of the Bund has says nothing of the others
        return None
    expected = Evidence(_place(order[0]), _place(order[-1]), _place(before), _place(after))
    return None if miss.evidence == expected else f"{miss.evidence} instead of {expected}"


def shows_number_alone(store: CorpusStore, norm: Norm) -> bool:
    """Whether of some part the publisher prints nothing but its number: what it said is open."""
    fassung = store.find_fassung(norm.norm_id)
    parts = fassung.segments if fassung is not None else ()
    return any(part.end - part.start <= _NUMBER_ALONE for part in parts)


def _find_fault_of_part(miss: Miss, absence: Absence, contents: Contents) -> str | None:
    if miss.status == "not_in_corpus" and shows_number_alone(contents.store, absence.norm):
        return None
    if miss.status != "subunit_does_not_exist":
        return miss.status
    fassung = contents.store.find_fassung(absence.norm.norm_id)
    assert fassung is not None
    law = contents.store.statutes[absence.norm.statute_id].abbreviation
    held = {
        insert_path(absence.norm.citation, format_steps(get_steps(fassung.segments, i)), law)
        for i, one in enumerate(fassung.segments)
        if one.level is absence.level
    }
    named = [place for place in (miss.evidence.first, miss.evidence.last) if place is not None]
    if any(place.citation not in held for place in named):
        return f"{miss.evidence} names parts that are not there"
    if any(place.norm_id != absence.norm.norm_id for place in named):
        return f"{miss.evidence} names another section"
    return None


def _place(norm: Norm | None) -> Place | None:
    return Place(norm.citation, norm.norm_id) if norm is not None else None
