"""Writes ``docs/tools.md`` from the definitions of tools, resources and prompts: ``make docs``."""
# ruff: noqa: INP001 - a script beside the documents

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from fundstelle.corpus.manifest import Manifest
from fundstelle.lookup.library import Library
from fundstelle.tools import build_registry
from fundstelle.tools._render import envelope_schema
from fundstelle.tools._spec import Prompt, Registry, Tool

TARGET = Path(__file__).with_name("tools.md")
_HEAD = """\
# Tools, resources and prompts

Generated from the definitions by `make docs`; a test holds it current.

Every result begins with the same envelope: `found`, `count`, `total`, `offset`, `has_more`, \
`next_offset`, `hint`, `corpus_release`, `warnings`. A reference that leads to nothing is an \
ordinary result with `found: false`, a `code` and a `status`, never an error. Wrong arguments are \
tool errors that name the field, the allowed values and an example.
"""


def build_empty_registry() -> Registry:
    """The definitions alone: a registry over a corpus without laws."""
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
    store = SimpleNamespace(manifest=manifest, statutes={}, list_norms=lambda _id: [])
    library = SimpleNamespace(store=store, index=None, names=None)
    return build_registry(cast("Library", library), today=lambda: date.min, base_url="")


def render(registry: Registry) -> str:
    """The whole page."""
    parts = [_HEAD]
    parts += [_render_tool(tool) for tool in registry.tools]
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
    envelope = envelope_schema()["properties"]
    own = {
        name: schema
        for name, schema in (tool.output_schema or {}).get("properties", {}).items()
        if name not in envelope
    }
    lines += [line for name, schema in own.items() for line in _render_field(name, schema, 0)]
    return "\n".join(lines) + "\n"


def _render_field(name: str, schema: Mapping[str, Any], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}- `{name}` ({_say_type(schema)}): {schema.get('description', '')}"
    inner = schema.get("items", schema)
    for below, each in inner.get("properties", {}).items():
        yield from _render_field(below, each, depth + 1)


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
    TARGET.write_text(render(build_empty_registry()), encoding="utf-8")
