"""What an answer holds in all, however much is asked for at once."""

from typing import Any

import orjson
import pytest

from fundstelle.tools import get_context, lookup, lookup_batch
from fundstelle.tools.spec import CallContext
from tests.unit.lookup.invented import TODAY, build_library

MOST = 6_000
LONG = "\n".join(
    f"{{abs {a}|({a}) "
    + " ".join(f"{{satz {s}|Satz {a}.{s} {'x' * 190}.}}" for s in range(1, 11))
    + "}"
    for a in range(1, 11)
)
TOOLS = {"lookup": lookup, "batch": lookup_batch, "context": get_context}


def ask(tool: str, **arguments: object) -> dict[str, Any]:
    built = TOOLS[tool].build_tool(build_library(long=LONG), lambda: TODAY)
    called = built.call(
        {"max_chars": MOST, "response_format": "detailed", **arguments}, CallContext("r", "p")
    )
    assert called.structured is not None
    answer: dict[str, Any] = orjson.loads(called.structured)
    return answer


def measure(answer: object, name: str) -> int:
    """The characters of all members of this name, wherever they stand."""
    if isinstance(answer, list):
        return sum(measure(each, name) for each in answer)
    if not isinstance(answer, dict):
        return 0
    own = len(answer[name]) if isinstance(answer.get(name), str) else 0
    return own + sum(measure(value, name) for value in answer.values())


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("lookup", {"citation": "§ 9 MusterG"}),
        ("lookup", {"citation": "§§ 9, 4 MusterG"}),
        ("batch", {"citations": ["§ 9 MusterG"] * 20}),
        ("batch", {"citations": ["§§ 9, 4 MusterG"] * 5}),
        ("context", {"norm_id": "§ 9 MusterG"}),
    ],
)
def test_texts_of_an_answer_share_what_was_asked_for(tool: str, arguments: dict[str, Any]) -> None:
    answer = ask(tool, **arguments)
    assert measure(answer, "content") <= MOST
    assert 0 < measure(answer, "text") <= MOST


def test_the_first_of_several_units_has_its_segments_once() -> None:
    answer = ask("lookup", citation="§§ 9, 4 MusterG")
    assert answer["norm"].pop("segments")
    assert answer["norms"][0] == answer["norm"]


def test_segments_that_are_left_out_are_named_and_can_be_asked_for() -> None:
    sentences: list[str] = []
    offset: int | None = 0
    while offset is not None:
        answer = ask("lookup", citation="§ 9 MusterG", offset=offset)
        sentences += [
            one["text"][:9] for one in answer["norm"]["segments"] if "Satz" in one["label"]
        ]
        cut = [one for one in answer["warnings"] if one.startswith("segments of § 9 MusterG are")]
        if cut:
            offset = int(cut[0].partition(" offset ")[2].split()[0])
        else:
            offset = answer.get("next_offset")
    whole = [f"Satz {a}.{s} " for a in range(1, 11) for s in range(1, 11)]
    assert sentences == [one[:9] for one in whole]


def test_segments_that_fit_are_all_there() -> None:
    answer = ask("batch", citations=["§ 2 MusterG", "§ 1 MusterG"])
    labels = [[one["label"] for one in row["norm"]["segments"]] for row in answer["results"]]
    assert [len(each) for each in labels] == [8, 2]
    assert not any(
        "segments" in warning for row in answer["results"] for warning in row["warnings"]
    )
