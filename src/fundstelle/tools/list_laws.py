"""``legal_list_laws``: which laws the corpus holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Annotated, Any, TypedDict

from fundstelle.law.identifiers import fold
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.envelope import (
    CONCISE_TOKENS,
    DETAILED_TOKENS,
    LINKS,
    envelope_schema,
    fill_page,
    hint,
    norm_link,
    result,
)
from fundstelle.tools.answers.laws import (
    ListedLaw,
    describe_briefly,
    describe_law,
    find_last_change,
    fold_names,
)
from fundstelle.tools.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.parameters import JURISDICTION, RESPONSE_FORMAT, SOURCE_TYPE, fit
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_list_laws"
PARAMETERS = (
    SOURCE_TYPE,
    JURISDICTION,
    Parameter(
        "search",
        "text",
        "Words of the name or abbreviation; all must occur.",
        "Datenschutz",
        high=200,
    ),
    Parameter(
        "changed_since",
        "day",
        "Only laws whose last amending act is of this day or later.",
        "2025-01-01",
    ),
    Parameter("limit", "number", "Laws a page.", 50, default=50, low=1, high=500),
    Parameter("offset", "number", "Laws to skip.", 0, default=0, low=0, high=100_000),
    RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Lists the laws the corpus holds, with abbreviation, title, Stand and last change. Use it to "
    "find out whether and under which abbreviation a law is held, or what changed since a day. "
    "Not for the text of a provision (legal_lookup), questions of substance (legal_search), the "
    "sections of one law (legal_get_toc). "
    "Returns a page of laws ordered by abbreviation, best name matches first; about 80 tokens a "
    "law, at most 4,000 tokens."
)


class ListAnswer(TypedDict):
    """What ``legal_list_laws`` adds to the envelope."""

    laws: Annotated[list[ListedLaw], "The laws."]


@dataclass(frozen=True, slots=True)
class _Law:
    """A law with what filters compare."""

    norm_id: str
    abbreviation: str
    title: str
    source_type: str
    jurisdiction: str
    abbreviations: frozenset[str]  # folded
    names: str  # folded
    changed_on: date | None


def handle(arguments: Mapping[str, Any], laws: Sequence[_Law], library: Library) -> ToolResult:
    """One page of the laws that pass the filters."""
    words = fold(arguments["search"] or "").split()
    matching = [law for law in laws if _passes(law, arguments, words)]
    if words:
        matching.sort(key=partial(_rank, " ".join(words)))
    offset: int = arguments["offset"]
    chosen = matching[offset : offset + arguments["limit"]]
    detailed = arguments["response_format"] == "detailed"
    describe = describe_law if detailed else describe_briefly
    statutes = library.store.statutes
    rows = fill_page(
        (describe(statutes[law.norm_id]) for law in chosen),
        DETAILED_TOKENS if detailed else CONCISE_TOKENS,
    )
    end = offset + len(rows)
    own: ListAnswer = {"laws": rows}
    return result(
        bool(rows),
        len(rows),
        len(matching),
        offset,
        library.store.manifest.release,
        next_offset=end if rows and end < len(matching) else None,
        hint=hint("legal_get_toc", law_abbreviation=chosen[0].abbreviation) if rows else None,
        blocks=[norm_link(law.norm_id, law.abbreviation, law.title) for law in chosen[:LINKS]],
        own=own,
    )


def _passes(law: _Law, arguments: Mapping[str, Any], words: Sequence[str]) -> bool:
    since: date | None = arguments["changed_since"]
    return (
        arguments["source_type"] in (None, law.source_type)
        and arguments["jurisdiction"] in (None, law.jurisdiction)
        and (since is None or (law.changed_on is not None and law.changed_on >= since))
        and (not words or all(word in law.names for word in words))
    )


def _rank(wanted: str, law: _Law) -> int:
    """0 = its very abbreviation, 1 = an abbreviation or title begins so, 2 = somewhere inside."""
    if wanted in law.abbreviations:
        return 0
    return 1 if any(name.startswith(wanted) for name in law.names.split("\n")) else 2


def list_by_abbreviation(library: Library) -> list[_Law]:
    """All laws, ordered by folded abbreviation, then id."""
    laws = []
    for statute in library.store.statutes.values():
        change = find_last_change(statute)
        abbreviations = (
            statute.abbreviation,
            *statute.abbreviations_juris,
            statute.abbreviation_official or statute.abbreviation,
        )
        laws.append(
            _Law(
                norm_id=statute.statute_id,
                abbreviation=statute.abbreviation,
                title=statute.title,
                source_type=statute.source_type,
                jurisdiction=statute.jurisdiction,
                abbreviations=frozenset(map(fold, abbreviations)),
                names=fold_names(statute),
                changed_on=change.day if change else None,
            )
        )
    return sorted(laws, key=lambda law: (fold(law.abbreviation), law.norm_id))


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""
    del today  # a list of laws is what the build says, whatever the day
    laws = list_by_abbreviation(library)
    parameters = fit(PARAMETERS, library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(parameters, arguments), laws, library)

    return Tool(
        name=NAME,
        title="List the laws of the corpus",
        description=DESCRIPTION,
        input_schema=build_input_schema(parameters),
        output_schema=envelope_schema(ListAnswer),
        call=call,
    )
