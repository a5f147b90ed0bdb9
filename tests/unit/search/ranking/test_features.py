from math import log1p

import numpy as np
import pytest

from fundstelle.search.ranking.features import (
    FEATURES,
    Candidates,
    Features,
    Known,
    Question,
    describe,
)
from fundstelle.search.ranking.forward import Forward, hash_term

DRACHE, HORT = sorted(hash_term(term) for term in ("drach", "hort"))
# Four norms: the first three of law 0, the last of the Union's law 1. Rows: none, one term, both.
FORWARD = Forward(
    laws=np.array([0, 0, 0, 1], np.int32),
    sizes=np.array([1, 2, 3, 4], np.float32),
    headings=np.array([0, 1, 2, 0], np.int32),
    heading_weights=np.array([0, 2, 8, 0], np.float32),
    hierarchies=np.array([0, 1, 0, 0], np.int32),
    names=np.array([1, 0], np.int32),
    statute_ids=np.array(["de/drg", "eu/1"]),
    row_starts=np.array([0, 0, 1, 3]),
    row_terms=np.array([DRACHE, DRACHE, HORT], np.uint32),
)
KNOWN = Known(
    forward=FORWARD,
    priors=np.array([1.0, 1.0, 2.0, 1.0]),
    cited=np.array([0, 3, 0, 1]),
    law_cited=np.array([3, 1]),
    european=FORWARD.european,
)
QUESTION = Question(np.array([DRACHE, HORT], np.uint32), np.array([2.0, 6.0]), 8.0)


def read(ordinals: list[int], scores: list[float], evidence: dict[int, list[float]]) -> Features:
    candidates = Candidates(np.array(ordinals, np.int64), np.array(scores, np.float64))
    return describe(QUESTION, candidates, evidence, KNOWN)


def column(features: Features, name: str) -> list[float]:
    values: list[float] = features[:, list(FEATURES).index(name)].tolist()
    return values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("score", [10, 8, 5]),
        ("score_share", [1, 0.8, 0.5]),
        ("rank", [1, 0, 2]),
        ("weighed", [1, 1.6, 0.5]),
        ("prior", [1, 2, 1]),
        ("cited", [log1p(3), 0, log1p(1)]),
        ("law_cited", [log1p(3), log1p(3), log1p(1)]),
        ("sentence", [4, 0, 1]),
        ("sentence_share", [1, 0, 0.25]),
        ("sentences", [6, 0, 1]),
        ("sentence_count", [2, 0, 1]),
        ("heading_held", [0.25, 1, 0]),
        ("heading_covered", [1, 1, 0]),
        ("hierarchy_held", [0.25, 0, 0]),
        ("law_held", [0.25, 0.25, 0]),
        ("length", [2, 3, 4]),
        ("terms", [2, 2, 2]),
        ("weight", [8, 8, 8]),
        ("european", [0, 0, 1]),
        ("law_sentences", [6 / 7, 6 / 7, 1 / 7]),
        ("law_score", [26 / 31, 26 / 31, 5 / 31]),
        ("distance", [0, 1, 0]),
        ("heading_score", [0.25, 0.8, 0]),
    ],
)
def test_every_feature_means_what_it_says(name: str, expected: list[float]) -> None:
    features = read([1, 2, 3], [10, 8, 5], {1: [4.0, 2.0], 3: [1.0]})
    assert column(features, name) == pytest.approx(expected)


def test_without_sentences_nothing_is_near() -> None:
    features = read([0, 3], [2, 1], {})
    assert features.shape == (2, len(FEATURES))
    assert column(features, "distance") == [99, 99]
    assert column(features, "law_sentences") == [0, 0]


def test_no_candidate_is_a_row_of_nothing() -> None:
    assert read([], [], {1: [2.0]}).shape == (0, len(FEATURES))
