"""Reads a saved answer: which texts it gives, whatever the client put around it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fundstelle.errors import InvalidInput

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that an answer gives; ``place`` is where it stands there, "norms[1]"."""

    place: str
    fields: Fields

    @property
    def provenance(self) -> Fields:
        """Where it comes from; empty where the answer does not say."""
        held = self.fields.get("provenance")
        return held if isinstance(held, dict) else {}


def read_answer(data: bytes) -> tuple[object, bool]:
    """The answer itself, out of a JSON-RPC response, a tool result or its text block.

    Returns:
        The answer, and whether everything that the client may have shown says the same.

    Raises:
        InvalidInput: it is no JSON, or names something twice.
    """
    document = _parse(data.decode("utf-8", "surrogateescape"))
    if isinstance(document, dict) and isinstance(document.get("result"), dict):
        document = document["result"]
    if not isinstance(document, dict) or not isinstance(document.get("content"), list):
        if isinstance(document, dict) and isinstance(document.get("structuredContent"), dict):
            return document["structuredContent"], True
        return document, True
    blocks = [block.get("text") for block in document["content"] if isinstance(block, dict)]
    said = [_parse(text) for text in blocks if isinstance(text, str) and text[:1] == "{"]
    if isinstance(document.get("structuredContent"), dict):
        said.insert(0, document["structuredContent"])
    if not said:
        raise InvalidInput("this is a tool result without an answer; save the whole response")
    return said[0], all(each == said[0] for each in said)


def list_units(answer: object) -> Iterator[Unit]:
    """Every text in an answer, in its order."""
    left: list[tuple[str, object]] = [("", answer)]
    while left:
        place, value = left.pop()
        if isinstance(value, dict):
            if isinstance(value.get("content"), str) or "provenance" in value:
                yield Unit(place or "answer", value)
            inner = [(f"{place}.{name}".lstrip("."), each) for name, each in value.items()]
            left += reversed(inner)
        elif isinstance(value, list):
            left += reversed([(f"{place}[{at}]", each) for at, each in enumerate(value)])


def _parse(text: str) -> object:
    try:
        parsed: object = json.loads(text, object_pairs_hook=_build)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this is no saved answer ({error})") from None
    return parsed


def _build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ: of two, one reader would see the first, another the last."""
    built = dict(pairs)
    if len(built) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return built
