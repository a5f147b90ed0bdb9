"""``legal_search``: find provisions by a question, keywords or a citation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import orjson

from fundstelle.corpus.store import Excerpt
from fundstelle.law.norms import Norm, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url
from fundstelle.search.index import SearchHit, SearchRequest, SearchResult
from fundstelle.search.snippets import snippet
from fundstelle.tools import _parameters as p
from fundstelle.tools import _schema as s
from fundstelle.tools._arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools._norms import describe_stand
from fundstelle.tools._references import find_cited_norms
from fundstelle.tools._render import (
    CONCISE_TOKENS,
    DETAILED_TOKENS,
    LINKS,
    envelope_schema,
    fill_page,
    hint,
    norm_link,
    result,
)
from fundstelle.tools._scope import Scope, admits, build_scope
from fundstelle.tools._spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_search"
PARAMETERS = (
    Parameter(
        "query",
        "text",
        "The question, keywords or a citation, best in German.",
        "Rücktritt vom Kaufvertrag wegen Mangels",
        required=True,
        low=2,
        high=1_000,
    ),
    Parameter(
        "rephrasings",
        "texts",
        "The same question in words a statute would use; you write them, the rankings are fused.",
        ["ordentliche Kündigung des Arbeitsverhältnisses", "sozial ungerechtfertigt"],
        high=4,
        item_high=1_000,
    ),
    Parameter("top_k", "number", "Hits a page.", 5, default=5, low=1, high=50),
    Parameter("offset", "number", "Hits to skip.", 0, default=0, low=0, high=1_000),
    p.SOURCE_TYPE,
    p.JURISDICTION,
    p.DOCUMENT_KIND,
    Parameter(
        "law_abbreviation",
        "text",
        "Only this law, under any written name.",
        "BGB",
        high=300,
        is_filter=True,
    ),
    Parameter(
        "chapter",
        "text",
        "Only below headings whose label or title contains these words.",
        "Kaufvertrag",
        high=300,
    ),
    Parameter(
        "cited_norm",
        "text",
        "Only norms that cite this one; any reference will do.",
        "§ 280 BGB",
        high=500,
        is_filter=True,
    ),
    p.COURT,
    p.DECISION_TYPE,
    p.LANGUAGE,
    p.DATE_FROM,
    p.DATE_TO,
    p.AS_OF,
    p.RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Searches the full text of German federal law, and finds provisions by subject: question, "
    "keywords, or a citation, whose norm then comes first. Use it when you do not know the "
    "section; "
    "give rephrasings in statutory German for questions in everyday words or in English. "
    "Not for the text of a provision you can cite (legal_lookup, legal_lookup_batch), not for "
    "decisions that cite a norm (legal_find_citing_decisions), not for lists of laws "
    "(legal_list_laws). Snippets are pointers: look a hit up before you quote it. "
    "Returns ranked hits with snippets of at most 300 characters; about 200 tokens a hit, at most "
    "4,000 tokens a page."
)
SNIPPET_CHARS = 300
CITED_SCORE = 1_000.0  # above every score of an index, the same on every page


@dataclass(frozen=True, slots=True)
class Page:
    """Hits of one page, how many there are in all, and counts."""

    hits: Sequence[SearchHit]
    total: int
    facets: Mapping[str, Mapping[str, int]]


_NOTHING = Page((), 0, {})


class Search:
    """The tool over one library; keeps the laws' names as they stand in every hit."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._laws = {
            statute.statute_id: orjson.Fragment(
                orjson.dumps({"abbreviation": statute.abbreviation, "title": statute.title})
            )
            for statute in library.store.statutes.values()
        }

    def handle(self, arguments: Mapping[str, Any], on: date) -> ToolResult:
        """One page of hits."""
        library = self._library
        scope = build_scope(arguments, library, on)
        scope.warnings += describe_stand(library, on, asked=arguments["as_of"] is not None)
        page = _NOTHING if scope.is_empty else self._find(arguments, scope, on)
        excerpts = library.store.list_excerpts([hit.ordinal for hit in page.hits], on)
        detailed = arguments["response_format"] == "detailed"
        rows = fill_page(
            self._describe(page.hits, excerpts, arguments),
            DETAILED_TOKENS if detailed else CONCISE_TOKENS,
        )
        shown = [excerpt.norm for excerpt in excerpts[: len(rows)]]
        offset: int = arguments["offset"]
        end = offset + len(rows)
        more = rows and end < page.total and end <= 1_000
        return result(
            bool(rows),
            len(rows),
            page.total,
            offset,
            library.store.manifest.release,
            warnings=scope.warnings,
            next_offset=end if more else None,
            hint=_build_hint(shown, arguments),
            blocks=[norm_link(norm.norm_id, norm.citation, norm.title) for norm in shown[:LINKS]],
            as_of=on,
            hits=rows,
            facets=_name_facets(page.facets) if detailed else None,
        )

    def _find(self, arguments: Mapping[str, Any], scope: Scope, on: date) -> Page:
        request = SearchRequest(
            query=arguments["query"],
            rephrasings=tuple(filter(str.strip, arguments["rephrasings"] or ())),
            limit=arguments["top_k"],
            offset=arguments["offset"],
            filters=scope.filters,
            ancestors=scope.ancestors,
            ordinals=scope.ordinals,
            day_from=scope.day_from,
            day_to=scope.day_to,
            facets=arguments["response_format"] == "detailed",
        )
        cited = self._find_cited(arguments["query"], scope, on)
        if cited:
            return self._find_behind(cited, request)
        found = self._library.index.search(request)
        return Page(found.hits, found.total, found.facets)

    def _find_cited(self, query: str, scope: Scope, on: date) -> list[int]:
        """Ordinals of the norms that the query cites, in its order, inside the filters."""
        ordinals = []
        cited = find_cited_norms(self._library, query, on)
        scope.warnings += cited.warnings
        for norm in cited.norms:
            ordinal = self._library.store.find_ordinal(norm.norm_id)
            if ordinal is not None and admits(scope, norm, ordinal, self._library):
                ordinals.append(ordinal)
        return list(dict.fromkeys(ordinals))

    def _find_behind(self, cited: Sequence[int], request: SearchRequest) -> Page:
        """The cited norms first, the ranked ones behind them, none twice."""
        search: Callable[[SearchRequest], SearchResult] = self._library.index.search
        end = request.offset + request.limit
        found = search(replace(request, limit=end, offset=0))
        also = search(replace(request, ordinals=cited, limit=len(cited), offset=0, facets=False))
        ranked = [hit for hit in found.hits if hit.ordinal not in cited]
        first = [SearchHit(ordinal, CITED_SCORE, "citation") for ordinal in cited]
        total = found.total + len(cited) - also.total
        return Page([*first, *ranked][request.offset : end], total, found.facets)

    def _describe(
        self, hits: Sequence[SearchHit], excerpts: Sequence[Excerpt], arguments: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Rows, made one by one so that none is made beyond the page's budget."""
        statutes = self._library.store.statutes
        words = " ".join((arguments["query"], *(arguments["rephrasings"] or ())))
        for hit, excerpt in zip(hits, excerpts, strict=True):
            norm = excerpt.norm
            statute = statutes[norm.statute_id]
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
                row["status"] = "removed"
            elif norm.status is not NormStatus.IN_FORCE:
                row["status"] = norm.status
            yield row


def _build_hint(norms: Sequence[Norm], arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    if norms:
        return hint("legal_lookup", citation=norms[0].norm_id, as_of=arguments["as_of"])
    if arguments["law_abbreviation"]:
        return hint("legal_get_toc", law_abbreviation=arguments["law_abbreviation"], depth=2)
    return None


def _name_facets(facets: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    return {name: facets.get(name, {}) for name in ("source_type", "court", "year")}


def _build_output_schema() -> dict[str, Any]:
    law = {"abbreviation": s.text("Abbreviation."), "title": s.text("Official title.")}
    hit = {
        "norm_id": s.text("Id, for legal_lookup."),
        "citation": s.text("Canonical citation."),
        "title": s.text("Title of the norm."),
        "snippet": s.text("Part of the text around the match; not for quoting."),
        "law": s.record("The law it stands in.", law),
        "hierarchy": s.texts("Headings above it, outermost first."),
        "source_type": s.choice("Source.", p.SOURCE_TYPES),
        "document_kind": s.choice("Kind of document.", p.DOCUMENT_KINDS),
        "court": s.text("Court of a decision."),
        "decision_date": s.day("Day of a decision."),
        "ecli": s.text("ECLI of a decision."),
        "score": s.number("Higher is better; compare only inside one answer."),
        "match": s.choice("How it was found.", ("lexical", "semantic", "citation")),
        "version_date": s.day("Stand of the text."),
        "source_url": s.text("Where the publisher shows it."),
        "status": s.choice(
            "Only where the norm is not in force; removed = its law is no longer listed.",
            (*NormStatus, "removed"),
        ),
    }
    facets = {
        "source_type": s.record("Hits by source."),
        "court": s.record("Hits by court."),
        "year": s.record("Hits by year."),
    }
    return envelope_schema(
        ("hits",),
        as_of=s.day("The day meant."),
        hits=s.array("The hits, best first.", s.record("A hit.", hit)),
        facets=s.record("Counts over all hits, in detailed answers.", facets),
    )


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""
    search = Search(library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        values = read_arguments(PARAMETERS, arguments)
        return search.handle(values, values["as_of"] or today())

    return Tool(
        name=NAME,
        title="Search German and EU law",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=_build_output_schema(),
        call=call,
    )
