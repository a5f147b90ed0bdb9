import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from fundstelle.errors import CorpusError
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import Card, Vectors, hash_passage, quantise

Floats = npt.NDArray[np.float32]

DIMENSIONS = 32
CARD = Card("fake/1", DIMENSIONS, 20)
FILES = ("rows.i8", "hashes.bin", "ordinals.u32")


def make_units(count: int, seed: int = 0, dimensions: int = DIMENSIONS) -> Floats:
    raw = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    units: Floats = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return units


def write(folder: Path, ordinals: Sequence[int], vectors: Floats, card: Card = CARD) -> None:
    with VectorWriter.open(folder, card) as writer:
        writer.add(ordinals, [hash_passage(str(one)) for one in ordinals], vectors)


def open_vectors(folder: Path) -> Vectors:
    vectors = Vectors.open(folder)
    assert vectors is not None
    return vectors


def list_descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here loses power, and waiting for a disk takes seconds."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


def test_what_is_written_is_read(folder: Path) -> None:
    units = make_units(5)
    write(folder, [7, 3, 9, 1, 4], units)
    vectors = open_vectors(folder)
    assert (vectors.model, vectors.dimensions, vectors.total) == ("fake/1", DIMENSIONS, 20)
    assert len(vectors) == 5
    assert vectors.read_hashes() == [hash_passage(str(one)) for one in (7, 3, 9, 1, 4)]
    assert vectors.take([1]).tolist() == quantise(units[1:2]).astype(np.float32).tolist()
    vectors.close()


def test_the_nearest_are_those_of_exact_arithmetic(folder: Path) -> None:
    units, question = make_units(500), make_units(1, seed=1)[0]
    ordinals = np.random.default_rng(2).permutation(500).tolist()
    write(folder, ordinals, units)
    rows = quantise(units).astype(np.float64)
    asked = quantise(question[None])[0].astype(np.float64)
    exact = rows @ asked / np.linalg.norm(rows, axis=1) / np.linalg.norm(asked)
    best = np.argsort(-exact)[:10]
    found = open_vectors(folder).nearest(question, 10)
    assert [ordinal for _, ordinal in found] == [ordinals[row] for row in best]
    assert [score for score, _ in found] == pytest.approx(exact[best].tolist(), abs=1e-3)
    # bytes lose little of the angle
    assert [score for score, _ in found] == pytest.approx(
        (units[best] @ question).tolist(), abs=0.02
    )


def test_ties_are_ordered_by_ordinal_also_where_the_list_ends(folder: Path) -> None:
    write(folder, [5, 2, 8, 1, 6], make_units(1).repeat(5, axis=0))
    vectors = open_vectors(folder)
    assert [ordinal for _, ordinal in vectors.nearest(make_units(1)[0], 3)] == [1, 2, 5]


@pytest.mark.parametrize(("count", "found"), [(0, 0), (-1, 0), (2, 2), (3, 3), (99, 3)])
def test_there_are_never_more_than_asked_for_or_held(folder: Path, count: int, found: int) -> None:
    write(folder, [1, 2, 3], make_units(3))
    assert len(open_vectors(folder).nearest(make_units(1)[0], count)) == found


def test_norms_without_a_vector_have_no_similarity(folder: Path) -> None:
    units = make_units(3)
    write(folder, [40, 10, 30], units)
    vectors = open_vectors(folder)
    found = vectors.similarity(units[0], [10, 20, 40, 4_000_000_000, 0, 30, 40])
    assert found.dtype == np.float32
    assert np.isnan(found).tolist() == [False, True, False, True, True, False, False]
    expected = units @ units[0]
    assert found[[2, 6]].tolist() == pytest.approx([1.0, 1.0], abs=1e-3)
    assert found[[0, 5]].tolist() == pytest.approx(expected[[1, 2]].tolist(), abs=0.03)
    assert vectors.similarity(units[0], []).tolist() == []
    assert np.isnan(vectors.similarity(units[0], [1])).all()


def test_rows_that_are_read_and_written_again_are_the_same(folder: Path, tmp_path: Path) -> None:
    write(folder, range(50), make_units(50))
    write(tmp_path / "again", range(50), open_vectors(folder).take(range(50)))
    for name in FILES:
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_row_of_zeros_is_near_to_nothing(folder: Path) -> None:
    write(folder, [1, 2], np.vstack([np.zeros((1, DIMENSIONS)), make_units(1)]).astype(np.float32))
    assert [one for _, one in open_vectors(folder).nearest(make_units(1)[0], 2)] == [2, 1]


def test_a_question_of_another_length_is_refused(folder: Path) -> None:
    write(folder, [1], make_units(1))
    vectors = open_vectors(folder)
    with pytest.raises(CorpusError, match="fundstelle embed"):
        vectors.nearest(make_units(1, dimensions=8)[0], 1)
    with pytest.raises(CorpusError, match="fundstelle embed"):
        vectors.similarity(make_units(1, dimensions=8)[0], [1])


def test_without_a_whole_row_there_are_none(folder: Path) -> None:
    assert Vectors.open(folder) is None
    folder.write_text("a file of that name")
    assert Vectors.open(folder) is None
    folder.unlink()
    VectorWriter.open(folder, CARD).close()
    assert Vectors.open(folder) is None


@pytest.mark.parametrize("name", ["card.json", *FILES])
def test_without_one_of_the_files_there_are_none_and_no_descriptor_stays(
    folder: Path, name: str
) -> None:
    write(folder, [1], make_units(1))
    (folder / name).unlink()
    before = list_descriptors()
    assert Vectors.open(folder) is None
    assert list_descriptors() == before


@pytest.mark.parametrize(
    "card",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"model": "m", "dimensions": 32}',
        b'{"model": "m", "dimensions": "x", "total": 1}',
        b'{"model": "m", "dimensions": 0, "total": 1}',
        b'{"model": "m", "dimensions": 9999999, "total": 1}',
    ],
)
def test_a_damaged_card_is_an_error_and_mended_by_the_next_job(folder: Path, card: bytes) -> None:
    write(folder, [1], make_units(1))
    (folder / "card.json").write_bytes(card)
    before = list_descriptors()
    with pytest.raises(CorpusError, match="fundstelle embed"):
        Vectors.open(folder)
    assert list_descriptors() == before
    write(folder, [2], make_units(1))
    assert [one for _, one in open_vectors(folder).nearest(make_units(1)[0], 9)] == [2]


def test_a_reader_sees_what_is_added(folder: Path) -> None:
    units = make_units(6)
    with VectorWriter.open(folder, CARD) as writer:
        writer.add([4, 5], [bytes(16)] * 2, units[:2])
        vectors = open_vectors(folder)
        assert np.isnan(vectors.similarity(units[2], [6])).all()
        writer.add([6, 3], [bytes(16)] * 2, units[2:4])
        assert len(vectors) == 2
        vectors.refresh()
        assert len(vectors) == 4
        assert vectors.nearest(units[2], 1)[0][1] == 6
        assert vectors.similarity(units[2], [6])[0] == pytest.approx(1.0, abs=1e-3)


def test_looking_for_news_touches_no_row_when_there_are_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, [1], make_units(1))
    vectors = open_vectors(folder)
    asked: list[int] = []
    fstat = os.fstat

    def look(file: int) -> os.stat_result:
        asked.append(file)
        return fstat(file)

    monkeypatch.setattr(os, "fstat", look)
    vectors.refresh()
    assert len(asked) == 1


def test_a_row_counts_only_when_it_is_on_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pwrite, done = os.pwrite, list[str]()

    def write_to(file: int, data: bytes, at: int) -> int:
        done.append(f"write {Path(f'/proc/self/fd/{file}').readlink().name}")
        return pwrite(file, data, at)

    with VectorWriter.open(folder, CARD) as writer:
        monkeypatch.setattr(os, "pwrite", write_to)
        monkeypatch.setattr(os, "fsync", lambda _: done.append("sync"))
        writer.add([1], [bytes(16)], make_units(1))
    assert done[:4] == ["write rows.i8", "sync", "write hashes.bin", "sync"]
    assert done[4:] == ["write sums.bin", "sync", "write ordinals.u32", "sync"]


def test_every_whole_row_counts_wherever_a_write_was_cut(folder: Path) -> None:
    units = make_units(3)
    write(folder, [1, 2], units[:2])
    whole = {name: (folder / name).read_bytes() for name in FILES}
    write(folder, [3], units[2:])
    for name in FILES:
        added = (folder / name).read_bytes()
        for size in range(len(whole[name]), len(added)):
            # As a job leaves it: the files before it are complete, those behind it untouched.
            at = FILES.index(name)
            for place, other in enumerate(FILES):
                data = (folder / other).read_bytes() if place < at else whole[other]
                (folder / other).write_bytes(data)
            (folder / name).write_bytes(added[:size])
            assert len(open_vectors(folder)) == 2
            with VectorWriter.open(folder, CARD) as writer:
                assert list(writer.done) == [1, 2]
                writer.add([3], [hash_passage("3")], units[2:])
            assert [(folder / one).stat().st_size for one in FILES] == [3 * DIMENSIONS, 48, 12]
            assert open_vectors(folder).nearest(units[2], 1)[0][1] == 3


def test_rows_that_were_lost_do_not_count_again_when_others_take_their_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = make_units(6)
    write(folder, range(6), units)
    os.truncate(folder / "rows.i8", 2 * DIMENSIONS + 5)
    assert len(open_vectors(folder)) == 2
    seen: list[int] = []
    with VectorWriter.open(folder, CARD) as writer:
        assert list(writer.done) == [0, 1]
        monkeypatch.setattr(os, "fsync", lambda _: seen.append(len(open_vectors(folder))))
        writer.add([9], [bytes(16)], units[5:])
    assert seen == [2, 2, 2, 3]  # behind the rows, the hashes, their sum and the ordinals
    assert open_vectors(folder).nearest(units[5], 1)[0][1] == 9


def test_a_file_that_readers_map_is_never_cut(folder: Path) -> None:
    units = make_units(2)
    write(folder, [1], units[:1])
    with (folder / "rows.i8").open("ab") as rows:
        rows.write(b"half a row")
    VectorWriter.open(folder, CARD).close()
    assert (folder / "rows.i8").stat().st_size == DIMENSIONS + len(b"half a row")
    write(folder, [2], units[1:])
    assert (folder / "rows.i8").read_bytes() == quantise(units).tobytes()


def test_a_reader_never_mixes_two_models(folder: Path) -> None:
    write(folder, [1, 2], make_units(2))
    vectors = open_vectors(folder)
    write(folder, [3, 4, 5], make_units(3, dimensions=8), Card("other/1", 8, 20))
    vectors.refresh()
    assert (vectors.model, vectors.dimensions, len(vectors)) == ("fake/1", DIMENSIONS, 2)
    assert vectors.nearest(make_units(2)[1], 1)[0][1] == 2
    assert open_vectors(folder).model == "other/1"
    assert [path.name for path in folder.parent.iterdir()] == ["vectors"]


def test_a_reader_follows_to_a_folder_of_its_model_once_that_has_as_much(folder: Path) -> None:
    units = make_units(3)
    write(folder, [1, 2], units[:2])
    vectors = open_vectors(folder)
    with VectorWriter.open(folder, CARD, anew=True) as writer:
        for ordinal, known in enumerate((2, 2, 3)):
            writer.add([10 + ordinal], [bytes(16)], units[ordinal : ordinal + 1])
            vectors.refresh()
            assert len(vectors) == known
    assert [one for _, one in vectors.nearest(units[2], 1)] == [12]


def test_a_reader_outlives_its_folder(folder: Path) -> None:
    write(folder, [1], make_units(1))
    vectors = open_vectors(folder)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    vectors.refresh()
    assert vectors.nearest(make_units(1)[0], 1)[0][1] == 1
    folder.mkdir()
    (folder / "card.json").write_bytes(b"damaged")
    vectors.refresh()
    assert vectors.nearest(make_units(1)[0], 1)[0][1] == 1


def test_another_total_is_no_reason_to_start_anew(folder: Path) -> None:
    write(folder, [1], make_units(1))
    write(folder, [2], make_units(1), Card("fake/1", DIMENSIONS, 21))
    vectors = open_vectors(folder)
    assert (len(vectors), vectors.total) == (2, 21)
    assert json.loads((folder / "card.json").read_bytes())["total"] == 21


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_full_disk_is_told_and_leaves_what_is_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    units = make_units(3)
    real = os.pwrite
    calls = 0

    def pwrite(file: int, data: bytes, at: int) -> int:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            return real(file, data[:3], at)
        if calls > fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data, at)

    with VectorWriter.open(folder, CARD) as writer:
        writer.add([1], [bytes(16)], units[:1])
        monkeypatch.setattr(os, "pwrite", pwrite)
        with pytest.raises(CorpusError, match=r"No space left on device.*fundstelle embed"):
            writer.add([2], [bytes(16)], units[1:2])
        assert list(writer.done) == [1]
        assert len(open_vectors(folder)) == 1
        monkeypatch.setattr(os, "pwrite", real)
        writer.add([3], [bytes(16)], units[2:])
    vectors = open_vectors(folder)
    assert [one for _, one in vectors.nearest(units[2], 9)] == [3, 1]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    with pytest.raises(CorpusError, match="cannot be written"):
        VectorWriter.open(tmp_path / "index" / "vectors", CARD)


def test_leftovers_of_a_job_that_died_while_starting_are_removed(folder: Path) -> None:
    (folder.parent / ".vectors-0badcafe").mkdir()
    write(folder, [1], make_units(1))
    assert [path.name for path in folder.parent.iterdir()] == ["vectors"]
