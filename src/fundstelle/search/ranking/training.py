"""Training on a build's own sentences: a court's sentence asks, the norms it cites answer.

A question must not see itself: sentences of its decision and those that share a run of words with
it are hidden, and its decision's citations are taken out of the counts.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fundstelle.errors import CorpusError
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.contexts import Mask
from fundstelle.search.ranking.features import FEATURES, PLAIN, Features
from fundstelle.search.ranking.forward import Numbers
from fundstelle.search.ranking.ranker import (
    BOTH,
    DEFAULT,
    NONE,
    Ranker,
    load_lightgbm,
    read_default,
)
from fundstelle.search.words.german import find_words

GAIN = "gain, lower bound"  # of the own model on the fold, at 95 %
ENOUGH = 2_000  # sentences; fewer teach less than the default model knows

_SEED = 1
_RUN = 6  # words that make two sentences one
_PER_NORM = 8  # questions
_PER_LAW = 100
_MOST = 9_000
_FOLD = 8  # one in so many decisions is for validation
_CLIPPED = 5, 14  # words
_DROPPED = (0.0, 0.0, 0.5, 0.9)  # share of the other decisions that a question does not see
_TREES = 100
_PARAMETERS = {
    "objective": "lambdarank",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 50,
    "feature_fraction": 0.8,
    "lambdarank_truncation_level": 15,
    "seed": _SEED,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
_DEPTH = 10  # of the measure
_TWO_SIDED_95 = 1.96  # standard errors

Laws = npt.NDArray[np.int32]
"""The number of each norm's law, by ordinal."""

Describe = Callable[[CitingSentence, Mask], tuple[Numbers, Features]]
"""Candidates of a question and their features, without the sentences that are hidden."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of a training; ``model`` only if it is used."""

    card: dict[str, Any]
    model: str | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question: the features of its candidates, and which of them are cited."""

    source: int
    features: Features
    right: npt.NDArray[np.bool_]


def learn(
    sentences: Sequence[CitingSentence], laws: Laws, describe: Describe, enough: int = ENOUGH
) -> Learnt:
    """Train on the sentences, and use the model only where it is surely better than without it.

    Where LightGBM cannot be loaded the default model has to do; the card says so.
    """
    card: dict[str, Any] = {"sentences": len(sentences), "features": list(FEATURES)}
    card["collections"] = Counter(one.collection for one in sentences if one.collection)
    try:
        load_lightgbm()
    except CorpusError as error:
        return Learnt({**card, "use": DEFAULT, "reason": str(error)})
    if len(sentences) < enough:
        return Learnt({**card, "use": DEFAULT, "reason": f"fewer than {enough} sentences"})
    draw = random.Random(_SEED)  # noqa: S311 no secret
    sources = sorted({sentence.source for sentence in sentences})
    fold = set(draw.sample(sources, max(1, len(sources) // _FOLD)))
    numbers = select(sentences, laws, draw)[:_MOST]
    asked = list(_ask(sentences, numbers, describe, draw, fold))
    trained = [one for one in asked if one.source not in fold and one.right.any()]
    validated = [one for one in asked if one.source in fold]
    if not trained or not validated:
        return Learnt({**card, "use": DEFAULT, "reason": "no questions with known answers"})
    model = _train(trained)
    figures = _validate(validated, model)
    used = choose(figures)
    card |= {"use": used, "questions": len(trained), "validation_questions": len(validated)}
    card |= {"validation_mrr_at_10": figures, "trees": _TREES, "parameters": _PARAMETERS}
    return Learnt(card, model if used == BOTH else None)


def train_default(sentences: Sequence[CitingSentence], laws: Laws, describe: Describe) -> str:
    """A model of the plain features alone, for every build, as LightGBM writes it.

    Each sentence asks twice, as it stands and cut down to about the length of a person's question.
    """
    asked: list[_Asked] = []
    for clip in (False, True):
        draw = random.Random(_SEED + clip)  # noqa: S311 no secret
        texts = [_clip(one, draw) for one in sentences] if clip else sentences
        numbers = select(sentences, laws, draw)[:_MOST]
        asked += _ask(texts, numbers, describe, draw, ())
    return _train([one for one in asked if one.right.any()], PLAIN)


def _clip(sentence: CitingSentence, draw: random.Random) -> CitingSentence:
    words = sentence.text.split()
    count = draw.randint(*_CLIPPED)
    start = draw.randrange(max(len(words) - count, 0) + 1)
    return replace(sentence, text=" ".join(words[start : start + count]))


def choose(figures: dict[str, float]) -> str:
    """Which ranking to use: the own model must gain beyond chance, and none lose to stage 1.

    The fold holds sentences of courts alone, so a small gain there says little of people's
    questions.
    """
    used = BOTH if figures[GAIN] > 0 else DEFAULT
    return used if figures[used] >= figures[NONE] else NONE


def select(sentences: Sequence[CitingSentence], laws: Laws, draw: random.Random) -> list[int]:
    """Numbers of sentences to ask, in random order: few of each norm and each law."""
    numbers = list(range(len(sentences)))
    draw.shuffle(numbers)
    of_norm: Counter[int] = Counter()
    of_law: Counter[int] = Counter()
    chosen = []
    for number in numbers:
        cited = sentences[number].cited
        named = {int(laws[ordinal]) for ordinal in cited}
        if (
            min(of_norm[ordinal] for ordinal in cited) < _PER_NORM
            and min(of_law[law] for law in named) < _PER_LAW
        ):
            of_norm.update(cited)
            of_law.update(named)
            chosen.append(number)
    return chosen


def list_runs(text: str, length: int = _RUN) -> frozenset[tuple[str, ...]]:
    """All runs of so many words."""
    words = find_words(text)
    return frozenset(zip(*(words[skipped:] for skipped in range(length)), strict=False))


def _ask(
    sentences: Sequence[CitingSentence],
    numbers: Sequence[int],
    describe: Describe,
    draw: random.Random,
    fold: Container[int],
) -> Iterator[_Asked]:
    """Each sentence as a question; those of the fold see all that a reader's question would."""
    sources = np.array([sentence.source for sentence in sentences], np.int64)
    known, places = np.unique(sources, return_inverse=True)
    alike = _Alike(sentences, numbers)
    for number in numbers:
        sentence = sentences[number]
        share = draw.choice(_DROPPED)
        share = 0.0 if sentence.source in fold else share
        dropped = np.random.default_rng(draw.getrandbits(30)).random(len(known)) < share
        hidden = dropped[places] | (sources == sentence.source)
        hidden[alike.find(number)] = True
        ordinals, features = describe(sentence, hidden)
        if len(ordinals):
            yield _Asked(sentence.source, features, np.isin(ordinals, sentence.cited))


class _Alike:
    """Sentences by the runs of words that they share with those that are asked.

    The runs of all sentences would take ten times the memory of the sentences.
    """

    def __init__(self, sentences: Sequence[CitingSentence], asked: Iterable[int]) -> None:
        self._runs = {number: list_runs(sentences[number].text) for number in asked}
        self._numbers: dict[tuple[str, ...], list[int]] = {
            run: [] for runs in self._runs.values() for run in runs
        }
        for number, sentence in enumerate(sentences):
            for run in list_runs(sentence.text):
                if run in self._numbers:
                    self._numbers[run].append(number)

    def find(self, number: int) -> list[int]:
        """All that share a run with this one."""
        return [other for run in self._runs[number] for other in self._numbers[run]]


def _train(asked: Sequence[_Asked], features: int = len(FEATURES)) -> str:
    lightgbm = load_lightgbm()
    data = lightgbm.Dataset(
        np.concatenate([one.features[:, :features] for one in asked]),
        np.concatenate([one.right for one in asked]).astype(np.int32),
        group=[len(one.right) for one in asked],
        feature_name=list(FEATURES)[:features],
    )
    text: str = lightgbm.train(_PARAMETERS, data, _TREES).model_to_string()
    return text


def _validate(asked: Sequence[_Asked], model: str) -> dict[str, float]:
    """MRR@10 of stage 1, of the default model, of both models; what the own one surely gains."""
    weighed = list(FEATURES).index("weighed")
    default, both = Ranker([read_default()]), Ranker([read_default(), model])
    ranks = {
        NONE: _measure(asked, lambda features: features[:, weighed]),
        DEFAULT: _measure(asked, default.score),
        BOTH: _measure(asked, both.score),
    }
    gains = ranks[BOTH] - ranks[DEFAULT]
    # questions of one decision resemble each other: they count together
    together: defaultdict[int, float] = defaultdict(float)
    for one, gain in zip(asked, gains - gains.mean(), strict=True):
        together[one.source] += float(gain)
    error = sum(gain**2 for gain in together.values()) ** 0.5 / len(gains)
    surely = gains.mean() - _TWO_SIDED_95 * error
    figures = {name: float(values.mean()) for name, values in ranks.items()}
    return {name: round(value, 4) for name, value in {**figures, GAIN: float(surely)}.items()}


def _measure(asked: Sequence[_Asked], score: Callable[[Features], Any]) -> npt.NDArray[np.float64]:
    """The reciprocal rank of each question's first right norm, 0 below the tenth."""
    found = np.zeros(len(asked))
    for number, one in enumerate(asked):
        best = np.argsort(-score(one.features), kind="stable")[:_DEPTH]
        ranks = np.flatnonzero(one.right[best])
        found[number] = 1 / (int(ranks[0]) + 1) if len(ranks) else 0.0
    return found
