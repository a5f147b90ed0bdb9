"""Writes the files that ``search.meaning.vectors`` describes and reads."""

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from fundstelle.disks import sync_folder
from fundstelle.errors import CorpusError
from fundstelle.search.meaning.vector_sums import (
    RECORD,
    SUMS,
    make_record,
    read_records,
    sum_rows,
)
from fundstelle.search.meaning.vectors import (
    CARD,
    HASH_BYTES,
    HASHES,
    ORDINAL_BYTES,
    ORDINALS,
    ROWS,
    Card,
    quantise,
)


class VectorWriter:
    """Adds vectors to a folder. Only one may do so at a time, which the caller sees to."""

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._folder = folder
        self._dimensions = dimensions
        # In the order in which a batch is written: the ordinals make it count.
        self._files = tuple(os.open(folder / name, os.O_RDWR) for name in (ROWS, HASHES, ORDINALS))
        # Folders of before have none.
        self._sums = os.open(folder / SUMS, os.O_RDWR | os.O_CREAT, 0o666)
        self._widths = (dimensions, HASH_BYTES, ORDINAL_BYTES)
        self._count = 0
        self._batches = 0
        self.done: dict[int, bytes] = {}
        """The norms that have a vector, each with the hash of its passage."""

    @classmethod
    def open(cls, folder: Path, card: Card, *, anew: bool = False) -> Self:
        """Go on with the vectors in ``folder``.

        They are started anew, and those there are gone, if they are of another model or damaged,
        or if ``anew`` says so. Readers that are open keep what they have.

        Raises:
            CorpusError: the folder cannot be written.
        """
        with _explained(folder):
            for leftover in folder.parent.glob(f".{folder.name}-*"):
                shutil.rmtree(leftover)
            held = None if anew else _find_card(folder)
            if held is None or (held.model, held.dimensions) != (card.model, card.dimensions):
                _start(folder, card)
            elif held != card:
                _replace_card(folder, card)
            writer = cls(folder, card.dimensions)
            writer._resume()
        return writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(
        self, ordinals: Sequence[int], hashes: Sequence[bytes], vectors: npt.NDArray[np.float32]
    ) -> None:
        """Add a batch, a row of ``vectors`` a norm that has none yet; then it is on disk.

        Raises:
            CorpusError: it cannot be written; what was there before is as it was.
        """
        assert vectors.shape == (len(ordinals), self._dimensions)
        assert self.done.keys().isdisjoint(ordinals)
        rows, digests, numbers = self._files
        pieces = (
            quantise(vectors).tobytes(),
            b"".join(hashes),
            np.array(ordinals, "<u4").tobytes(),
        )
        end = self._count + len(ordinals)
        with _explained(self._folder):
            _write(rows, pieces[0], self._count * self._dimensions)
            _write(digests, pieces[1], self._count * HASH_BYTES)
            self._keep_sum(make_record(end, pieces))
            _write(numbers, pieces[2], self._count * ORDINAL_BYTES)
        self._count = end
        self._batches += 1
        self.done.update(zip(ordinals, hashes, strict=True))

    def close(self) -> None:
        """Release files."""
        for file in self._files:
            os.close(file)
        if self._files:
            os.close(self._sums)
        self._files = ()

    def _keep_sum(self, record: bytes) -> None:
        """Behind the sums of the batches that count; its own counts once the ordinals are there."""
        _write(self._sums, record, self._batches * RECORD.size)

    def _resume(self) -> None:
        """Find out which rows are whole; the next batch is written behind them."""
        _, digests, numbers = self._files
        self._count = count = min(
            os.fstat(file).st_size // width
            for file, width in zip(self._files, self._widths, strict=True)
        )
        # Those whose rows were lost must not count once rows are there again. Nobody maps these.
        os.ftruncate(numbers, count * ORDINAL_BYTES)
        self._resume_sums(count)
        hashes = os.pread(digests, count * HASH_BYTES, 0)
        ordinals: list[int] = np.frombuffer(
            os.pread(numbers, count * ORDINAL_BYTES, 0), "<u4"
        ).tolist()
        for place, ordinal in enumerate(ordinals):
            self.done[ordinal] = hashes[place * HASH_BYTES : (place + 1) * HASH_BYTES]

    def _resume_sums(self, count: int) -> None:
        """Go on behind the last batch that counts; rows without a hash get one as they are."""
        summed = 0
        for end, _ in read_records(self._sums):
            if not summed < end <= count:
                break
            summed, self._batches = end, self._batches + 1
        os.ftruncate(self._sums, self._batches * RECORD.size)
        if summed < count:
            digest = sum_rows(self._files, self._widths, summed, count)
            self._keep_sum(RECORD.pack(count, digest))
            self._batches += 1


def _find_card(folder: Path) -> Card | None:
    """The card of vectors that can be gone on with."""
    try:
        card = Card.read(folder)
    except (CorpusError, FileNotFoundError, NotADirectoryError):
        return None
    return card if all((folder / name).is_file() for name in (ROWS, HASHES, ORDINALS)) else None


def _start(folder: Path, card: Card) -> None:
    """Put a folder without vectors in the place of what is there."""
    fresh, old = (folder.with_name(f".{folder.name}-{secrets.token_hex(4)}") for _ in range(2))
    fresh.mkdir()
    (fresh / CARD).write_bytes(card.dump())
    for name in (ROWS, HASHES, ORDINALS, SUMS):
        (fresh / name).touch()
    for path in (*fresh.iterdir(), fresh):
        sync_folder(path)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    sync_folder(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def _replace_card(folder: Path, card: Card) -> None:
    fresh = folder / f"{CARD}.new"
    fresh.write_bytes(card.dump())
    sync_folder(fresh)
    fresh.replace(folder / CARD)


def _write(file: int, data: bytes, at: int) -> None:
    """Write all of it, and wait until it is on disk."""
    rest = memoryview(data)
    while rest:
        written = os.pwrite(file, rest, at)
        rest, at = rest[written:], at + written
    os.fsync(file)


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """What the operating system refuses, in the words of the house."""
    try:
        yield
    except OSError as error:
        raise CorpusError(
            f"{folder} cannot be written ({error.strerror}); mend that and run 'fundstelle embed'"
            " again: it goes on where it ended"
        ) from error
