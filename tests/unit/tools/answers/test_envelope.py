"""An answer carries the ids of what it gives: the records of calls name them."""

from typing import Any

import pytest

from fundstelle.tools.answers.envelope import MOST_IDS, fill_page, result

FIELDS: dict[str, Any] = {
    "hint": {"tool": "t", "arguments": {"norm_id": "de/hint/1"}},
    "results": [
        {"norm": {"norm_id": "de/musterg/1", "text": '"norm_id":"no"'}},
        {"code": "NORM_NOT_FOUND", "suggestions": [{"norm_id": "de/musterg/9"}]},
        {"evidence": {"first": {"norm_id": "de/musterg/8"}}},
        {"norm": {"norm_id": "de/musterg/1"}},
        {"decisions": [{"norm_id": "de/bgh/vi-zr-1-30"}]},
    ],
}


@pytest.mark.parametrize("is_paged", [True, False])
def test_the_ids_of_a_result_are_those_it_gives_and_not_those_it_suggests(
    *, is_paged: bool
) -> None:
    rows = FIELDS["results"]
    answer = result(
        True,
        5,
        5,
        0,
        "release",
        hint=FIELDS["hint"],
        own={"results": fill_page(rows) if is_paged else rows},
    )
    assert answer.result_ids == ("de/musterg/1", "de/bgh/vi-zr-1-30")


def test_a_miss_gives_no_ids_and_a_list_not_endless_ones() -> None:
    assert result(False, 0, 0, 0, "release", own={"norm_id": "de/musterg/1"}).result_ids == ()
    rows = [{"norm_id": f"de/musterg/{number}"} for number in range(1_000)]
    assert len(result(True, 1, 1, 0, "release", own={"laws": rows}).result_ids) == MOST_IDS
