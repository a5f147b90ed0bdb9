"""``legal_get_stats``: what the corpus holds, of which day, and what it lacks."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from typing import Any

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.law.publishers import find_link
from fundstelle.lookup.library import Library
from fundstelle.tools.answers import schema as s
from fundstelle.tools.answers.envelope import envelope_schema, result
from fundstelle.tools.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_get_stats"
PARAMETERS: tuple[Parameter, ...] = ()
DESCRIPTION = (
    "Says what this server knows: number of laws, norms and decisions, sources with their Stand "
    "and known gaps, the corpus release, the oldest day it can speak for, and the limits of the "
    "tools. Use it once, before you rely on completeness or tell a user how current an answer is. "
    "Not for the names of laws (legal_list_laws), not for the contents of a law (legal_get_toc). "
    "Takes no arguments; about 500 tokens."
)
LIMITS = {
    "query_characters": 1_000,
    "citation_characters": 500,
    "quote_characters": 2_000,
    "batch_citations": 20,
    "search_top_k": 50,
    "search_offset": 1_000,
    "lookup_max_chars": 60_000,
    "list_limit": 500,
}


def handle(library: Library) -> ToolResult:
    """The build's description."""
    manifest = library.store.manifest
    warnings = (
        ["Demonstration corpus with invented law: kein geltendes Recht."]
        if manifest.demonstration
        else []
    )
    warnings += library.notices
    return result(True, 1, 1, 0, manifest.release, warnings=warnings, stats=build_stats(library))


def build_stats(library: Library) -> dict[str, Any]:
    """The numbers, as JSON values."""
    manifest = library.store.manifest
    statutes = library.store.statutes.values()
    return {
        "law_count": manifest.statutes,
        "norm_count": manifest.norms,
        "decision_count": library.decisions.count(),
        "reference_count": manifest.references,
        "last_ingest_run": _format(manifest.built_at),
        "by_jurisdiction": _count(statute.jurisdiction for statute in statutes),
        "by_source_type": _count(statute.source_type for statute in statutes)
        | dict(library.decisions.count_by_source()),
        "sources": [_describe(source, manifest) for source in manifest.sources],
        "corpus": {
            "release": manifest.release,
            "sha256": manifest.sha256,
            "version_date": manifest.stand,
        },
        "archive_floor": manifest.archive_floor,
        "limits": LIMITS,
    }


def _format(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _describe(source: SourceState, manifest: Manifest) -> dict[str, Any]:
    gaps = list(source.known_gaps)
    if source.problem:
        gaps.append(f"the last attempt failed, the last good state is held: {source.problem}")
    if manifest.rejected and source.source_type == "gii":
        gaps.append(f"{len(manifest.rejected)} files of this build could not be used")
    return {
        "name": source.name,
        "source_type": source.source_type,
        "url": find_link(source.url) or "",
        "since": manifest.archive_floor,
        "version_date": source.stand,
        "last_success": _format(source.retrieved_at),
        "last_attempt": _format(source.last_attempt or source.retrieved_at),
        "status": "complete" if source.complete else "partial",
        "items": source.items,
        "known_gaps": gaps,
    }


def _build_output_schema() -> dict[str, Any]:
    source = {
        "name": s.text("Name."),
        "source_type": s.text("Value of the filter source_type."),
        "url": s.text("Address of the publisher."),
        "since": s.day("First day of law held."),
        "version_date": s.day("Stand."),
        "last_success": s.text("When its files were last fetched, date and time in UTC."),
        "last_attempt": s.text("When this was last tried."),
        "status": s.choice("Completeness.", ("complete", "partial")),
        "items": s.integer("Documents."),
        "known_gaps": s.texts("What is known to be missing."),
    }
    corpus = {
        "release": s.text("Name of the build."),
        "sha256": s.text("Hash over all it holds."),
        "version_date": s.day("Stand of the whole."),
    }
    stats = {
        "law_count": s.integer("Laws."),
        "norm_count": s.integer("Provisions."),
        "decision_count": s.integer("Court decisions."),
        "reference_count": s.integer("References from norm to norm."),
        "last_ingest_run": s.text("When the build was made, date and time in UTC."),
        "by_jurisdiction": s.record("Laws by jurisdiction."),
        "by_source_type": s.record("Laws by source."),
        "sources": s.array("The sources.", s.record("A source.", source)),
        "corpus": s.record("The build.", corpus),
        "archive_floor": s.day("Oldest day the corpus can speak for."),
        "limits": s.record("Largest values the tools take."),
    }
    return envelope_schema(("stats",), stats=s.record("The numbers.", stats, list(stats)))


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""
    del today  # what a build says of itself does not depend on the day
    answer = handle(library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        read_arguments(PARAMETERS, arguments)
        return answer

    return Tool(
        name=NAME,
        title="What the corpus holds",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=_build_output_schema(),
        call=call,
    )
