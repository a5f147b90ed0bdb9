"""German compounds: which words a long word is made of.

The splitter knows only words, with how often each stands in federal law and decisions. A word is
divided where both sides are known (the left one perhaps behind a linking element:
``Arbeits|vertrag``), at the place where the parts are most frequent, measured by their geometric
mean. The words come with the package (``data/compounds.txt``, made by ``benches.compounds``), so
that a text has the same terms in every build, whatever else it holds.

Source: Koehn and Knight, "Empirical Methods for Compound Splitting" (EACL 2003).
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from math import log
from pathlib import Path
from typing import Self

_MIN_COUNT = 12  # rarer words are too often fragments, names or misprints
_MIN_PART = 4
_MIN_WORD = 8
_CAP = 4_000  # a word is not a better part for being more frequent than this
_MAX_WORD = 60  # longer ones are chemical names and the like
_LINKS = {"": 0.0, "s": 0.2, "n": 0.5, "es": 1.0, "en": 1.0, "er": 1.5}  # and what they cost
_DEPTH = 4
# Particles and endings: they stand alone often enough, but in a word they are no part of their own.
_PARTICLES = """
    aber alle aller alles also auch dann dass dazu dies durch eine einem einen einer eines ende fall
    fort gegen haft halb hatte heit hier hinter ihre isch jede kann keit kein lich lung mehr
    miss mit nach nicht nieder oben ober ohne rück samt schaft sein seine sich sind tung ueber
    ungen unter viel voll voran voraus vorbei weis weise weiter werden werk wider wieder wird zurück
    zusammen zwischen ander anders lichen licher liches sche schen scher barer bares sten ster stes
    über rung nung lose loser losen mäßig mäßige mäßigen haften haftes
"""
_NO_PARTS = frozenset(_PARTICLES.split())
_COMPOUNDS = "compounds.txt"

_Division = tuple[float, tuple[str, ...]]
"""How frequent the parts of a word are, and the parts."""
_Memo = dict[str, _Division | None]
"""What is known of the words inside of one."""


class CompoundSplitter:
    """Divides words; the same for an index and for the questions asked of it.

    Threads may share it.
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._weights = {word: log(min(count, _CAP)) for word, count in counts.items()}
        self._counts = dict(counts)

    @classmethod
    def train(cls, counts: Iterable[tuple[str, int]]) -> Self:
        """Keep the words of a corpus that can be parts; they are in lower case."""
        return cls(
            {
                word: count
                for word, count in counts
                if count >= _MIN_COUNT
                and _MIN_PART <= len(word) <= _MAX_WORD
                and word.isalpha()
                and word not in _NO_PARTS
            }
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``write`` wrote."""
        lines = (line.partition(" ") for line in text.splitlines())
        return cls({word: int(count) for word, _, count in lines})

    def write(self, file: Path) -> None:
        """One line a word: the word and its count."""
        lines = (f"{word} {count}\n" for word, count in sorted(self._counts.items()))
        file.write_text("".join(lines), encoding="utf-8")

    def count(self, word: str) -> int:
        """How often a word that can be a part stands in the texts they are from, else 0."""
        return self._counts.get(word, 0)

    def split(self, word: str) -> tuple[str, ...]:
        """The parts of a word in lower case, without linking elements; none if it is simple.

        Parts that are compounds themselves stand before their own parts:
        ``schadensersatzpflicht`` -> ``schadensersatz, schaden, ersatz, pflicht``.
        """
        if not _MIN_WORD <= len(word) <= _MAX_WORD:
            return ()
        best = self._divide(word, _DEPTH, {})
        return best[1] if best else ()

    def _divide(self, word: str, depth: int, memo: _Memo) -> _Division | None:
        if len(word) < 2 * _MIN_PART or not depth:
            return None
        if word in memo:
            return memo[word]
        best = None
        floor = self._weights.get(word, 0.0)
        for cut in range(_MIN_PART, len(word) - _MIN_PART + 1):
            head = self._weights.get(word[cut:])
            if head is None:
                continue
            left = self._find_left(word[:cut], depth - 1, memo)
            if left is None:
                continue
            score = (left[0] + head) / 2
            if score > floor:
                floor = score
                best = (score, (*left[1], *self._expand(word[cut:], depth - 1, memo)))
        memo[word] = best
        return best

    def _find_left(self, written: str, depth: int, memo: _Memo) -> _Division | None:
        """The word in front, as it stands, without its link, or itself a compound."""
        best: tuple[float, str] | None = None
        for stem, cost in _unlink(written):
            weight = self._weights.get(stem)
            if weight is not None and (best is None or weight - cost > best[0]):
                best = (weight - cost, stem)
        if best is not None:
            return best[0], self._expand(best[1], depth, memo)
        for stem, cost in _unlink(written):
            inner = self._divide(stem, depth, memo)
            if inner is not None:
                return inner[0] - cost, (stem, *inner[1])
        return None

    def _expand(self, part: str, depth: int, memo: _Memo) -> tuple[str, ...]:
        inner = self._divide(part, depth, memo)
        return (part, *inner[1]) if inner else (part,)


@cache
def read_splitter() -> CompoundSplitter:
    """The splitter of the package, once a process."""
    file = resources.files("fundstelle.search") / "data" / _COMPOUNDS
    return CompoundSplitter.parse(file.read_text(encoding="utf-8"))


def _unlink(written: str) -> list[tuple[str, float]]:
    return [
        (written[: len(written) - len(link)], cost)
        for link, cost in _LINKS.items()
        if written.endswith(link) and len(written) - len(link) >= _MIN_PART
    ]
