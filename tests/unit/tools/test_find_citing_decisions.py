from typing import Any

import pytest

from fundstelle.errors import InvalidArgument, InvalidFilter
from tests.unit.tools.calling import call
from tests.unit.tools.fakes import build_library

LIBRARY = build_library()
NAME = "legal_find_citing_decisions"


def test_without_decisions_the_answer_is_empty_and_claims_nothing() -> None:
    answer = call(LIBRARY, NAME, cited_norm="§ 2 WzLeihG")

    assert (answer["found"], answer["total"], answer["decisions"]) == (False, 0, [])
    assert answer["coverage"] == {"complete": False, "sources": []}
    assert answer["cited"] == {"citation": "§ 2 WzLeihG", "norm_id": "de/wzleihg/2"}
    assert answer["sort_applied"] == "newest"
    assert "nothing about case law" in answer["warnings"][0]


def test_a_norm_that_does_not_exist_is_a_miss() -> None:
    answer = call(LIBRARY, NAME, cited_norm="§ 77 WzLeihG")

    assert (answer["found"], answer["status"]) == (False, "norm_does_not_exist")
    assert answer["evidence"]["last"]["norm_id"] == "de/wzleihg/4"


@pytest.mark.parametrize("written", ["§§ 2, 3 WzLeihG", "§§ 2, 77 WzLeihG"])
def test_of_several_norms_the_others_are_not_passed_over(written: str) -> None:
    answer = call(LIBRARY, NAME, cited_norm=written)
    assert answer["cited"]["norm_id"] == "de/wzleihg/2"
    assert answer["warnings"][0].startswith("2 are meant; only the first was looked for, § 2 ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"court": "XGH"}, InvalidFilter),
        ({"sort": "oldest"}, InvalidArgument),
        ({"limit": 101}, InvalidArgument),
        ({"date_from": "2025-02-01", "date_to": "2025-01-01"}, InvalidArgument),
    ],
)
def test_wrong_values_are_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call(LIBRARY, NAME, cited_norm="§ 2 WzLeihG", **arguments)
