"""``legal_get_context``: what stands around a provision, and how it changed."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.tools.answers.applied import warn_of_cited
from fundstelle.tools.answers.context_rows import ContextAnswer
from fundstelle.tools.answers.envelope import envelope_schema, hint, result
from fundstelle.tools.answers.going_on import go_on
from fundstelle.tools.answers.laws import describe_named
from fundstelle.tools.answers.looks import warn_of_looks
from fundstelle.tools.answers.misses import add_miss, build_hint
from fundstelle.tools.answers.norms import (
    LONGEST_CITATION,
    describe_stand,
    is_elsewhere,
    warn_of_language,
)
from fundstelle.tools.answers.sizes import fit_texts
from fundstelle.tools.answers.surroundings import Surroundings
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.parameters import AS_OF, CORPUS_RELEASE, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_get_context"
MAX_CHARS = 20_000
PARTS = ("siblings", "parents", "references_out", "references_in", "versions", "materials")
_INCLUDED = ["siblings"]
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
        default=_INCLUDED,
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
    CORPUS_RELEASE,
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
_OF_BOTH = frozenset({"references_in", "materials"})  # what is told of a law as a whole, too
_NO_MATERIALS = "This corpus holds no legislative materials."
_LISTS = frozenset({"references_out", "references_in", "versions"})
_LIST_BYTES = 4_800  # of one: a page of 20 rows
DESCRIPTION = (
    "Shows a provision in its surroundings: the provisions before and after it, the headings above"
    " it, what it refers to and what refers to it, its versions, and what changed between two"
    " days. Use it after legal_lookup when the meaning depends on definitions, exceptions or"
    " follow-up provisions nearby, or to follow references and changes."
    " Not for the text alone (legal_lookup), a law's whole structure (legal_get_toc), decisions"
    " that cite it (legal_find_citing_decisions)."
    " Returns center, what include names (siblings are before[] and after[]), and diff with"
    " compare_to. About 400 to 1,500 tokens a provision,"
    " 60 a reference; at most 10,000."
)


def handle(arguments: Mapping[str, Any], library: Library, today: date) -> ToolResult:
    """The surroundings of the first unit that the reference means."""
    asked: date | None = arguments["as_of"]
    resolution = resolve(library, arguments["norm_id"], asked or today, arguments["language"])
    subject = resolution.hits[0] if resolution.hits else resolution.outcomes[0]
    on = resolution.get_day(subject)
    texts = 1 + arguments["before"] + arguments["after"]
    beside = _LIST_BYTES * len(_LISTS & set(arguments["include"]))
    room = fit_texts(arguments["max_chars"], MAX_CHARS, texts, beside)
    asked_for = on != today
    release = arguments["corpus_release"]
    answer = Surroundings(library, on, arguments["offset"], room, asked_for, release)
    if not isinstance(subject, Miss):
        answer.warnings += warn_of_looks(library, [subject], on, asked=asked_for)
    elif not is_elsewhere(resolution):
        answer.warnings += describe_stand(library, on, asked=asked_for)
    answer.warnings += warn_of_language(resolution.hits[:1], arguments["language"])
    if resolution.hits:
        hit = resolution.hits[0]
        if len(resolution.outcomes) > 1:
            answer.warnings.append(f"Only the first provision is shown: {hit.citation}.")
        return _surround(answer, hit, arguments, asked or today)
    outcome = resolution.outcomes[0]
    if isinstance(outcome, LawHit):
        return _answer_law(answer, outcome, arguments)
    assert isinstance(outcome, Miss)
    own: ContextAnswer = {"as_of": on}
    add_miss(own, outcome)
    return result(
        found=False,
        count=0,
        total=0,
        offset=0,
        release=library.store.manifest.release,
        warnings=answer.warnings,
        hint=build_hint(outcome, asked, arguments["language"]),
        before=arguments["corpus_release"],
        own=own,
    )


def _answer_law(answer: Surroundings, hit: LawHit, arguments: Mapping[str, Any]) -> ToolResult:
    """What refers to a law as a whole, and the way to its contents, or to what changed in it."""
    statute_id, other = hit.statute.statute_id, arguments["compare_to"]
    answer.warnings += hit.warnings
    answer.fields["law"] = describe_named(answer.library, hit.statute)
    answer.hint = hint(
        "legal_get_toc",
        law_abbreviation=statute_id,
        as_of=hit.on or arguments["as_of"],
        compare_to=other,
    )
    # what nobody asked for is not missed
    include = arguments["include"] if arguments["include"] != _INCLUDED else []
    left_out = [name for name in include if name not in _OF_BOTH]
    left_out += ["compare_to"] if other is not None else []
    if left_out:
        answer.warnings.append(
            f"{', '.join(left_out)}: only of a provision; {hit.statute.abbreviation} was read as a"
            " law. legal_get_toc gives its contents, with compare_to what changed in it."
        )
    if "references_in" in include:
        answer.add_references_in(statute_id)
    if "materials" in include:
        answer.warnings.append(_NO_MATERIALS)
    return answer.render()


def _surround(
    answer: Surroundings, hit: Hit, arguments: Mapping[str, Any], asked_on: date
) -> ToolResult:
    other, include = arguments["compare_to"], arguments["include"]
    kept = answer.room // 2 if other is not None else 0  # for the differences, of a long text too
    answer.room -= kept
    cut = answer.add_center(hit, detailed=arguments["response_format"] == "detailed")
    if cut is not None:
        release = answer.library.store.manifest.release
        answer.hint = go_on(arguments["norm_id"], asked_on, arguments["language"], cut, release)
    answer.room += kept
    if other is not None:  # before what stands around it: what was asked for
        answer.add_diff(hit, other)
    if "siblings" in include:
        answer.add_siblings(hit, arguments["before"], arguments["after"])
    if "parents" in include:
        answer.add_parents(hit)
    if "references_out" in include:
        answer.add_references_out(hit)
        if isinstance(hit, DecisionHit):
            rows = answer.fields["references_out"]
            cited = [row["norm_id"] for row in rows if "norm_id" in row]
            answer.warnings += warn_of_cited(answer.library, cited, hit.decision, asked_on)
    if "references_in" in include:
        answer.add_references_in(hit.held_id)
    if "versions" in include:
        answer.add_versions(hit)
    if "materials" in include:
        answer.warnings.append(_NO_MATERIALS)
    return answer.render()


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one build."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(PARAMETERS, arguments), library, today())

    return Tool(
        name=NAME,
        title="Read around a provision",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=envelope_schema(ContextAnswer),
        call=call,
    )
