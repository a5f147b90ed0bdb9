"""Where a wording stands that is not in the cited unit.

Nearest first: the same section, its other versions, the provisions around it, its law, then
everything held. The index names what holds every word of the quote; the texts decide.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from fundstelle.errors import SearchUnavailable
from fundstelle.law.norms import (
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    Segment,
    choose_read_day,
)
from fundstelle.lookup.answers import DecisionHit, Hit, ProvisionHit
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.folding import strip_unseen
from fundstelle.lookup.comparing.framed import Framed, Lists
from fundstelle.lookup.comparing.wording import Match, Quote, Wording
from fundstelle.lookup.decisions.texts import open_decision
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import find_deepest, format_steps, get_steps, insert_path
from fundstelle.search.index import SearchRequest

MOST_ELSEWHERE = 3

_AROUND = 5  # provisions and headings on either side
_AROUND_UNLISTED = 100
_IN_LAW = 200  # provisions the index may name
_IN_CORPUS = 400
_FOLDED_CHARS = 1_000_000
_FRAMED_CHARS = 300_000  # of items with what introduces them ...
_MOST_ITEMS = 40  # ... of which so many may have the words
_DECISIONS = 20  # their texts are long
_AT_ONCE = 40
_MARGIN = re.compile(r"^\S++|(?<!\S)\S++$")  # begins no run of signs twice, however long it is


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the quote stands word for word (or normalised), and a day it held."""

    citation: str
    norm_id: str
    day: date


@dataclass(frozen=True, slots=True)
class _Provision:
    """The words of a provision on a day; ``fassung`` where it is read already."""

    norm: Norm
    text: str
    day: date
    fassung: Fassung | None = None

    @property
    def held_id(self) -> str:
        return self.norm.norm_id

    def cite(self, library: Library, start: int, end: int) -> str:
        norm = self.norm
        fassung = self.fassung or library.store.find_fassung(norm.norm_id, self.day)
        path = name_segment(fassung.segments, start, end) if fassung else ""
        law = library.store.statutes[norm.statute_id].abbreviation
        return insert_path(norm.citation, path, law)


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision, whose words are the same on every day."""

    hit: DecisionHit
    day: date

    @property
    def held_id(self) -> str:
        return self.hit.held_id

    @property
    def text(self) -> str:
        return self.hit.text

    def cite(self, _library: Library, start: int, end: int) -> str:
        citation = self.hit.decision.citation
        path = name_segment(self.hit.segments, start, end)
        return f"{citation}, {path}" if path else citation


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a list of the provision, with the words around the list."""

    hit: ProvisionHit
    framed: Framed
    day: date

    @property
    def held_id(self) -> str:
        return self.hit.held_id

    @property
    def text(self) -> str:
        return self.framed.text

    def cite(self, _library: Library, _start: int, _end: int) -> str:
        path = format_steps(get_steps(self.hit.segments, self.framed.unit))
        return insert_path(self.hit.norm.citation, path, self.hit.statute.abbreviation)


_Place = _Provision | _Decision | _Item


def find_elsewhere(
    library: Library, quote: Quote, hit: Hit | None, on: date, effort: Effort
) -> tuple[Finding, ...]:
    """At most ``MOST_ELSEWHERE`` places, nearest first; ``hit`` is where it was said to stand.

    Ends where the effort is spent, which then says so.
    """
    found = _Findings(library, quote, effort)
    words = _list_words(quote)
    if hit is not None:
        found.look(_iter_same(library, quote, hit, on))
        if isinstance(hit, ProvisionHit) and effort.take_search(words):
            found.look(_iter_law(library, words, hit, on))
    if effort.take_search(words):
        found.look(_iter_corpus(library, words, hit, on))
    return found.list()


class _Findings:
    """Collects places where a quote stands, each once, until there are enough."""

    def __init__(self, library: Library, quote: Quote, effort: Effort) -> None:
        self._library = library
        self._quote = quote
        self._effort = effort
        self._by_citation: dict[str, Finding] = {}

    def look(self, places: Iterable[_Place]) -> None:
        """Take the places that have the very words or, if nothing is found so far, nearly so."""
        held = []
        for place in self._reach(places):
            if len(self._by_citation) == MOST_ELSEWHERE or not self._effort.take_place(place.text):
                return
            held.append(place)
            if not isinstance(place, _Item):  # whose words are joined, so that none is exact
                wording = Wording(place.text)
                self._add(place, wording.find_exact(self._quote))
                self._effort.take_tries(wording.pop_tries())
        if not self._by_citation:
            self._look_folded(held)

    def _reach(self, places: Iterable[_Place]) -> Iterator[_Place]:
        """Those that can be named while the index is away; what is left out is said then."""
        try:
            yield from places
        except SearchUnavailable:
            self._effort.is_cut = True

    def _look_folded(self, places: Iterable[_Place]) -> None:
        room = _FOLDED_CHARS  # to fold a text costs ten times a look
        for place in places:
            room -= len(place.text)
            if room < 0 or len(self._by_citation) == MOST_ELSEWHERE:
                return
            framed = place.framed if isinstance(place, _Item) else None
            wording = framed.wording if framed is not None else Wording(place.text)
            if wording.may_hold(self._quote):
                if not self._effort.take_folding(place.text):
                    return
                self._add(place, (framed or wording).find(self._quote))
                self._effort.take_tries(wording.pop_tries())

    def list(self) -> tuple[Finding, ...]:
        """In the order they were added."""
        return tuple(self._by_citation.values())

    def _add(self, place: _Place, match: Match | None) -> None:
        if match is not None:
            citation = place.cite(self._library, match.start, match.end)
            finding = Finding(citation, place.held_id, place.day)
            self._by_citation.setdefault(citation, finding)


def name_segment(segments: Sequence[Segment], start: int, end: int) -> str:
    """The path of the smallest part that holds ``[start, end)``; "" for the whole text."""
    return format_steps(get_steps(segments, find_deepest(segments, start, end)))


def _iter_same(library: Library, quote: Quote, hit: Hit, on: date) -> Iterator[_Place]:
    """The rest of the cited section, then its other versions; the rest of the decision."""
    if isinstance(hit, DecisionHit):
        if not hit.is_whole:
            yield _Decision(hit, on)
        return
    if not hit.is_whole:
        yield _Provision(hit.norm, hit.text, on, hit.fassung)
    yield from _iter_items(quote, hit, on)
    yield from _iter_versions(library, hit)


def _iter_items(quote: Quote, hit: ProvisionHit, on: date) -> Iterator[_Item]:
    """The items of its lists that may have words of the quote, with what introduces them."""
    lists, room, left = Lists(hit.text, hit.segments), _FRAMED_CHARS, _MOST_ITEMS
    for unit in lists.list_items():
        for framed in lists.frame(unit):
            room -= len(framed.text)
            if room < 0 or not left:
                return
            if Wording(framed.text).may_hold(quote):
                left -= 1
                yield _Item(hit, framed, on)


def _iter_versions(library: Library, hit: ProvisionHit) -> Iterator[_Provision]:
    for head in library.store.list_fassungen(hit.norm.norm_id):
        if head.text_sha256 == hit.fassung.text_sha256:
            continue
        day = choose_read_day(head.stand, head.in_force_from)
        fassung = library.store.find_fassung(hit.norm.norm_id, day)
        if fassung is not None and fassung.status is not NormStatus.FUTURE:
            yield _Provision(hit.norm, fassung.text, day, fassung)


def _iter_neighbours(library: Library, hit: ProvisionHit, on: date) -> Iterator[_Provision]:
    """The provisions around; of a law that the index leaves out many more."""
    norm, reach = hit.norm, _AROUND if hit.statute.listed else _AROUND_UNLISTED
    first, last = norm.position - reach, norm.position + reach
    around = library.store.list_provisions(norm.statute_id, max(first, 0), last)
    for other in sorted(around, key=lambda each: abs(each.position - norm.position)):
        if other.norm_id != norm.norm_id:
            fassung = library.store.find_fassung(other.norm_id, on)
            if fassung is not None:
                yield _Provision(other, fassung.text, on, fassung)


def _iter_law(library: Library, words: str, hit: ProvisionHit, on: date) -> Iterator[_Provision]:
    """The provisions around, then what the index names of the law, nearest first."""
    yield from _iter_neighbours(library, hit, on)
    norm = hit.norm
    ordinals = _search(library, words, {"statute_id": (norm.statute_id,)}, _IN_LAW)
    named = [place for place in _read(library, ordinals, on) if place.norm.norm_id != norm.norm_id]
    yield from sorted(named, key=lambda place: abs(place.norm.position - norm.position))


def _iter_corpus(library: Library, words: str, hit: Hit | None, on: date) -> Iterator[_Place]:
    ordinals = _search(library, words, {}, _IN_CORPUS)
    base = library.decisions.base
    cited = hit.held_id if hit else None
    norms = _read(library, [each for each in ordinals if each < base], on)
    numbers = [each - base for each in ordinals if each >= base][:_DECISIONS]
    decisions = _open(library, numbers, on)
    both = (decisions, norms) if isinstance(hit, DecisionHit) else (norms, decisions)
    yield from (place for place in chain(*both) if place.held_id != cited)


def _read(library: Library, ordinals: Sequence[int], on: date) -> Iterator[_Provision]:
    for at in range(0, len(ordinals), _AT_ONCE):
        for excerpt in library.store.list_excerpts(ordinals[at : at + _AT_ONCE], on):
            if excerpt.norm.kind is not NormKind.HEADING:
                yield _Provision(excerpt.norm, excerpt.text, on)


def _open(library: Library, ordinals: Sequence[int], on: date) -> Iterator[_Decision]:
    for decision in library.decisions.get_by_ordinal(ordinals):
        yield _Decision(open_decision(library, decision), on)


def _search(
    library: Library, words: str, filters: Mapping[str, tuple[str, ...]], most: int
) -> list[int]:
    if not words:
        return []
    request = SearchRequest(words, limit=most, filters=filters, every=True)
    return [hit.ordinal for hit in library.index.search(request).hits]


def _list_words(quote: Quote) -> str:
    """The quote as the index can be asked for it: without words that may be cut at its ends.

    NFC, since the index has texts so; only a quote of one or two words gives those.
    """
    parts = list(map(strip_unseen, quote.whole))
    inside = " ".join(_MARGIN.sub("", part) for part in parts)
    return inside.strip() or " ".join(parts)
