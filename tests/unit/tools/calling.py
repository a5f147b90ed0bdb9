"""Calling a tool as a client would, and holding its answer against its own schema."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import orjson
from docs.generate_tools import build_empty_library
from jsonschema import Draft202012Validator

from fundstelle.lookup.library import Library
from fundstelle.tools import build_registry
from fundstelle.tools.answers.envelope import MOST_IDS
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext, Registry, Tool, ToolResult
from tests.unit.tools.fakes import TODAY

CONTEXT = CallContext(request_id="test", principal_id="test")

DECLARED: dict[str, Any] = {
    tool.name: tool.output_schema
    for tool in build_tools(build_empty_library(), today=lambda: TODAY)
}


_last: list[tuple[Library, Registry]] = []


def find_tool(library: Library, name: str) -> Tool:
    """The tool over a library; the registry of the last one is kept, as it takes long to make."""
    if not _last or _last[0][0] is not library:
        registry = build_registry(library, today=lambda: TODAY, base_url="http://localhost")
        _last[:] = [(library, registry)]
    return next(tool for tool in _last[0][1].tools if tool.name == name)


def call(library: Library, name: str, **arguments: Any) -> dict[str, Any]:
    """The answer; it fits what the tool declares and has no field that is not declared."""
    tool = find_tool(library, name)
    result = tool.call(arguments, CONTEXT)
    return read(tool, result)


@cache
def find_validator(name: str) -> Draft202012Validator:
    """Of the answers of a tool; made once, since making it checks the schema too."""
    closed = close(DECLARED[name])
    Draft202012Validator.check_schema(closed)
    return Draft202012Validator(closed)


def read(tool: Tool, result: ToolResult) -> dict[str, Any]:
    assert result.structured is not None
    answer: dict[str, Any] = orjson.loads(result.structured)
    find_validator(tool.name).validate(answer)
    assert list(find_nulls(answer, "$")) == []
    ids = dict.fromkeys(find_ids(answer) if answer["found"] else ())
    assert result.result_ids == tuple(ids)[:MOST_IDS]
    return answer


def find_ids(value: object) -> Iterator[str]:
    """The ids of norms and decisions in an answer, without those that it only suggests."""
    if isinstance(value, dict):
        if isinstance(value.get("norm_id"), str):
            yield value["norm_id"]
        for name, each in value.items():
            if name not in {"hint", "suggestions", "evidence"}:
                yield from find_ids(each)
    elif isinstance(value, list):
        for each in value:
            yield from find_ids(each)


def close(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema, refusing what it does not name."""
    closed = dict(schema)
    if "properties" in schema:
        closed["properties"] = {key: close(each) for key, each in schema["properties"].items()}
        closed["additionalProperties"] = False
    if "items" in schema:
        closed["items"] = close(schema["items"])
    return closed


def find_nulls(value: object, path: str) -> Iterator[str]:
    if value is None:
        yield path
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from find_nulls(each, f"{path}.{key}")
    elif isinstance(value, list):
        for position, each in enumerate(value):
            yield from find_nulls(each, f"{path}[{position}]")
