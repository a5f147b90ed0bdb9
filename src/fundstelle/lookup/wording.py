"""Comparing a quoted wording with a text: exactly, normalised, or word by word.

Normalisation forgives white space, quotation marks, hyphens and Unicode form, nothing else; every
result points into the text as stored.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.lookup.folding import find_origin, fold, fold_word, strip_unseen

ENOUGH = 0.6  # share of the quote's words from which it counts as partial

_TELLING = 3  # a word that the quote has more often does not show where it stands

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\))\s*")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote stands in a text: offsets into the text, half-open."""

    start: int
    end: int
    verbatim: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of the quote against words of the text; one side may be empty."""

    quoted: str
    stored: str


@dataclass(frozen=True, slots=True)
class Resemblance:
    """The place most like a quote: its share of the quote's words, and what differs."""

    start: int
    end: int
    share: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """The parts between ``[...]`` as written and as they are compared; none is empty."""

    parts: tuple[str, ...]
    folded: tuple[str, ...]


def read_quote(written: str) -> Quote:
    """A quote by its parts, without the white space around them."""
    stripped = (part.strip() for part in _ELLIPSIS.split(written))
    parts = tuple(filter(None, stripped))
    return Quote(parts, tuple(map(fold, parts)))


class Wording:
    """A text to compare quotes with; folded once, on demand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: str | None = None

    def find(self, quote: Quote) -> Match | None:
        """The parts one after the other, exactly or normalised."""
        return self.find_exact(quote) or self._find_folded(quote.folded)

    def find_exact(self, quote: Quote) -> Match | None:
        """The parts one after the other, exactly."""
        found = _find_in_order(self.text, quote.parts)
        return Match(*found, verbatim=True) if found else None

    def _find_folded(self, wanted: Sequence[str]) -> Match | None:
        if self._folded is None:
            self._folded = fold(self.text)
        found = _find_in_order(self._folded, wanted)
        if found is None and len(wanted) == 1 and wanted[0][:1] == '"' == wanted[0][-1:]:
            found = _find_in_order(self._folded, [wanted[0].strip('" ')])
        if found is None:
            return None
        start, end = find_origin(self.text, *found)
        return Match(start, end, verbatim=False)

    def compare(self, quote: Quote) -> Resemblance | None:
        """The place whose words agree best with the quote's, in order; ``None`` without any."""
        stored = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(self.text)]
        quoted = [m.group() for part in quote.parts for m in _WORD.finditer(strip_unseen(part))]
        if not stored or not quoted:
            return None
        folded = {word: fold_word(word) for word in {word for word, _, _ in stored}}
        keys = [folded[word] for word, _, _ in stored]
        wanted = [fold_word(word) for word in quoted]
        low, high = _find_window(keys, wanted, loose=len(quote.parts) > 1)
        pairs = _align(wanted, keys[low:high])
        return _describe(quoted, stored[low:high], pairs)


def find_cut_words(text: str, start: int, end: int) -> list[Difference]:
    """Where a match begins or ends inside a word of the text: ``ein`` out of ``kein``."""
    cut = []
    for edge, inside in ((start, start), (end, end - 1)):
        if 0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum():
            word = _word_around(text, inside)
            low, high = max(word[0], start), min(word[1], end)
            cut.append(Difference(text[low:high], text[word[0] : word[1]]))
    return cut


def _word_around(text: str, place: int) -> tuple[int, int]:
    low = high = place
    while low > 0 and text[low - 1].isalnum():
        low -= 1
    while high < len(text) and text[high].isalnum():
        high += 1
    return low, high


def _find_in_order(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    start, end = -1, 0
    for part in parts:
        place = text.find(part, end)
        if place < 0 or not part:
            return None
        start = place if start < 0 else start
        end = place + len(part)
    return (start, end) if start >= 0 else None


def _find_window(stored: Sequence[str], quoted: Sequence[str], *, loose: bool) -> tuple[int, int]:
    """The stretch of the text that shares most words with the quote on about one diagonal."""
    slack = max(4, len(quoted) // 4)
    if len(stored) <= len(quoted) + 2 * slack or loose:
        return 0, len(stored)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(quoted):
        places.setdefault(word, []).append(place)
    telling = {word: found for word, found in places.items() if len(found) <= _TELLING} or places
    held = Counter(word for word in stored if word in telling)
    votes: defaultdict[int, float] = defaultdict(float)
    for place, word in enumerate(stored):
        for wanted in telling.get(word, ()):
            votes[(place - wanted) // slack] += 1 / held[word]  # a rare word shows best
    if not votes:
        return 0, 0
    best = max(
        list(votes), key=lambda bucket: (votes[bucket] + votes.get(bucket + 1, 0.0), -bucket)
    )
    low = max(0, best * slack - slack)
    return low, min(len(stored), (best + 2) * slack + len(quoted) + slack)


def _align(quoted: Sequence[str], stored: Sequence[str]) -> list[tuple[int, int]]:
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
    for place in range(1, len(pairs)):
        (before, anchor), (i, j) = pairs[place - 1], pairs[place]
        expected = anchor + i - before
        same = (at for at in range(anchor + 1, j + 1) if stored[at] == quoted[i])
        pairs[place] = (i, min(same, key=lambda at: abs(at - expected)))
    return pairs


def _describe(
    quoted: Sequence[str],
    stored: Sequence[tuple[str, int, int]],
    pairs: Sequence[tuple[int, int]],
) -> Resemblance | None:
    words = sum(word[0].isalnum() for word in quoted) or len(quoted)
    agreeing = sum(quoted[i][0].isalnum() for i, _ in pairs) if words else 0
    if not pairs:
        return None
    differences = []
    before = (-1, pairs[0][1] - 1)
    for pair in [*pairs, (len(quoted), pairs[-1][1] + 1)]:
        left = " ".join(quoted[before[0] + 1 : pair[0]])
        right = " ".join(word for word, _, _ in stored[before[1] + 1 : pair[1]])
        if left or right:
            differences.append(Difference(left, right))
        before = pair
    start, end = stored[pairs[0][1]][1], stored[pairs[-1][1]][2]
    return Resemblance(start, end, agreeing / words, tuple(differences))
