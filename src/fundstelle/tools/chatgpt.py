"""``search`` and ``fetch``: what ChatGPT asks of a server outside its developer mode.

Two tools over two of the eight, with names, arguments and results of their own, so that they stand
at an address of their own: ``/mcp`` keeps exactly eight.
Source: OpenAI, "Building MCP servers for ChatGPT and API integrations": ``search`` and ``fetch``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from fundstelle.lookup.addresses import decision_path, norm_path
from fundstelle.lookup.damage import warn_of_damage
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools import lookup, search
from fundstelle.tools.answers.going_on import GOES_ON
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.spec import CallContext, JsonObject, Registry, Tool, ToolResult

SEARCH = "search"
FETCH = "fetch"

_HITS = 10
_MOST_CHARS = 60_000
_LEAST_CHARS = 500  # that a lookup may be asked for
_MOST_PARTS = 4  # calls in which a text is read to its end
_QUERY = Parameter(
    "query",
    "text",
    "The question, keywords or a citation, best in German.",
    "Rücktritt vom Kaufvertrag wegen Mangels",
    required=True,
    low=2,
    high=1_000,
)
_ID = Parameter(
    "id",
    "text",
    "An id that search returned, or a citation.",
    "de/bgb/823",
    required=True,
    low=1,
    high=500,
)
_TEXT = {"type": "string"}
_RESULTS_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": _TEXT, "title": _TEXT, "url": _TEXT},
                "required": ["id", "title", "url"],
            },
        }
    },
    "required": ["results"],
}
_DOCUMENT_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("id", "title", "text", "url"), _TEXT),
        "metadata": {"type": "object", "additionalProperties": _TEXT},
    },
    "required": ["id", "title", "text", "url"],
}
_INSTRUCTIONS = (
    "German federal law, EU acts and court decisions, in the exact official text. search finds"
    " provisions and decisions by a question, keywords or a citation; fetch gives the whole text of"
    " one, with its Stand and source in metadata. Quote from fetched text alone, and cite title and"
    " url. What is not found here may still exist: say that it is not held. Not legal advice."
)


def build_chatgpt_registry(eight: Registry, library: Library, base_url: str) -> Registry:
    """The two tools over those that ``eight`` has."""
    by_name = {tool.name: tool for tool in eight.tools}
    pages = _Pages(library, base_url)
    return replace(
        eight,
        instructions=" ".join([_INSTRUCTIONS, *tell_withheld(library)]),
        tools=(
            _build_search(by_name[search.NAME], pages),
            _build_fetch(by_name[lookup.NAME], library),
        ),
        resources=(),
        templates=(),
        prompts=(),
        complete=_complete_nothing,
    )


class _Pages:
    """The permanent address of a text."""

    def __init__(self, library: Library, base_url: str) -> None:
        self._store = library.store
        self._base_url = base_url

    def find(self, norm_id: str) -> str:
        is_norm = self._store.find_ordinal(norm_id) is not None
        return self._base_url + (norm_path(norm_id) if is_norm else decision_path(norm_id))


def _build_search(tool: Tool, pages: _Pages) -> Tool:
    def call(arguments: JsonObject, context: CallContext) -> ToolResult:
        query = read_arguments((_QUERY,), arguments)["query"]
        answer = tool.call({"query": query, "top_k": _HITS}, context)
        hits = orjson.loads(answer.structured or b"{}").get("hits", ())
        results = [
            {"id": hit["norm_id"], "title": _name(hit), "url": pages.find(hit["norm_id"])}
            for hit in hits
        ]
        return ToolResult(orjson.dumps({"results": results}), result_ids=answer.result_ids)

    return Tool(
        name=SEARCH,
        title="Search German and EU law",
        description="Search German federal law, EU acts and court decisions. Use it to find the"
        " provisions and decisions that a question is about; fetch then gives their text.",
        input_schema=build_input_schema((_QUERY,)),
        output_schema=_RESULTS_SCHEMA,
        call=call,
        right=tool.name,
        searching=(_QUERY.name,),
    )


def _build_fetch(tool: Tool, library: Library) -> Tool:
    def call(arguments: JsonObject, context: CallContext) -> ToolResult:
        asked = read_arguments((_ID,), arguments)["id"]
        answer = tool.call({"citation": asked, "max_chars": _MOST_CHARS}, context)
        values = orjson.loads(answer.structured or b"{}")
        if "norm" not in values:
            return _refuse(values, asked, warn_of_damage(library))
        document = _describe(*_go_on(tool, values, context))
        return ToolResult(orjson.dumps(document), result_ids=answer.result_ids)

    return Tool(
        name=FETCH,
        title="Read a provision or decision",
        description="Give the exact official text of a provision or decision by the id that search"
        " returned, with its Stand, source and permanent address. Use it before quoting.",
        input_schema=build_input_schema((_ID,)),
        output_schema=_DOCUMENT_SCHEMA,
        call=call,
        reusable_while=tool.reusable_while,
        right=tool.name,
    )


def _go_on(
    tool: Tool, values: Mapping[str, Any], context: CallContext
) -> tuple[Mapping[str, Any], str]:
    """The answer, and all of its text that has room: a lookup leaves off behind a Tenor."""
    text, last = values["norm"]["content"], values
    for _ in range(_MOST_PARTS):
        left = _MOST_CHARS - len(text)
        if last.get("next_offset") is None or left < _LEAST_CHARS:
            break
        arguments = {**last["hint"]["arguments"], "max_chars": left}
        further = tool.call(arguments, context)
        last = orjson.loads(further.structured or b"{}")
        text += last["norm"]["content"]
    warnings = [each for each in values["warnings"] if not each.startswith(GOES_ON)]
    if last.get("next_offset") is not None:
        warnings.append(f"{GOES_ON}the first {len(text)} characters are given, the rest is at url.")
    return {**values, "warnings": warnings}, text


def _describe(values: Mapping[str, Any], text: str) -> Mapping[str, Any]:
    norm = values["norm"]
    provenance = norm.get("provenance", {})
    is_current = norm.get("law", {}).get("is_current")
    metadata = {
        "citation": norm["citation"],
        "stand": provenance.get("version_date"),
        "status": norm.get("status"),
        "source_url": norm.get("source_url"),
        "text_sha256": provenance.get("text_sha256"),
        "law": norm.get("law", {}).get("title"),
        "as_of": norm.get("as_of") or values["as_of"],
        "is_current": None if is_current is None else str(is_current).lower(),
        "validity_notes": " ".join(map(_tell_validity, norm.get("validity_notes", ()))),
        "lead_in": norm.get("lead_in"),
        "lead_out": norm.get("lead_out"),
        "warnings": " ".join(_list_warnings(values)),
    }
    return {
        "id": norm["norm_id"],
        "title": _name(norm),
        "text": text,
        "url": norm.get("page_url") or norm.get("source_url") or "",
        "metadata": {name: value for name, value in metadata.items() if value},
    }


def _tell_validity(note: Mapping[str, Any]) -> str:
    about = ", ".join(note[name] for name in ("about", "parts") if name in note)
    return f"{note['kind']}{f' ({about})' if about else ''}: {note['text']} [{note['source']}]"


def _list_warnings(values: Mapping[str, Any]) -> Iterator[str]:
    """What to mind about the one text that is given: there is no other place to say it."""
    if corrections := values.get("corrections"):
        yield f"{values['normalised_from']} was corrected to be read: {'; '.join(corrections)}."
    if others := [norm["citation"] for norm in values.get("norms", ())[1:]]:
        yield (
            f"Only the first of {values['total']} texts that are meant is given; fetch the others"
            f" one by one: {', '.join(others)}."
        )
    yield from (miss["reason"] for miss in values.get("misses", ()))
    yield from values["warnings"]


def _name(row: Mapping[str, Any]) -> str:
    title = row.get("title")
    return f"{row['citation']} {title}" if title else str(row["citation"])


def _refuse(values: Mapping[str, Any], asked: str, warnings: Sequence[str]) -> ToolResult:
    """A law without a section, or nothing of that id; what is said of it is the lookup's."""
    if "law" in values:
        message = "this is a whole law; search for words of it, and fetch one of its provisions"
    else:
        message = values.get("reason") or "there is no such text here"
    error = {"code": "NOT_FOUND", "message": message, "id": asked}
    for name in ("status", "next_step"):
        if values.get(name):
            error[name] = values[name]
    if warnings:
        error["warnings"] = " ".join(warnings)
    text = orjson.dumps({"error": error}).decode()
    blocks = ({"type": "text", "text": text},)
    return ToolResult(blocks=blocks, is_error=True, error_code="NOT_FOUND")


def _complete_nothing(
    _reference: str, _name: str, _typed: str, _settled: Mapping[str, str]
) -> Sequence[str] | None:
    return None
