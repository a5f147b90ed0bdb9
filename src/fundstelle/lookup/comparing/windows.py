"""Which stretches of a text may hold a quote, found by its telling words alone.

Telling are words that the quote has seldom. Each votes for the diagonal on which it stands: for
the place where the quote, or the part of it between two ``[...]``, would begin.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from fundstelle.lookup.comparing.words import Words

WHOLE = 10_000  # words of a text in which several parts are looked for everywhere

_SELDOM = 3  # a word that the quote has more often does not show where it stands
_PARTS = 8  # of a quote that are looked for on their own, the longest first
_PLACES = 1_000  # of a word in the text; one that stands more often tells only in want of others
_CANDIDATES = 3  # stretches for one of several parts, since their order is not known yet


def find_windows(stored: Words, parts: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The stretches as half-open numbers of words, in order and disjoint; none without a vote.

    A word of the quote casts at most ``_SELDOM * _PLACES`` votes.
    """
    quoted, size_of_all = sum(map(len, parts)), len(stored.folded)
    if size_of_all <= (quoted + 2 * _get_slack(quoted) if len(parts) == 1 else WHOLE):
        return [(0, size_of_all)]
    chosen = sorted(range(len(parts)), key=lambda number: -len(parts[number]))[:_PARTS]
    most = _CANDIDATES if len(parts) > 1 else 1
    windows: list[tuple[int, int]] = []
    for number, votes in _vote(stored, parts, chosen).items():
        size = len(parts[number])
        slack = _get_slack(size)
        strength = {at: votes[at] + votes.get(at + 1, 0.0) for at in votes}
        for at in sorted(strength, key=lambda at: (-strength[at], at))[:most]:
            high = min(size_of_all, (at + 2) * slack + size + slack)
            windows.append((max(0, at * slack - slack), high))
    return _merge(windows)


def _vote(
    stored: Words, parts: Sequence[Sequence[str]], chosen: Sequence[int]
) -> dict[int, dict[int, float]]:
    """By number of the part the votes for each of its diagonals."""
    places: dict[str, list[tuple[int, int]]] = {}
    for number in chosen:
        for place, word in enumerate(parts[number]):
            places.setdefault(word, []).append((number, place))
    telling = {word: found for word, found in places.items() if len(found) <= _SELDOM}
    if not telling:
        telling = {word: found[:_SELDOM] for word, found in places.items()}
    held = {word: found for word in telling if (found := stored.places.get(word))}
    rare = {word: found for word, found in held.items() if len(found) <= _PLACES}
    slacks = [_get_slack(len(part)) for part in parts]
    votes: dict[int, dict[int, float]] = {}
    for word, found in (rare or held).items():
        weight = 1 / len(found)  # a rare word shows best
        for number, place in telling[word]:
            own, slack = votes.setdefault(number, defaultdict(float)), slacks[number]
            for at in found[:_PLACES]:
                own[(at - place) // slack] += weight
    return votes


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
