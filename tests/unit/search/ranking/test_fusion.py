from fundstelle.search.ranking.fusion import fuse


def test_what_all_rankings_know_comes_before_what_one_has_first() -> None:
    fused = fuse([(1.0, [1, 2, 3]), (1.0, [4, 2, 5])])
    assert next(document for document, _ in fused) == 2


def test_a_weightier_ranking_wins_and_ties_go_by_number() -> None:
    assert [d for d, _ in fuse([(1.0, [7]), (2.0, [9])])] == [9, 7]
    assert [d for d, _ in fuse([(1.0, [9]), (1.0, [7])])] == [7, 9]


def test_nothing_fused_is_nothing() -> None:
    assert fuse([(1.0, [])]) == []
