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
    """A string out of ``values``, which the description repeats."""
    return {
        "type": "string",
        "enum": list(values),
        "description": f"{description} Values: {', '.join(values)}.",
    }


def array(description: str, items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "description": description, "items": items}


def texts(description: str) -> Schema:
    """A list of strings."""
    return array(description, {"type": "string"})


def record(
    description: str, properties: Mapping[str, Schema], required: Sequence[str] = ()
) -> Schema:
    """An object with these properties."""
    schema: Schema = {
        "type": "object",
        "description": description,
        "properties": dict(properties),
    }
    if required:
        schema["required"] = list(required)
    return schema


def counts(description: str) -> Schema:
    """An object of numbers whose names come from the data."""
    return {"type": "object", "description": description}
