from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.errors import InvalidArgument
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.tools import lookup_batch
from fundstelle.tools.spec import CallContext
from tests.unit.lookup.invented import TODAY, build_library

TOOL = lookup_batch.build_tool(build_library(), lambda: TODAY)


def ask(*citations: str, **arguments: Any) -> dict[str, Any]:
    called = TOOL.call({"citations": list(citations), **arguments}, CallContext("r", "p"))
    assert called.structured is not None
    answer: dict[str, Any] = orjson.loads(called.structured)
    assert TOOL.output_schema is not None
    Draft202012Validator(dict(TOOL.output_schema)).validate(answer)
    return answer


def test_every_item_is_answered_in_order() -> None:
    answer = ask("§ 4 MusterG", "§ 99 MusterG", "", "MusterG", "§ 1 SGB", "§ 3 MusterG", "x" * 600)

    assert [row["found"] for row in answer["results"]] == [
        *(True, False, False, True, False, False, False)
    ]
    assert answer["summary"] == {
        "found": 2,
        "not_found": 5,
        "repealed": 1,
        "ambiguous": 1,
        "quotes_verbatim": 0,
        "quotes_failed": 0,
    }
    assert answer["count"] == answer["total"] == 7


def test_quotes_belong_to_citations_by_position() -> None:
    answer = ask(
        "§ 4 MusterG",
        "§ 1 MusterG",
        "§ 4a MusterG",
        "§ 99 MusterG",
        quotes=["Die Säge ist scharf.", "", "Die Feile ist glatt.", "Die Feile ist rau."],
    )
    checks = [row.get("quote_check", {}).get("status") for row in answer["results"]]

    assert checks == ["verbatim", None, "altered", "no_text"]
    assert answer["summary"]["quotes_verbatim"] == 1
    assert answer["summary"]["quotes_failed"] == 2


def test_more_quotes_than_citations_are_refused() -> None:
    with pytest.raises(InvalidArgument) as error:
        ask("§ 4 MusterG", quotes=["a", "b"])

    assert error.value.field == "quotes"


def test_short_texts_stay_whole_when_long_ones_are_cut() -> None:
    long = "{satz 1|" + "Der Nagel hält. " * 80 + "}"
    tool = lookup_batch.build_tool(build_library(long=long), lambda: TODAY)
    called = tool.call(
        {"citations": ["§ 9 MusterG", "§ 4 MusterG"], "max_chars": 600}, CallContext("r", "p")
    )
    assert called.structured is not None
    first, second = orjson.loads(called.structured)["results"]

    assert second["norm"]["content"] == "Die Säge ist scharf. Ihre Zähne sind zu schränken."
    assert len(first["norm"]["content"]) <= 550
    assert first["hint"]["arguments"] == {
        "citation": "§ 9 MusterG",
        "offset": first["next_offset"],
    }


def test_units_that_find_no_room_share_one_line() -> None:
    long = "{satz 1|" + "Der Nagel hält. " * 80 + "}"
    tool = lookup_batch.build_tool(build_library(long=long), lambda: TODAY)
    arguments = {"citations": ["§§ 1-9 MusterG"] * 20, "max_chars": 500}
    called = tool.call(arguments, CallContext("r", "p"))
    assert called.structured is not None
    for row in orjson.loads(called.structured)["results"]:
        assert row["warnings"] == ["§ 1 MusterG and 5 more come without text: max_chars is spent."]


def test_there_are_one_to_twenty_citations() -> None:
    for citations in ([], ["§ 1 MusterG"] * 21):
        with pytest.raises(InvalidArgument) as error:
            ask(*citations)

        assert error.value.field == "citations"


def test_a_quote_beyond_what_one_call_may_cost_is_left_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lookup_batch, "Effort", lambda: Effort(left=1_000))
    wrong = "Die Säge ist stumpf und sie bleibt es."
    answer = ask(*["§ 4 MusterG"] * 3, quotes=["Die Säge ist scharf.", wrong, wrong])

    exact, cut, left = answer["results"]
    assert exact["quote_check"]["status"] == "verbatim"
    assert exact["warnings"] == []
    assert "not looked for everywhere" in cut["warnings"][-1]
    assert cut["quote_check"]["status"] != "verbatim"
    assert "was not checked" in left["warnings"][-1]
    assert "quote_check" not in left
    assert answer["summary"]["quotes_failed"] == 1


def test_a_quote_whose_text_is_too_long_to_be_compared_too_is_left_and_the_next_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lookup_batch, "Effort", lambda: Effort(left=400_000))
    wrong = "Die Säge ist stumpf."
    quotes = [wrong, "Fahrrad " * 200, "Die Säge ist scharf."]
    first, left, last = ask(*["§ 4 MusterG"] * 3, quotes=quotes)["results"]

    assert "quote_check" in first
    assert "was not checked" in left["warnings"][-1]
    assert "quote_check" not in left
    assert last["quote_check"]["status"] == "verbatim"


def test_a_text_that_several_quotes_are_compared_with_is_read_once() -> None:
    effort = Effort()
    before = effort.left
    effort.take_comparison("x" * 1_000, "y")
    first = before - effort.left
    effort.take_comparison("x" * 1_000, "y")

    assert before - effort.left < first * 1.2
