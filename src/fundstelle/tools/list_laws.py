"""``legal_list_laws``: which laws the corpus holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any, TypedDict

from fundstelle.errors import InvalidArgument
from fundstelle.law.identifiers import fold
from fundstelle.lookup.dating.changed_laws import ChangedLaw, list_changed_laws
from fundstelle.lookup.dating.days import find_floor
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
    FEWER_SECTIONS,
    MOST_SECTIONS,
    ListedLaw,
    describe_briefly,
    describe_changed,
    describe_law,
    find_last_change,
    fold_names,
    warn_of_period,
)
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.parameters import (
    CORPUS_RELEASE,
    JURISDICTION,
    RESPONSE_FORMAT,
    SOURCE_TYPE,
    fit,
)
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
        "Only laws with a change seen, or a last amending act, of this day or later.",
        "2025-01-01",
    ),
    Parameter("changed_until", "day", "The same, of this day or earlier.", "2025-06-30"),
    Parameter("limit", "number", "Laws a page.", 50, default=50, low=1, high=500),
    Parameter("offset", "number", "Laws to skip.", 0, default=0, low=0, high=100_000),
    CORPUS_RELEASE,
    RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Lists the laws the corpus holds. Use it to find out whether and under which abbreviation a "
    "law is held, or what changed in a period. "
    "Not for the text of a provision (legal_lookup), questions of substance (legal_search), the "
    "sections of one law (legal_get_toc). "
    "Returns a page of laws ordered by abbreviation, best name matches first, of a period newest "
    "change first with the sections' numbers; about 80 tokens a law, at most 4,000, 10,000 "
    "in detailed."
)


Period = tuple[date, date]


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
    period = _read_period(arguments)
    changed: Mapping[str, ChangedLaw] = {}
    if period is not None:
        changed = list_changed_laws(library, *period)
        matching = [law for law in matching if law.norm_id in changed or _is_within(law, period)]
        matching.sort(key=partial(_find_newest, changed, period), reverse=True)
    elif words:
        matching.sort(key=partial(_rank, " ".join(words)))
    offset: int = arguments["offset"]
    chosen = matching[offset : offset + arguments["limit"]]
    detailed = arguments["response_format"] == "detailed"
    describe = describe_law if detailed else describe_briefly
    statutes = library.store.statutes
    most = MOST_SECTIONS if detailed else FEWER_SECTIONS

    def build_row(law: _Law) -> ListedLaw:
        row = describe(statutes[law.norm_id])
        if law.norm_id in changed:
            row["changed"] = describe_changed(library, changed[law.norm_id], most)
        return row

    rows = fill_page(
        map(build_row, chosen),
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
        warnings=[] if period is None else warn_of_period(library, *period),
        next_offset=end if rows and end < len(matching) else None,
        hint=_build_hint(library, chosen[0], changed, arguments) if rows else None,
        blocks=[norm_link(law.norm_id, law.abbreviation, law.title) for law in chosen[:LINKS]],
        before=arguments["corpus_release"],
        own=own,
    )


def _passes(law: _Law, arguments: Mapping[str, Any], words: Sequence[str]) -> bool:
    return (
        arguments["source_type"] in (None, law.source_type)
        and arguments["jurisdiction"] in (None, law.jurisdiction)
        and (not words or all(word in law.names for word in words))
    )


def _read_period(arguments: Mapping[str, Any]) -> Period | None:
    """First and last day, if one of them was given.

    Raises:
        InvalidArgument: the last is before the first.
    """
    since, until = arguments["changed_since"], arguments["changed_until"]
    if since is not None and until is not None and since > until:
        raise InvalidArgument(
            "changed_since must not be after changed_until",
            field="changed_since",
            example="2025-01-01",
        )
    return None if since is None and until is None else (since or date.min, until or date.max)


def _is_within(law: _Law, period: Period) -> bool:
    """Whether the newest act that changed it is of the period."""
    return law.changed_on is not None and period[0] <= law.changed_on <= period[1]


def _find_newest(changed: Mapping[str, ChangedLaw], period: Period, law: _Law) -> date:
    """The newest day of a change in the period."""
    seen = changed[law.norm_id].newest if law.norm_id in changed else date.min
    act = law.changed_on if _is_within(law, period) else None
    return max(seen, act or date.min)


def _build_hint(
    library: Library, law: _Law, changed: Mapping[str, ChangedLaw], arguments: Mapping[str, Any]
) -> JsonObject:
    """What changed in the first law; its contents, where that cannot be told."""
    since: date | None = arguments["changed_since"]
    if since is not None and law.norm_id in changed and since > date.min:  # no day is before that
        before = since - timedelta(days=1)
        if before >= find_floor(library, library.store.statutes[law.norm_id]):
            return hint(
                "legal_get_toc",
                law_abbreviation=law.norm_id,
                compare_to=before,
                as_of=arguments["changed_until"],
            )
    return hint("legal_get_toc", law_abbreviation=law.abbreviation)


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
