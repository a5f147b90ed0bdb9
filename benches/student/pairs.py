"""Examples: what a norm may be asked with, and the terms of what answers.

Five kinds, drawn in proportion to how many there are and how much each is worth.
"""

import random
from collections.abc import Callable, Sequence

import numpy as np

from benches.student.texts import NormTerms, Numbers, Read
from fundstelle.search.meaning.passages import ABOVE, HEADING, LAW, LENGTH

Pair = tuple[Sequence[Numbers], Sequence[Numbers], int]
"""The parts of a question, those of its answer, and the answer's number; -1 for none."""

NAMED = 0.3  # of headings are asked of a norm that shows its heading too
FEWEST = 12  # terms of a text that a piece is cut out of
PIECE = 25


class Pairs:
    """All examples of a build."""

    def __init__(self, read: Read, seed: int = 1) -> None:
        self._draw = random.Random(seed)
        self._norms = read.norms
        places = {norm.ordinal: place for place, norm in enumerate(read.norms)}
        by_id = {norm.norm_id: place for place, norm in enumerate(read.norms)}
        self._cited = [
            (numbers, places[one])
            for numbers, cited in read.sentences
            for one in cited
            if one in places
        ]
        self._headed = [
            place
            for place, norm in enumerate(read.norms)
            if len(norm.heading) and len(norm.text) > FEWEST
        ]
        self._long = [place for place, norm in enumerate(read.norms) if len(norm.text) >= FEWEST]
        self._meant = [
            (numbers, by_id[one])
            for numbers, ids in read.everyday
            for one in ids
            if one in by_id and len(numbers)
        ]
        self._english = [pair for pair in read.english if len(pair[0]) and len(pair[1])]
        self._translated = [
            (place, by_id[german])
            for place, norm in enumerate(read.norms)
            if ":en/" in norm.norm_id and (german := norm.norm_id.replace(":en/", "/")) in by_id
        ]
        kinds: list[tuple[Callable[[], Pair], int, float]] = [
            (self._cite, len(self._cited), 2.0),
            (self._head, len(self._headed), 1.0),
            (self._cut, len(self._long), 1.0),
            (self._mean, len(self._meant), 2.0),
            (self._translate, len(self._english), 2.0),
            (self._read_in_both, len(self._translated), 3.0),
        ]
        self._kinds = [kind for kind, count, _ in kinds if count]
        self._worth = [count * worth for _, count, worth in kinds if count]

    def __len__(self) -> int:
        """How many are drawn in one round."""
        return int(sum(self._worth))

    def draw(self, count: int) -> list[Pair]:
        """So many of them, at random; none whose question or answer is empty."""
        drawn = (kind() for kind in self._draw.choices(self._kinds, self._worth, k=count))
        return [pair for pair in drawn if all(sum(map(len, side)) for side in pair[:2])]

    def _cite(self) -> Pair:
        numbers, place = self._draw.choice(self._cited)
        return [numbers], self._show(self._norms[place]), place

    def _head(self) -> Pair:
        place = self._draw.choice(self._headed)
        norm = self._norms[place]
        with_names = self._draw.random() < NAMED
        answer = self._show(norm) if with_names else [self._window(norm.text)]
        return [norm.heading], answer, place

    def _cut(self) -> Pair:
        """A piece of a text, and what is left of it."""
        place = self._draw.choice(self._long)
        norm = self._norms[place]
        size = min(self._draw.randrange(3, PIECE), len(norm.text) // 2)
        start = self._draw.randrange(len(norm.text) - size + 1)
        piece = norm.text[start : start + size]
        rest = np.concatenate((norm.text[:start], norm.text[start + size :]))
        return [piece], [self._window(rest), norm.heading, norm.above[-ABOVE:]], place

    def _mean(self) -> Pair:
        numbers, place = self._draw.choice(self._meant)
        return [numbers], self._show(self._norms[place]), place

    def _translate(self) -> Pair:
        pair = self._draw.choice(self._english)
        one, other = pair if self._draw.random() < 0.5 else pair[::-1]
        return [one], [other], -1

    def _read_in_both(self) -> Pair:
        places = self._draw.choice(self._translated)
        one, other = places if self._draw.random() < 0.5 else places[::-1]
        asked = self._norms[one]
        if len(asked.heading) and self._draw.random() < 0.4:
            return [asked.heading], self._show(self._norms[other]), other
        return [self._window(asked.text, PIECE)], self._show(self._norms[other]), other

    def _show(self, norm: NormTerms) -> list[Numbers]:
        """A norm as one of its passages is read."""
        names = (*[norm.heading] * HEADING, norm.above[-ABOVE:], norm.law[:LAW])
        return [self._window(norm.text), *names]

    def _window(self, numbers: Numbers, length: int = LENGTH) -> Numbers:
        if len(numbers) <= length:
            return numbers
        begins = self._draw.random() < 0.5  # most of what a norm says stands there
        start = 0 if begins else self._draw.randrange(len(numbers) - length + 1)
        return numbers[start : start + length]
