import pytest

from fundstelle.search.ranking.measures import average, bootstrap, measure

RANKED = list(range(100, 250))


@pytest.mark.parametrize(
    ("relevant", "name", "expected"),
    [
        ([{100}], "MRR@10", 1.0),
        ([{102}], "MRR@10", 1 / 3),
        ([{110}], "MRR@10", 0.0),
        ([{110}, {104}], "MRR@10", 1 / 5),
        ([{100}], "Hit@1", 1.0),
        ([{101}], "Hit@1", 0.0),
        ([{109}], "Hit@10", 1.0),
        ([{110}], "Hit@10", 0.0),
        ([{100}, {110}], "Recall@10", 0.5),
        ([{100}, {199}], "Recall@100", 1.0),
        ([{200}, {100}], "Recall@100", 0.5),
        ([{100, 101}], "Recall@10", 1.0),
        ([set()], "Recall@10", 0.0),
        ([{100}], "nDCG@10", 1.0),
        ([{101}], "nDCG@10", 0.6309297535714574),
        ([{100}, {101}], "nDCG@10", 1.0),
        ([{100}, {5}], "nDCG@10", 0.6131471927654584),
    ],
)
def test_measures_are_those_of_the_textbook(
    relevant: list[set[int]], name: str, expected: float
) -> None:
    assert measure(RANKED, relevant)[name] == pytest.approx(expected)


def test_a_mean_lies_in_its_interval_and_the_interval_is_always_the_same() -> None:
    values = [0.0, 0.5, 1.0] * 30
    low, high = bootstrap(values)
    assert low < 0.5 < high
    assert bootstrap(values) == (low, high)
    assert average([{"a": 1.0}, {"a": 0.0}]) == {"a": 0.5}
