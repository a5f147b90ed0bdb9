"""Words of a quote beside those of a text: the longest common subsequence."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def align(quoted: Sequence[str], stored: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal words in the longest common subsequence.

    Source: Hyyrö, "Bit-parallel LCS-length computation revisited" (2004); the rows are kept to
    walk back through.
    """
    masks: dict[str, int] = {}
    for place, word in enumerate(quoted):
        masks[word] = masks.get(word, 0) | 1 << place
    full = (1 << len(quoted)) - 1
    row = full
    rows = [row]
    for word in stored:
        matches = masks.get(word, 0)
        if matches:
            row = ((row + (row & matches)) | (row & ~matches)) & full
        rows.append(row)
    pairs = []
    i, j = len(quoted) - 1, len(stored)
    while i >= 0 and j > 0:
        if quoted[i] == stored[j - 1]:
            pairs.append((i, j - 1))
            i, j = i - 1, j - 1
        elif rows[j] >> i & 1:  # a set bit: this word of the quote adds nothing
            i -= 1
        else:
            j -= 1
    return _tighten(pairs[::-1], quoted, stored)


def _tighten(
    pairs: list[tuple[int, int]], quoted: Sequence[str], stored: Sequence[str]
) -> list[tuple[int, int]]:
    """Of equal words in the text the one that stands as far on as in the quote."""
    places: dict[str, list[int]] = {}
    for at, word in enumerate(stored):
        places.setdefault(word, []).append(at)
    for place in range(1, len(pairs)):
        (before, anchor), (i, j) = pairs[place - 1], pairs[place]
        same = places[quoted[i]]
        low, high = bisect_right(same, anchor), bisect_right(same, j)
        pairs[place] = (i, _find_nearest(same, low, high, anchor + i - before))
    return pairs


def _find_nearest(places: Sequence[int], low: int, high: int, wanted: int) -> int:
    """Of the ascending ``places[low:high]``, which is not empty, the nearest; of two the first."""
    at = bisect_left(places, wanted, low, high)
    if at == high or (at > low and wanted - places[at - 1] <= places[at] - wanted):
        at -= 1
    return places[at]
