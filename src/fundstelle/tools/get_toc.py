"""``legal_get_toc``: the table of contents of one law."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Annotated, Any

from fundstelle.errors import InvalidArgument
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.answers import LawHit
from fundstelle.lookup.context.law_changes import NormChange, compare_law
from fundstelle.lookup.dating.on_day import set_to_day
from fundstelle.lookup.library import Library
from fundstelle.lookup.validity.notes import find_status
from fundstelle.lookup.whole import warn_of_law
from fundstelle.tools.answers.budgets import ROW, SEPARATOR, measure, shorten
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
from fundstelle.tools.answers.law_changes import (
    ShownRow,
    count_kinds,
    describe_change,
    find_gap,
    warn_of_comparison,
)
from fundstelle.tools.answers.laws import ListedLaw, describe_law
from fundstelle.tools.answers.looks import warn_of_looks
from fundstelle.tools.answers.misses import MissAnswer
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.named_versions import ask_version
from fundstelle.tools.inputs.parameters import (
    AS_OF,
    CORPUS_RELEASE,
    RESPONSE_FORMAT,
    SOURCE_TYPE,
    fit,
)
from fundstelle.tools.inputs.references import Missing, find_law
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_get_toc"
_USUAL = 100  # rows a page
PARAMETERS = (
    Parameter(
        "law_abbreviation",
        "text",
        "The law: abbreviation, title, id, CELEX or ELI; a citation of one of its sections will "
        "do.",
        "BGB",
        required=True,
        low=1,
        high=500,
    ),
    SOURCE_TYPE,
    AS_OF,
    Parameter(
        "compare_to",
        "day",
        "Another day: only what is different on as_of.",
        "2025-01-01",
    ),
    Parameter(
        "depth",
        "number",
        "Levels to show, counted from the law or from parent; 0 = all.",
        2,
        default=0,
        low=0,
        high=6,
    ),
    Parameter(
        "parent",
        "text",
        "Only what stands below this heading: its norm_id, label, path or title.",
        "Buch 2",
        high=500,
    ),
    Parameter("offset", "number", "Rows to skip.", 0, default=0, low=0, high=100_000),
    CORPUS_RELEASE,
    Parameter("limit", "number", "Rows a page.", _USUAL, default=_USUAL, low=1, high=500),
    RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Shows the table of contents of one law: its books, parts and sections in order, each with "
    "its norm_id. Use it to see how a law is built, which sections a chapter has, or whether a "
    "section exists; begin with depth 1 or 2 in long laws. With compare_to: what changed in it "
    "between two days. "
    "Not for texts (legal_lookup, legal_get_context), provisions by their subject (legal_search), "
    "finding a law (legal_list_laws). "
    "Returns rows, repealed ones with their status; about 25 tokens a row, at "
    "most 4,000 a page, 10,000 in detailed or with limit above 100."
)
_OLDER = "Titles and status are those of {}; the order and the headings are those of {}."
_CANDIDATES = 20
_LAWS_KEPT = 4
_NO_DEPTH = 99
_LEAST_TITLE = 12
_GONE = "(weggefallen)"
_NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)


class TocAnswer(MissAnswer, total=False):
    """What ``legal_get_toc`` adds to the envelope."""

    law: Annotated[ListedLaw, "The law."]
    compare_to: Annotated[date, "The other day."]
    changes: Annotated[Mapping[str, int], "How many rows there are of each kind of change."]
    toc: Annotated[list[ShownRow], "Its rows in document order."]


def handle(
    arguments: Mapping[str, Any],
    library: Library,
    list_norms: Callable[[str], Sequence[Norm]],
    today: date,
) -> ToolResult:
    """One page of the table of contents, or the miss."""
    written, other = arguments["law_abbreviation"], arguments["compare_to"]
    asked = arguments["as_of"] or today
    named = ask_version(library, written, asked)
    version = named if isinstance(named, LawHit) else None
    on = (version.on if version else None) or asked
    first, last = sorted((on, other or on))
    found = find_law(library, written, arguments["source_type"], last)
    if first < last and not isinstance(found, Missing):
        found = find_law(library, found.statute_id, None, first)
    if isinstance(found, Missing):
        return replace(found, on=on).render(library, arguments)
    statute = found
    norms = list_norms(statute.statute_id)
    if other is not None:
        return _compare(arguments, library, statute, norms, (first, last), on)
    looks = warn_of_looks(library, [LawHit(statute)], on, asked=on != today)
    said = version.warnings if version and version.statute == statute else ()
    warnings = [*dict.fromkeys((*said, *warn_of_law(library, statute, on))), *looks]
    if on < statute.newest_from:
        norms = library.store.list_norms_on(statute.statute_id, on)
        warnings.append(_OLDER.format(on.isoformat(), statute.stand.isoformat()))
    parent = _find_parent(arguments["parent"], norms)
    below = _list_below(norms, parent, arguments["depth"])
    offset: int = arguments["offset"]
    page_of = below[offset : offset + arguments["limit"]]
    chosen = [set_to_day(library, statute, norm, on) for norm in page_of]
    detailed = arguments["response_format"] == "detailed"
    children = Counter(norm.parent_id for norm in norms)
    statuses = _find_statuses(library, statute, chosen, on)
    if detailed:
        labels = {norm.norm_id: norm for norm in norms if norm.kind is NormKind.HEADING}
        rows = (_describe(norm, children, labels, statuses[norm.norm_id]) for norm in chosen)
    else:
        depth = arguments["depth"]
        deepest = (parent.level if parent else 0) + depth if depth else _NO_DEPTH
        rows = (_outline(norm, children, deepest, statuses[norm.norm_id]) for norm in chosen)
    is_larger = detailed or arguments["limit"] > _USUAL  # who asks for more gets it
    page = fill_page(rows, DETAILED_TOKENS if is_larger else CONCISE_TOKENS)
    end = offset + len(page)
    own: TocAnswer = {"as_of": on, "law": describe_law(statute), "toc": page}
    return result(
        bool(page),
        len(page),
        len(below),
        offset,
        library.store.manifest.release,
        warnings=warnings,
        next_offset=end if page and end < len(below) else None,
        hint=_build_hint(chosen[: len(page)], children, arguments["as_of"] if on == asked else on),
        blocks=_build_links(chosen[: len(page)]),
        before=arguments["corpus_release"],
        own=own,
    )


def _compare(  # noqa: PLR0913, PLR0917
    arguments: Mapping[str, Any],
    library: Library,
    statute: Statute,
    norms: Sequence[Norm],
    days: tuple[date, date],
    on: date,
) -> ToolResult:
    """One page of what is different on the later of two days, or the miss."""
    first, last = days
    parent = _find_parent(arguments["parent"], norms)
    below = {norm.norm_id for norm in _list_below(norms, parent, arguments["depth"])}
    found = compare_law(library, statute, first, last)
    shown = [change for change in found.changes if change.norm.norm_id in below]
    gap = find_gap(library, statute, arguments["law_abbreviation"], days)
    if gap is not None and not shown:
        return Missing(gap, on).render(library, arguments)
    offset: int = arguments["offset"]
    chosen = shown[offset : offset + arguments["limit"]]
    detailed = arguments["response_format"] == "detailed"
    page = fill_page(
        (describe_change(change, detailed=detailed) for change in chosen),
        DETAILED_TOKENS if detailed or arguments["limit"] > _USUAL else CONCISE_TOKENS,
    )
    end = offset + len(page)
    own: TocAnswer = {
        "as_of": on,
        "compare_to": arguments["compare_to"],
        "law": describe_law(statute),
        "changes": count_kinds(shown),
        "toc": page,
    }
    return result(
        bool(page),
        len(page),
        len(shown),
        offset,
        library.store.manifest.release,
        warnings=[
            *warn_of_law(library, statute, *days),
            *warn_of_looks(library, [LawHit(statute)], last, asked=True),
            *warn_of_comparison(found, shown, statute, days),
        ],
        next_offset=end if page and end < len(shown) else None,
        hint=_hint_at_words(chosen, days),
        blocks=_build_links([change.norm for change in chosen[: len(page)]]),
        before=arguments["corpus_release"],
        own=own,
    )


def _hint_at_words(changes: Sequence[NormChange], days: tuple[date, date]) -> JsonObject | None:
    """The words that differ, of the first provision that has a text on both days."""
    for change in changes:
        if change.kind == "changed" and change.norm.kind in _NUMBERED:
            norm_id, (first, last) = change.norm.norm_id, days
            return hint("legal_get_context", norm_id=norm_id, compare_to=first, as_of=last)
    return None


def _list_below(norms: Sequence[Norm], parent: Norm | None, depth: int) -> Sequence[Norm]:
    """The norms below ``parent`` (``None`` = the law), at most ``depth`` levels down."""
    if parent is None:
        base, inside = 0, norms
    else:
        base = parent.level
        after = norms[norms.index(parent) + 1 :]
        end = next((i for i, norm in enumerate(after) if norm.level <= base), len(after))
        inside = after[:end]
    return [norm for norm in inside if norm.level <= base + depth] if depth else inside


def _find_parent(wanted: str | None, norms: Sequence[Norm]) -> Norm | None:
    """The heading meant by its id, path, label or title.

    Raises:
        InvalidArgument: no heading, or several, answer to it.
    """
    if not wanted:
        return None
    headings = [norm for norm in norms if norm.kind is NormKind.HEADING]
    labels = {norm.norm_id: norm for norm in headings}
    folded = fold(wanted)
    for matches in (
        [norm for norm in headings if norm.norm_id == wanted],
        [norm for norm in headings if folded in {fold(_say_path(norm, labels)), _fold_full(norm)}],
        [norm for norm in headings if folded in {fold(norm.label), fold(norm.title or "")}],
        [norm for norm in headings if folded in _fold_full(norm)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise _wrong_parent(wanted, "names several headings", matches)
    raise _wrong_parent(wanted, "is no heading of this law", headings)


def _fold_full(norm: Norm) -> str:
    return fold(f"{norm.label} {norm.title or ''}".strip())


def _wrong_parent(wanted: str, problem: str, candidates: Sequence[Norm]) -> InvalidArgument:
    ids = [norm.norm_id for norm in sorted(candidates, key=lambda norm: norm.level)][:_CANDIDATES]
    return InvalidArgument(
        f"parent: {wanted[:60]!r} {problem}; use a norm_id from the table of contents",
        field="parent",
        allowed_values=ids,
        example=ids[0] if ids else None,
    )


def _say_path(norm: Norm, headings: Mapping[str, Norm]) -> str:
    """The labels from the law down to the norm: ``Buch 2 > Abschnitt 8``."""
    labels = [norm.label]
    parent = headings.get(norm.parent_id or "")
    while parent is not None:
        labels.append(parent.label)
        parent = headings.get(parent.parent_id or "")
    return SEPARATOR.join(reversed(labels))


def _outline(
    norm: Norm, children: Mapping[str | None, int], deepest: int, status: NormStatus
) -> ShownRow:
    """A row within the budget: its title is cut, where it is too long for it.

    That the publisher no longer lists the law is said of the law.
    """
    row: ShownRow = {"norm_id": norm.norm_id, "citation": norm.citation, "level": norm.level}
    if status not in {NormStatus.IN_FORCE, NormStatus.REMOVED}:
        row["status"] = status
    if norm.level == deepest and children[norm.norm_id]:
        row["children_count"] = children[norm.norm_id]
    if norm.title and not (norm.status is NormStatus.REPEALED and norm.title == _GONE):
        row["title"] = norm.title
        over = measure(row) - ROW
        if over > 0:
            row["title"] = shorten(norm.title, max(len(norm.title) - over, _LEAST_TITLE))
    return row


def _find_statuses(
    library: Library, statute: Statute, norms: Sequence[Norm], on: date
) -> dict[str, NormStatus]:
    """As answers with the texts have it: what the Constitutional Court declared void is said."""
    store = library.store
    ordinals = [at for norm in norms if (at := store.find_ordinal(norm.norm_id)) is not None]
    notes = {each.norm.norm_id: each.notes for each in store.list_excerpts(ordinals, on)}
    return {
        norm.norm_id: find_status(library, statute, norm.status, notes.get(norm.norm_id, ()))
        for norm in norms
    }


def _describe(
    norm: Norm,
    children: Mapping[str | None, int],
    headings: Mapping[str, Norm],
    status: NormStatus,
) -> ShownRow:
    row: ShownRow = {
        "norm_id": norm.norm_id,
        "citation": norm.citation,
        "level": norm.level,
        "path": _say_path(norm, headings),
        "children_count": children[norm.norm_id],
        "status": status,
    }
    if norm.title:
        row["title"] = norm.title
    return row


def _build_hint(
    rows: Sequence[Norm], children: Mapping[str | None, int], as_of: date | None
) -> JsonObject | None:
    """The first provision of the page, or what is below its first heading, or its first text.

    On the day that was asked for.
    """
    texts = [norm for norm in rows if norm.status is NormStatus.IN_FORCE]
    texts = [norm for norm in texts if norm.kind is not NormKind.HEADING]
    provision = next((norm for norm in texts if norm.kind in _NUMBERED), None)
    headings = (norm for norm in rows if norm.kind is NormKind.HEADING)
    heading = next((norm for norm in headings if children[norm.norm_id]), None)
    if provision is None and heading is not None:
        law, parent = heading.statute_id, heading.norm_id
        return hint("legal_get_toc", law_abbreviation=law, parent=parent, as_of=as_of)
    text = provision or next(iter(texts), None)
    return hint("legal_lookup", citation=text.norm_id, as_of=as_of) if text else None


def _build_links(rows: Sequence[Norm]) -> list[dict[str, Any]]:
    texts = [norm for norm in rows if norm.kind is not NormKind.HEADING]
    return [norm_link(norm.norm_id, norm.citation, norm.title) for norm in texts[:LINKS]]


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library. A few laws are asked for again and again: they stay decoded."""
    list_norms = lru_cache(maxsize=_LAWS_KEPT)(library.store.list_norms)
    parameters = fit(PARAMETERS, library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        values = read_arguments(parameters, arguments)
        return handle(values, library, list_norms, today())

    return Tool(
        name=NAME,
        title="Table of contents of a law",
        description=DESCRIPTION,
        input_schema=build_input_schema(parameters),
        output_schema=envelope_schema(TocAnswer),
        call=call,
        reusable_while=today,
    )
