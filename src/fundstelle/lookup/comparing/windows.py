"""Which stretches of a text may hold a quote, found by its telling words alone.

Telling are words that the quote has seldom. Each votes for the diagonal on which it stands: for
the place where the quote, or the part of it between two ``[...]``, would begin.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fundstelle.lookup.comparing.words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

WHOLE = 10_000  # words of a text in which several parts are looked for everywhere

_SELDOM = 3  # a word that the quote has more often does not show where it stands
_PARTS = 8  # of a quote that are looked for on their own, the longest first
_PLACES = 1_000  # of a word in the text; one that stands more often tells only in want of others
_OMITTED = 300  # words
_CANDIDATES = 3  # stretches for one of several parts, since their order is not known yet


@dataclass(frozen=True, slots=True)
class _Votes:
    """What the diagonals of one part have been given, from the ``first`` on."""

    first: int
    given: "npt.NDArray[np.float64]"

    def list_best(self, most: int) -> list[int]:
        """The diagonals that have the most together with the next one, the first of equals."""
        import numpy as np  # noqa: PLC0415 -- as in words

        together = self.given + np.append(self.given[1:], 0.0)
        voted = np.flatnonzero(self.given)
        best = voted[np.argsort(-together[voted], kind="stable")[:most]]
        found: list[int] = (best + self.first).tolist()
        return found


def find_windows(
    stored: Words, parts: Sequence[Sequence[str]], *, wide: bool = False
) -> list[tuple[int, int]]:
    """The stretches as half-open numbers of words, in order and disjoint; none without a vote.

    A word of the quote casts at most ``_SELDOM * _PLACES`` votes. ``wide``: a quote of one part may
    leave out up to ``_OMITTED`` words between its halves without saying so.
    """
    quoted, size_of_all = sum(map(len, parts)), len(stored)
    if size_of_all <= (quoted + 2 * _get_slack(quoted) if len(parts) == 1 else WHOLE):
        return [(0, size_of_all)]
    chosen = sorted(range(len(parts)), key=lambda number: -len(parts[number]))[:_PARTS]
    most = _CANDIDATES if len(parts) > 1 or wide else 1
    windows: list[tuple[int, int]] = []
    for number, votes in _vote(stored, parts, chosen).items():
        size = len(parts[number])
        slack = _get_slack(size)
        best = votes.list_best(most)
        if wide:
            near = [at for at in best if abs(at - best[0]) * slack <= _OMITTED]
            low, high = min(near) * slack - slack, (max(near) + 2) * slack + size + slack
            windows.append((max(0, low), min(size_of_all, high)))
            continue
        for at in best:
            high = min(size_of_all, (at + 2) * slack + size + slack)
            windows.append((max(0, at * slack - slack), high))
    return _merge(windows)


def _vote(
    stored: Words, parts: Sequence[Sequence[str]], chosen: Sequence[int]
) -> dict[int, _Votes]:
    """By number of the part the votes for its diagonals."""
    places: dict[str, list[tuple[int, int]]] = {}
    for number in chosen:
        for place, word in enumerate(parts[number]):
            places.setdefault(word, []).append((number, place))
    telling = {word: found for word, found in places.items() if len(found) <= _SELDOM}
    if not telling:
        telling = {word: found[:_SELDOM] for word, found in places.items()}
    held = {word: found for word in telling if len(found := stored.find(word))}
    rare = {word: found for word, found in held.items() if len(found) <= _PLACES}
    cast: dict[int, list[tuple[npt.NDArray[np.int64], float]]] = {}
    for word, found in (rare or held).items():
        weight = 1 / len(found)  # a rare word shows best
        for number, place in telling[word]:
            diagonals = (found[:_PLACES] - place) // _get_slack(len(parts[number]))
            cast.setdefault(number, []).append((diagonals, weight))
    return {number: _count(votes) for number, votes in cast.items()}


def _count(cast: Sequence[tuple["npt.NDArray[np.int64]", float]]) -> _Votes:
    import numpy as np  # noqa: PLC0415 -- as in words

    diagonals = np.concatenate([each for each, _ in cast])
    weights = np.repeat([weight for _, weight in cast], [len(each) for each, _ in cast])
    first = int(diagonals.min())
    given = np.bincount(diagonals - first, weights).astype(np.float64, copy=False)
    return _Votes(first, given)


def _get_slack(words: int) -> int:
    """How far a word may stand from its place in the quote."""
    return max(4, words // 4)


def _merge(windows: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(windows):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged
