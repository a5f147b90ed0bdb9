"""Hits of a search as rows, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import orjson

from fundstelle.corpus.store import Excerpt
from fundstelle.law.decisions import Decision, DecisionText
from fundstelle.law.norms import NormStatus
from fundstelle.lookup.decisions.rulings import cite_decision
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url
from fundstelle.search.index import SearchHit
from fundstelle.search.words.snippets import Room, find_best_span, snippet
from fundstelle.tools.answers import schema as s
from fundstelle.tools.answers.decisions import describe_decision
from fundstelle.tools.parameters import DOCUMENT_KINDS, SOURCE_TYPES

SNIPPET_CHARS = 300
_REMOVED = "removed"
_OF_DECISION = ("court", "decision_date", "ecli")
_FACETS = ("source_type", "court", "year")


class HitRows:
    """Makes rows; keeps the laws' names encoded, as they stand in every hit."""

    def __init__(self, library: Library) -> None:
        self._store = library.store
        self._decisions = library.decisions
        self._laws = {
            statute.statute_id: orjson.Fragment(
                orjson.dumps({"abbreviation": statute.abbreviation, "title": statute.title})
            )
            for statute in library.store.statutes.values()
        }

    def describe(
        self, hits: Sequence[SearchHit], on: date, words: str, room: Room
    ) -> Iterator[dict[str, Any]]:
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

    def _describe_norm(
        self, hit: SearchHit, excerpt: Excerpt, words: str, room: Room
    ) -> dict[str, Any]:
        norm = excerpt.norm
        statute = self._store.statutes[norm.statute_id]
        row: dict[str, Any] = {"norm_id": norm.norm_id, "citation": norm.citation}
        if norm.title:
            row["title"] = norm.title
        row["snippet"] = snippet(excerpt.text, words, limit=SNIPPET_CHARS, room=room)
        row["law"] = self._laws[norm.statute_id]
        row["hierarchy"] = norm.hierarchy
        row["source_type"] = statute.source_type
        row["document_kind"] = statute.document_kind
        row["score"] = round(hit.score, 4)
        row["match"] = hit.match
        row["version_date"] = excerpt.stand or statute.stand
        row["source_url"] = build_source_url(statute, norm)
        if not statute.listed:
            row["status"] = _REMOVED
        elif norm.status is not NormStatus.IN_FORCE:  # on that day
            row["status"] = norm.status
        return row

    def _describe_decision(
        self, hit: SearchHit, decision: Decision, words: str, room: Room
    ) -> dict[str, Any]:
        """The best passage of a decision, and how many more there are."""
        row: dict[str, Any] = {"norm_id": decision.decision_id, "citation": cite_decision(decision)}
        if decision.title:
            row["title"] = decision.title
        text = self._decisions.find_text(decision.decision_id)
        assert text is not None
        row |= _describe_passage(text, words, room)
        described = describe_decision(decision)
        row |= {name: described[name] for name in _OF_DECISION if name in described}
        row["source_type"] = decision.source_type
        row["document_kind"] = "decision"
        row["score"] = round(hit.score, 4)
        row["match"] = hit.match
        url = next((source.url for source in decision.sources if source.url), None)
        if url:
            row["source_url"] = url
        return row


def _describe_passage(text: DecisionText, words: str, room: Room) -> dict[str, Any]:
    spans = [(passage.start, passage.end) for passage in text.passages]
    best = find_best_span(text.text, words, spans, room)
    if best is None:
        return {"snippet": snippet(text.text, words, limit=SNIPPET_CHARS, room=room)}
    passage = text.passages[best[0]]
    words_of = text.text[passage.start : passage.end]
    shown: dict[str, Any] = {
        "snippet": snippet(words_of, words, limit=SNIPPET_CHARS, room=room),
        "randnummer": passage.number,
    }
    if best[1]:
        shown["further_passages"] = best[1]
    return shown


def name_facets(facets: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    """The facets of the contract, empty where the index has none."""
    return {name: facets.get(name, {}) for name in _FACETS}


def hit_properties() -> dict[str, s.Schema]:
    """The properties of an answer beside the envelope, for its output schema."""
    law = {"abbreviation": s.text("Abbreviation."), "title": s.text("Official title.")}
    hit = {
        "norm_id": s.text("Id, for legal_lookup."),
        "citation": s.text("Canonical citation."),
        "title": s.text("Title of the norm."),
        "snippet": s.text("Part of the text around the match; not for quoting."),
        "law": s.record("The law it stands in.", law),
        "hierarchy": s.texts("Headings above it, outermost first."),
        "source_type": s.choice("Source.", SOURCE_TYPES),
        "document_kind": s.choice("Kind of document.", DOCUMENT_KINDS),
        "court": s.text("Court of a decision."),
        "decision_date": s.day("Day of a decision."),
        "ecli": s.text("ECLI of a decision."),
        "randnummer": s.text("Its passage."),
        "further_passages": s.integer("More passages of it that match."),
        "score": s.number("Higher is better; compare only inside one answer."),
        "match": s.choice("How it was found.", ("lexical", "semantic", "citation")),
        "version_date": s.day("Stand of the text."),
        "source_url": s.text("Where the publisher shows it."),
        "status": s.choice(
            "Only where the norm is not in force; removed = its law is no longer listed.",
            (*NormStatus, _REMOVED),
        ),
    }
    facets = {name: s.record(f"Hits by {name}.") for name in _FACETS}
    return {
        "as_of": s.day("The day meant."),
        "hits": s.array("The hits, best first.", s.record("A hit.", hit)),
        "stages": s.texts("Stages of the ranking that ran: lexical, semantic, learned."),
        "facets": s.record("Counts over all hits, in detailed answers.", facets),
    }
