from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.ranking.merge import Floats, merge, place_decisions, rate

NORMS = st.lists(st.integers(0, 99), unique=True, max_size=20)
DECISIONS = st.lists(st.integers(100, 199), unique=True, max_size=12)
SCORES = st.lists(st.floats(0.1, 60), min_size=12, max_size=12)


def place(
    norms: Sequence[int],
    ranked: list[tuple[float, int]],
    best: float,
    terms: int,
    nearness: Floats | None = None,
    *,
    is_question: bool = False,
) -> list[int]:
    decisions, places = place_decisions(ranked, best, terms, nearness, is_question=is_question)
    return merge(norms, [ordinal for _, ordinal in decisions], places)


@given(NORMS, DECISIONS, SCORES, st.floats(0, 50), st.integers(1, 30))
def test_nothing_is_lost_or_shown_twice_and_both_keep_their_order(
    norms: list[int], decisions: list[int], scores: list[float], best: float, terms: int
) -> None:
    ranked = list(zip(sorted(scores, reverse=True), decisions, strict=False))
    merged = place(norms, ranked, best, terms)
    assert [one for one in merged if one < 100] == norms
    assert [one for one in merged if one >= 100] == decisions


def test_a_decision_stands_where_its_words_put_it() -> None:
    assert place([1, 2, 3, 4], [(20.0, 9)], 10.0, 5) == [9, 1, 2, 3, 4]
    assert place([1, 2, 3, 4], [(8.0, 9)], 10.0, 5) == [1, 2, 3, 9, 4]


def test_decisions_never_stand_side_by_side_before_norms_run_out() -> None:
    merged = place(range(8), [(90.0, 100), (80.0, 101), (70.0, 102)], 10.0, 5)
    assert merged[:6] == [100, 0, 101, 1, 102, 2]


def test_a_decision_that_is_as_near_as_the_nearest_norm_needs_fewer_words() -> None:
    norms, ranked = [1, 2, 3, 4, 5, 6], [(9.5, 9)]
    assert place(norms, ranked, 10.0, 5).index(9) == 1
    assert place(norms, ranked, 10.0, 5, np.array([0.0])).index(9) == 0
    assert place(norms, ranked, 10.0, 5, np.array([-0.2])).index(9) == 1
    assert place(norms, ranked, 10.0, 5, np.array([-0.5])).index(9) == 5
    assert place(norms, ranked, 10.0, 5, np.array([np.nan])).index(9) == 3


def test_of_decisions_with_as_many_words_the_nearer_one_comes_first() -> None:
    ranked = [(10.0, 8), (9.9, 9)]
    merged = place([1], ranked, 10.0, 5, np.array([-0.3, -0.1]))
    assert merged.index(9) < merged.index(8)


@given(DECISIONS, SCORES, st.floats(0, 50), st.lists(st.floats(-1, 1), min_size=12, max_size=12))
def test_meaning_loses_no_decision(
    decisions: list[int], scores: list[float], best: float, nearness: list[float]
) -> None:
    ranked = list(zip(sorted(scores, reverse=True), decisions, strict=False))
    merged = place([1, 2], ranked, best, 5, np.array(nearness[: len(ranked)]))
    assert sorted(merged) == sorted([1, 2, *decisions])


def test_a_long_text_leaves_the_first_places_to_norms() -> None:
    assert place([1, 2, 3, 4, 5], [(90.0, 9)], 10.0, 40)[:4] == [1, 2, 3, 4]


def test_who_tells_what_happened_and_asks_may_mean_a_decision() -> None:
    norms, ranked = [1, 2, 3, 4, 5], [(90.0, 9)]
    assert place(norms, ranked, 10.0, 14, is_question=True)[0] == 9
    assert place(norms, ranked, 10.0, 14)[:4] == [1, 2, 3, 4]
    assert place(norms, ranked, 10.0, 40, is_question=True)[:4] == [1, 2, 3, 4]


@given(NORMS, DECISIONS, st.floats(0, 100), st.lists(st.floats(-50, 50), min_size=20, max_size=20))
def test_scores_fall_from_hit_to_hit_and_stay_above_all_others(
    norms: list[int], decisions: list[int], floor: float, values: list[float]
) -> None:
    learned = dict(zip(norms, sorted(values, reverse=True), strict=False))
    rated = rate(merge(norms, decisions, (1, 3)), learned, floor)
    scores = [score for score, _ in rated]
    assert all(score > floor for score in scores)
    assert all(first > second for first, second in pairwise(scores))
