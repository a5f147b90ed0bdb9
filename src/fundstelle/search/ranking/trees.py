"""Boosted trees that LightGBM has written, scored for all candidates of a question at once.

LightGBM walks each tree for each row. Here each feature of a row is looked up among the borders of
all trees together, which says by bits which leaves the tests on it leave in each tree; the first
leaf that all features leave is the one where the walk would end. That is half of the time for a
hundred rows, and a server needs neither LightGBM nor OpenMP.

Source: LightGBM's text format (``src/io/tree.cpp``, ``Tree::ToString``); C. Lucchese and others,
QuickScorer (SIGIR 2015), for the bits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from fundstelle.errors import CorpusError
from fundstelle.search.ranking.features import Features
from fundstelle.search.ranking.forward import Floats

MOST_LEAVES = 16  # one bit each
_ALL = np.uint16(0xFFFF)
_NUMBERS_IN_ORDER = "2"  # decision_type: "<=", no value is missing

Bits = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class _Test:
    """A node: rows above ``border`` do not go to the leaves whose bits ``left`` lacks."""

    feature: int
    border: float
    tree: int
    left: int


@dataclass(frozen=True, slots=True)
class _Column:
    """All tests on one feature; ``remaining[n]`` are the leaves where ``n`` borders are below."""

    feature: int
    borders: Floats
    remaining: Bits


class Trees:
    """The trees of one model. Deterministic.

    Raises:
        CorpusError: they are damaged, or of a kind that this build does not make.
    """

    def __init__(self, model: str) -> None:
        header, *written = (_read_block(block) for block in model.split("\nTree="))
        try:
            self.features = int(header["max_feature_idx"]) + 1
            tests: list[_Test] = []
            leaves = np.zeros((len(written), MOST_LEAVES))
            for number, block in enumerate(written):
                values = _Tree.read(block)
                order = list(values.order_leaves())
                leaves[number, : len(order)] = [values.leaves[leaf] for leaf in order]
                tests += values.list_tests(number, order)
        except (KeyError, ValueError, IndexError, RecursionError) as error:
            raise CorpusError(f"a model of the ranking cannot be read ({error!r})") from error
        if any(test.feature >= self.features for test in tests):
            raise CorpusError("a model of the ranking cannot be read (a feature it has not)")
        self._columns = list(_build_columns(tests, len(written)))
        self._leaves = leaves.ravel()
        self._firsts = np.arange(len(written)) * MOST_LEAVES

    def score(self, features: Features) -> Floats:
        """The sum of the trees for each row; columns beyond the model's are not looked at."""
        bits = np.full((len(features), len(self._firsts)), _ALL)
        for column in self._columns:
            values = features[:, column.feature].astype(np.float64)
            bits &= column.remaining[np.searchsorted(column.borders, values)]
        scores: Floats = self._leaves[_FIRST_BIT[bits] + self._firsts].sum(axis=1)
        return scores


@dataclass(frozen=True, slots=True)
class _Tree:
    """As it is written: children below 0 are leaves, -1 the first."""

    features: Sequence[int]
    borders: Sequence[float]
    lefts: Sequence[int]
    rights: Sequence[int]
    leaves: Sequence[float]

    @classmethod
    def read(cls, block: Mapping[str, str]) -> Self:
        leaves = [float(value) for value in block["leaf_value"].split()]
        if int(block["num_leaves"]) != len(leaves) or len(leaves) > MOST_LEAVES:
            raise ValueError(f"{len(leaves)} leaves")
        if len(leaves) == 1:  # nothing was learned
            return cls((), (), (), (), leaves)
        if set(block["decision_type"].split()) != {_NUMBERS_IN_ORDER}:
            raise ValueError(block["decision_type"])
        tree = cls(
            [int(value) for value in block["split_feature"].split()],
            [float(value) for value in block["threshold"].split()],
            [int(value) for value in block["left_child"].split()],
            [int(value) for value in block["right_child"].split()],
            leaves,
        )
        sizes = {len(column) for column in (tree.features, tree.borders, tree.lefts, tree.rights)}
        if sizes != {len(leaves) - 1}:
            raise ValueError("tests and leaves do not fit")
        return tree

    def order_leaves(self, node: int = 0) -> Iterator[int]:
        """The leaves from left to right, below a node."""
        if not self.features:
            yield 0
        elif node < 0:
            yield -1 - node
        else:
            yield from self.order_leaves(self.lefts[node])
            yield from self.order_leaves(self.rights[node])

    def list_tests(self, number: int, order: Sequence[int]) -> Iterator[_Test]:
        places = {leaf: place for place, leaf in enumerate(order)}
        if sorted(places) != list(range(len(self.leaves))):
            raise ValueError("a leaf is reached twice, or never")
        for node, (feature, border) in enumerate(zip(self.features, self.borders, strict=True)):
            left = sum(1 << places[leaf] for leaf in self.order_leaves(self.lefts[node]))
            yield _Test(feature, border, number, int(_ALL) & ~left)


def _read_block(block: str) -> dict[str, str]:
    lines = (line.partition("=") for line in block.split("\n"))
    return {name: value for name, sign, value in lines if sign}


def _build_columns(tests: Sequence[_Test], trees: int) -> Iterator[_Column]:
    for feature in sorted({test.feature for test in tests}):
        own = sorted((test for test in tests if test.feature == feature), key=_get_border)
        borders = sorted({test.border for test in own})
        remaining = np.full((len(borders) + 1, trees), _ALL)
        waiting = iter(own)
        test = next(waiting, None)
        for place, border in enumerate(borders, 1):
            remaining[place] = remaining[place - 1]
            while test is not None and test.border == border:
                remaining[place, test.tree] &= np.uint16(test.left)
                test = next(waiting, None)
        yield _Column(feature, np.array(borders), remaining)


def _get_border(test: _Test) -> float:
    return test.border


def _find_first_bits() -> npt.NDArray[np.uint8]:
    numbers = np.arange(1, int(_ALL) + 1)
    places = np.zeros(len(numbers) + 1, np.uint8)
    places[1:] = np.log2(numbers & -numbers)
    return places


_FIRST_BIT = _find_first_bits()
