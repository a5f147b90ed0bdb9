"""Trees score as LightGBM itself does, and what is no such tree is refused."""

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.errors import CorpusError
from fundstelle.search.ranking.features import FEATURES
from fundstelle.search.ranking.ranker import load_lightgbm, read_default
from fundstelle.search.ranking.trees import Trees

WIDE = len(FEATURES)
LEAST = 1e-35  # LightGBM's border between zero and all else; no feature is as small and not zero


def score_by_lightgbm(model: str, features: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    booster: Any = load_lightgbm().Booster(model_str=model)
    read = np.ascontiguousarray(features[:, : booster.num_feature()])
    return np.asarray(booster.predict(read, num_threads=1))


def list_borders(model: str) -> dict[int, list[float]]:
    """By feature all borders of a model."""
    borders: dict[int, list[float]] = {}
    for block in model.split("\nTree=")[1:]:
        rows = dict(line.partition("=")[::2] for line in block.splitlines())
        for feature, border in zip(
            rows["split_feature"].split(), rows["threshold"].split(), strict=True
        ):
            if float(border) > LEAST:
                borders.setdefault(int(feature), []).append(float(border))
    return borders


BORDERS = list_borders(read_default())


@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_rows_score_as_lightgbm_scores_them_on_borders_too(seed: int, count: int) -> None:
    draw = np.random.default_rng(seed)
    features = (draw.random((count, WIDE)) * 10.0 ** draw.integers(-2, 4, WIDE)).astype(np.float32)
    for feature, borders in BORDERS.items():
        some = draw.random(count) < 0.5
        features[some, feature] = draw.choice(borders, int(some.sum()))
    expected = score_by_lightgbm(read_default(), features) if count else np.zeros(0)
    assert Trees(read_default()).score(features) == pytest.approx(expected, abs=1e-12)


def test_a_model_that_has_learned_nothing_scores_all_alike() -> None:
    model = "tree\nmax_feature_idx=3\n\nTree=0\nnum_leaves=1\nleaf_value=0.5\n\n\nend of trees\n"
    assert Trees(model).score(np.zeros((2, WIDE), np.float32)).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("found", "instead"),
    [
        (r"max_feature_idx=\d+", "max_feature_idx=1"),  # fewer features than are tested
        (r"max_feature_idx=\d+\n", ""),
        (r"decision_type=2", "decision_type=1"),  # of categories
        (r"num_leaves=15", "num_leaves=14"),
        (r"leaf_value=\S+", "leaf_value=none"),
        (r"threshold=\S+ ", "threshold="),
        (r"left_child=\d+", "left_child=0"),  # a tree that comes back to itself
        (r"left_child=\d+", "left_child=99"),
        (r"left_child=\d+", "left_child=-1"),  # a leaf twice
    ],
)
def test_what_is_no_such_tree_is_refused(found: str, instead: str) -> None:
    damaged = re.sub(found, instead, read_default(), count=1)
    assert damaged != read_default()
    with pytest.raises(CorpusError, match="cannot be read"):
        Trees(damaged)
