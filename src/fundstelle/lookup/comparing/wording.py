"""Comparing a quoted wording with a text: exactly, normalised, or word by word.

Normalisation forgives white space, quotation marks, hyphens and Unicode form, nothing else; every
result points into the text as stored.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.lookup.comparing.folding import find_origin, fold, holds_unseen
from fundstelle.lookup.comparing.resemblance import Difference, Resemblance, find_resemblance

_PLAIN = re.compile(r"[A-Za-zäöüÄÖÜß]{3,}")  # what folding leaves as it is
_TELLING = 3  # plain words of a quote that are looked for first, the longest

ENOUGH = 0.6  # share of the quote's words from which it counts as partial

_ELLIPSIS = re.compile(r"\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote stands in a text: offsets into the text, half-open."""

    start: int
    end: int
    verbatim: bool


@dataclass(frozen=True, slots=True)
class Quote:
    """The parts between ``[...]`` as written and as they are compared; none is empty.

    ``telling`` are words that no accident of typography can alter.
    """

    parts: tuple[str, ...]
    folded: tuple[str, ...]
    telling: tuple[str, ...] = ()


def read_quote(written: str) -> Quote:
    """A quote by its parts, without the white space around them."""
    stripped = (part.strip() for part in _ELLIPSIS.split(written))
    parts = tuple(filter(None, stripped))
    folded = tuple(map(fold, parts))
    plain = {word for part in folded for word in _PLAIN.findall(part)}
    telling = sorted(plain, key=lambda word: (-len(word), word))[:_TELLING]
    return Quote(parts, folded, tuple(telling))


class Wording:
    """A text to compare quotes with; folded once, on demand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: str | None = None

    def find(self, quote: Quote) -> Match | None:
        """The parts one after the other, exactly or normalised."""
        return self.find_exact(quote) or self._find_folded(quote.folded)

    def may_hold(self, quote: Quote) -> bool:
        """Whether it is worth folding: no where a word that folding leaves alone is missing."""
        if all(word in self.text for word in quote.telling):
            return True
        return holds_unseen(self.text) or not unicodedata.is_normalized("NFKC", self.text)

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
        return find_resemblance(self.text, quote.parts)


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
