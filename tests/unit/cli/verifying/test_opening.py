"""Saved answers, in whatever a client put around them."""

import json

import pytest

from fundstelle.cli.verifying.opening import (
    Opened,
    list_units,
    list_without_units,
    read_answer,
)
from fundstelle.errors import InvalidInput

UNIT = {"norm_id": "de/musterg/5", "citation": "§ 5 Abs. 1 MusterG", "title": "Hammer"}
ANSWER = {"found": True, "norm": {**UNIT, "content": "x"}}
BLOCK = {"type": "text", "text": json.dumps(ANSWER)}
URI = "legal://norm/de/musterg/5"
LINK: dict[str, object] = {
    "type": "resource_link",
    "uri": URI,
    "name": "§ 5 MusterG",
    "title": "Hammer",
    "mimeType": "application/json",
}


@pytest.mark.parametrize(
    "saved",
    [
        ANSWER,
        {"structuredContent": ANSWER},
        {"content": [BLOCK]},
        {"content": [BLOCK, LINK], "structuredContent": ANSWER},
        {"content": [BLOCK, {"type": "text", "text": f"Hammer: {URI}"}]},
        {"content": [BLOCK, {"type": "text", "text": f"§ 5 MusterG: {URI}"}]},
        {"content": [BLOCK | {"annotations": None}], "isError": False, "_meta": None},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [BLOCK], "structuredContent": ANSWER}},
    ],
)
def test_the_answer_is_found_in_what_was_saved(saved: object) -> None:
    assert read_answer(json.dumps(saved).encode()) == Opened(ANSWER)


def test_a_link_to_a_law_that_the_answer_names_is_known() -> None:
    law = {"norm_id": "de/musterg", "source_type": "gii", "title": "Mustergesetz"}
    link = LINK | {"uri": "legal://law/gii/musterg", "name": "musterg", "title": "Mustergesetz"}
    answer = {"found": True, "law": law}
    saved = {"content": [link], "structuredContent": answer}
    assert read_answer(json.dumps(saved).encode()) == Opened(answer)


@pytest.mark.parametrize("space", ["\n", " ", "\ufeff", "\ufeff\r\n\t"])
def test_nothing_before_a_text_hides_it(space: str) -> None:
    same = {"content": [BLOCK | {"text": space + BLOCK["text"]}], "structuredContent": ANSWER}
    assert read_answer(json.dumps(same).encode()).odd == ()
    forged = space + json.dumps({"found": True, "norm": {"content": "y"}})
    other = {"content": [BLOCK | {"text": forged}], "structuredContent": ANSWER}
    assert [odd.place for odd in read_answer(json.dumps(other).encode()).odd] == ["content[0]"]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "text": ""},
        {"type": "text", "text": "y"},
        {"type": "text", "text": "[]"},
        {"type": "text", "text": "{"},
        {"type": "text", "text": 7},
        {"type": "text", "text": f"```json\n{BLOCK['text']}"},
        {"type": "text", "text": f"{BLOCK['text']} y"},
        {"type": "text", "text": f"Säge: {URI}"},
        {"type": "text", "text": "Hammer: legal://norm/de/musterg/6"},
        {"type": "text"},
        {"type": "resource", "resource": {"uri": URI, "text": BLOCK["text"]}},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "Text", "text": BLOCK["text"]},
        {"type": None, "text": BLOCK["text"]},
        {"type": [], "text": BLOCK["text"]},
        LINK | {"uri": "legal://norm/de/musterg/6"},
        LINK | {"uri": "https://example.org/"},
        LINK | {"uri": []},
        LINK | {"name": "§ 6 MusterG"},
        LINK | {"name": "§ 5 MusterG: y"},
        LINK | {"name": None},
        LINK | {"title": "Säge"},
        LINK | {"title": 7},
        LINK | {"mimeType": "text/plain"},
        *("y", None, []),
    ],
)
def test_a_block_that_is_neither_the_answer_nor_its_link_is_wrong(block: object) -> None:
    for blocks, place in (([BLOCK, block], "content[1]"), ([block, BLOCK], "content[0]")):
        saved = {"content": blocks, "structuredContent": ANSWER}
        [odd] = read_answer(json.dumps(saved).encode()).odd
        assert (odd.place, odd.is_unknown) == (place, False)


@pytest.mark.parametrize(
    ("saved", "place"),
    [
        ({"result": {"structuredContent": ANSWER}, "norm": {"content": "y"}}, "norm"),
        ({"result": {"structuredContent": ANSWER}, "error": {"message": "y"}}, "error"),
        ({"structuredContent": ANSWER, "norm": {"content": "y"}}, "norm"),
        ({"structuredContent": ANSWER, "_meta": {"note": "y"}}, "_meta"),
        ({"content": [BLOCK | {"annotations": {"note": "y"}}]}, "content[0].annotations"),
        ({"content": [BLOCK, LINK | {"description": "y"}]}, "content[1].description"),
    ],
)
def test_what_stands_beside_an_answer_and_is_not_known_is_named(saved: object, place: str) -> None:
    [odd] = read_answer(json.dumps(saved).encode()).odd
    assert (odd.place, odd.is_unknown) == (place, True)


@pytest.mark.parametrize(
    ("saved", "place"),
    [
        ({"structuredContent": ANSWER, "content": "y"}, "content"),
        ({"structuredContent": "y", "content": [BLOCK]}, "structuredContent"),
        ({"structuredContent": ANSWER, "isError": True}, "isError"),
        ({"jsonrpc": "y", "result": {"structuredContent": ANSWER}}, "jsonrpc"),
        ({"id": {"text": "y"}, "result": {"structuredContent": ANSWER}}, "id"),
    ],
)
def test_what_cannot_stand_around_an_answer_is_wrong(saved: object, place: str) -> None:
    [odd] = read_answer(json.dumps(saved).encode()).odd
    assert (odd.place, odd.is_unknown) == (place, False)


@pytest.mark.parametrize(
    "saved",
    [
        *(b"", b"{", b"\xff", b"[" * 100_000, b'{"a": 1, "a": 2}', b'{"content": []}'),
        b'{"content": [{"type": "text", "text": "{"}]}',
        *(b"[]", b"7", b'[{"norm": {"content": "x"}}]'),
    ],
)
def test_what_is_no_answer_is_refused(saved: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_answer(saved)


def test_every_text_is_listed_with_its_place() -> None:
    answer = {
        "norm": {"content": "a"},
        "results": [{"norm": {"content": "b"}}, {"norms": [{"provenance": {}}, {"citation": "c"}]}],
        "norms": [{"lead_in": "d"}, {"segments": "e"}, {"content": ["f"]}, "g"],
        "warnings": [],
    }
    places = [unit.place for unit in list_units(answer)]
    assert places == [
        *("norm", "results[0].norm", "results[1].norms[0]"),
        *("norms[0]", "norms[1]", "norms[2]"),
    ]
    assert list(list_units(7)) == []
    beside = ["results[1].norms[1]", "norms[3]", "warnings"]
    assert list(list_without_units(answer, frozenset(places))) == beside
