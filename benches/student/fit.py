"""Vectors of terms that bring the two sides of a pair together and hold all others apart.

The loss is that of contrastive learning both ways (InfoNCE): each question is to be nearer to its
own answer than to those of all other pairs of the batch, and each answer to its question. A text
is a sum of vectors brought to unit length, so that the gradient is written down here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from benches.student.pairs import Pair, Pairs
from benches.student.texts import Numbers

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is chosen by hand."""

    dimensions: int = 256
    rounds: float = 6.0
    batch: int = 2_048
    rate: float = 6e-3
    temperature: float = 0.05
    dropped: float = 0.1  # share of the terms of a text that are left out, other ones each time
    warm: int = 50  # steps until the rate is reached; then it falls to 0
    seed: int = 1


def count_terms(texts: Iterable[Sequence[Numbers]], size: int) -> csr_matrix:
    """A row a text: 1 + ln n for a term that it holds n times."""
    rows = [np.concatenate(list(parts)) for parts in texts]
    ends = list(accumulate(map(len, rows), initial=0))
    numbers = np.concatenate(rows)
    counted = csr_matrix((np.ones(len(numbers), np.float32), numbers, ends), (len(rows), size))
    counted.sum_duplicates()
    counted.data = 1 + np.log(counted.data)
    return counted


def fit(pairs: Pairs, frequencies: Floats, plan: Plan) -> Floats:
    """A vector a term; ``frequencies`` are the shares of texts that hold each."""
    draw = np.random.default_rng(plan.seed)
    size = len(frequencies)
    vectors = draw.standard_normal((size, plan.dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rarity = np.minimum(-np.log(np.maximum(frequencies, 1e-6)), 9) / 9
    vectors *= rarity[:, None].astype(np.float32)
    steps = int(plan.rounds * len(pairs) / plan.batch)
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    for step in range(1, steps + 1):
        loss, slope = _differentiate(vectors, pairs.draw(plan.batch), plan, draw)
        first += 0.1 * (slope - first)
        second += 0.01 * (slope * slope - second)
        rate = plan.rate * min(1, step / plan.warm) * (1 - step / (steps + 1))
        steepness = np.sqrt(second / (1 - 0.99**step)) + 1e-8
        touched = np.abs(slope).sum(axis=1, keepdims=True) > 0
        vectors -= rate * (first / (1 - 0.9**step)) / steepness * touched
        if step % 50 == 0 or step == steps:
            print(f"step {step:,} of {steps:,}: loss {loss:.3f}", flush=True)
    return vectors


def _differentiate(
    vectors: Floats, pairs: Sequence[Pair], plan: Plan, draw: np.random.Generator
) -> tuple[float, Floats]:
    """The loss of a batch, and how it changes with each number."""
    asked = count_terms((pair[0] for pair in pairs), len(vectors))
    answers = count_terms((pair[1] for pair in pairs), len(vectors))
    for counted in (asked, answers):
        counted.data *= draw.random(len(counted.data)) > plan.dropped
    questions, lengths = _shorten(asked @ vectors)
    texts, text_lengths = _shorten(answers @ vectors)
    near = questions @ texts.T / plan.temperature
    own = np.array([pair[2] for pair in pairs])
    same = (own[:, None] == own) & (own >= 0)
    np.fill_diagonal(same, val=False)
    near[same] = -1e4  # another question for the same norm is no wrong answer
    by_row, loss = _soften(near)
    by_column, _ = _soften(near.T)
    pull = ((by_row + by_column.T) / 2).astype(np.float32)
    pull[np.diag_indices(len(pairs))] -= 1
    pull /= plan.temperature * len(pairs)
    of_questions = _project(np.asarray(pull @ texts, np.float32), questions, lengths)
    of_texts = _project(np.asarray(pull.T @ questions, np.float32), texts, text_lengths)
    return loss, np.asarray(asked.T @ of_questions + answers.T @ of_texts)


def _shorten(rows: Floats) -> tuple[Floats, Floats]:
    """Rows of unit length, and the lengths that they had."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-8
    return rows / lengths, lengths


def _project(slope: Floats, unit: Floats, lengths: Floats) -> Floats:
    """The gradient before rows were brought to unit length."""
    along = (slope * unit).sum(axis=1, keepdims=True)
    projected: Floats = (slope - along * unit) / lengths
    return projected


def _soften(near: Floats) -> tuple[Floats, float]:
    """The softmax of each row, and the mean loss of the diagonal."""
    highest = near.max(axis=1, keepdims=True)
    raised = np.exp(near - highest)
    sums = raised.sum(axis=1, keepdims=True)
    loss = np.log(sums[:, 0]) + highest[:, 0] - np.diag(near)
    return raised / sums, float(loss.mean())
