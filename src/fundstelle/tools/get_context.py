"""``legal_get_context``: what stands around a provision, and how it changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup import context
from fundstelle.lookup.answers import Hit, LawHit, Miss, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.texts import speaks_for
from fundstelle.tools import _schema as s
from fundstelle.tools._arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools._norms import (
    GERMAN_ONLY,
    LONGEST_CITATION,
    build_law_answer,
    build_miss,
    build_norm,
    build_version,
    describe_stand,
    norm_properties,
)
from fundstelle.tools._parameters import AS_OF, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools._render import LINKS, envelope_schema, hint, miss_schema, norm_link, result
from fundstelle.tools._spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_get_context"
PARTS = ("siblings", "parents", "references_out", "references_in", "versions", "materials")
REFERENCES = 20  # a page
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
        20_000,
        default=20_000,
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
_LEAST_ROOM = 200
_LONGEST_CHANGE = 2_000


@dataclass(slots=True)
class _Answer:
    """One answer as it grows."""

    library: Library
    on: date
    arguments: Mapping[str, Any]
    room: int
    fields: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    count: int = 1
    total: int = 1
    next_offset: int | None = None
    hint: dict[str, Any] | None = None

    @property
    def parts(self) -> Sequence[str]:
        parts: Sequence[str] = self.arguments["include"]
        return parts

    def render(self) -> ToolResult:
        return result(
            True,
            self.count,
            self.total,
            self.arguments["offset"],
            self.library.store.manifest.release,
            warnings=self.warnings,
            next_offset=self.next_offset,
            hint=self.hint,
            blocks=self.links[:LINKS],
            as_of=self.on,
            **self.fields,
        )


def handle(arguments: Mapping[str, Any], library: Library, today: date) -> ToolResult:
    """The surroundings of the first unit that the reference means."""
    asked: date | None = arguments["as_of"]
    resolution = resolve(library, arguments["norm_id"], asked or today)
    answer = _Answer(library, resolution.on, arguments, arguments["max_chars"])
    answer.warnings += describe_stand(library, resolution.on, asked=resolution.on != today)
    if arguments["language"] == "en":
        answer.warnings.append(GERMAN_ONLY)
    if resolution.hits:
        return _surround(answer, resolution, resolution.hits[0])
    outcome = resolution.outcomes[0]
    if isinstance(outcome, LawHit):
        return _answer_law(answer, outcome)
    assert isinstance(outcome, Miss)
    return result(
        False,
        0,
        0,
        0,
        library.store.manifest.release,
        warnings=answer.warnings,
        hint=hint(outcome.hint.tool, **outcome.hint.arguments) if outcome.hint else None,
        as_of=resolution.on,
        **build_miss(outcome),
    )


def _answer_law(answer: _Answer, hit: LawHit) -> ToolResult:
    statute_id = hit.statute.statute_id
    answer.warnings += hit.warnings
    answer.fields["law"] = build_law_answer(hit)
    answer.hint = hint("legal_get_toc", law_abbreviation=statute_id)
    if "references_in" in answer.parts:
        _add_references_in(answer, statute_id)
    return answer.render()


def _surround(answer: _Answer, resolution: Resolution, hit: Hit) -> ToolResult:
    _add_center(answer, hit)
    if len(resolution.outcomes) > 1:
        answer.warnings.append(f"Only the first provision is shown: {hit.citation}.")
    if "siblings" in answer.parts:
        _add_siblings(answer, hit)
    if "parents" in answer.parts:
        _add_parents(answer, hit)
    if "references_out" in answer.parts:
        _add_references_out(answer, hit)
    if "references_in" in answer.parts:
        _add_references_in(answer, hit.norm.norm_id)
    if "versions" in answer.parts:
        heads = context.list_versions(answer.library, hit.norm.norm_id)
        answer.fields["versions"] = [build_version(head) for head in heads]
    if "materials" in answer.parts:
        answer.warnings.append("This corpus holds no legislative materials.")
    if answer.arguments["compare_to"] is not None:
        _add_diff(answer, hit, answer.arguments["compare_to"])
    return answer.render()


def _add_center(answer: _Answer, hit: Hit) -> None:
    detailed = answer.arguments["response_format"] == "detailed"
    center, end = build_norm(hit, answer.library, 0, answer.room, detailed=detailed)
    answer.room -= end
    answer.fields["center"] = center
    answer.warnings += hit.warnings
    answer.links.append(norm_link(hit.norm.norm_id, hit.norm.citation, hit.norm.title))
    if end < hit.end - hit.start:
        answer.warnings.append("The text goes on; legal_lookup gives the rest.")
        answer.hint = hint("legal_lookup", citation=answer.arguments["norm_id"], offset=end)


def _add_siblings(answer: _Answer, hit: Hit) -> None:
    before, after = context.list_neighbours(
        answer.library,
        hit.norm,
        answer.arguments["before"],
        answer.arguments["after"],
        answer.on,
    )
    # the nearest provisions first, as long as there is room
    after_rows = [_describe_neighbour(answer, each, hit) for each in after]
    before_rows = [_describe_neighbour(answer, each, hit) for each in reversed(before)]
    answer.fields["before"] = before_rows[::-1]
    answer.fields["after"] = after_rows
    answer.count = answer.total = 1 + len(before) + len(after)
    shown = [*before_rows, *after_rows]
    if any("content" not in row and row["status"] == "in_force" for row in shown):
        answer.warnings.append("Provisions without content did not fit into max_chars.")


def _describe_neighbour(answer: _Answer, each: context.Neighbour, center: Hit) -> dict[str, Any]:
    norm = each.norm
    answer.links.append(norm_link(norm.norm_id, norm.citation, norm.title))
    fassung = each.fassung
    if not each.applies or fassung is None or answer.room < min(_LEAST_ROOM, len(fassung.text)):
        row: dict[str, Any] = {"norm_id": norm.norm_id, "citation": norm.citation}
        if norm.title:
            row["title"] = norm.title
        row["status"] = fassung.status if fassung is not None else norm.status
        return row
    hit = Hit(center.statute, norm, fassung, norm.citation, 0, len(fassung.text))
    row, end = build_norm(hit, answer.library, 0, answer.room, detailed=False)
    answer.room -= end
    return row


def _add_parents(answer: _Answer, hit: Hit) -> None:
    rows = []
    for norm in context.list_parents(answer.library, hit.norm):
        row: dict[str, Any] = {"norm_id": norm.norm_id, "label": norm.label, "level": norm.level}
        if norm.title:
            row["title"] = norm.title
        rows.append(row)
    answer.fields["parents"] = rows


def _add_references_out(answer: _Answer, hit: Hit) -> None:
    links = context.list_references_out(answer.library, hit)
    offset: int = answer.arguments["offset"]
    page = links[offset : offset + REFERENCES]
    answer.fields["references_out"] = [_describe_link(link) for link in page]
    _turn_page(answer, len(page), len(links))


def _add_references_in(answer: _Answer, norm_id: str) -> None:
    offset: int = answer.arguments["offset"]
    links, total = context.list_references_in(answer.library, norm_id, REFERENCES, offset)
    answer.fields["references_in"] = [_describe_link(link) for link in links]
    answer.fields["references_in_total"] = total
    _turn_page(answer, len(links), total)


def _turn_page(answer: _Answer, shown: int, total: int) -> None:
    end = answer.arguments["offset"] + shown
    answer.count = max(answer.count, shown)
    answer.total = max(answer.total, total)
    if shown and end < total:
        answer.next_offset = max(answer.next_offset or 0, end)


def _describe_link(link: context.Link) -> dict[str, Any]:
    row = {"citation": link.citation, "snippet": link.snippet}
    if link.norm_id:
        row["norm_id"] = link.norm_id
    return row


def _add_diff(answer: _Answer, hit: Hit, other: date) -> None:
    store = answer.library.store
    norm_id = hit.norm.norm_id
    if not speaks_for(answer.library, norm_id, other):
        floor = store.manifest.archive_floor.isoformat()
        answer.warnings.append(f"compare_to lies before {floor}, the oldest day known here.")
        return
    first, last = sorted((other, answer.on))
    changes = context.compare(store.find_fassung(norm_id, first), store.find_fassung(norm_id, last))
    answer.warnings += describe_stand(answer.library, last, asked=True)[
        : 0 if last == answer.on else 1
    ]
    rows = []
    for change in changes:
        row = {"kind": change.kind, "segment": change.segment}
        if change.before:
            row["before"] = _shorten(change.before, answer)
        if change.after:
            row["after"] = _shorten(change.after, answer)
        rows.append(row)
    answer.fields["diff"] = {"from": first, "to": last, "changes": rows}


def _shorten(text: str, answer: _Answer) -> str:
    most = min(_LONGEST_CHANGE, max(answer.room, _LEAST_ROOM))
    answer.room -= min(len(text), most)
    return text if len(text) <= most else text[:most] + " …"


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
