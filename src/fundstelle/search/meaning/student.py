"""A small model that comes with the package: a vector for each of some forty thousand terms.

A text's vector is the sum of those of its terms, a term that stands there n times counted
1 + ln n, brought to unit length. The terms are those of the search index, so that a question
which has been analysed costs some microseconds more. The vectors are learnt from what norms are
asked for with (``benches.student``; card: ``docs/models/student.md``): headings, sentences of
decisions that cite them, everyday terms, English terms.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fundstelle.search.meaning.embedder import Vector

NAME = "student/1"
"""What tells this model from every other; vectors of two are never compared."""

_LARGEST = 127
_DATA = resources.files("fundstelle.search") / "data" / "student"
_TERMS, _ROWS, _WEIGHTS = "terms.txt", "rows.npy", "weights.npy"


@dataclass(frozen=True, slots=True)
class Student:
    """The vectors of terms: ``rows`` bytes of the direction, ``weights`` the length of each."""

    numbers: dict[str, int]
    rows: npt.NDArray[np.int8]
    weights: npt.NDArray[np.float32]

    @property
    def dimensions(self) -> int:
        """Of a vector."""
        return int(self.rows.shape[1])

    def embed(self, terms: Sequence[str]) -> Vector | None:
        """The vector of a text that consists of these terms; ``None`` if it knows none of them."""
        counted: dict[int, int] = {}
        for term in terms:
            number = self.numbers.get(term)
            if number is not None:
                counted[number] = counted.get(number, 0) + 1
        if not counted:
            return None
        numbers = np.fromiter(counted, np.int64, len(counted))
        counts = np.fromiter(counted.values(), np.float32, len(counted))
        weights = self.weights[numbers] * (1 + np.log(counts))
        vector = weights.astype(np.float32) @ self.rows[numbers].astype(np.float32)
        unit: Vector = vector / (float(np.linalg.norm(vector)) or 1.0)
        return unit

    def unpack(self) -> npt.NDArray[np.float32]:
        """The vectors as numbers, a row a term."""
        vectors = self.rows.astype(np.float32)
        vectors *= self.weights[:, None]
        return vectors


class Pupil:
    """Asks the model as ``Semantic`` does, with the terms of one index."""

    name = NAME

    def __init__(self, student: Student, analyse: Callable[[str], Sequence[str]]) -> None:
        self._student, self._analyse = student, analyse

    def embed_questions(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vectors of what somebody asks; ``None`` where it knows none of the words."""
        return [self._student.embed(self._analyse(text)) for text in texts]

    def close(self) -> None:
        """Nothing of its own is open."""


@cache
def read_student() -> Student:
    """The model of the package, once a process; its numbers are mapped, not read."""
    with resources.as_file(_DATA) as folder:
        terms = (folder / _TERMS).read_text(encoding="utf-8").splitlines()
        rows = np.load(folder / _ROWS, mmap_mode="r").view(np.ndarray)
        weights = np.load(folder / _WEIGHTS)
    return Student({term: number for number, term in enumerate(terms)}, rows, weights)


def write_student(terms: Sequence[str], vectors: npt.NDArray[np.float32], folder: Path) -> None:
    """Keep vectors as the package holds them; the direction of each in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scales = np.where(largest > 0, largest, 1) / _LARGEST
    (folder / _TERMS).write_text("".join(f"{term}\n" for term in terms), encoding="utf-8")
    np.save(folder / _ROWS, np.rint(vectors / scales).astype(np.int8))
    np.save(folder / _WEIGHTS, scales[:, 0].astype(np.float32))
