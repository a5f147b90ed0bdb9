"""One list of norms in their learned order and decisions in that of their words."""

from collections.abc import Sequence
from math import exp, log1p

import numpy as np
import numpy.typing as npt

Ranked = list[tuple[float, int]]  # score and ordinal, best first
Floats = npt.NDArray[np.float64]

# Of a decision's BM25 against the best norm's, and the place from 0 that it may take: a question
# on a decision finds more of its words there than in any norm.
_PLACES = ((1.05, 0), (0.9, 1), (0.75, 3))
# The same of the share and the nearness together.
_PLACES_BY_BOTH = ((0.9, 0), (0.75, 1), (0.6, 3))
_LAST = 5  # of all others
_NEARNESS = 0.7  # what it counts in the order of decisions, against their share of the best score
_UNKNOWN = -0.3  # nearness of a decision that has no vector
_NO_NORM = 1e-9
_APART = 2  # places of two decisions
_LONG = 11  # telling terms; longer texts stand in long decisions whatever they are about ...
_LONG_QUESTION = 16  # ... but people tell in so many what happened, and ask what became of it
_PLACES_OF_LONG = (9,)  # where the share says nothing
_STEP = 1e-6  # between two hits whose scores would be equal
_LARGE = 30.0  # from here on ln(1 + e^x) is x


def place_decisions(
    decisions: Ranked,
    best_norm: float,
    terms: int,
    nearness: Floats | None = None,
    *,
    is_question: bool = False,
) -> tuple[Ranked, list[int]]:
    """Decisions in their order, and where they stand among norms.

    Args:
        decisions: with their scores of stage 1, best first.
        best_norm: the highest such score of a norm, 0 if there is none.
        terms: telling terms of the text.
        nearness: by how much each is nearer in meaning than the nearest norm, NaN if unknown.
        is_question: the text asks something; a sentence of a court does not.
    """
    if terms > (_LONG_QUESTION if is_question else _LONG) or not decisions:
        return decisions, list(_PLACES_OF_LONG)
    shares = np.array([score for score, _ in decisions]) / max(best_norm, _NO_NORM)
    bounds = _PLACES
    if nearness is not None:
        near = np.where(np.isnan(nearness), _UNKNOWN, nearness)
        order = np.argsort(-(shares / shares[0] + _NEARNESS * near), kind="stable")
        decisions = [decisions[at] for at in order.tolist()]
        shares, bounds = (shares + near)[order], _PLACES_BY_BOTH
    places: list[int] = []
    for share in shares.tolist():
        earliest = next((place for bound, place in bounds if share >= bound), _LAST)
        places.append(max(earliest, places[-1] + _APART if places else 0))
    return decisions, places


def merge(norms: Sequence[int], decisions: Sequence[int], places: Sequence[int]) -> list[int]:
    """Norms and decisions in their orders, the n-th decision at the n-th place (from 0).

    Decisions without a place follow when norms have run out.
    """
    merged: list[int] = []
    waiting, ruled = list(reversed(norms)), list(reversed(decisions))
    wanted = set(places)
    while waiting or ruled:
        is_turn = len(merged) in wanted or not waiting
        merged.append(ruled.pop() if ruled and is_turn else (waiting or ruled).pop())
    return merged


def rate(merged: Sequence[int], learned: dict[int, float], floor: float) -> Ranked:
    """Scores above ``floor`` that fall from hit to hit; ``learned`` are those of norms."""
    rated: Ranked = []
    last = 0.0
    for ordinal in reversed(merged):
        value = learned.get(ordinal)
        own = 0.0 if value is None else _soften(value)
        last = max(own, last + _STEP)
        rated.append((floor + last, ordinal))
    return rated[::-1]


def _soften(value: float) -> float:
    """Above 0 whatever the value, and in its order."""
    return value if value > _LARGE else log1p(exp(value))
