"""``legal_get_context``: what stands around a provision, and how it changed."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup.answers import Hit, LawHit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.tools.answers import schema as s
from fundstelle.tools.answers.decisions import warn_of_cited
from fundstelle.tools.answers.envelope import envelope_schema, hint, miss_schema, result
from fundstelle.tools.answers.norms import (
    LONGEST_CITATION,
    build_law_answer,
    build_miss,
    describe_stand,
    fit_texts,
    norm_properties,
    warn_of_language,
)
from fundstelle.tools.answers.surroundings import Surroundings
from fundstelle.tools.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.parameters import AS_OF, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_get_context"
MAX_CHARS = 20_000
PARTS = ("siblings", "parents", "references_out", "references_in", "versions", "materials")
PARAMETERS = (
    Parameter(
        "norm_id",
        "text",
        "The provision: a norm_id that a tool returned, or any citation.",
        "de/bgb/823",
        required=True,
        low=1,
        high=LONGEST_CITATION,
    ),
    Parameter("before", "number", "Provisions before it.", 2, default=2, low=0, high=10),
    Parameter("after", "number", "Provisions after it.", 2, default=2, low=0, high=10),
    Parameter(
        "include",
        "choices",
        "What to add: siblings = texts before and after it, parents = headings above it,"
        " references_out = what it refers to, references_in = what refers to it, versions = its"
        " texts over time, materials = legislative materials.",
        ["siblings", "references_out"],
        default=["siblings"],
        high=6,
        choices=PARTS,
    ),
    Parameter(
        "compare_to",
        "day",
        "Another day: the differences between its text and the text of as_of come back as diff.",
        "2025-03-31",
    ),
    AS_OF,
    LANGUAGE,
    RESPONSE_FORMAT,
    Parameter(
        "offset",
        "number",
        "References to skip; a page has 20.",
        0,
        default=0,
        low=0,
        high=100_000,
    ),
    Parameter(
        "max_chars",
        "number",
        "Most characters of text in all; the provision itself comes first.",
        MAX_CHARS,
        default=MAX_CHARS,
        low=500,
        high=60_000,
    ),
)
DESCRIPTION = (
    "Shows a provision in its surroundings: the provisions before and after it, the headings above"
    " it, what it refers to and what refers to it, its versions, and what changed between two"
    " days. Use it after legal_lookup when the meaning depends on definitions, exceptions or"
    " follow-up provisions nearby, or to follow references and changes."
    " Not for the text alone (legal_lookup), not for a law's whole structure (legal_get_toc), not"
    " for court decisions that cite it (legal_find_citing_decisions)."
    " Returns center, and by include: before[], after[], parents[], references_out[],"
    " references_in[], versions[]; diff with compare_to. About 400 to 1,500 tokens a provision,"
    " 60 a reference; at most about 9,000."
)


def handle(arguments: Mapping[str, Any], library: Library, today: date) -> ToolResult:
    """The surroundings of the first unit that the reference means."""
    asked: date | None = arguments["as_of"]
    resolution = resolve(library, arguments["norm_id"], asked or today, arguments["language"])
    texts = 1 + arguments["before"] + arguments["after"]
    room = fit_texts(arguments["max_chars"], MAX_CHARS, texts)
    answer = Surroundings(library, resolution.on, arguments["offset"], room)
    answer.warnings += describe_stand(library, resolution.on, asked=resolution.on != today)
    answer.warnings += warn_of_language(resolution.hits[:1], arguments["language"])
    if resolution.hits:
        hit = resolution.hits[0]
        if len(resolution.outcomes) > 1:
            answer.warnings.append(f"Only the first provision is shown: {hit.citation}.")
        return _surround(answer, hit, arguments)
    outcome = resolution.outcomes[0]
    if isinstance(outcome, LawHit):
        return _answer_law(answer, outcome, arguments)
    assert isinstance(outcome, Miss)
    return result(
        found=False,
        count=0,
        total=0,
        offset=0,
        release=library.store.manifest.release,
        warnings=answer.warnings,
        hint=hint(outcome.hint.tool, **outcome.hint.arguments) if outcome.hint else None,
        as_of=resolution.on,
        **build_miss(outcome),
    )


def _answer_law(answer: Surroundings, hit: LawHit, arguments: Mapping[str, Any]) -> ToolResult:
    statute_id = hit.statute.statute_id
    answer.warnings += hit.warnings
    answer.fields["law"] = build_law_answer(hit)
    answer.hint = hint("legal_get_toc", law_abbreviation=statute_id)
    if "references_in" in arguments["include"]:
        answer.add_references_in(statute_id)
    return answer.render()


def _surround(answer: Surroundings, hit: Hit, arguments: Mapping[str, Any]) -> ToolResult:
    answer.add_center(hit, detailed=arguments["response_format"] == "detailed")
    include = arguments["include"]
    if "siblings" in include:
        answer.add_siblings(hit, arguments["before"], arguments["after"])
    if "parents" in include:
        answer.add_parents(hit)
    if "references_out" in include:
        answer.add_references_out(hit)
        if hit.ruling is not None:
            rows = answer.fields["references_out"]
            cited = [row["norm_id"] for row in rows if "norm_id" in row]
            answer.warnings += warn_of_cited(answer.library, cited, hit.ruling.decision)
    if "references_in" in include:
        answer.add_references_in(hit.norm.norm_id)
    if "versions" in include:
        answer.add_versions(hit)
    if "materials" in include:
        answer.warnings.append("This corpus holds no legislative materials.")
    if arguments["compare_to"] is not None:
        answer.add_diff(hit, arguments["compare_to"])
    return answer.render()


def _build_output_schema() -> dict[str, Any]:
    norm = norm_properties()
    reference = {
        "citation": s.text("Citation of the other end."),
        "norm_id": s.text("Its id, where it is held."),
        "snippet": s.text("The words that refer."),
    }
    version = {
        "valid_from": s.day("First day, where known."),
        "valid_to": s.day("First day it no longer applied, where it has ended."),
        "date_precision": s.choice("How well valid_from is known.", tuple(DatePrecision)),
        "text_sha256": s.text("SHA-256 of its text."),
    }
    change = {
        "kind": s.choice("What happened.", ("added", "removed", "changed")),
        "segment": s.text("Where."),
        "before": s.text("Text of the earlier day."),
        "after": s.text("Text of the later day."),
    }
    parent = {
        "norm_id": s.text("Id of the heading."),
        "label": s.text("Its label: Buch 2."),
        "title": s.text("Its title."),
        "level": s.integer("1 = directly below the law."),
    }
    sibling = norm | {"status": s.choice("Status.", tuple(NormStatus))}
    diff = {
        "from": s.day("Earlier day."),
        "to": s.day("Later day."),
        "changes": s.array("Differences, in order.", s.record("A difference.", change)),
    }
    return envelope_schema(
        **miss_schema(),
        as_of=s.day("The day meant."),
        center=s.record("The provision.", norm),
        law=s.record("The law, where no section was named.", {"norm_id": s.text("Its id.")}),
        before=s.array("Provisions before it.", s.record("A provision.", sibling)),
        after=s.array("Provisions after it.", s.record("A provision.", sibling)),
        parents=s.array("Headings above it, outermost first.", s.record("A heading.", parent)),
        references_out=s.array("What it refers to.", s.record("A reference.", reference)),
        references_in=s.array("What refers to it.", s.record("A reference.", reference)),
        references_in_total=s.integer("How many references to it are known."),
        versions=s.array("Its texts, oldest first.", s.record("A version.", version)),
        diff=s.record("Differences between two days.", diff),
    )


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one build."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(PARAMETERS, arguments), library, today())

    return Tool(
        name=NAME,
        title="Read around a provision",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=_build_output_schema(),
        call=call,
    )
