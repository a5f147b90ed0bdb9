"""How answers look: the envelope, its schema, links, misses, and pages that end early."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any

import orjson

from fundstelle.tools.answers import schema as s
from fundstelle.tools.spec import JsonObject, ToolResult

BYTES_PER_TOKEN = 4
CONCISE_TOKENS = 4_000  # discovery tools: search, list_laws, toc, citing decisions
DETAILED_TOKENS = 10_000  # detail tools, and discovery tools asked for more
_ENVELOPE_TOKENS = 200  # what stands around the rows of a page
LINKS = 10  # resource links beside one answer
MOST_IDS = 100  # of one answer in the records of calls

_ONLY_SUGGESTED = frozenset({"hint", "suggestions", "evidence"})

MISS_CODES = ("INVALID_CITATION", "LAW_NOT_FOUND", "NORM_NOT_FOUND", "OUTSIDE_COVERAGE")
MISS_STATUSES = (
    "not_parseable",
    "ambiguous",
    "law_unknown",
    "norm_does_not_exist",
    "subunit_does_not_exist",
    "repealed",
    "not_yet_in_force",
    "not_in_corpus",
    "known_missing",
    "outside_coverage",
)


def result(  # noqa: PLR0913 - the envelope has this many parts
    found: bool,
    count: int,
    total: int,
    offset: int,
    release: str,
    *,
    warnings: Sequence[str] = (),
    next_offset: int | None = None,
    hint: JsonObject | None = None,
    blocks: Sequence[JsonObject] = (),
    **fields: Any,
) -> ToolResult:
    """An answer in the envelope, its own fields behind; fields that are ``None`` are left out.

    ``has_more`` says whether there is a ``next_offset``. Fields may hold ``orjson.Fragment`` and
    ``date``.
    """
    body: dict[str, Any] = {
        "found": found,
        "count": count,
        "total": total,
        "offset": offset,
        "has_more": next_offset is not None,
    }
    if next_offset is not None:
        body["next_offset"] = next_offset
    if hint is not None:
        body["hint"] = hint
    body["corpus_release"] = release
    body["warnings"] = list(warnings)
    body.update((name, value) for name, value in fields.items() if value is not None)
    ids = tuple(_list_ids(fields)) if found else ()
    return ToolResult(structured=orjson.dumps(body), blocks=blocks, result_ids=ids)


class Page(list[orjson.Fragment]):
    """Rows that are encoded already, and the ids of norms and decisions in them."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[str, None] = {}


def _list_ids(fields: Mapping[str, Any]) -> Iterator[str]:
    """At most ``MOST_IDS`` ids that an answer gives, each once."""
    ids: dict[str, None] = {}
    _collect_ids(fields, ids)
    return islice(ids, MOST_IDS)


def _collect_ids(value: object, ids: dict[str, None]) -> None:
    if isinstance(value, Page):
        ids.update(value.ids)
    elif isinstance(value, list | tuple):
        for each in value:
            _collect_ids(each, ids)
    elif isinstance(value, Mapping):
        found = value.get("norm_id")
        if isinstance(found, str):
            ids[found] = None
        for name, member in value.items():
            if name not in _ONLY_SUGGESTED:
                _collect_ids(member, ids)


def fill_page(rows: Iterable[Mapping[str, Any]], tokens: int = CONCISE_TOKENS) -> Page:
    """The first rows that fit the budget, encoded once; at least one, if there is any."""
    room = (tokens - _ENVELOPE_TOKENS) * BYTES_PER_TOKEN
    page = Page()
    for row in rows:
        encoded = orjson.dumps(row)
        room -= len(encoded) + 1
        if room < 0 and page:
            break
        page.append(orjson.Fragment(encoded))
        _collect_ids(row, page.ids)
    return page


def hint(tool: str, **arguments: Any) -> dict[str, Any]:
    """One next call with its arguments filled in; dates in ISO form, ``None`` left out."""
    filled = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in arguments.items()
        if value is not None
    }
    return {"tool": tool, "arguments": filled}


def norm_link(norm_id: str, citation: str, title: str | None = None) -> dict[str, Any]:
    """A ``resource_link`` block to a norm."""
    return _link(f"legal://norm/{norm_id}", citation, title)


def law_link(source_type: str, abbreviation: str, title: str | None = None) -> dict[str, Any]:
    """A ``resource_link`` block to a law's table of contents; ``abbreviation`` in id form."""
    return _link(f"legal://law/{source_type}/{abbreviation}", abbreviation, title)


def _link(uri: str, name: str, title: str | None) -> dict[str, Any]:
    link = {"type": "resource_link", "uri": uri, "name": name, "mimeType": "application/json"}
    if title:
        link["title"] = title
    return link


_ENVELOPE: dict[str, s.Schema] = {
    "found": {"type": "boolean"},
    "count": {"type": "integer"},
    "total": {"type": "integer"},
    "offset": {"type": "integer"},
    "has_more": {"type": "boolean"},
    "next_offset": {"type": "integer"},
    "hint": {"type": "object", "description": "One useful next call: {tool, arguments}."},
    "corpus_release": {"type": "string"},
    "warnings": {"type": "array", "items": {"type": "string"}, "description": "What to mind."},
}


def envelope_schema(required: Sequence[str] = (), /, **properties: s.Schema) -> dict[str, Any]:
    """An ``outputSchema``: the envelope and a tool's own ``properties``."""
    return {
        "type": "object",
        "properties": _ENVELOPE | properties,
        "required": [
            *("found", "count", "total", "offset", "has_more", "corpus_release", "warnings"),
            *required,
        ],
    }


def miss_schema() -> dict[str, s.Schema]:
    """The properties of a miss, for the tools that may answer with one."""
    place = {"citation": s.text("Citation."), "norm_id": s.text("Its id.")}
    evidence = {
        **dict.fromkeys(("first", "last", "nearest_before", "nearest_after"), s.record("")),
        "repealed_on": s.day("Last known day of the repealed text."),
        "cited_by_count": s.integer("How many norms of the corpus refer to it."),
        "archive_floor": s.day("Oldest day the corpus can speak for."),
    }
    suggestion = place | {"why": s.text("Why it is suggested.")}
    return {
        "citation": s.text("The citation as asked for."),
        "code": s.choice("Kind of miss.", MISS_CODES),
        "status": s.choice("What exactly is missing.", MISS_STATUSES),
        "reason": s.text("The miss in one sentence."),
        "evidence": s.record(
            "What the corpus knows about the place: first and last section of the law, sections "
            "before and after, each {citation, norm_id}.",
            evidence,
        ),
        "suggestions": s.array(
            "At most 5 candidates, never the answer.", s.record("A candidate.", suggestion)
        ),
        "next_step": s.text("What to do next."),
    }
