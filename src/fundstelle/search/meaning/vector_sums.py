"""Hashes of vectors, batch by batch, so that damage is found while the folder still grows.

```text
vectors/sums.bin   of each batch: how many rows there are with it (u32), SHA-256 of its rows, of
                   the hashes of its passages and of its ordinals, one behind the other
```

A batch's hash is on disk before its ordinals, which make it count.
"""

import hashlib
import os
import struct
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from fundstelle.errors import CorpusError
from fundstelle.search.meaning.vectors import (
    HASH_BYTES,
    HASHES,
    ORDINAL_BYTES,
    ORDINALS,
    ROWS,
    Card,
)

SUMS = "sums.bin"
RECORD = struct.Struct("<I32s")

_CHUNK = 1 << 20


def make_record(end: int, pieces: Sequence[bytes]) -> bytes:
    """The record of a batch behind which there are ``end`` rows."""
    return RECORD.pack(end, hashlib.sha256(b"".join(pieces)).digest())


def read_records(file: int) -> list[tuple[int, bytes]]:
    """All whole records, in the order of the batches."""
    size = os.fstat(file).st_size // RECORD.size * RECORD.size
    data = os.pread(file, size, 0)
    return list(RECORD.iter_unpack(data[: len(data) // RECORD.size * RECORD.size]))


def sum_rows(files: Sequence[int], widths: Sequence[int], start: int, end: int) -> bytes:
    """The hash of rows ``[start, end)`` as they are on disk."""
    digest = hashlib.sha256()
    for file, width in zip(files, widths, strict=True):
        at, last = start * width, end * width
        while at < last and (piece := os.pread(file, min(_CHUNK, last - at), at)):
            digest.update(piece)
            at += len(piece)
    return digest.digest()


def check_vectors(folder: Path) -> tuple[list[str], int]:
    """What is wrong with the vectors of a build, a sentence each, and how many rows were compared.

    Zero rows: there are none, or they were made before hashes were kept. A job may be running.
    """
    names = (ROWS, HASHES, ORDINALS, SUMS)
    try:
        card = Card.read(folder)
        with ExitStack() as opened:
            files = []
            for name in names:
                files.append(os.open(folder / name, os.O_RDONLY))
                opened.callback(os.close, files[-1])
            return _compare(files, card)
    except CorpusError as error:
        return [str(error)], 0
    except FileNotFoundError as error:
        missing = Path(error.filename).name
        old = missing == SUMS or not folder.exists()
        return ([] if old else [f"vectors/{missing}: it is missing"]), 0


def _compare(files: Sequence[int], card: Card) -> tuple[list[str], int]:
    *data, sums = files
    widths = (card.dimensions, HASH_BYTES, ORDINAL_BYTES)
    count = os.fstat(data[2]).st_size // ORDINAL_BYTES
    start = 0
    for end, digest in read_records(sums):
        if end > count or end <= start:
            break
        if sum_rows(data, widths, start, end) != digest:
            rows = f"rows {start:,} to {end - 1:,}"
            return [f"vectors: {rows} are not those that were written"], start
        start = end
    if start < count:
        return [f"vectors: {count - start:,} rows have no hash, or are cut off"], start
    return [], start
