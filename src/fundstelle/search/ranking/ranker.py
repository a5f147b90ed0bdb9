"""The learned ranking: boosted trees that score what ``search.ranking.features`` says of a norm.

A default model is part of the package; a build may add one of its own. The score is the sum, in
which the own model counts the more the longer a text is: it knows the corpus, but only how courts
write.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np

from fundstelle.errors import CorpusError
from fundstelle.search.ranking.features import FEATURES, Features
from fundstelle.search.ranking.forward import Floats
from fundstelle.search.ranking.trees import Trees

FOLDER = "ranker"
CARD = "card.json"
OWN = "own.txt"

DEFAULT = "default"
BOTH = "default+own"
NONE = "none"

# The weight of the build's own model by the telling terms of a text: people ask with few.
_SHORT, _LONG = 8, 16  # it counts nothing up to the first number, and in full from the second
_TERMS = list(FEATURES).index("terms")


class Ranker:
    """Some models whose scores are added. Deterministic.

    Raises:
        CorpusError: a model is damaged, or of other features.
    """

    def __init__(self, models: Sequence[str]) -> None:
        self._models = [Trees(model) for model in models]
        if any(model.features > len(FEATURES) for model in self._models):
            raise CorpusError("a model of the ranking is of another version; build again")

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The ranking that the card beside an index names; ``None`` if there is none."""
        used = read_card(folder).get("use", NONE)
        if used == NONE:
            return None
        models = [read_default()]
        if used == BOTH:
            models.append((folder / FOLDER / OWN).read_text(encoding="utf-8"))
        return cls(models)

    def score(self, features: Features) -> Floats:
        """One number a row; higher is better, 0 is no border."""
        total = np.zeros(len(features))
        for number, model in enumerate(self._models):
            weights = _weigh_own(features) if number else np.ones(len(features))
            if weights.any():
                total += weights * model.score(features)
        return total


def _weigh_own(features: Features) -> Floats:
    terms = features[:, _TERMS].astype(np.float64)
    return np.clip((terms - _SHORT) / (_LONG - _SHORT), 0.0, 1.0)


def load_lightgbm() -> ModuleType:
    """The library, imported only where models are trained.

    Raises:
        CorpusError: the system lacks what it needs.
    """
    try:
        return import_module("lightgbm")
    except OSError as error:
        raise CorpusError(
            f"LightGBM cannot be loaded ({error}); install OpenMP's library (Debian: libgomp1)"
        ) from error


def read_default() -> str:
    """The model that is part of the package."""
    return files("fundstelle.search").joinpath("data/ranker.txt").read_text(encoding="utf-8")


def read_card(folder: Path) -> dict[str, Any]:
    """What a build says of its ranking; empty if it was made without."""
    file = folder / FOLDER / CARD
    if not file.is_file():
        return {}
    card: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return card


def has_learned_the_same(folder: Path, other: Path) -> bool:
    """Whether the cards beside two indexes say the same: training is deterministic."""
    return read_card(folder) == read_card(other)


def write_ranking(folder: Path, card: dict[str, Any], model: str | None) -> None:
    """Keep a build's card and its own model, if it has one, beside its index."""
    (held := folder / FOLDER).mkdir()
    if model is not None:
        (held / OWN).write_text(model, encoding="utf-8")
    (held / CARD).write_text(json.dumps(card, indent=2, sort_keys=True) + "\n", encoding="utf-8")
