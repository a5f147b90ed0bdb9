"""The two tools that ChatGPT asks for outside its developer mode."""

from dataclasses import replace
from typing import Any

import jsonschema
import orjson
import pytest

from fundstelle.errors import InvalidInput
from fundstelle.law.decisions import DecisionText
from fundstelle.law.norms import StandNote
from fundstelle.lookup.library import Library
from fundstelle.tools import build_chatgpt_registry, build_registry
from fundstelle.tools.spec import Registry, ToolResult
from tests.unit.corpus.decision_values import DECISION, make_text
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import STAND
from tests.unit.lookup.invented import build_library as build_invented
from tests.unit.tools.calling import CONTEXT
from tests.unit.tools.fakes import TODAY, build_library
from tests.unit.tools.portable import list_faults

BASE = "https://recht.example.org"


@pytest.fixture(scope="module")
def two() -> Registry:
    library = build_library()
    eight = build_registry(library, today=lambda: TODAY, base_url=BASE)
    return build_chatgpt_registry(eight, library, BASE)


def call(two: Registry, name: str, **arguments: Any) -> ToolResult:
    return next(tool for tool in two.tools if tool.name == name).call(arguments, CONTEXT)


def read(two: Registry, name: str, **arguments: Any) -> Any:
    result = call(two, name, **arguments)
    assert not result.blocks  # the engine repeats the structured content as the one text block
    values = orjson.loads(result.structured or b"")
    schema = next(tool.output_schema for tool in two.tools if tool.name == name)
    assert schema is not None
    jsonschema.validate(values, {**schema, "additionalProperties": False})
    return values


def test_there_are_exactly_these_two_and_nothing_beside_them(two: Registry) -> None:
    assert [tool.name for tool in two.tools] == ["search", "fetch"]
    assert (two.resources, two.templates, two.prompts) == ((), (), ())
    assert [list(tool.input_schema["properties"]) for tool in two.tools] == [["query"], ["id"]]
    assert all(tool.annotations["readOnlyHint"] for tool in two.tools)
    assert [
        fault for tool in two.tools for fault in list_faults(dict(tool.input_schema), is_input=True)
    ] == []


def test_what_is_found_can_be_fetched_and_has_a_permanent_address(two: Registry) -> None:
    found = read(two, "search", query="§ 2 WzLeihG")
    assert list(found) == ["results"]
    first = found["results"][0]
    assert list(first) == ["id", "title", "url"]
    assert first["url"] == f"{BASE}/n/{first['id']}"
    document = read(two, "fetch", id=first["id"])
    assert (document["id"], document["url"]) == (first["id"], first["url"])
    assert document["title"] == first["title"]
    assert document["text"]
    assert document["metadata"]["text_sha256"]
    assert all(isinstance(value, str) for value in document["metadata"].values())


def test_the_records_have_the_ids(two: Registry) -> None:
    result = call(two, "search", query="§ 2 WzLeihG")
    assert result.result_ids == tuple(
        row["id"] for row in orjson.loads(result.structured or b"")["results"]
    )
    assert call(two, "fetch", id="de/wzleihg/2").result_ids == ("de/wzleihg/2",)


@pytest.mark.parametrize("asked", ["de/wzleihg/9999", "§ 9999 WzLeihG", "nichts", "WzLeihG"])
def test_what_is_not_there_is_an_error_that_says_so(two: Registry, asked: str) -> None:
    result = call(two, "fetch", id=asked)
    assert result.is_error
    assert result.structured is None
    error = orjson.loads(result.blocks[0]["text"])["error"]
    assert error["code"] == "NOT_FOUND"
    assert error["message"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {}),
        ("search", {"query": ""}),
        ("search", {"query": "x" * 1_001}),
        ("search", {"query": "Kauf", "top_k": 50}),
        ("fetch", {"id": ["de/wzleihg/2"]}),
        ("fetch", {}),
    ],
)
def test_other_arguments_are_refused(two: Registry, name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        call(two, name, **arguments)


@pytest.fixture(scope="module")
def of_several() -> Registry:
    library = replace(build_invented(), decisions=HeldDecisions())
    eight = build_registry(library, today=lambda: STAND, base_url=BASE)
    return build_chatgpt_registry(eight, library, BASE)


@pytest.mark.parametrize(
    ("asked", "held", "said"),
    [
        ("§§ 1, 4 MusterG", "de/musterg/1", ["first of 2", "§ 4 MusterG"]),
        ("§§ 1, 99 MusterG", "de/musterg/1", ["§ 99 MusterG does not exist"]),
        ("§§ 99, 1 MusterG", "de/musterg/1", ["§ 99 MusterG does not exist"]),
        ("OLG Köln, VI ZR 1/21", DECISION.decision_id, ["OLG Köln", "BGH"]),
    ],
)
def test_what_the_one_text_is_not_is_said(
    of_several: Registry, asked: str, held: str, said: list[str]
) -> None:
    document = read(of_several, "fetch", id=asked)

    assert document["id"] == held
    for words in said:
        assert words in document["metadata"]["warnings"]


class LongDecisions(HeldDecisions):
    """Each has as many Randnummern as are wanted, behind a Leitsatz and a Tenor."""

    def __init__(self, passages: int) -> None:
        self._passages = passages

    def find_text(self, decision_id: str) -> DecisionText | None:
        decision = self.find(decision_id)
        words = "Der erfundene Hund lief durch den Garten und biss niemanden. " * 8
        return make_text(decision, *[words.strip()] * self._passages) if decision else None


def build_two(library: Library) -> Registry:
    eight = build_registry(library, today=lambda: STAND, base_url=BASE)
    return build_chatgpt_registry(eight, library, BASE)


@pytest.mark.parametrize("passages", [2, 40, 120, 300])
def test_a_decision_is_given_to_its_end_or_as_far_as_there_is_room(passages: int) -> None:
    library = replace(build_invented(), decisions=LongDecisions(passages))
    held = library.decisions.find_text(DECISION.decision_id)
    assert held is not None
    document = read(build_two(library), "fetch", id=DECISION.decision_id)

    assert held.text.startswith(document["text"])
    if len(held.text) <= 60_000:
        assert document["text"] == held.text
        assert "warnings" not in document["metadata"]
    else:
        assert 59_000 < len(document["text"]) <= 60_000
        given = f"the first {len(document['text'])} characters are given"
        assert given in document["metadata"]["warnings"]


def test_what_a_lookup_says_beside_the_text_is_said_here_too() -> None:
    library = build_invented()
    laws = library.store.statutes
    words = "Änderung mWv 1.2.2026 noch nicht berücksichtigt"
    note = StandNote("Hinweis", words)
    held = {**laws, "de/musterg": replace(laws["de/musterg"], stand_notes=(note,))}
    library.store.statutes = held  # type: ignore[misc] # a fake's
    two = build_two(library)

    metadata = read(two, "fetch", id="§ 4 MusterG")["metadata"]
    assert metadata["is_current"] == "false"
    assert metadata["validity_notes"].startswith("pending_change")
    assert words in metadata["validity_notes"]


def test_the_day_of_a_text_is_the_one_that_its_citation_names(of_several: Registry) -> None:
    old = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"
    metadata = read(of_several, "fetch", id=f"{old}, § 8 MusterG")["metadata"]

    assert metadata["as_of"] == "2026-04-28"
    assert "warnings" not in read(of_several, "fetch", id="§ 4 MusterG")["metadata"]
