"""Vectors of the passages of a build's norms and decisions, made with its index for good.

A norm is read in passages of some hundred and fifty terms, each with the norm's heading and the
names above it, and is as near to a question as the nearest of them. Two arrays say the same: whole
bytes, and the signs alone as bits, which are compared first since that is four times as fast.
Decisions lie in a folder of their own: words find them, and meaning says which of those are near.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Self

import numpy as np
import numpy.typing as npt
import simsimd
from scipy.sparse import csr_matrix

from fundstelle.search.meaning.arrays import ArrayFolder
from fundstelle.search.meaning.embedder import Vector
from fundstelle.search.meaning.student import NAME
from fundstelle.search.meaning.vectors import Similarities, quantise
from fundstelle.sharing import share

Numbers = npt.NDArray[np.int64]

LENGTH = 150  # terms of a passage
MOST = 8  # passages of a norm; what stands behind them is found by its words
_BEGINNING = 3 * MOST * LENGTH  # terms of which mostly enough are known
_REMAINDER = 50  # terms that are a passage of their own
HEADING = 2  # times that a heading counts
ABOVE, LAW = 8, 6  # terms of the headings above, the last ones, and of the law's names
_BATCH = 4_096
_RESCORED = 10  # times as many by bits are compared by bytes
NORMS, DECISIONS = "passages", "passages_of_decisions"
"""The names of their folders beside an index."""
_MODEL, _ORDINALS = "model.txt", "ordinals.npy"
_LEAST = 0.35  # cosine of a norm that is near; of development questions .36 and more


@dataclass(frozen=True, slots=True)
class _Arrays(ArrayFolder):
    rows: npt.NDArray[np.int8]
    bits: npt.NDArray[np.uint8]
    ordinals: npt.NDArray[np.uint32]  # of each row its norm, in ascending order


class Passages:
    """The vectors of one build. Not shared between threads."""

    model = NAME
    least = _LEAST

    def __init__(self, arrays: _Arrays) -> None:
        self._rows, self._bits, self._ordinals = arrays.rows, arrays.bits, arrays.ordinals

    @classmethod
    def open(cls, folder: Path, name: str = NORMS) -> Self | None:
        """Those beside an index; ``None`` if it has none, or those of another model."""
        arrays = _Arrays.read(folder, name)
        if arrays is None:
            return None
        made_by = (folder / name / _MODEL).read_text(encoding="utf-8").strip()
        return cls(arrays) if made_by == NAME and len(arrays.ordinals) else None

    @property
    def dimensions(self) -> int:
        """Of a vector."""
        return int(self._rows.shape[1])

    def __len__(self) -> int:
        return len(self._ordinals)

    def refresh(self) -> None:
        """Nothing comes to them."""

    def nearest(self, question: Vector, count: int) -> list[tuple[float, int]]:
        """Cosine and ordinal of the ``count`` nearest norms, best first, ties by ordinal.

        Fewer where no more are near: what is nearest among few texts may have nothing to do with
        the question.
        """
        rows = self._preselect(question, min(count * _RESCORED, len(self)))
        cosines = self._measure(question, self._rows[rows])
        ordinals = self._ordinals[rows]
        best: dict[int, float] = {}
        for at in np.lexsort((ordinals, -cosines)).tolist():
            if cosines[at] < _LEAST or len(best) == count:
                break
            best.setdefault(int(ordinals[at]), float(cosines[at]))
        return [(cosine, ordinal) for ordinal, cosine in best.items()]

    def similarity(self, question: Vector, ordinals: npt.ArrayLike) -> Similarities:
        """The cosine of each of these norms, NaN of one without a vector."""
        wanted = np.asarray(ordinals, np.int64)
        starts = np.searchsorted(self._ordinals, wanted, side="left")
        counts = np.searchsorted(self._ordinals, wanted, side="right") - starts
        found = np.full(len(wanted), np.nan, np.float32)
        held = np.flatnonzero(counts)
        if len(held):
            rows, firsts = _expand(starts[held], counts[held])
            cosines = self._measure(question, self._rows[rows])
            found[held] = np.maximum.reduceat(cosines, firsts)
        return found

    def close(self) -> None:
        """Let go of the files."""
        self.__dict__.clear()  # the mapping ends with the last array that looks into it

    def _preselect(self, question: Vector, count: int) -> Numbers:
        """The rows that are nearest by signs alone, at least ``count`` of them."""
        if count >= len(self):
            return np.arange(len(self))
        signs = np.packbits(question > 0)[None]
        measured = simsimd.cdist(signs, self._bits, metric="hamming", dtype="bin8")
        apart = np.asarray(measured)[0].astype(np.uint16)
        return np.flatnonzero(apart <= np.partition(apart, count - 1)[count - 1])

    @staticmethod
    def _measure(question: Vector, rows: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        distances = simsimd.cdist(quantise(question[None]), rows, metric="cosine")
        cosines: npt.NDArray[np.float64] = 1.0 - np.asarray(distances)[0]
        return cosines


class PassageWriter:
    """Takes the terms of norms or of decisions and gives each passage its vector.

    ``numbers`` and ``vectors`` are those of the model's terms. What is made waits in a file in
    ``folder``, which has no name: beside it the index is written. A context: at its end the file is
    closed.
    """

    def __init__(
        self, numbers: Mapping[str, int], vectors: npt.NDArray[np.float32], folder: Path
    ) -> None:
        self._numbers, self._vectors = numbers, vectors
        self._last: dict[str, tuple[str, list[int]]] = {}
        self._waiting: list[list[int]] = []
        self._ordinals = array("I")
        self._file: BinaryIO = TemporaryFile(dir=folder)  # noqa: SIM115 closed by ``close``

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, ordinal: int, heading: str, above: str, law: str, text: str) -> None:
        """Read one norm, by the terms of its texts, divided by blanks."""
        head = self._read(heading.split())
        over = self._read_again("above", above)[-ABOVE:]
        names = [*head * HEADING, *over, *self._read_again("law", law)[:LAW]]
        words = text.split()
        numbers = self._read(words[:_BEGINNING])
        if len(words) > _BEGINNING and len(numbers) < MOST * LENGTH:
            numbers = self._read(words)
        numbers = numbers[: MOST * LENGTH]
        for start in range(0, max(len(numbers), 1), LENGTH):
            passage = numbers[start : start + LENGTH]
            if start and len(passage) < _REMAINDER:
                break
            self._waiting.append(passage + names)
            self._ordinals.append(ordinal)
        if len(self._waiting) >= _BATCH:
            self._embed()

    def _read(self, terms: Sequence[str]) -> list[int]:
        """The numbers of those that the model knows."""
        return [number for number in map(self._numbers.get, terms) if number is not None]

    def _read_again(self, name: str, terms: str) -> list[int]:
        """Neighbours share their law and most of their headings; read those once."""
        known = self._last.get(name)
        if known is None or known[0] != terms:
            known = self._last[name] = (terms, self._read(terms.split()))
        return known[1]

    def take(self, other: Path, name: str, was: Numbers, now: Numbers) -> None:
        """The vectors of texts that another index has, by their ordinals there and now."""
        arrays = _Arrays.read(other, name)
        if arrays is None:
            return  # none of them could be searched
        self._embed()
        starts = np.searchsorted(arrays.ordinals, was, side="left")
        counts = np.searchsorted(arrays.ordinals, was, side="right") - starts
        rows, _ = _expand(starts[counts > 0], counts[counts > 0])
        self._ordinals.frombytes(np.repeat(now, counts).astype(np.uint32).tobytes())
        for at in range(0, len(rows), _BATCH):
            self._file.write(np.ascontiguousarray(arrays.rows[rows[at : at + _BATCH]]).tobytes())

    def write(self, folder: Path, name: str = NORMS) -> None:
        """Keep the vectors beside an index."""
        self._embed()
        dimensions = self._vectors.shape[1]
        ordinals = np.frombuffer(self._ordinals, np.uint32)
        order = np.argsort(ordinals, kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        rows = np.empty((len(order), dimensions), np.int8)
        bits = np.empty((len(order), (dimensions + 7) // 8), np.uint8)
        self._file.seek(0)
        for at in range(0, len(order), _BATCH):
            to = places[at : at + _BATCH]
            block = np.frombuffer(self._file.read(len(to) * dimensions), np.int8)
            rows[to] = block.reshape(len(to), dimensions)
            bits[to] = np.packbits(rows[to] > 0, axis=1)
        self.close()
        _Arrays(rows, bits, ordinals[order]).write(folder, name)
        (folder / name / _MODEL).write_text(f"{NAME}\n", encoding="utf-8")

    def close(self) -> None:
        """Let go of the file; once is enough, twice does no harm."""
        self._file.close()

    def _embed(self) -> None:
        if not self._waiting:
            return
        ends = np.cumsum([0, *map(len, self._waiting)])
        numbers = np.fromiter(chain.from_iterable(self._waiting), np.int64, int(ends[-1]))
        shape = (len(self._waiting), len(self._vectors))
        counted = csr_matrix((np.ones(len(numbers), np.float32), numbers, ends), shape=shape)
        counted.sum_duplicates()
        counted.data = 1 + np.log(counted.data)
        self._file.write(quantise(np.asarray(counted @ self._vectors)).tobytes())
        self._waiting.clear()


def take_passages(other: Path, folder: Path, name: str, shift: int) -> None:
    """Those beside another index, as those of the same texts, whose ordinals are ``shift`` more."""
    (taken := folder / name).mkdir()
    for path in sorted((other / name).iterdir()):
        if path.name == _ORDINALS:
            ordinals = np.load(path).astype(np.int64) + shift
            np.save(taken / path.name, ordinals.astype(np.uint32))
        else:
            share(path, taken / path.name)


def _expand(starts: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers of the runs that begin at ``starts``, and where each run begins among them."""
    firsts = np.cumsum(counts) - counts
    numbers = np.repeat(starts - firsts, counts) + np.arange(int(counts.sum()))
    return numbers, firsts
