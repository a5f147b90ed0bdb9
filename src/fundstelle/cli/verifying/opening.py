"""Reads a saved answer: which texts it gives, whatever the client put around it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fundstelle.cli.verifying.blocks import compare_blocks
from fundstelle.cli.verifying.odd import Odd, Parsed, list_others
from fundstelle.errors import InvalidInput

Fields = Mapping[str, Any]

_AROUND_RESULT = ("jsonrpc", "id", "result")
_AROUND_ANSWER = ("content", "structuredContent", "isError")
# A text that an answer gives is told by any of them: without a proof, words are not right.
_OF_A_TEXT = frozenset(("content", "segments", "lead_in", "lead_out", "provenance"))


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


@dataclass(frozen=True, slots=True)
class Opened:
    """An answer, and what stands around it that says something else or is not known."""

    answer: Parsed
    odd: tuple[Odd, ...] = ()


def read_answer(data: bytes) -> Opened:
    """The answer itself, out of a JSON-RPC response, a tool result or its text block.

    Everything that a client may have shown of it is compared; what is neither the answer nor
    known to stand beside one is named.

    Raises:
        InvalidInput: it is no JSON object, or names something twice.
    """
    document = _parse(data.decode("utf-8", "surrogateescape"))
    odd: list[Odd] = []
    if isinstance(document.get("result"), dict):
        odd += _list_around_result(document)
        document = document["result"]
    structured, content = document.get("structuredContent"), document.get("content")
    if not isinstance(structured, dict) and not isinstance(content, list):
        return Opened(document, tuple(odd))
    odd += _list_around_answer(document)
    blocks = content if isinstance(content, list) else []
    said = [_find_object(block) for block in blocks]
    answer = structured if isinstance(structured, dict) else next(filter(None, said), None)
    if answer is None:
        raise InvalidInput("this is a tool result without an answer; save the whole response")
    return Opened(answer, (*odd, *compare_blocks(blocks, said, answer)))


def list_units(answer: object) -> Iterator[Unit]:
    """Every text in an answer, in its order."""
    left: list[tuple[str, object]] = [("", answer)]
    while left:
        place, value = left.pop()
        if isinstance(value, dict):
            if not _OF_A_TEXT.isdisjoint(value):
                yield Unit(place or "answer", value)
            inner = [(f"{place}.{name}".lstrip("."), each) for name, each in value.items()]
            left += reversed(inner)
        elif isinstance(value, list):
            left += reversed([(f"{place}[{at}]", each) for at, each in enumerate(value)])


def list_without_units(answer: Fields, units: frozenset[str]) -> Iterator[str]:
    """The largest parts of an answer in which no text is; ``units`` are places of texts."""
    above = set()
    for place in units:
        above |= {place[:at] for at, sign in enumerate(place) if sign in ".["}
    left: list[tuple[str, object]] = list(reversed(list(answer.items())))
    while left:
        place, value = left.pop()
        if place in units:
            continue
        if place not in above:
            yield place
        elif isinstance(value, dict):
            left += reversed([(f"{place}.{name}", each) for name, each in value.items()])
        elif isinstance(value, list):
            left += reversed([(f"{place}[{at}]", each) for at, each in enumerate(value)])


def _list_around_result(response: Parsed) -> Iterator[Odd]:
    yield from list_others(response, _AROUND_RESULT)
    if response.get("jsonrpc", "2.0") != "2.0":
        yield Odd("jsonrpc", "it is not 2.0")
    if not isinstance(response.get("id", 0), str | int):
        yield Odd("id", "it is no id of a request")


def _list_around_answer(result: Parsed) -> Iterator[Odd]:
    yield from list_others(result, _AROUND_ANSWER)
    if result.get("isError"):
        yield Odd("isError", "an error gives no texts")
    for name, kind in (("content", list), ("structuredContent", dict)):
        if not isinstance(result.get(name), kind | None):
            yield Odd(name, "it is neither there nor whole")


def _find_object(block: object) -> Parsed | None:
    """The JSON object that the text of a block is, if it is one."""
    text = block.get("text") if isinstance(block, dict) else None
    try:
        return _parse(text.lstrip("\ufeff \t\r\n")) if isinstance(text, str) else None
    except InvalidInput:
        return None


def _parse(text: str) -> Parsed:
    try:
        parsed: object = json.loads(text, object_pairs_hook=_build)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this is no saved answer ({error})") from None
    if not isinstance(parsed, dict):
        raise InvalidInput("this is no saved answer (it is no JSON object)")
    return parsed


def _build(pairs: list[tuple[str, Any]]) -> Parsed:
    """An object whose names differ: of two, one reader would see the first, another the last."""
    built = dict(pairs)
    if len(built) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return built
