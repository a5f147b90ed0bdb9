"""Vectors of norms beside an index, in bytes: written batch by batch, read while that goes on.

```text
vectors/card.json     model, dimensions, and how many norms are to have a vector
vectors/rows.i8       a row a norm; its largest component is 127
vectors/hashes.bin    of each row 16 bytes that tell the passage it was made of
vectors/ordinals.u32  of each row its norm
vectors/sums.bin      hashes of all this, batch by batch (vector_sums)
```

The ordinals are written last, when the rest is on disk: they say how many rows count. What lies
behind the last whole row is the rest of a batch that was cut short, and is written over. Files
that a reader may have mapped never become shorter, since touching what has gone would kill it.

To start anew, the writer gives the name to another folder. A reader opens all files in one and the
same folder, and keeps its model for as long as it lives: it follows to another folder only if that
is of the same model.
"""

import json
import mmap
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import simsimd

from fundstelle.errors import CorpusError
from fundstelle.search.meaning.embedder import Vector

FOLDER = "vectors"
"""Its name in the folder of an index."""
HASH_BYTES = 16
ORDINAL_BYTES = 4
CARD, ROWS, HASHES, ORDINALS = "card.json", "rows.i8", "hashes.bin", "ordinals.u32"

Bytes = npt.NDArray[np.int8]
Similarities = npt.NDArray[np.float32]

_LARGEST = 127
_MOST_DIMENSIONS = 65_536
_LONGEST_CARD = 65_536


def hash_passage(text: str) -> bytes:
    """What tells a passage from every other."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def quantise(vectors: npt.NDArray[np.float32]) -> Bytes:
    """Rows of bytes with the directions of ``vectors``; bytes as floats give the same again."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scale = _LARGEST / np.where(largest > 0, largest, 1).astype(np.float64)
    return np.rint(vectors * scale).astype(np.int8)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """A descriptor of the folder: through it all files are of this one, whatever its name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open_file(name: str, place: int, damaged: str) -> int:
    """Open a file of a folder without waiting, whatever stands in its place.

    Raises:
        CorpusError: it is none, with the words ``damaged``.
        FileNotFoundError: there is nothing.
    """
    descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise CorpusError(damaged)
    return descriptor


def _say_damaged(path: Path) -> str:
    return f"{path} is damaged; 'fundstelle embed' computes the vectors anew"


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Card:
    """What a folder of vectors says of itself."""

    model: str  # the embedder's name
    dimensions: int
    total: int  # norms that are to have a vector

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The card in a folder.

        Raises:
            CorpusError: it is damaged.
            FileNotFoundError: there is none.
        """
        with _opened(folder) as place:
            return cls.read_at(place, folder)

    @classmethod
    def read_at(cls, place: int, folder: Path) -> Self:
        """As ``read``, where ``place`` is a descriptor of the folder.

        Raises:
            CorpusError: it is damaged.
            FileNotFoundError: there is none.
        """
        damaged = _say_damaged(folder / CARD)
        descriptor = _open_file(CARD, place, damaged)
        try:
            fields = json.loads(os.pread(descriptor, _LONGEST_CARD, 0))
            card = cls(str(fields["model"]), int(fields["dimensions"]), int(fields["total"]))
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(damaged) from error
        finally:
            os.close(descriptor)
        if not 0 < card.dimensions <= _MOST_DIMENSIONS:
            raise CorpusError(damaged)
        return card

    def dump(self) -> bytes:
        """The card as a file."""
        fields = {"model": self.model, "dimensions": self.dimensions, "total": self.total}
        return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class _Files:
    """One opened folder: its card, and descriptors of the files."""

    card: Card
    rows: int
    hashes: int
    ordinals: int

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """``None`` if one of them is not there; a damaged card is a ``CorpusError``."""
        found: list[int] = []
        try:
            with _opened(folder) as place:
                card = Card.read_at(place, folder)
                for name in (ROWS, HASHES, ORDINALS):
                    found += [_open_file(name, place, _say_damaged(folder / name))]
        except (FileNotFoundError, NotADirectoryError):
            _close(found)
            return None
        except CorpusError:
            _close(found)
            raise
        return cls(card, *found)

    def count(self) -> int:
        """How many rows are whole."""
        ordinals, rows = os.fstat(self.ordinals).st_size, os.fstat(self.rows).st_size
        return min(ordinals // ORDINAL_BYTES, rows // self.card.dimensions)

    def close(self) -> None:
        _close((self.rows, self.hashes, self.ordinals))


class Vectors:
    """The vectors beside one index, at least one. Not shared between threads."""

    least = -1.0  # cosines of other models say nothing by themselves

    def __init__(self, folder: Path, files: _Files) -> None:
        self._folder = folder
        self._files = files
        self._size = 0  # of the ordinals when they were last looked at
        self._rows: Bytes = np.empty((0, files.card.dimensions), np.int8)
        self._ordinals = np.empty(0, np.uint32)
        self._places: tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]] | None = None
        self._read()

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Those in a folder; ``None`` if there is no such folder, or no vector in it yet.

        Raises:
            CorpusError: the card is damaged, so that nothing says what the rows are.
        """
        files = _Files.open(folder)
        if files is None:
            return None
        if files.count():
            return cls(folder, files)
        files.close()
        return None

    @property
    def model(self) -> str:
        """The name of the embedder; vectors of any other mean nothing here."""
        return self._files.card.model

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._files.card.dimensions

    @property
    def total(self) -> int:
        """How many norms are to have a vector."""
        return self._files.card.total

    def __len__(self) -> int:
        return len(self._ordinals)

    def refresh(self) -> None:
        """See what a running job has added; one ``fstat`` if that is nothing.

        Where the folder is gone or of another model by now, what is open remains in use.
        """
        state = os.fstat(self._files.ordinals)
        if not state.st_nlink:
            self._follow()
        elif state.st_size != self._size:
            self._read()

    def nearest(self, question: Vector, count: int) -> list[tuple[float, int]]:
        """Cosine and ordinal of the ``count`` nearest norms, best first, ties by ordinal.

        Raises:
            CorpusError: the question's vector is of another length.
        """
        count = min(count, len(self))
        if count <= 0:
            return []
        distances = self._measure(question, self._rows)
        near = np.flatnonzero(distances <= np.partition(distances, count - 1)[count - 1])
        ordinals = self._ordinals[near]
        best = np.lexsort((ordinals, distances[near]))[:count]
        scores = 1.0 - distances[near[best]]
        return list(zip(scores.tolist(), ordinals[best].tolist(), strict=True))

    def similarity(self, question: Vector, ordinals: npt.ArrayLike) -> Similarities:
        """The cosine of each of these norms, NaN of one without a vector.

        Raises:
            CorpusError: the question's vector is of another length.
        """
        wanted = np.asarray(ordinals, np.int64)
        found = np.full(len(wanted), np.nan, np.float32)
        if self._places is None:
            order = np.argsort(self._ordinals)
            self._places = self._ordinals[order], order
        known, places = self._places
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        held = known[at] == wanted
        if held.any():
            found[held] = 1.0 - self._measure(question, self._rows[places[at[held]]])
        return found

    def read_hashes(self) -> list[bytes]:
        """The hash of each row's passage; fewer than there are rows if that file was cut."""
        data = os.pread(self._files.hashes, len(self) * HASH_BYTES, 0)
        whole = len(data) // HASH_BYTES * HASH_BYTES
        return [data[at : at + HASH_BYTES] for at in range(0, whole, HASH_BYTES)]

    def read_ordinals(self) -> list[int]:
        """The norm of each row."""
        ordinals: list[int] = self._ordinals.tolist()
        return ordinals

    def take(self, rows: Sequence[int]) -> npt.NDArray[np.float32]:
        """The vectors in these rows, not of unit length: ``quantise`` gives the same bytes."""
        return self._rows[np.asarray(rows, np.intp)].astype(np.float32)

    def close(self) -> None:
        """Release files."""
        self._files.close()
        self.__dict__.clear()  # the mapping ends with the last array that looks into it

    def _measure(self, question: Vector, rows: Bytes) -> npt.NDArray[np.float64]:
        """The distance of each row: 1 - cosine."""
        if question.shape != (self.dimensions,):
            raise CorpusError(
                f"the model gives vectors of {question.size} numbers, and the build has those of"
                f" {self.dimensions}; compute them anew with 'fundstelle embed'"
            )
        distances = np.asarray(simsimd.cdist(quantise(question[None]), rows, metric="cosine"))
        measured: npt.NDArray[np.float64] = distances[0]
        return measured

    def _read(self) -> None:
        """Map the rows that are whole."""
        files = self._files
        self._size = os.fstat(files.ordinals).st_size
        count = files.count()
        if count == len(self):
            return
        # Read, not mapped: the writer may cut ordinals off whose rows were lost.
        data = os.pread(files.ordinals, count * ORDINAL_BYTES, 0)
        self._ordinals = np.frombuffer(data, "<u4", len(data) // ORDINAL_BYTES)
        self._places = None
        size = len(self) * self.dimensions
        if size:
            # The mapping before ends with the last array that looks into it.
            mapped = mmap.mmap(files.rows, size, access=mmap.ACCESS_READ)
            self._rows = np.frombuffer(mapped, np.int8).reshape(-1, self.dimensions)
        else:
            self._rows = self._rows[:0]

    def _follow(self) -> None:
        """Go over to the folder that has taken the place of this one, once it has as much."""
        try:
            files = _Files.open(self._folder)
        except CorpusError:
            return
        if files is None:
            return
        same = (files.card.model, files.card.dimensions) == (self.model, self.dimensions)
        if not same or files.count() < len(self):
            files.close()
            return
        self._files.close()
        self._files = files
        self._ordinals = self._ordinals[:0]
        self._read()
