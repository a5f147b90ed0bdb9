"""Saved answers, in whatever a client put around them."""

import json

import pytest

from fundstelle.cli.verifying.opening import list_units, read_answer
from fundstelle.errors import InvalidInput

ANSWER = {"found": True, "norm": {"content": "x"}}
BLOCK = {"type": "text", "text": json.dumps(ANSWER)}


@pytest.mark.parametrize(
    "saved",
    [
        ANSWER,
        {"structuredContent": ANSWER},
        {"content": [BLOCK]},
        {"content": [BLOCK, {"type": "resource_link", "uri": "x"}], "structuredContent": ANSWER},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [BLOCK], "structuredContent": ANSWER}},
    ],
)
def test_the_answer_is_found_in_what_was_saved(saved: object) -> None:
    assert read_answer(json.dumps(saved).encode()) == (ANSWER, True)


@pytest.mark.parametrize(
    "saved",
    [
        *(b"", b"{", b"\xff", b"[" * 100_000, b'{"a": 1, "a": 2}', b'{"content": []}'),
        b'{"content": [{"type": "text", "text": "{"}]}',
    ],
)
def test_what_is_no_answer_is_refused(saved: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_answer(saved)


def test_every_text_is_listed_with_its_place() -> None:
    answer = {
        "norm": {"content": "a"},
        "results": [{"norm": {"content": "b"}}, {"norms": [{"provenance": {}}, {"citation": "c"}]}],
    }
    assert [unit.place for unit in list_units(answer)] == [
        *("norm", "results[0].norm", "results[1].norms[0]"),
    ]
    assert list(list_units(7)) == []
