from array import array
from pathlib import Path

from fundstelle.search.ranking.priors import build_priors, read_priors, write_priors

STATUTES = [0, 0, 0, 1, 1]  # three norms of one law, two of another


def test_references_raise_a_norm_and_those_from_other_laws_its_whole_law() -> None:
    priors = build_priors([(3, 1), (0, 1)], STATUTES)
    assert priors[1] > priors[0] == priors[2] > priors[3] == priors[4] == 1.0


def test_a_reference_to_a_law_raises_all_its_norms_alike() -> None:
    priors = build_priors([(0, -1 - 1)], STATUTES)
    assert priors[3] == priors[4] > 1.0


def test_a_norm_that_refers_to_itself_is_not_raised() -> None:
    assert list(build_priors([(1, 1), (2, -1)], STATUTES)) == [1.0] * 5


def test_priors_are_kept_beside_an_index(tmp_path: Path) -> None:
    assert read_priors(tmp_path) is None
    write_priors(array("f", [1.0, 1.5]), tmp_path)
    assert read_priors(tmp_path) == array("f", [1.0, 1.5])


def test_a_corpus_without_norms_has_no_priors() -> None:
    assert list(build_priors([], [])) == []
