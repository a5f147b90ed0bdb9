from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.ranking.merge import find_places, merge, rate

NORMS = st.lists(st.integers(0, 99), unique=True, max_size=20)
DECISIONS = st.lists(st.integers(100, 199), unique=True, max_size=12)
SCORES = st.lists(st.floats(0.1, 60), min_size=12, max_size=12)


@given(NORMS, DECISIONS, SCORES, st.floats(0, 50), st.integers(1, 30))
def test_nothing_is_lost_or_shown_twice_and_both_keep_their_order(
    norms: list[int], decisions: list[int], scores: list[float], best: float, terms: int
) -> None:
    ranked = sorted(scores, reverse=True)[: len(decisions)]
    merged = merge(norms, decisions, find_places(ranked, best, terms))
    assert [one for one in merged if one < 100] == norms
    assert [one for one in merged if one >= 100] == decisions


def test_a_decision_stands_where_its_words_put_it() -> None:
    assert merge([1, 2, 3, 4], [9], find_places([20.0], 10.0, terms=5)) == [9, 1, 2, 3, 4]
    assert merge([1, 2, 3, 4], [9], find_places([8.0], 10.0, terms=5)) == [1, 2, 3, 9, 4]


def test_decisions_never_stand_side_by_side_before_norms_run_out() -> None:
    merged = merge(range(8), [100, 101, 102], find_places([90.0, 80.0, 70.0], 10.0, terms=5))
    assert merged[:6] == [100, 0, 101, 1, 102, 2]


def test_a_long_text_leaves_the_first_places_to_norms() -> None:
    assert merge([1, 2, 3, 4, 5], [9], find_places([90.0], 10.0, terms=40))[:4] == [1, 2, 3, 4]


@given(NORMS, DECISIONS, st.floats(0, 100), st.lists(st.floats(-50, 50), min_size=20, max_size=20))
def test_scores_fall_from_hit_to_hit_and_stay_above_all_others(
    norms: list[int], decisions: list[int], floor: float, values: list[float]
) -> None:
    learned = dict(zip(norms, sorted(values, reverse=True), strict=False))
    rated = rate(merge(norms, decisions, (1, 3)), learned, floor)
    scores = [score for score, _ in rated]
    assert all(score > floor for score in scores)
    assert all(first > second for first, second in pairwise(scores))
