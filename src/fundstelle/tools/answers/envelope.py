"""How answers look: the envelope, its schema, links, misses, and pages that end early."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import islice
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict, TypeVar, cast

import orjson

from fundstelle.tools.answers import schema as s
from fundstelle.tools.spec import JsonObject, ToolResult

BYTES_PER_TOKEN = 4
CONCISE_TOKENS = 4_000  # discovery tools: search, list_laws, toc, citing decisions
DETAILED_TOKENS = 10_000  # detail tools, and discovery tools asked for more
_ENVELOPE_TOKENS = 200  # what stands around the rows of a page
LINKS = 10  # resource links beside one answer
MOST_IDS = 100  # of one answer in the records of calls

_LONGEST_RELEASE = 16
_CHANGED = (
    "The corpus has changed: this is of corpus_release {}, the page before was of {}. Parts may be"
    " missing between the two or come twice; begin again with offset 0."
)

_ONLY_SUGGESTED = ("hint", "suggestions", "evidence")
_WITHOUT_IDS = ("provenance", "segments", "parsed", "validity_notes", "corrections")
_NOT_COLLECTED = frozenset((*_ONLY_SUGGESTED, *_WITHOUT_IDS))

Row = TypeVar("Row", bound=Mapping[str, object])


class Envelope(TypedDict):
    """What stands in every answer."""

    found: bool
    count: int
    total: int
    offset: int
    has_more: bool
    next_offset: NotRequired[int]
    hint: NotRequired[Annotated[Mapping[str, Any], "One useful next call: {tool, arguments}."]]
    corpus_release: str
    warnings: Annotated[Sequence[str], "What to mind."]


def result(  # noqa: PLR0913 - the envelope has this many parts
    found: bool,
    count: int,
    total: int,
    offset: int,
    release: str,
    *,
    own: Mapping[str, object],
    warnings: Sequence[str] = (),
    next_offset: int | None = None,
    hint: JsonObject | None = None,
    blocks: Sequence[JsonObject] = (),
    before: str | None = None,
) -> ToolResult:
    """An answer in the envelope, the fields that are the tool's ``own`` behind.

    ``has_more`` says whether there is a ``next_offset``. ``before`` is the release that the page
    before was of, where the client says so.
    """
    told = list(warnings)
    if before is not None and before != release:
        told.insert(0, _CHANGED.format(release, before[:_LONGEST_RELEASE]))
    around: Envelope = {
        "found": found,
        "count": count,
        "total": total,
        "offset": offset,
        "has_more": next_offset is not None,
        "corpus_release": release,
        "warnings": told,
    }
    if next_offset is not None:
        around["next_offset"] = next_offset
    if hint is not None:
        around["hint"] = hint
    ids = tuple(_list_ids(own)) if found else ()
    return ToolResult(structured=orjson.dumps({**around, **own}), blocks=blocks, result_ids=ids)


class Page(list[Row]):
    """Rows, encoded already, and the ids of norms and decisions in them."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[str, None] = {}


_Nested: TypeAlias = "dict[str, Any] | list[Any] | tuple[Any, ...]"
_NESTED = (dict, list, tuple)  # what answers are made of, beside what has no parts


def _list_ids(fields: Mapping[str, object]) -> Iterator[str]:
    """At most ``MOST_IDS`` ids that an answer gives, each once."""
    ids: dict[str, None] = {}
    _collect_ids(dict(fields), ids)
    return islice(ids, MOST_IDS)


def _collect_ids(value: _Nested, ids: dict[str, None]) -> None:
    if isinstance(value, Page):
        ids.update(value.ids)
    elif isinstance(value, dict):
        found = value.get("norm_id")
        if isinstance(found, str):
            ids[found] = None
        for name, member in value.items():
            if isinstance(member, _NESTED) and name not in _NOT_COLLECTED:
                _collect_ids(member, ids)
    else:
        for each in value:
            if isinstance(each, _NESTED):
                _collect_ids(each, ids)


def fill_page(rows: Iterable[Row], tokens: int = CONCISE_TOKENS) -> Page[Row]:
    """The first rows that fit the budget, encoded once; at least one, if there is any."""
    room = (tokens - _ENVELOPE_TOKENS) * BYTES_PER_TOKEN
    page: Page[Row] = Page()
    for row in rows:
        encoded = orjson.dumps(row)
        room -= len(encoded) + 1
        if room < 0 and page:
            break
        page.append(cast("Row", orjson.Fragment(encoded)))
        _collect_ids(dict(row), page.ids)
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


@cache
def envelope_schema(answer: type) -> s.Schema:
    """An ``outputSchema``: the envelope, and what a ``TypedDict`` says of a tool's own fields.

    One for all builds that are served: nobody may change it.
    """
    around, own = s.build_record(Envelope), s.build_record(answer)
    return {
        "type": "object",
        "properties": around["properties"] | own["properties"],
        "required": around["required"] + own.get("required", []),
    }
