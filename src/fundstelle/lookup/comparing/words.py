"""A text as words and single signs; a long one is read only once for several quotes."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from fundstelle.lookup.folding import fold_word, strip_unseen

_WORD = re.compile(r"\w+|[^\w\s]")
_BLOCK = 8_000  # characters, and what is left of the last line
_KEPT = 4  # texts: several quotes of one call are often said to stand in one annex

Place = tuple[str, int, int]  # a word as the text has it and its offsets, half-open


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, folded for comparing; where they stand is found when it is asked for."""

    folded: Sequence[str]
    places: Mapping[str, Sequence[int]]  # of each word, ascending
    _blocks: Sequence[tuple[int, int, int]]  # number of the first word, offsets

    def locate(self, text: str, first: int, last: int) -> list[Place]:
        """The words with the numbers ``[first, last)`` as ``text`` has them."""
        found: list[Place] = []
        at = bisect_right(self._blocks, first, key=lambda block: block[0]) - 1
        for number, start, end in self._blocks[max(at, 0) :]:
            if number >= last:
                break
            inside = _WORD.finditer(text, start, end)
            chosen = islice(inside, max(0, first - number), last - number)
            found += ((match[0], match.start(), match.end()) for match in chosen)
        return found


def read_quoted(part: str) -> list[str]:
    """The words of a part of a quote, as written."""
    return _WORD.findall(strip_unseen(part))


@lru_cache(maxsize=_KEPT)
def read_words(text: str) -> Words:
    """The words of a text."""
    folded: list[str] = []
    known: dict[str, str] = {}
    blocks: list[tuple[int, int, int]] = []
    start = 0
    while start < len(text):
        border = text.find("\n", start + _BLOCK)  # no word goes on behind the end of a line
        end = border if border >= 0 else len(text)
        written = _WORD.findall(text, start, end)
        known |= {word: fold_word(word) for word in set(written) if word not in known}
        blocks.append((len(folded), start, end))
        folded += map(known.__getitem__, written)
        start = end + 1
    places = {word: array("I") for word in known.values()}
    for at, word in enumerate(folded):
        places[word].append(at)
    return Words(folded, places, blocks)
