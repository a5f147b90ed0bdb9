"""Output schemas made of the declarations of answers, in the flat subset that every client reads.

A kind of answer is one ``TypedDict``. mypy holds the code that fills it against its fields, and
the schema is made of the same fields, so that neither can say what the other does not:

- ``Annotated[str, "Id of the section."]``: the description; ``NotRequired``: may be absent;
- ``date``: a day, which clients get as a plain string;
- ``StrEnum``, or ``Values("a", "b")`` beside a ``str``: a choice, named in words;
- ``Sequence`` of anything, another ``TypedDict``, or a ``Mapping`` of counts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number"}
_MARKERS = (NotRequired, Required)


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a choice that no enum names."""

    values: Collection[str]


def build_record(kind: type, description: str | None = None) -> Schema:
    """The schema of an object that a ``TypedDict`` declares."""
    schema: Schema = {"type": "object"}
    if description:
        schema["description"] = description
    fields = get_type_hints(kind, include_extras=True)
    schema["properties"] = {name: _build(annotation) for name, annotation in fields.items()}
    required: frozenset[str] = kind.__required_keys__  # type: ignore[attr-defined]
    if required:
        schema["required"] = [name for name in fields if name in required]
    return schema


def _build(annotation: Any) -> Schema:
    if get_origin(annotation) in _MARKERS:
        (annotation,) = get_args(annotation)
    notes: Sequence[object] = ()
    if get_origin(annotation) is Annotated:
        annotation, *notes = get_args(annotation)
    description = " ".join(note for note in notes if isinstance(note, str))
    schema = _build_bare(annotation)
    choices = [name for note in notes if isinstance(note, Values) for name in note.values]
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        choices = list(annotation)
    if choices:
        description += f" Values: {', '.join(choices)}."
    if annotation is date:
        description += " Date as YYYY-MM-DD."  # format makes some platforms send objects
    if description:
        schema["description"] = description.strip()
    return schema


def _build_bare(annotation: Any) -> Schema:
    if is_typeddict(annotation):
        return build_record(annotation)
    origin = get_origin(annotation)
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object"}
    if origin is not None and issubclass(origin, Sequence):
        return {"type": "array", "items": _build(get_args(annotation)[0])}
    if annotation is date or issubclass(annotation, StrEnum):
        return {"type": "string"}
    return {"type": _PLAIN[annotation]}


def thin(schema: Mapping[str, Any]) -> Schema:
    """An output schema without what a list of tools can do without.

    Every model that is connected pays for the list, whatever it asks; an answer is read with its
    own names beside its values. So the fields of the root and their types are left, and that
    ``found`` is always there: what holds of the whole schema holds of this one. No field of rows
    is named, since some platforms drop tools with lists of objects inside lists of objects.
    """
    properties = {name: _strip(each) for name, each in schema["properties"].items()}
    return {"type": "object", "properties": properties, "required": ["found"]}


def _strip(schema: Schema) -> Schema:
    """The type of a field, and that of its members."""
    kept: Schema = {"type": schema["type"]}
    if "items" in schema:
        kept["items"] = {"type": schema["items"]["type"]}
    return kept
