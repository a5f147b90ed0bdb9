"""One list of norms in their learned order and decisions in that of their words."""

from collections.abc import Sequence
from math import exp, log1p

Ranked = list[tuple[float, int]]  # score and ordinal, best first

# Of a decision's BM25 against the best norm's, and the place from 0 that it may take: a question
# on a decision finds more of its words there than in any norm.
_PLACES = ((1.05, 0), (0.9, 1), (0.75, 3), (0.0, 5))
_APART = 2  # places of two decisions
_LONG = 12  # telling terms; longer texts stand in long decisions whatever they ask for ...
_PLACES_OF_LONG = (9,)  # ... so that their share says nothing
_STEP = 1e-6  # between two hits whose scores would be equal
_LARGE = 30.0  # from here on ln(1 + e^x) is x


def find_places(decisions: Sequence[float], best_norm: float, terms: int) -> list[int]:
    """Where decisions stand among norms, by their scores of stage 1, best first."""
    if terms > _LONG:
        return list(_PLACES_OF_LONG)
    places: list[int] = []
    for score in decisions:
        earliest = next(place for share, place in _PLACES if score >= share * best_norm)
        places.append(max(earliest, places[-1] + _APART if places else 0))
    return places


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
