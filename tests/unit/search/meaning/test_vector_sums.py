"""Vectors that grow keep hashes of what they are, whatever ends the job."""

import os
from pathlib import Path

import numpy as np
import pytest

from fundstelle.search.meaning.vector_sums import SUMS, check_vectors
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import HASHES, ORDINALS, ROWS, Card, hash_passage

CARD = Card("a model", 4, 100)


def add(folder: Path, *batches: range) -> None:
    with VectorWriter.open(folder, CARD) as writer:
        for batch in batches:
            vectors = np.array([[n + 1, 1, 2, 3] for n in batch], np.float32)
            writer.add(list(batch), [hash_passage(str(n)) for n in batch], vectors)


def test_what_is_written_is_sound_at_every_step(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    assert check_vectors(folder) == ([], 0)
    add(folder, range(5), range(5, 8))
    assert check_vectors(folder) == ([], 8)
    add(folder, range(8, 20))
    assert check_vectors(folder) == ([], 20)


@pytest.mark.parametrize("name", [ROWS, HASHES, ORDINALS, SUMS])
@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_changed_byte_is_found(tmp_path: Path, name: str, place: int) -> None:
    folder = tmp_path / "vectors"
    add(folder, range(5), range(5, 8))
    data = bytearray((folder / name).read_bytes())
    data[place] ^= 1
    (folder / name).write_bytes(data)
    assert check_vectors(folder)[0] != []


@pytest.mark.parametrize("name", [ROWS, HASHES, SUMS])
def test_a_cut_off_file_is_found(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "vectors"
    add(folder, range(5), range(5, 8))
    os.truncate(folder / name, (folder / name).stat().st_size - 1)
    assert check_vectors(folder)[0] != []


def test_a_batch_that_was_cut_short_is_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    add(folder, range(5), range(5, 8))
    os.truncate(folder / ORDINALS, 4 * 6)  # the last batch counts in part
    add(folder, range(6, 12))
    assert check_vectors(folder) == ([], 12)
    os.truncate(folder / ORDINALS, 4 * 6)  # of the last batch nothing counts
    add(folder, range(6, 9))
    assert check_vectors(folder) == ([], 9)


def test_vectors_of_before_get_their_hashes_with_the_next_job(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    add(folder, range(5), range(5, 8))
    (folder / SUMS).unlink()
    assert check_vectors(folder) == ([], 0)
    add(folder)
    assert check_vectors(folder) == ([], 8)
