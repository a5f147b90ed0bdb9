"""``legal_get_stats``: what the corpus holds, of which day, and what it lacks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, TypedDict

from fundstelle.corpus.manifest import SourceState
from fundstelle.law.publishers import find_link
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import list_gaps
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.answers.envelope import envelope_schema, result
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
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


class ShownSource(TypedDict):
    """A source of the corpus."""

    name: Annotated[str, "Name."]
    source_type: Annotated[str, "Value of the filter source_type."]
    url: Annotated[str, "Address of the publisher."]
    licence: Annotated[str, "Terms under which its texts may be passed on."]
    since: Annotated[date, "First day of law held."]
    version_date: Annotated[date, "Stand."]
    last_success: Annotated[str, "When its files were last fetched, date and time in UTC."]
    last_attempt: Annotated[str, "When this was last tried."]
    status: Annotated[str, "Completeness.", Values(("complete", "partial"))]
    items: Annotated[int, "Documents."]
    known_gaps: Annotated[list[str], "What is known to be missing."]


class ShownBuild(TypedDict):
    """The build."""

    release: Annotated[str, "Name of the build."]
    sha256: Annotated[str, "Hash over all it holds."]
    version_date: Annotated[date, "Stand of the whole."]


class ShownStats(TypedDict):
    """What the corpus holds."""

    law_count: Annotated[int, "Laws."]
    norm_count: Annotated[int, "Provisions."]
    decision_count: Annotated[int, "Court decisions."]
    reference_count: Annotated[int, "References from norm to norm."]
    last_ingest_run: Annotated[str, "When the build was made, date and time in UTC."]
    by_jurisdiction: Annotated[Mapping[str, int], "Laws by jurisdiction."]
    by_source_type: Annotated[Mapping[str, int], "Laws by source."]
    sources: Annotated[list[ShownSource], "The sources."]
    corpus: Annotated[ShownBuild, "The build."]
    archive_floor: Annotated[date, "Oldest day the corpus can speak for."]
    limits: Annotated[Mapping[str, int], "Largest values the tools take."]


class StatsAnswer(TypedDict):
    """What ``legal_get_stats`` adds to the envelope."""

    stats: Annotated[ShownStats, "The numbers."]


def handle(library: Library) -> ToolResult:
    """The build's description."""
    manifest = library.store.manifest
    warnings = (
        ["Demonstration corpus with invented law: kein geltendes Recht."]
        if manifest.demonstration
        else []
    )
    warnings += [*library.notices, *tell_withheld(library)]
    own: StatsAnswer = {"stats": build_stats(library)}
    return result(True, 1, 1, 0, manifest.release, own=own, warnings=warnings)


def build_stats(library: Library) -> ShownStats:
    """The numbers, as JSON values."""
    manifest = library.store.manifest
    statutes = library.store.statutes.values()
    decisions = library.withheld or library.decisions  # how many there are is no secret
    return {
        "law_count": manifest.statutes,
        # as each law counts its own: without headings, and what its head says
        "norm_count": sum(statute.norm_count for statute in statutes),
        "decision_count": decisions.count(),
        "reference_count": manifest.references,
        "last_ingest_run": _format(manifest.built_at),
        "by_jurisdiction": _count(statute.jurisdiction for statute in statutes),
        "by_source_type": _count(statute.source_type for statute in statutes)
        | dict(decisions.count_by_source()),
        "sources": [_describe(state, library) for state in manifest.sources],
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


def _describe(state: SourceState, library: Library) -> ShownSource:
    manifest = library.store.manifest
    source = library.find_source(state.source_type)
    return {
        "name": state.name,
        "source_type": state.source_type,
        "url": find_link(state.url) or "",
        "licence": source.licence if source else "",
        "since": manifest.archive_floor,
        "version_date": state.stand,
        "last_success": _format(state.retrieved_at),
        "last_attempt": _format(state.last_attempt or state.retrieved_at),
        "status": "complete" if state.complete else "partial",
        "items": state.items,
        "known_gaps": list_gaps(manifest, state),
    }


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
        output_schema=envelope_schema(StatsAnswer),
        call=call,
    )
