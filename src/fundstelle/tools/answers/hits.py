"""Hits of a search as rows, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, NotRequired, TypedDict, cast

import orjson

from fundstelle.corpus.store import Excerpt
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import NormStatus, Statute
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url
from fundstelle.lookup.validity import find_status
from fundstelle.search.index import SearchHit
from fundstelle.search.words.snippets import Room, find_best_span, snippet
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.parameters import DOCUMENT_KINDS

SNIPPET_CHARS = 300


class ShownLawName(TypedDict):
    """The law that a hit stands in."""

    abbreviation: Annotated[str, "Abbreviation."]
    title: Annotated[str, "Official title."]


class ShownHit(TypedDict):
    """A norm or decision that was found."""

    norm_id: Annotated[str, "Id, for legal_lookup."]
    citation: Annotated[str, "Canonical citation."]
    title: NotRequired[Annotated[str, "Title of the norm."]]
    snippet: Annotated[str, "Part of the text around the match; not for quoting."]
    law: NotRequired[Annotated[ShownLawName, "The law it stands in."]]
    hierarchy: NotRequired[Annotated[Sequence[str], "Headings above it, outermost first."]]
    source_type: Annotated[str, "Source: a value of the filter source_type."]
    document_kind: Annotated[str, "Kind of document.", Values(DOCUMENT_KINDS)]
    court: NotRequired[Annotated[str, "Court of a decision."]]
    decision_date: NotRequired[Annotated[date, "Day of a decision."]]
    ecli: NotRequired[Annotated[str, "ECLI of a decision."]]
    randnummer: NotRequired[Annotated[str, "Its passage."]]
    further_passages: NotRequired[Annotated[int, "More passages of it that match."]]
    score: Annotated[float, "Higher is better; compare only inside one answer."]
    match: Annotated[str, "How it was found.", Values(("lexical", "semantic", "citation"))]
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
        self._laws = {
            statute.statute_id: _encode_name(statute) for statute in library.store.statutes.values()
        }

    def describe(
        self, hits: Sequence[SearchHit], on: date, words: str, room: Room
    ) -> Iterator[ShownHit]:
        """Rows, made one by one so that none is made beyond a page's budget."""
        base = self._decisions.base
        ordinals = [hit.ordinal for hit in hits if hit.ordinal < base]
        excerpts = iter(self._store.list_excerpts(ordinals, on))
        for hit in hits:
            if hit.ordinal < base:
                yield self._describe_norm(hit, next(excerpts), words, room)
            else:
                (decision,) = self._decisions.get_by_ordinal([hit.ordinal - base])
                yield self._describe_decision(hit, decision, words, room)

    def _describe_norm(self, hit: SearchHit, excerpt: Excerpt, words: str, room: Room) -> ShownHit:
        norm = excerpt.norm
        statute = self._store.statutes[norm.statute_id]
        row: ShownHit = {
            "norm_id": norm.norm_id,
            "citation": norm.citation,
            "snippet": snippet(excerpt.text, words, limit=SNIPPET_CHARS, room=room),
            "law": self._laws[norm.statute_id],
            "hierarchy": norm.hierarchy,
            "source_type": statute.source_type,
            "document_kind": statute.document_kind,
            "score": round(hit.score, 4),
            "match": hit.match,
            "version_date": excerpt.stand or statute.stand,
            "source_url": build_source_url(statute, norm),
        }
        if norm.title:
            row["title"] = norm.title
        status = find_status(self._library, statute, norm.status, excerpt.notes)  # on that day
        if status is not NormStatus.IN_FORCE:
            row["status"] = status
        return row

    def _describe_decision(
        self, hit: SearchHit, decision: Decision, words: str, room: Room
    ) -> ShownHit:
        """The best passage of a decision, and how many more there are."""
        text = self._decisions.find_text(decision.decision_id)
        assert text is not None
        spans = [(passage.start, passage.end) for passage in text.passages]
        best, more = find_best_span(text.text, words, spans, room) or (None, 0)
        start, end = (0, len(text.text)) if best is None else spans[best]
        row: ShownHit = {
            "norm_id": decision.decision_id,
            "citation": decision.citation,
            "snippet": snippet(text.text[start:end], words, limit=SNIPPET_CHARS, room=room),
            "court": decision.court,
            "source_type": decision.source_type,
            "document_kind": "decision",
            "score": round(hit.score, 4),
            "match": hit.match,
        }
        if decision.title:
            row["title"] = decision.title
        if best is not None:
            row["randnummer"] = text.passages[best].number
        if more:
            row["further_passages"] = more
        if decision.issued_on is not None:
            row["decision_date"] = decision.issued_on
        if decision.ecli:
            row["ecli"] = decision.ecli
        if decision.source_url:
            row["source_url"] = decision.source_url
        return row


def _encode_name(statute: Statute) -> ShownLawName:
    """Encoded once: it stands in every hit."""
    name: ShownLawName = {"abbreviation": statute.abbreviation, "title": statute.title}
    return cast("ShownLawName", orjson.Fragment(orjson.dumps(name)))


def name_facets(facets: Mapping[str, Mapping[str, int]]) -> ShownFacets:
    """The facets of the contract, empty where the index has none."""
    return {
        "source_type": facets.get("source_type", {}),
        "court": facets.get("court", {}),
        "year": facets.get("year", {}),
    }
