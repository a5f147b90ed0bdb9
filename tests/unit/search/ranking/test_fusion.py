from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.ranking.fusion import fuse, keep_firsts

RANKINGS = st.lists(
    st.lists(st.integers(0, 60), min_size=1, max_size=40, unique=True), min_size=1, max_size=5
)


def test_what_all_rankings_know_comes_before_what_one_has_first() -> None:
    fused = fuse([(1.0, [1, 2, 3]), (1.0, [4, 2, 5])])
    assert next(document for document, _ in fused) == 2


def test_a_weightier_ranking_wins_and_ties_go_by_number() -> None:
    assert [d for d, _ in fuse([(1.0, [7]), (2.0, [9])])] == [9, 7]
    assert [d for d, _ in fuse([(1.0, [9]), (1.0, [7])])] == [7, 9]


def test_nothing_fused_is_nothing() -> None:
    assert fuse([(1.0, [])]) == []


@given(RANKINGS, st.permutations(range(61)))
def test_whatever_is_fused_nothing_first_is_buried(
    rankings: list[list[int]], weights: list[int]
) -> None:
    weighed = [(1.0 + weights[at] / 10, ranking) for at, ranking in enumerate(rankings)]
    fused = [document for document, _ in fuse(weighed)]
    kept = keep_firsts(fused, rankings)
    assert sorted(kept) == sorted(fused)
    own, *others = rankings
    for place, document in enumerate(own[:3]):
        assert kept.index(document) <= place + 2
    assert all(kept.index(ranking[0]) < 10 for ranking in others)
    assert kept[:2] == fused[:2]


def test_what_is_not_buried_stays_where_it_is() -> None:
    assert keep_firsts([1, 2, 3, 4], [[1, 2, 3], [2, 1]]) == [1, 2, 3, 4]
