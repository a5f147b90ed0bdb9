"""Hits of a search as rows, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from fundstelle.corpus.store import Excerpt
from fundstelle.law.norms import NormStatus, Statute
from fundstelle.lookup.sources import build_source_url
from fundstelle.search.index import SearchHit
from fundstelle.search.snippets import snippet
from fundstelle.tools import _schema as s
from fundstelle.tools._parameters import DOCUMENT_KINDS, SOURCE_TYPES

SNIPPET_CHARS = 300
_REMOVED = "removed"
_FACETS = ("source_type", "court", "year")


class HitRows:
    """Makes rows; keeps the laws' names encoded, as they stand in every hit."""

    def __init__(self, statutes: Mapping[str, Statute]) -> None:
        self._statutes = statutes
        self._laws = {
            statute.statute_id: orjson.Fragment(
                orjson.dumps({"abbreviation": statute.abbreviation, "title": statute.title})
            )
            for statute in statutes.values()
        }

    def describe(
        self, hits: Sequence[SearchHit], excerpts: Sequence[Excerpt], words: str
    ) -> Iterator[dict[str, Any]]:
        """Rows, made one by one so that none is made beyond a page's budget."""
        for hit, excerpt in zip(hits, excerpts, strict=True):
            norm = excerpt.norm
            statute = self._statutes[norm.statute_id]
            row: dict[str, Any] = {"norm_id": norm.norm_id, "citation": norm.citation}
            if norm.title:
                row["title"] = norm.title
            row["snippet"] = snippet(excerpt.text, words, limit=SNIPPET_CHARS)
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
            elif norm.status is not NormStatus.IN_FORCE:
                row["status"] = norm.status
            yield row


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
        "facets": s.record("Counts over all hits, in detailed answers.", facets),
    }
