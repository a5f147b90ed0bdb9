"""The answers with texts keep to their size, and say what they leave out for it."""

import re
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.lookup.resolve import resolve
from fundstelle.tools import lookup, lookup_batch
from fundstelle.tools.answers.fitting import fit_rows
from fundstelle.tools.spec import CallContext, Tool
from tests.unit.lookup.invented import TODAY, build_library

NINETY = 90
LONG = "{satz 1|" + "Der Nagel hält, wo ihn der Hammer trifft. " * 400 + "}"
LIBRARY = build_library(long=LONG, many=NINETY)
BATCH = lookup_batch.build_tool(LIBRARY, lambda: TODAY)
SINGLE = lookup.build_tool(LIBRARY, lambda: TODAY)
TOKENS = {"concise": 10_000, "detailed": 30_000}  # as the descriptions say, of four bytes
DEFAULTS = {BATCH.name: 24_000, SINGLE.name: 20_000}


def count_promised(tool: Tool, arguments: Mapping[str, Any]) -> int:
    shape = arguments.get("response_format", "concise")
    beyond: int = max(arguments.get("max_chars", 0) - DEFAULTS[tool.name], 0) // 3
    return 4 * (TOKENS[shape] + beyond * TOKENS[shape] // TOKENS["concise"])


def call(tool: Tool, **arguments: Any) -> dict[str, Any]:
    structured = tool.call(arguments, CallContext("r", "p")).structured
    assert structured is not None
    assert len(structured) <= count_promised(tool, arguments)
    answer: dict[str, Any] = orjson.loads(structured)
    Draft202012Validator(dict(tool.output_schema or {})).validate(answer)
    return answer


def list_units(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in (row.get("norm"), *row.get("norms", [])[1:]) if each]


def count_text(answer: Mapping[str, Any]) -> int:
    return sum(
        len(unit.get("content", "")) for row in answer["results"] for unit in list_units(row)
    )


def count_named(row: Mapping[str, Any], words: str) -> int:
    """How many a warning says of."""
    for said in row["warnings"]:
        if words in said:
            found = re.search(r"\((\d+) in all\)|^(\d+) more", said)
            return int(found[1] or found[2]) if found else 1
    return 0


def write_list(first: int, count: int, suffix: str = "") -> str:
    return ", ".join(f"§ {first + one}{suffix} MusterG" for one in range(count))


QUOTE = "Der Nagel hält, wo ihn der Hammer trifft. " * 43 + "[...] wo ihn der Hammer trifft."
WORSE = QUOTE.replace("hält", "hielte")
WORST: list[dict[str, Any]] = [
    {"citations": [write_list(500 + 20 * one, 20) for one in range(20)]},
    {"citations": [write_list(201, 18) + ", § 999 MusterG"] * 20},
    {"citations": [f"§§ {201 + one} ff. MusterG" for one in range(20)]},
    {"citations": ["§ 9 MusterG"] * 20, "quotes": [QUOTE] * 20},
    {"citations": ["§ 9 MusterG"] * 20, "quotes": [WORSE] * 20},
    {"citations": ["§ 9, 1, 2 MusterG"] * 20, "quotes": [QUOTE] * 20},
    {"citations": [write_list(900, 18), "§ 9 MusterG, § 998 MusterG"] * 10, "quotes": [QUOTE] * 20},
    {"citations": ["§ 4 MusterG " + "und allerlei Anderes, was nichts ist, " * 12] * 20},
    {"citations": ["§ 99 MusterG"] * 20},
]


@pytest.mark.parametrize("max_chars", [24_000, 60_000])
@pytest.mark.parametrize("response_format", TOKENS)
@pytest.mark.parametrize("worst", WORST)
def test_no_batch_is_larger_than_it_says_and_nothing_goes_silently(
    worst: dict[str, Any], response_format: str, max_chars: int
) -> None:
    answer = call(BATCH, **worst, response_format=response_format, max_chars=max_chars)

    assert len(answer["results"]) == 20
    for written, row in zip(worst["citations"], answer["results"], strict=True):
        assert row["citation"]
        bare = [unit for unit in list_units(row) if "content" not in unit]
        told = count_named(row, "without text")
        assert told >= len(bare)
        meant = len(resolve(LIBRARY, written, TODAY).outcomes)
        listed = len(list_units(row)) + len(row.get("misses", ()))
        left_out = told - len(bare) + count_named(row, "not listed")
        assert (listed + left_out or 1) == meant


@pytest.mark.parametrize("response_format", TOKENS)
@pytest.mark.parametrize("max_chars", [500, 20_000, 60_000])
@pytest.mark.parametrize(
    "asked",
    [
        {"citation": "§ 9 MusterG", "quote": QUOTE},
        {"citation": "§§ 201 ff. MusterG", "quote": WORSE},
        {"citation": write_list(500, 20)},
        {"citation": write_list(500, 10) + ", § 9 MusterG, §§ 201 ff. MusterG", "quote": QUOTE},
    ],
)
def test_no_lookup_is_larger_than_it_says(
    asked: dict[str, str], response_format: str, max_chars: int
) -> None:
    call(SINGLE, **asked, response_format=response_format, max_chars=max_chars)


@pytest.mark.parametrize("before", [[], ["§ 9 MusterG"], ["§ 4 MusterG"] * 10])
def test_a_longer_list_never_gives_less_text(before: list[str]) -> None:
    given = [
        count_text(call(BATCH, citations=[*before, write_list(201, count)]))
        for count in range(1, 21)
    ]
    assert given == sorted(given)
    assert given[0] > 0


def test_lists_beside_it_do_not_take_the_text_of_a_single_citation() -> None:
    lists = [f"§§ {201 + 20 * one} ff. MusterG" for one in range(3)]
    answer = call(BATCH, citations=[*lists, "§ 4 MusterG"])

    assert answer["results"][-1]["norm"]["content"].startswith("Die Säge ist scharf.")
    assert count_text(answer) > count_text(call(BATCH, citations=lists[:1]))
    assert not [each for row in answer["results"] for each in row["warnings"] if "spent" in each]


def test_what_fits_is_given_whole_and_the_first_of_a_list_twice() -> None:
    [row] = call(BATCH, citations=["§§ 1, 4 MusterG"])["results"]

    assert [unit["content"] for unit in row["norms"]] == [
        "Werkzeug ist, was der Arbeit dient. Ein Hammer ist Werkzeug.",
        "Die Säge ist scharf. Ihre Zähne sind zu schränken.",
    ]
    assert row["warnings"] == []


def test_misses_behind_the_first_few_are_told_in_short_before_any_is_left_out() -> None:
    misses = [
        {
            "citation": "§ 99 MusterG",
            "code": "NORM_NOT_FOUND",
            "status": "norm_does_not_exist",
            "reason": f"§ {number} MusterG does not exist.",
            "evidence": {"first": "x" * 200},
            "suggestions": [],
            "next_step": "y" * 100,
        }
        for number in range(10)
    ]
    rows: list[dict[str, Any]] = [{"found": False, "warnings": (), "misses": misses}]
    fit_rows(rows, 3_000)

    shown = rows[0]["misses"]
    assert ["evidence" in each for each in shown] == [*[True] * 3, *[False] * 7]
    assert all({"citation", "code", "status", "reason"} <= each.keys() for each in shown)
    assert rows[0]["warnings"] == ["Misses behind the first 3 are told in short."]


def test_a_long_match_keeps_its_beginning_and_its_end() -> None:
    text = "Anfang " + "x" * 3_000 + " Ende"
    rows: list[dict[str, Any]] = [
        {"found": True, "warnings": (), "quote_check": {"matched_text": text, "differences": []}}
    ]
    fit_rows(rows, 1_000)

    matched = rows[0]["quote_check"]["matched_text"]
    assert matched.startswith("Anfang")
    assert matched.endswith("Ende")
    assert "[...]" in matched
    assert "quote_check is shortened" in rows[0]["warnings"][0]


@pytest.mark.parametrize(("most", "is_given"), [(700, True), (300, False)])
def test_what_was_corrected_goes_last_and_is_told(most: int, is_given: bool) -> None:
    corrections = ["MusterG has §, not Art." + " x" * 100]
    norm = {"norm_id": "de/musterg/4", "citation": "§ 4 MusterG", "content": "x" * 400}
    row: dict[str, Any] = {
        "found": True,
        "citation": "Art. 4 MusterG",
        "norm": norm,
        "normalised_from": "Art. 4 MusterG",
        "corrections": corrections,
        "warnings": (),
    }
    fit_rows([row], most)

    assert row.get("corrections") == (corrections if is_given else None)
    assert any("What was corrected" in each for each in row["warnings"]) != is_given
