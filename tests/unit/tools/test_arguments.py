from datetime import date
from typing import Any

import pytest

from fundstelle.errors import InvalidArgument, InvalidFilter, InvalidInput
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments

PARAMETERS = (
    Parameter("query", "text", "What.", "Hammer", required=True, low=2, high=10),
    Parameter("top_k", "number", "How many.", 5, default=5, low=1, high=50),
    Parameter("words", "texts", "Other words.", ["Beil"], high=2, item_high=4),
    Parameter("as_of", "day", "Day.", "2024-02-29"),
    Parameter("court", "choice", "Court.", "BGH", choices=("BGH", "BAG"), is_filter=True),
    Parameter("sort", "choice", "Order.", "up", default="up", choices=("up", "down")),
    Parameter("include", "choices", "Parts.", ["a"], choices=("a", "b"), high=2),
    Parameter("law", "text", "Law.", "BGB", high=5),
)
DEFAULTS = {
    "query": "Beil",
    "top_k": 5,
    "words": None,
    "as_of": None,
    "court": None,
    "sort": "up",
    "include": None,
    "law": None,
}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({}, {}),
        ({"top_k": 50}, {"top_k": 50}),
        ({"top_k": 7.0}, {"top_k": 7}),
        ({"top_k": None, "law": None}, {}),
        ({"law": "  "}, {}),
        ({"law": " BGB "}, {"law": "BGB"}),
        ({"words": []}, {"words": []}),
        ({"words": ["Axt", ""]}, {"words": ["Axt", ""]}),
        ({"as_of": "2024-02-29"}, {"as_of": date(2024, 2, 29)}),
        ({"as_of": {"$kind": "Date", "value": "2024-02-29"}}, {"as_of": date(2024, 2, 29)}),
        ({"court": "bgh"}, {"court": "BGH"}),
        ({"include": ["b", "a", "b"]}, {"include": ["b", "a"]}),
    ],
)
def test_values_are_read_and_defaults_filled_in(
    given: dict[str, Any], read: dict[str, Any]
) -> None:
    assert read_arguments(PARAMETERS, {"query": "Beil"} | given) == DEFAULTS | read


@pytest.mark.parametrize(
    ("given", "error", "field", "allowed"),
    [
        ({"query": None}, InvalidArgument, "query", ()),
        ({"query": ""}, InvalidArgument, "query", ()),
        ({"query": " x "}, InvalidArgument, "query", ()),
        ({"query": "Hammerwerke"}, InvalidArgument, "query", ()),
        ({"query": 7}, InvalidArgument, "query", ()),
        ({"top_k": 0}, InvalidArgument, "top_k", ()),
        ({"top_k": 51}, InvalidArgument, "top_k", ()),
        ({"top_k": 10**30}, InvalidArgument, "top_k", ()),
        ({"top_k": 1.5}, InvalidArgument, "top_k", ()),
        ({"top_k": float("inf")}, InvalidArgument, "top_k", ()),
        ({"top_k": "5"}, InvalidArgument, "top_k", ()),
        ({"top_k": True}, InvalidArgument, "top_k", ()),
        ({"words": "Axt"}, InvalidArgument, "words", ()),
        ({"words": ["a", "b", "c"]}, InvalidArgument, "words", ()),
        ({"words": ["Hammer"]}, InvalidArgument, "words", ()),
        ({"words": [1]}, InvalidArgument, "words", ()),
        ({"as_of": "2023-02-29"}, InvalidArgument, "as_of", ()),
        ({"as_of": "20240229"}, InvalidArgument, "as_of", ()),
        ({"as_of": "2024-W09-4"}, InvalidArgument, "as_of", ()),
        ({"as_of": "heute"}, InvalidArgument, "as_of", ()),
        ({"as_of": ""}, InvalidArgument, "as_of", ()),
        ({"as_of": 20240229}, InvalidArgument, "as_of", ()),
        ({"as_of": {"value": 5}}, InvalidArgument, "as_of", ()),
        ({"court": "XGH"}, InvalidFilter, "court", ("BGH", "BAG")),
        ({"court": ["BGH"]}, InvalidArgument, "court", ("BGH", "BAG")),
        ({"sort": "sideways"}, InvalidArgument, "sort", ("up", "down")),
        ({"include": ["c"]}, InvalidArgument, "include", ("a", "b")),
        ({"include": "a"}, InvalidArgument, "include", ("a", "b")),
        ({"include": [["a"]]}, InvalidArgument, "include", ("a", "b")),
    ],
)
def test_wrong_values_are_refused_with_field_and_allowed_values(
    given: dict[str, Any], error: type[InvalidInput], field: str, allowed: tuple[str, ...]
) -> None:
    with pytest.raises(error) as refused:
        read_arguments(PARAMETERS, {"query": "Beil"} | given)

    assert type(refused.value) is error
    assert refused.value.field == field
    assert refused.value.allowed_values == allowed
    assert refused.value.example


@pytest.mark.parametrize(("name", "near"), [("topk", "top_k"), ("asof", "as_of"), ("Zebra", None)])
def test_an_unknown_argument_is_refused_and_near_ones_named(name: str, near: str | None) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_arguments(PARAMETERS, {"query": "Beil", name: 1})

    assert refused.value.field == name
    assert refused.value.example == near
    assert set(refused.value.allowed_values) == set(DEFAULTS)


def test_a_tool_without_parameters_takes_none() -> None:
    assert read_arguments((), {}) == {}
    with pytest.raises(InvalidArgument):
        read_arguments((), {"x": 1})


def test_a_long_value_is_not_repeated_in_full() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_arguments(PARAMETERS, {"query": "Beil", "x" * 5_000: 1})

    assert len(refused.value.message) < 300


def test_what_keywords_say_the_description_says_too() -> None:
    properties = build_input_schema(PARAMETERS)["properties"]

    assert properties["query"]["description"] == "What. 2 to 10 characters. Example: Hammer"
    assert properties["top_k"]["description"] == "How many. 1 to 50. Default: 5."
    assert "Values: BGH, BAG." in properties["court"]["description"]
    assert "YYYY-MM-DD" in properties["as_of"]["description"]
