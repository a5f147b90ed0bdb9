"""A text as words and single signs; a long one is read only once for several quotes."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from fundstelle.lookup.comparing.folding import fold_word, strip_unseen

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_WORD = re.compile(r"\w++|[^\s|｜]")
_BLOCK = 8_000  # characters, and what is left of the last line
_KEPT = 20  # texts: as many as one call can name
_FEW = 1 << 16  # spellings; numbers of 16 bits are sorted many times faster

Numbers: TypeAlias = "npt.NDArray[np.uint32] | npt.NDArray[np.uint16]"
Place = tuple[str, int, int]  # a word as the text has it and its offsets, half-open


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, folded for comparing; where they stand is found when it is asked for.

    Each word is the number of its spelling: an annex has hundreds of thousands, few of them apart.
    """

    _numbers: Numbers  # of the spelling of each word, in the order of the text
    _order: "npt.NDArray[np.int64]"  # the words by the number of their spelling, then in order ...
    _starts: "npt.NDArray[np.int64]"  # ... where those of each begin, and the end of the last
    _spellings: Sequence[str]
    _known: Mapping[str, int]  # numbers by spelling
    _blocks: Sequence[tuple[int, int, int]]  # number of the first word, offsets

    def __len__(self) -> int:
        return len(self._numbers)

    def get_words(self, first: int, last: int) -> list[str]:
        """The folded words with the numbers ``[first, last)``."""
        return [self._spellings[number] for number in self._numbers[first:last].tolist()]

    def find(self, word: str) -> "npt.NDArray[np.int64]":
        """Where a folded word stands, ascending."""
        number = self._known.get(word)
        if number is None:
            return self._order[:0]
        return self._order[self._starts[number] : self._starts[number + 1]]

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
    import numpy as np  # noqa: PLC0415 -- 80 ms; only who compares needs it

    known: dict[str, int] = {}  # numbers by folded spelling ...
    written: dict[str, int] = {}  # ... and by spelling as written
    numbers = array("I")
    blocks: list[tuple[int, int, int]] = []
    start = 0
    while start < len(text):
        border = text.find("\n", start + _BLOCK)  # no word goes on behind the end of a line
        end = border if border >= 0 else len(text)
        words = _WORD.findall(text, start, end)
        for word in set(words).difference(written):
            written[word] = known.setdefault(fold_word(word), len(known))
        blocks.append((len(numbers), start, end))
        numbers.extend(map(written.__getitem__, words))
        start = end + 1
    packed: Numbers = np.frombuffer(numbers, np.uint32)
    if len(known) <= _FEW:
        packed = packed.astype(np.uint16)
    starts = np.zeros(len(known) + 1, np.int64)
    np.cumsum(np.bincount(packed, minlength=len(known)), out=starts[1:])
    order = np.argsort(packed, kind="stable")
    return Words(packed, order, starts, tuple(known), known, blocks)
