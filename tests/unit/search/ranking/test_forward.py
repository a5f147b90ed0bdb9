from pathlib import Path

import numpy as np
import pytest

from fundstelle.search.ranking.forward import Forward, ForwardWriter, Rows, hash_term


@pytest.fixture
def forward() -> Forward:
    writer = ForwardWriter()
    # in any order
    writer.add(2, "eu/1", 10, ["fee"], ["gegenstand"], [])
    writer.add(0, "de/drg", 10, [], [], [])
    writer.add(1, "de/drg", 99, ["drach", "gesetz"], ["drach", "halt"], ["teil"])
    writer.add(3, "", 10, ["bgh"], ["leitsatz"], [])
    return writer.finish(lambda term, norms: len(term) * norms)


def test_every_norm_has_the_values_of_its_ordinal(forward: Forward) -> None:
    assert forward.laws.tolist() == [1, 1, 0, -1]
    assert forward.statute_ids.tolist() == ["eu/1", "de/drg"]
    assert forward.european.tolist() == [True, False]
    assert forward.sizes.tolist()[1] == pytest.approx(np.log1p(99))
    assert forward.heading_weights.tolist()[:3] == [
        0.0,
        3 * len("drachhalt"),
        3 * len("gegenstand"),
    ]


def test_a_law_has_the_names_of_its_first_norm_that_tells_them(forward: Forward) -> None:
    terms = np.sort(np.array([hash_term("gesetz")], np.uint32))
    held = forward.rows.sum_weights(forward.names[[0, 1]].astype(np.int64), terms, np.ones(1))
    assert held.tolist() == [0.0, 1.0]


def test_what_is_written_is_read_again(forward: Forward, tmp_path: Path) -> None:
    forward.write(tmp_path)
    again = Forward.read(tmp_path)
    assert again is not None
    assert again.laws.tolist() == forward.laws.tolist()
    assert again.row_terms.tolist() == forward.row_terms.tolist()
    assert again.is_of(np.array([0, 2]), ["de/drg"]).tolist() == [True, False]


def test_a_build_made_before_has_none(tmp_path: Path) -> None:
    assert Forward.read(tmp_path) is None


@pytest.mark.parametrize(
    ("rows", "asked", "expected"),
    [
        ([0, 1, 2], [7, 9], [0.0, 3.0, 2.0]),
        ([2, 2], [9], [2.0, 2.0]),
        ([1], [8], [0.0]),
        ([], [7], []),
        ([1], [], [0.0]),
    ],
)
def test_the_weights_of_shared_terms_are_summed(
    rows: list[int], asked: list[int], expected: list[float]
) -> None:
    held = Rows(np.array([0, 0, 2, 4]), np.array([7, 9, 9, 11], np.uint32))
    weights = np.array([{7: 1.0, 8: 5.0, 9: 2.0}[term] for term in asked])
    found = held.sum_weights(np.array(rows, np.int64), np.array(asked, np.uint32), weights)
    assert found.tolist() == expected
