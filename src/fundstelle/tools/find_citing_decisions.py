"""``legal_find_citing_decisions``: court decisions that cite a norm or a decision."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict

from fundstelle.corpus.decisions import CitingOrder, CitingRequest
from fundstelle.errors import InvalidArgument
from fundstelle.law.citations import NormCitation, name_section, write_path
from fundstelle.law.norms import Norm
from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import get_steps
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.withheld import miss_withheld
from fundstelle.tools.answers.applied import warn_of_age
from fundstelle.tools.answers.decisions import ShownCiting, describe_citing
from fundstelle.tools.answers.envelope import (
    envelope_schema,
    fill_page,
    hint,
    norm_link,
    result,
)
from fundstelle.tools.answers.misses import MissAnswer, ShownPlace
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.inputs import parameters as p
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.references import Missing
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_find_citing_decisions"
_COURTS_NAMED = 12
SORTS = ("newest", "relevance")
PRECISIONS = ("norm", "exact")
PARAMETERS = (
    Parameter(
        "cited_norm",
        "text",
        "The norm or decision that is cited: a citation, norm_id, ELI, CELEX, ECLI, or court and "
        "Aktenzeichen.",
        "§ 823 Abs. 1 BGB",
        required=True,
        low=1,
        high=500,
    ),
    Parameter("limit", "number", "Decisions a page.", 10, default=10, low=1, high=100),
    Parameter("offset", "number", "Decisions to skip.", 0, default=0, low=0, high=100_000),
    p.CORPUS_RELEASE,
    p.COURT,
    p.DECISION_TYPE,
    p.JURISDICTION,
    replace(p.DATE_FROM, description="Decided on this day or later."),
    replace(p.DATE_TO, description="Decided on this day or earlier."),
    Parameter(
        "precision",
        "choice",
        "norm = any part of the norm, also within a range; exact = the very unit, named.",
        "norm",
        default="norm",
        choices=PRECISIONS,
    ),
    Parameter(
        "sort", "choice", "Order of the decisions.", "newest", default="newest", choices=SORTS
    ),
    p.RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Finds court decisions that cite a given norm or decision, with the sentence that cites it. "
    "Use it for case law on a provision you already have. "
    "Not for decisions by subject (legal_search), statutes that refer to a norm "
    "(legal_get_context with include references_in), the text of the norm (legal_lookup). Read "
    "coverage: an empty answer says only that the decisions held here do not cite it. Returns a "
    "page of decisions; about 150 tokens each, at most 4,000 tokens."
)
_NO_DECISIONS = (
    "No court decisions are in the corpus yet; that nothing is found says nothing about case law."
)
_SELECTION = (
    "The corpus holds a selection of decisions; others may cite this. coverage says what was "
    "searched."
)


class ShownCoverage(TypedDict):
    """What was searched."""

    complete: Annotated[bool, "Whether all decisions of the sources are held."]
    sources: NotRequired[
        Annotated[
            list[str], "Courts with their decisions and years; in detailed, or if none cites."
        ]
    ]
    since: NotRequired[Annotated[date, "Oldest decision held."]]


class CitingAnswer(MissAnswer, total=False):
    """What ``legal_find_citing_decisions`` adds to the envelope."""

    cited: Annotated[ShownPlace, "What was looked for."]
    decisions: Annotated[list[ShownCiting], "The decisions."]
    coverage: Annotated[ShownCoverage, "What was searched."]
    sort_applied: Annotated[str, "Order of the decisions.", Values(SORTS)]


@dataclass(frozen=True, slots=True)
class _Cited:
    """What is looked for: a norm, a part of one, a law or a decision."""

    cited_id: str
    citation: str
    title: str | None
    path: str
    next_call: dict[str, Any]
    others: int = 0  # that are named with it and were not looked for


def handle(arguments: Mapping[str, Any], library: Library, on: date) -> ToolResult:
    """A page of citing decisions, or the miss of what they should cite."""
    first, last = arguments["date_from"], arguments["date_to"]
    if first is not None and last is not None and first > last:
        raise InvalidArgument(
            "date_from must not be after date_to", field="date_from", example="2020-01-01"
        )
    exact = arguments["precision"] == "exact"
    cited = _find_cited(library, arguments["cited_norm"], on, exact=exact)
    if isinstance(cited, Missing):
        return cited.render(library, arguments)
    if library.withheld is not None:
        withheld = Missing(miss_withheld(arguments["cited_norm"]), on)
        return withheld.render(library, arguments)
    request = CitingRequest(
        cited.cited_id,
        cited.path,
        exact,
        arguments["court"],
        arguments["decision_type"],
        arguments["jurisdiction"],
        first,
        last,
        CitingOrder(arguments["sort"]),
        arguments["limit"],
        arguments["offset"],
    )
    found, total = library.decisions.list_citing(request)
    detailed = arguments["response_format"] == "detailed"
    rows = fill_page(describe_citing(library, found, detailed=detailed))
    end = arguments["offset"] + len(rows)
    held = library.decisions.count()
    own: CitingAnswer = {
        "as_of": on,
        "cited": {"citation": cited.citation, "norm_id": cited.cited_id},
        "decisions": rows,
        "coverage": _describe_coverage(library, arguments["court"], named=detailed or not total),
        "sort_applied": arguments["sort"],
    }
    return result(
        bool(rows),
        len(rows),
        total,
        arguments["offset"],
        library.store.manifest.release,
        warnings=[
            *_warn_of_others(cited),
            *_warn(library, arguments["court"], held, total),
            *warn_of_age(library, cited.cited_id, found[: len(rows)], on),
        ],
        next_offset=end if rows and end < total else None,
        hint=cited.next_call,
        blocks=[norm_link(cited.cited_id, cited.citation, cited.title)],
        before=arguments["corpus_release"],
        own=own,
    )


def _find_cited(library: Library, written: str, on: date, *, exact: bool) -> _Cited | Missing:
    """The first norm or decision that a reference means, else the first law."""
    resolution = resolve(library, written, on)
    if resolution.hits:
        hit = resolution.hits[0]
        section = "" if isinstance(hit, DecisionHit) else _get_section(resolution, hit.norm)
        cited = _describe_cited(hit, section, exact=exact)
        return replace(cited, others=_count_others(resolution, hit, exact=exact))
    for outcome in resolution.outcomes:
        if isinstance(outcome, LawHit):
            law = outcome.statute
            call = hint("legal_get_toc", law_abbreviation=law.statute_id)
            return _Cited(law.statute_id, law.abbreviation, law.title, "", call)
    miss = resolution.misses[0]
    place = miss.about
    if place is None:
        return Missing(miss, on)
    # a norm that no longer applies is still cited by the decisions of its time
    call = hint("legal_get_context", norm_id=place.norm_id, include=["versions"])
    norm = library.store.find_norm(place.norm_id)
    section = _get_section(resolution, norm) if norm is not None else ""
    return _Cited(place.norm_id, place.citation, None, name_section(section, ""), call)


def _count_others(resolution: Resolution, hit: Hit, *, exact: bool) -> int:
    """What is meant beside one; its own Randnummern, and parts where any will do, are it too."""
    own = None if exact and not isinstance(hit, DecisionHit) else hit.held_id
    beside = max(0, resolution.total - len(resolution.outcomes))
    others = [
        each
        for each in resolution.outcomes
        if each is not hit and not (isinstance(each, Hit) and each.held_id == own)
    ]
    return beside + len(others)


def _warn_of_others(cited: _Cited) -> list[str]:
    if not cited.others:
        return []
    told = f"{cited.others + 1} are meant; only the first was looked for, {cited.citation}."
    return [f"{told} Ask for the others one by one."]


def _get_section(resolution: Resolution, norm: Norm) -> str:
    """The section that was asked for where the norm stands for several: § 5 of "§§ 4 bis 6"."""
    target = resolution.targets[0] if resolution.targets else None
    if norm.number_end is None or not isinstance(target, NormCitation) or target.number_end:
        return ""
    return target.number or ""


def _describe_cited(hit: Hit, section: str, *, exact: bool) -> _Cited:
    """Of a decision all that cites it is meant, whichever Randnummer is named."""
    call = hint("legal_get_context", norm_id=hit.held_id, include=["references_in"])
    if isinstance(hit, DecisionHit):
        decision = hit.decision
        return _Cited(decision.decision_id, decision.citation, decision.title, "", call)
    norm = hit.norm
    path = write_path(get_steps(hit.segments, hit.unit)) if exact else ""
    name = hit.citation if path else norm.citation
    return _Cited(norm.norm_id, name, norm.title, name_section(section, path), call)


def _warn(library: Library, court: str | None, held: int, total: int) -> list[str]:
    if not held:
        return [_NO_DECISIONS]
    if court is not None and court not in library.decisions.count_by_court():
        return [f"No decisions of {court} are in the corpus."]
    return [] if total else [_SELECTION]


def _describe_coverage(library: Library, court: str | None, *, named: bool) -> ShownCoverage:
    """What was searched; where they are ``named``, the courts with their years and numbers."""
    counts = library.decisions.count_by_court()
    asked = counts if court is None else {court: counts.get(court, {})}
    years = [year for by_year in asked.values() for year in by_year if year]
    coverage: ShownCoverage = {"complete": False}
    if named:
        coverage["sources"] = list(_name_courts(asked))
    if years:
        coverage["since"] = date(min(years), 1, 1)
    return coverage


def _name_courts(counts: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    ordered = sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    for name, by_year in ordered[:_COURTS_NAMED]:
        yield f"{name}: {sum(by_year.values())} decisions of {_span(by_year)}"
    if len(counts) > _COURTS_NAMED:
        yield f"{len(counts) - _COURTS_NAMED} more courts; legal://filter_values counts them"


def _span(by_year: Mapping[int, int]) -> str:
    years = [year for year in by_year if year]
    if not years:
        return "unknown years"
    return str(min(years)) if min(years) == max(years) else f"{min(years)}-{max(years)}"


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""
    parameters = p.fit(PARAMETERS, library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(parameters, arguments), library, today())

    return Tool(
        name=NAME,
        title="Find decisions that cite a norm",
        description=DESCRIPTION,
        input_schema=build_input_schema(parameters),
        output_schema=envelope_schema(CitingAnswer),
        call=call,
    )
