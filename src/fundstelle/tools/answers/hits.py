"""Hits of a search as rows, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NotRequired, TypedDict, cast

import orjson

from fundstelle.corpus.store import Excerpt
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Norm, NormStatus, Statute
from fundstelle.lookup.dating.between_looks import warn_of_gap
from fundstelle.lookup.dating.days import find_floor, find_stand
from fundstelle.lookup.dating.on_day import Standing, find_text, set_to_day
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url, say_when_seen
from fundstelle.lookup.validity.notes import find_status
from fundstelle.search.index import LEXICAL, SearchHit
from fundstelle.search.words.gloss import has_gloss
from fundstelle.search.words.in_german import find_in_german
from fundstelle.search.words.snippets import Room, find_best_span, snippet
from fundstelle.tools.answers.budgets import HIT, NAME, measure, say_place, shorten
from fundstelle.tools.answers.looks import LastLook, find_look
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.answers.units import CITABLE
from fundstelle.tools.inputs.parameters import DOCUMENT_KINDS

SNIPPET_CHARS = 300
_LEAST_SNIPPET = 120
_LEAST_TITLE = 30
_READ = 20_000  # characters of a text that words of the question are looked for in
_ESCAPES = 10  # characters that JSON may put before those of a snippet


class ShownLawName(TypedDict):
    """The law that a hit stands in."""

    abbreviation: Annotated[str, "Abbreviation."]
    title: Annotated[str, "Official title."]


class ShownHit(TypedDict):
    """A norm or decision that was found; in concise what its citation says already is left out."""

    norm_id: Annotated[str, "Id, for legal_lookup."]
    citation: Annotated[str, "Canonical citation."]
    title: NotRequired[Annotated[str, "Title; the beginning of a long one in concise."]]
    snippet: Annotated[str, "Part of the text around the match; not for quoting."]
    law: NotRequired[Annotated[ShownLawName, "The law it stands in."]]
    hierarchy: NotRequired[Annotated[str, "Headings above it, outermost first: A > B."]]
    source_type: NotRequired[Annotated[str, "Source: a value of the filter source_type."]]
    document_kind: NotRequired[Annotated[str, "Kind of document.", Values(DOCUMENT_KINDS)]]
    court: NotRequired[Annotated[str, "Court of a decision."]]
    decision_date: NotRequired[Annotated[date, "Day of a decision."]]
    ecli: NotRequired[Annotated[str, "ECLI of a decision."]]
    citable: NotRequired[Annotated[bool, CITABLE]]
    randnummer: NotRequired[Annotated[str, "Its passage."]]
    further_passages: NotRequired[Annotated[int, "More passages of it that match."]]
    score: NotRequired[Annotated[float, "Higher is better; compare only inside one answer."]]
    match: NotRequired[
        Annotated[
            str,
            "How it was found; left out in concise where by its words.",
            Values(("lexical", "semantic", "citation")),
        ]
    ]
    version_date: NotRequired[Annotated[date, "Stand of the text."]]
    source_url: NotRequired[Annotated[str, "Where the publisher shows it."]]
    status: NotRequired[
        Annotated[
            str,
            "Only where the norm is not in force; removed = its law is no longer listed.",
            Values(tuple(NormStatus)),
        ]
    ]


class ShownFacets(TypedDict):
    """Counts over all hits."""

    source_type: Annotated[Mapping[str, int], "Hits by source_type."]
    court: Annotated[Mapping[str, int], "Hits by court."]
    year: Annotated[Mapping[str, int], "Hits by year."]


class HitRows:
    """Makes rows; keeps the laws' names encoded, as they stand in every hit."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._store = library.store
        self._decisions = library.decisions
        self._laws: dict[str, ShownLawName] = {}

    def describe(self, hits: Sequence[SearchHit], on: date, look: "Look") -> Iterator[ShownHit]:
        """Rows, made one by one so that none is made beyond a page's budget."""
        base = self._decisions.base
        ordinals = [hit.ordinal for hit in hits if hit.ordinal < base]
        excerpts = iter(self._store.list_excerpts(ordinals, on))
        for hit in hits:
            if hit.ordinal < base:
                yield self._describe_norm(hit, next(excerpts), on, look)
            else:
                (decision,) = self._decisions.get_by_ordinal([hit.ordinal - base])
                yield self._describe_decision(hit, decision, look)

    def place_unnamed(self, hits: Sequence[SearchHit]) -> list[SearchHit]:
        """Decisions that nobody can cite behind those that can be; norms keep their places.

        Among so many hits as these: of the same ones the order is the same on every page.
        """
        base = self._decisions.base
        places = [place for place, hit in enumerate(hits) if hit.ordinal >= base]
        found = self._decisions.get_by_ordinal([hits[place].ordinal - base for place in places])
        order = sorted(range(len(found)), key=lambda at: not found[at].is_citable)
        placed = list(hits)
        for place, at in zip(places, order, strict=True):
            placed[place] = hits[places[at]]
        return placed

    def _describe_norm(self, hit: SearchHit, excerpt: Excerpt, on: date, look: "Look") -> ShownHit:
        statute = self._store.statutes[excerpt.norm.statute_id]
        norm = set_to_day(self._library, statute, excerpt.norm, on)
        row = _begin(hit, norm.norm_id, norm.citation, norm.title, look)
        row["source_url"] = build_source_url(statute, norm)
        status = find_status(self._library, statute, norm.status, excerpt.notes)
        if status is not NormStatus.IN_FORCE:
            row["status"] = status
        if look.detailed:
            row["law"] = self._name_law(statute)
            row["hierarchy"] = say_place(norm.hierarchy)
            row["source_type"] = statute.source_type
            row["document_kind"] = statute.document_kind
            if excerpt.stand is not None:
                row["version_date"] = find_stand(statute, excerpt.stand)
        if on < find_floor(self._library, statute):
            found = find_text(self._library, statute, norm.norm_id, on)
            if found.standing is Standing.OUTSIDE:
                look.unknown.append((norm.norm_id, norm.citation))
        if not look.notes:
            names = (norm.citation, norm.title or "", *norm.hierarchy, statute.title)
            look.first.append("\n".join((*names, excerpt.text[:_READ])))
            german = find_in_german(norm.norm_id)
            look.in_german.extend(filter(None, (german.matter, german.asked)))
            if has_gloss(norm, statute):
                look.in_english.append(look.first[0])
        look.notes.append(self._note(statute, norm, excerpt, on))
        look.add_snippet(row, excerpt.text)
        return row

    def _note(self, statute: Statute, norm: Norm, excerpt: Excerpt, on: date) -> "RowNote":
        """What a lookup says of the days of the same text."""
        language, library = statute.language, self._library
        if excerpt.in_force_until is not None:
            fassung = self._store.find_fassung(norm.norm_id, on)
            unsure = warn_of_gap(library, statute, fassung, on) if fassung else ()
            return RowNote(language, said=tuple(f"{norm.citation}: {one}" for one in unsure))
        if seen := say_when_seen(self._store.manifest, statute):
            return RowNote(language, said=(seen,))
        return RowNote(language, find_look(library, statute, excerpt.stand))

    def _name_law(self, statute: Statute) -> ShownLawName:
        """Encoded once: it stands in every hit."""
        encoded = self._laws.get(statute.statute_id)
        if encoded is None:
            name: ShownLawName = {"abbreviation": statute.abbreviation, "title": statute.title}
            encoded = cast("ShownLawName", orjson.Fragment(orjson.dumps(name)))
            self._laws[statute.statute_id] = encoded
        return encoded

    def _describe_decision(self, hit: SearchHit, decision: Decision, look: "Look") -> ShownHit:
        """The best passage of a decision, and how many more there are."""
        text = self._decisions.find_text(decision.decision_id)
        assert text is not None
        spans = [(passage.start, passage.end) for passage in text.passages]
        best, more = find_best_span(text.text, look.words, spans, look.room) or (None, 0)
        start, end = (0, len(text.text)) if best is None else spans[best]
        row = _begin(hit, decision.decision_id, decision.citation, decision.title, look)
        if not decision.is_citable:
            row["citable"] = False
        if decision.source_url:
            row["source_url"] = decision.source_url
        if best is not None:
            row["randnummer"] = text.passages[best].number
        if look.detailed:
            _add_facts(row, decision, more)
        look.notes.append(RowNote(decision.language))
        look.add_snippet(row, text.text[start:end])
        return row


@dataclass(frozen=True, slots=True)
class RowNote:
    """What is to be said beside the rows of the text of one: of its language and its days."""

    language: str
    look: LastLook | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """What snippets are chosen by, and how much of a hit is shown.

    ``notes`` grows with the rows.
    """

    words: str
    room: Room
    detailed: bool
    notes: list[RowNote] = field(default_factory=list)
    first: list[str] = field(default_factory=list)  # names and words of the first hit, if a norm
    in_german: list[str] = field(default_factory=list)  # words that the search knows it by, too
    unknown: list[tuple[str, str]] = field(default_factory=list)  # id, citation: not of that day
    in_english: list[str] = field(default_factory=list)  # words that it knows in German, too

    def add_snippet(self, row: ShownHit, text: str) -> None:
        """The last part of a row: in concise it has what the others left of the budget."""
        limit = SNIPPET_CHARS
        if not self.detailed:
            limit = min(self._make_room(row), SNIPPET_CHARS)
        row["snippet"] = snippet(text, self.words, limit=limit, room=self.room)

    def _make_room(self, row: ShownHit) -> int:
        """Characters left for the snippet; a title gives way to the least that one needs."""
        left = HIT - _ESCAPES - measure(row)
        if left < _LEAST_SNIPPET and "title" in row:
            title = row["title"]
            row["title"] = shorten(title, max(len(title) - _LEAST_SNIPPET + left, _LEAST_TITLE))
        return max(left, _LEAST_SNIPPET)


def _begin(hit: SearchHit, norm_id: str, citation: str, title: str | None, look: Look) -> ShownHit:
    row: ShownHit = {"norm_id": norm_id, "citation": citation, "snippet": ""}
    if title:
        row["title"] = title if look.detailed else shorten(title, NAME)
    if look.detailed or hit.match != LEXICAL:
        row["match"] = hit.match
    if look.detailed:
        row["score"] = round(hit.score, 4)
    return row


def _add_facts(row: ShownHit, decision: Decision, more: int) -> None:
    row["court"] = decision.court
    row["source_type"] = decision.source_type
    row["document_kind"] = "decision"
    if more:
        row["further_passages"] = more
    if decision.issued_on is not None:
        row["decision_date"] = decision.issued_on
    if decision.ecli:
        row["ecli"] = decision.ecli


def name_facets(facets: Mapping[str, Mapping[str, int]]) -> ShownFacets:
    """The facets of the contract, empty where the index has none."""
    return {
        "source_type": facets.get("source_type", {}),
        "court": facets.get("court", {}),
        "year": facets.get("year", {}),
    }
