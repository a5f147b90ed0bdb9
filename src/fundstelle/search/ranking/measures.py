"""How good a ranking is: the usual measures, with intervals."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from statistics import fmean

_TOP = 10
_DEEP = 100
_RESAMPLES = 2_000
_SEED = 7

Scores = Mapping[str, float]


def measure(ranked: Sequence[int], relevant: Sequence[Collection[int]]) -> Scores:
    """The measures of one question.

    ``relevant`` holds one collection an answer: the documents that are it, such as an article in
    two languages. The reciprocal rank is that of the first answer, recall the share of all.
    """
    ranks = sorted(_find_ranks(ranked, relevant))
    first = ranks[0] if ranks else _DEEP
    ideal = sum(1 / log2(place + 2) for place in range(min(_TOP, len(relevant))))
    return {
        "MRR@10": 1 / (first + 1) if first < _TOP else 0.0,
        "nDCG@10": sum(1 / log2(rank + 2) for rank in ranks if rank < _TOP) / ideal,
        "Hit@1": float(first == 0),
        "Hit@10": float(first < _TOP),
        "Recall@10": sum(rank < _TOP for rank in ranks) / len(relevant),
        "Recall@100": sum(rank < _DEEP for rank in ranks) / len(relevant),
    }


def average(rows: Sequence[Scores]) -> dict[str, float]:
    """The mean of each measure."""
    return {name: round(fmean(row[name] for row in rows), 4) for name in rows[0]}


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, from 2,000 resamples with a fixed seed."""
    draw = random.Random(_SEED)  # noqa: S311 no secret
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return means[_RESAMPLES // 40], means[_RESAMPLES - _RESAMPLES // 40 - 1]


def _find_ranks(ranked: Sequence[int], relevant: Iterable[Collection[int]]) -> Iterable[int]:
    """Where the answers stand, from 0; those that were not found are left out."""
    places = {ordinal: rank for rank, ordinal in reversed(list(enumerate(ranked)))}
    for answer in relevant:
        found = [places[ordinal] for ordinal in answer if ordinal in places]
        if found:
            yield min(found)
