"""Comparing a quoted wording with a text: exactly, normalised, or word by word.

Normalisation forgives white space, quotation marks, hyphens and Unicode form, nothing else. It
keeps an offset map, so that every result points into the text as stored.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

ENOUGH = 0.6  # share of the quote's words from which it counts as partial

_TELLING = 3  # a word that the quote has more often does not show where it stands

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\))\s*")
_WORD = re.compile(r"\w+|[^\w\s]")
_QUOTES = "\"'‘’‚‛“”„‟«»‹›`´′″〝〞＂"
_DASHES = "-‐‑‒–—―−﹣－"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_FOLD = {ord(c): '"' for c in _QUOTES} | {ord(c): "-" for c in _DASHES}


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


def split_quote(quote: str) -> list[str]:
    """The parts between ``[...]``, without surrounding white space; empty ones are dropped."""
    return [part.strip() for part in _ELLIPSIS.split(quote) if part.strip()]


class Wording:
    """A text to compare quotes with; folded once, on demand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: tuple[str, list[int]] | None = None

    def find(self, parts: Sequence[str]) -> Match | None:
        """The parts one after the other, exactly or normalised."""
        return self._find_exact(parts) or self._find_folded(parts)

    def _find_exact(self, parts: Sequence[str]) -> Match | None:
        start, end = -1, 0
        for part in parts:
            place = self.text.find(part, end)
            if place < 0:
                return None
            start = place if start < 0 else start
            end = place + len(part)
        return Match(start, end, verbatim=True) if start >= 0 else None

    def _find_folded(self, parts: Sequence[str]) -> Match | None:
        if self._folded is None:
            self._folded = _fold(self.text)
        folded, origins = self._folded
        wanted = [_fold(part)[0].strip() for part in parts]
        found = _find_in_order(folded, wanted)
        if found is None and len(parts) == 1 and wanted[0][:1] == '"' == wanted[0][-1:]:
            found = _find_in_order(folded, [wanted[0].strip('" ')])
        if found is None:
            return None
        start, end = found
        return Match(origins[start], origins[end - 1] + 1, verbatim=False)

    def compare(self, parts: Sequence[str]) -> Resemblance | None:
        """The place whose words agree best with the quote's, in order; ``None`` without any."""
        stored = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(self.text)]
        quoted = [m.group() for part in parts for m in _WORD.finditer(compose(part))]
        if not stored or not quoted:
            return None
        keys = [_fold_word(word) for word, _, _ in stored]
        wanted = [_fold_word(word) for word in quoted]
        low, high = _find_window(keys, wanted, loose=len(parts) > 1)
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


def compose(text: str) -> str:
    """NFKC, without characters that cannot be seen."""
    return unicodedata.normalize("NFKC", text).translate(dict.fromkeys(map(ord, _INVISIBLE)))


def _fold(text: str) -> tuple[str, list[int]]:
    """The text without typographic accidents, and the origin of each of its characters."""
    folded: list[str] = []
    origins: list[int] = []
    text, composed = _compose_with_origins(text)
    blank = True  # leading white space goes
    for place, char in enumerate(text):
        if char.isspace():
            if blank:
                continue
        elif char in _INVISIBLE:
            continue
        blank = char.isspace()
        for one in _fold_char(char):
            folded.append(one)
            origins.append(composed[place] if composed else place)
    return "".join(folded), origins


def _fold_char(char: str) -> str:
    if char.isspace():
        return " "
    if char.isascii():
        return '"' if char in _QUOTES else char
    return _FOLD.get(ord(char)) or unicodedata.normalize("NFKC", char)


def _compose_with_origins(text: str) -> tuple[str, list[int] | None]:
    """NFC with origins; ``None`` where the text is composed already, as stored texts are."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    composed: list[str] = []
    origins: list[int] = []
    for found in re.finditer(r"[^\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]+", text, re.DOTALL):
        for one in unicodedata.normalize("NFC", found.group()):
            composed.append(one)
            origins.append(found.start())
    return "".join(composed), origins


def _find_in_order(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    start, end = -1, 0
    for part in parts:
        place = text.find(part, end)
        if place < 0 or not part:
            return None
        start = place if start < 0 else start
        end = place + len(part)
    return (start, end) if start >= 0 else None


def _fold_word(word: str) -> str:
    return _FOLD.get(ord(word), word) if len(word) == 1 else word


def _find_window(stored: Sequence[str], quoted: Sequence[str], *, loose: bool) -> tuple[int, int]:
    """The stretch of the text that shares most words with the quote on about one diagonal."""
    slack = max(4, len(quoted) // 4)
    if len(stored) <= len(quoted) + 2 * slack or loose:
        return 0, len(stored)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(quoted):
        places.setdefault(word, []).append(place)
    telling = {word: found for word, found in places.items() if len(found) <= _TELLING} or places
    votes: Counter[int] = Counter()
    for place, word in enumerate(stored):
        for wanted in telling.get(word, ()):
            votes[(place - wanted) // slack] += 1
    if not votes:
        return 0, 0
    best = max(votes, key=lambda bucket: (votes[bucket] + votes[bucket + 1], -bucket))
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
