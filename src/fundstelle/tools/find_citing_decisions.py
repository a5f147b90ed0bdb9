"""``legal_find_citing_decisions``: court decisions that cite a norm or a decision."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.law.norms import Norm
from fundstelle.lookup.library import Library
from fundstelle.tools import _parameters as p
from fundstelle.tools import _schema as s
from fundstelle.tools._arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools._references import Missing, find_norm
from fundstelle.tools._render import envelope_schema, hint, miss_schema, norm_link, result
from fundstelle.tools._spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_find_citing_decisions"
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
    p.COURT,
    p.DECISION_TYPE,
    p.JURISDICTION,
    replace(p.DATE_FROM, description="Decided on this day or later."),
    replace(p.DATE_TO, description="Decided on this day or earlier."),
    Parameter(
        "precision",
        "choice",
        "norm = any part of the norm is cited; exact = the very Absatz, Satz or Nummer.",
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
    "Not for decisions by subject (legal_search), not for statutes that refer to a norm "
    "(legal_get_context with include references_in), not for the text of the norm "
    "(legal_lookup). Read coverage: an empty answer says only that the decisions held here do "
    "not cite it. Returns a page of decisions; about 250 tokens each, at most 4,000 tokens."
)
_NO_DECISIONS = (
    "No court decisions are in the corpus yet; that nothing is found says nothing about case law."
)


def handle(arguments: Mapping[str, Any], library: Library, on: date) -> ToolResult:
    """Nothing, honestly said, as long as the corpus holds no decisions; or the miss."""
    first, last = arguments["date_from"], arguments["date_to"]
    if first is not None and last is not None and first > last:
        raise InvalidArgument(
            "date_from must not be after date_to", field="date_from", example="2020-01-01"
        )
    target = find_norm(library, arguments["cited_norm"], on)
    if isinstance(target, Missing):
        return target.render(library)
    is_norm = isinstance(target, Norm)
    cited_id = target.norm_id if isinstance(target, Norm) else target.statute_id
    name = target.citation if isinstance(target, Norm) else target.abbreviation
    return result(
        False,
        0,
        0,
        arguments["offset"],
        library.store.manifest.release,
        warnings=[_NO_DECISIONS],
        hint=hint("legal_get_context", norm_id=cited_id, include=["references_in"])
        if is_norm
        else hint("legal_get_toc", law_abbreviation=cited_id),
        blocks=[norm_link(cited_id, name, target.title)],
        cited={"citation": name, "norm_id": cited_id},
        decisions=[],
        coverage={"complete": False, "sources": []},
        sort_applied=arguments["sort"],
    )


def _build_output_schema() -> dict[str, Any]:
    decision = {
        "norm_id": s.text("Id of the decision."),
        "court": s.text("Court."),
        "case_number": s.text("Aktenzeichen."),
        "ecli": s.text("ECLI."),
        "decision_date": s.day("Day of the decision."),
        "decision_type": s.text("urteil, beschluss …"),
        "title": s.text("Title."),
        "leitsatz": s.text("Leitsatz."),
        "snippet": s.text("The sentence that cites, at most 400 characters."),
        "randnummer": s.text("Its margin number."),
        "matched_citation": s.text("The citation as the court wrote it."),
        "cited_norms": s.texts("Norms the decision cites, at most 20."),
        "source_url": s.text("Where the publisher shows it."),
    }
    coverage = {
        "complete": s.flag("Whether all decisions of the sources are held."),
        "sources": s.texts("Sources of decisions in the corpus."),
        "since": s.day("Oldest decision held."),
    }
    cited = {"citation": s.text("Citation."), "norm_id": s.text("Id.")}
    return envelope_schema(
        **miss_schema(),
        as_of=s.day("The day the reference was read for."),
        cited=s.record("What was looked for.", cited),
        decisions=s.array("The decisions.", s.record("A decision.", decision)),
        coverage=s.record("What was searched.", coverage),
        sort_applied=s.choice("Order of the decisions.", SORTS),
    )


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(PARAMETERS, arguments), library, today())

    return Tool(
        name=NAME,
        title="Find decisions that cite a norm",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=_build_output_schema(),
        call=call,
    )
