"""How the models of a ranking are weighed against each other."""

import numpy as np
import pytest

from fundstelle.errors import CorpusError
from fundstelle.search.ranking.features import FEATURES, PLAIN, Features
from fundstelle.search.ranking.ranker import Ranker, read_default

TERMS = list(FEATURES).index("terms")


def make_features(terms: int) -> Features:
    features = np.random.default_rng(1).random((5, len(FEATURES))).astype(np.float32)
    features[:, TERMS] = terms
    return features


@pytest.mark.parametrize(("terms", "weight"), [(3, 0.0), (8, 0.0), (12, 0.5), (16, 1.0), (40, 1.0)])
def test_the_own_model_counts_with_the_length_of_a_text(terms: int, weight: float) -> None:
    features = make_features(terms)
    once = Ranker([read_default()]).score(features)
    both = Ranker([read_default(), read_default()]).score(features)
    assert both == pytest.approx(once * (1 + weight))


def test_the_default_model_reads_the_plain_features_alone() -> None:
    features = make_features(5)
    other = features.copy()
    other[:, PLAIN:] += 7
    ranker = Ranker([read_default()])
    assert ranker.score(features).tolist() == ranker.score(other).tolist()


def test_a_model_of_more_features_than_there_are_is_refused() -> None:
    count = len(FEATURES)
    model = read_default().replace(f"max_feature_idx={PLAIN - 1}", f"max_feature_idx={count}")
    names = " ".join(f"f{number}" for number in range(count + 1))
    lines = [
        f"feature_names={names}" if line.startswith("feature_names=") else line
        for line in model.splitlines()
    ]
    infos = "feature_infos=" + " ".join(["[0:1]"] * (count + 1))
    lines = [infos if line.startswith("feature_infos=") else line for line in lines]
    with pytest.raises(CorpusError, match="build again"):
        Ranker(["\n".join(lines)])
