"""The bench of rephrasings: what it counts as kept, and that its questions are whole."""

import json
from typing import cast

import pytest
from benches.accuracy.rephrasings import FILE, KINDS, Outcome, Rephrased, compare, describe

from fundstelle.search.index import SearchHit, SearchIndex, SearchRequest, SearchResult

GOOD, WRONG = "good words", "wrong words"


class Fixed:
    """An index that knows its answers by the texts of a request."""

    def __init__(self, answers: dict[tuple[str, ...], list[int]]) -> None:
        self._answers = answers

    def search(self, request: SearchRequest) -> SearchResult:
        found = self._answers[request.query, *request.rephrasings]
        return SearchResult(tuple(SearchHit(one, 1.0) for one in found), len(found))


def ask_once(together: list[int]) -> Outcome:
    answers = {("asked",): [7, 1, 2], (GOOD,): [9, 7], ("asked", GOOD): together}
    index = cast("SearchIndex", Fixed(answers))
    return compare(index, Rephrased("asked", frozenset({7}), {"good": GOOD}), ("good",))


@pytest.mark.parametrize(
    ("together", "fell", "buried"),
    [
        ([7, 9, 1, 2], 0, 0),
        ([9, 1, 2, 7], 3, 0),
        ([7, 1, 2, 3, 4, 5, 6, 8, 10, 11, 9], 0, 1),
        ([9, 1, 2], 3, 0),  # not found any more: as far as there are hits
    ],
)
def test_places_that_a_norm_fell_and_firsts_behind_page_one_are_counted(
    together: list[int], fell: int, buried: int
) -> None:
    outcome = ask_once(together)
    assert (outcome.fell, outcome.buried) == (fell, buried)


def test_a_promise_is_broken_from_three_places_on() -> None:
    table = describe([ask_once([9, 1, 7]), ask_once([9, 1, 2, 7])])
    assert table["fell by more than two"] == 1
    assert table["fell most"] == 3


def test_each_question_has_three_rephrasings_and_its_wrong_one_is_anothers() -> None:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 60
    good = {row["good"]: row["qid"] for row in rows}
    assert len(good) == len(rows)
    for row in rows:
        assert set(KINDS) < row.keys()
        assert good[row["wrong"]] != row["qid"]
