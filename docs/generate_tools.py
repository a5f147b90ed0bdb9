"""Writes ``docs/tools.md`` from the definitions of tools, resources and prompts: ``make docs``."""
# ruff: noqa: INP001 - a script beside the documents

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fundstelle.corpus.manifest import Manifest
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.library import Library
from fundstelle.tools import build_registry
from fundstelle.tools.answers.envelope import Envelope
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import Prompt, Registry, Tool

_SHORT = 3  # fields that are always written out
TARGET = Path(__file__).with_name("tools.md")
_HEAD = """\
# Tools, resources and prompts

Generated from the definitions by `make docs`; a test holds it current.

Every result begins with the same envelope: `found`, `count`, `total`, `offset`, `has_more`, \
`next_offset`, `hint`, `corpus_release`, `warnings`. A reference that leads to nothing is an \
ordinary result with `found: false`, a `code` and a `status`, never an error. Wrong arguments are \
tool errors that name the field, the allowed values and an example.

Of sizes: a token is four bytes of JSON. `legal_lookup` and `legal_lookup_batch` have at most \
10,000 tokens, and 30,000 in `detailed`; each three characters of `max_chars` above its default \
are a token more (three in `detailed`). What goes beyond that is left out, the last of it first, \
and `warnings` name it: texts, units that are then only counted, misses behind the first three of \
an item, long stretches of quotations, details.
"""


def build_empty_library() -> Library:
    """A corpus without laws: all that definitions need."""
    manifest = Manifest(
        release="",
        sha256="",
        stand=date.min,
        archive_floor=date.min,
        built_at=datetime.min.replace(tzinfo=UTC),
        schema_version=0,
        statutes=0,
        norms=0,
        fassungen=0,
        references=0,
        characters=0,
        sources=(),
        rejected=(),
    )
    store: Any = SimpleNamespace(manifest=manifest, statutes={}, list_norms=lambda _id: [])
    nothing: Any = None
    return Library(store, index=nothing, names=nothing, sources=SOURCES)


def build_empty_registry() -> Registry:
    """The definitions as they are served."""
    return build_registry(build_empty_library(), today=lambda: date.min, base_url="")


def render() -> str:
    """The whole page; results are described in more depth than lists of tools do."""
    registry = build_empty_registry()
    tools = build_tools(build_empty_library(), lambda: date.min)
    parts = [_HEAD, *map(_render_tool, tools)]
    parts += ["## Resources\n", "| Address | What | Quota |", "| --- | --- | --- |"]
    resources = [(each.uri, each.description, each.free) for each in registry.resources]
    resources += [(each.uri_template, each.description, each.free) for each in registry.templates]
    parts += [
        f"| `{uri}` | {description} | {'free' if free else 'counts'} |"
        for uri, description, free in resources
    ]
    parts.append("\n## Prompts\n")
    parts += [_render_prompt(prompt) for prompt in registry.prompts]
    return "\n".join(parts) + "\n"


def _render_tool(tool: Tool) -> str:
    lines = [f"## `{tool.name}`: {tool.title}\n", f"{tool.description}\n"]
    properties: Mapping[str, Any] = tool.input_schema["properties"]
    required = tool.input_schema.get("required", ())
    if properties:
        lines += ["| Input | Type | Meaning |", "| --- | --- | --- |"]
    for name, schema in properties.items():
        star = " *" if name in required else ""
        lines.append(f"| `{name}`{star} | {_say_type(schema)} | {_cell(schema)} |")
    lines += ["", "Result beyond the envelope:\n"]
    own = {
        name: schema
        for name, schema in (tool.output_schema or {}).get("properties", {}).items()
        if name not in Envelope.__annotations__
    }
    shown: dict[str, str] = {}
    lines += [line for name, each in own.items() for line in _render_field(name, each, 0, shown)]
    return "\n".join(lines) + "\n"


def _render_field(
    name: str, schema: Mapping[str, Any], depth: int, shown: dict[str, str]
) -> Iterator[str]:
    described = f": {schema['description']}" if schema.get("description") else ""
    inner = schema.get("items", schema).get("properties", {})
    before = shown.setdefault(repr(inner), name) if len(inner) > _SHORT else name
    same = f" Fields as in `{before}`." if before != name else ""
    yield f"{'  ' * depth}- `{name}` ({_say_type(schema)}){described}{same}"
    if not same:
        for below, each in inner.items():
            yield from _render_field(below, each, depth + 1, shown)


def _say_type(schema: Mapping[str, Any]) -> str:
    if schema["type"] != "array":
        return str(schema["type"])
    return f"list of {schema['items']['type']}s"


def _cell(schema: Mapping[str, Any]) -> str:
    return str(schema["description"]).replace("|", "\\|").replace("\n", " ")


def _render_prompt(prompt: Prompt) -> str:
    arguments = ", ".join(
        f"`{each.name}`{' *' if each.required else ''}: {each.description}"
        for each in prompt.arguments
    )
    return f"- `{prompt.name}`: {prompt.description} Arguments: {arguments}"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
