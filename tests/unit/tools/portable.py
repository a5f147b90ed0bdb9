"""The flat subset of JSON Schema that every known client can read."""

from collections.abc import Iterator
from typing import Any

FORBIDDEN = {
    *("$ref", "$defs", "definitions", "anyOf", "oneOf", "allOf", "not", "if"),
    *("exclusiveMinimum", "exclusiveMaximum", "format", "const", "nullable", "patternProperties"),
}
TYPES = {"object", "array", "string", "integer", "number", "boolean"}


def list_faults(schema: dict[str, Any], *, is_input: bool) -> list[str]:
    """What in a schema is outside the subset, as paths."""
    faults = list(_walk(schema, "$"))
    if is_input:
        faults += [
            f"$.{name}: no description"
            for name, each in schema["properties"].items()
            if not each.get("description")
        ]
    if schema.get("type") != "object":
        faults.append("$: root is not an object")
    if is_input:
        if schema.get("additionalProperties") is not False:
            faults.append("$: additionalProperties is not false")
        faults += _check_arguments(schema)
    return faults


def _walk(schema: dict[str, Any], path: str) -> Iterator[str]:
    yield from (f"{path}: {word}" for word in FORBIDDEN & schema.keys())
    if str(schema.get("type")) not in TYPES:
        yield f"{path}: type {schema.get('type')!r}"
    if "enum" in schema:
        values = schema["enum"]
        if not all(isinstance(value, str) for value in values):
            yield f"{path}: enum of other than strings"
        if not path.endswith("[]") and any(
            value not in schema.get("description", "") for value in values
        ):
            yield f"{path}: enum values are not in the description"
    if None in (schema.get("default", 0), *schema.get("enum", ())):
        yield f"{path}: null"
    if "items" in schema:
        yield from _walk(schema["items"], f"{path}[]")
    for name, each in schema.get("properties", {}).items():
        if len(name) > 64:
            yield f"{path}.{name}: name too long"
        yield from _walk(each, f"{path}.{name}")


def _check_arguments(schema: dict[str, Any]) -> Iterator[str]:
    for name, each in schema["properties"].items():
        if not any(word in each["description"] for word in ("Example: ", "Default: ")):
            yield f"$.{name}: no example"
        if each["type"] == "object" or each.get("items", {}).get("type") in {"object", "array"}:
            yield f"$.{name}: arguments must be flat"
        if "default" in each and "Default: " not in each["description"]:
            yield f"$.{name}: default is not in the description"
