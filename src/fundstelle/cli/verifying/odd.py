"""What of a saved answer is none of what the tools give. Pure.

What is known is listed, never what is not: the fields of the tools' own declarations.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fundstelle.tools.answers.context_rows import ContextAnswer
from fundstelle.tools.answers.envelope import envelope_schema
from fundstelle.tools.answers.schema import Schema
from fundstelle.tools.lookup import LookupAnswer
from fundstelle.tools.lookup_batch import BatchAnswer

Parsed = dict[str, Any]

_GIVE_TEXTS = (LookupAnswer, BatchAnswer, ContextAnswer)
_PYTHON: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
_UNKNOWN = "this version of Fundstelle gives no such field"


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that does not belong, by its place.

    ``is_unknown``: a newer Fundstelle may give it, so that it is not called wrong.
    """

    place: str
    problem: str
    is_unknown: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def list_others(fields: Parsed, known: Collection[str]) -> Iterator[Odd]:
    """The fields that are not known; what a client writes as empty (``null``) says nothing."""
    for name, value in fields.items():
        if name not in known and value is not None:
            yield Odd(name, _UNKNOWN, is_unknown=True)


def list_odd(answer: Parsed) -> list[Odd]:
    """What does not fit the declaration of the tool whose answer it can be."""
    found = (list(_compare(answer, envelope_schema(kind), "")) for kind in _GIVE_TEXTS)
    return min(found, key=len)


def _compare(value: object, schema: Schema, place: str) -> Iterator[Odd]:
    if type(value) not in _PYTHON[schema["type"]]:
        yield Odd(place, f"it is not of the type {schema['type']}")
    elif isinstance(value, dict) and "properties" in schema:
        for name, each in value.items():
            inner = f"{place}.{name}".lstrip(".")
            if name in schema["properties"]:
                yield from _compare(each, schema["properties"][name], inner)
            else:
                yield Odd(inner, _UNKNOWN, is_unknown=True)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _compare(each, schema["items"], f"{place}[{at}]")
