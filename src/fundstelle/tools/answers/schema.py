"""Builders for output schemas in the flat subset that every known client can read."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = dict[str, Any]


def text(description: str) -> Schema:
    """A string."""
    return {"type": "string", "description": description}


def day(description: str) -> Schema:
    """A date as a plain string; ``format`` makes some platforms send objects."""
    return {"type": "string", "description": f"{description} Date as YYYY-MM-DD."}


def integer(description: str) -> Schema:
    """A whole number."""
    return {"type": "integer", "description": description}


def number(description: str) -> Schema:
    """A number."""
    return {"type": "number", "description": description}


def flag(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def choice(description: str, values: Sequence[str]) -> Schema:
    """A string out of ``values``, named in words: results need no keyword for them."""
    return {"type": "string", "description": f"{description} Values: {', '.join(values)}."}


def array(description: str, items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "description": description, "items": items}


def texts(description: str) -> Schema:
    """A list of strings."""
    return array(description, {"type": "string"})


def record(
    description: str, properties: Mapping[str, Schema] | None = None, required: Sequence[str] = ()
) -> Schema:
    """An object with these properties; without any, its description says what it holds."""
    schema: Schema = {"type": "object", "description": description}
    if properties:
        schema["properties"] = dict(properties)
    if required:
        schema["required"] = list(required)
    return schema


def thin(schema: Mapping[str, Any]) -> Schema:
    """An output schema without what a list of tools can do without.

    Only the properties of its root are described; inside the rows of a list, objects stay closed,
    since some platforms drop tools with lists of objects inside lists of objects.
    """
    properties = {name: _strip(each, in_row=False) for name, each in schema["properties"].items()}
    for name, each in schema["properties"].items():
        if "description" in each:
            properties[name]["description"] = each["description"]
    return {**schema, "properties": properties}


def _strip(schema: Schema, *, in_row: bool) -> Schema:
    kept: Schema = {"type": schema["type"]}
    if "items" in schema:
        row = schema["items"]
        kept["items"] = {"type": row["type"]} if in_row else _strip_properties(row, in_row=True)
        return kept
    return kept if in_row else _strip_properties(schema, in_row=False)


def _strip_properties(schema: Schema, *, in_row: bool) -> Schema:
    kept: Schema = {"type": schema["type"]}
    if "properties" in schema:
        properties = schema["properties"].items()
        kept["properties"] = {name: _strip(each, in_row=in_row) for name, each in properties}
    if "required" in schema:
        kept["required"] = schema["required"]
    return kept
