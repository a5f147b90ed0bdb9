"""The processes of an ingestion: one of them apart, the others ended when there is no more work."""

import os
from pathlib import Path

import pytest

from fundstelle.ingest.build.pool import Pool


def read_told(fifo: Path) -> tuple[int, str]:
    """Wait until something is told; by whom it was heard."""
    return os.getpid(), fifo.read_text()


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "told"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("processes", [2, 3])
def test_what_is_apart_goes_on_while_the_others_end_and_come_again(
    processes: int, fifo: Path
) -> None:
    with Pool(processes) as pool:
        before = pool.result(pool.submit(os.getpid))
        apart = pool.set_apart(read_told, fifo)
        assert not is_there(before)
        beside = pool.result(pool.submit(os.getpid))
        pool.rest()
        assert not is_there(beside)
        fifo.write_text("go on")
        process, told = pool.result(apart)
        assert told == "go on"
        assert is_there(process)
        pool.rejoin()
        assert not is_there(process)
        assert list(pool.map(abs, [(-1,), (-2,)])) == [1, 2]


def test_of_one_process_the_rest_waits(fifo: Path) -> None:
    with Pool(1) as pool:
        apart = pool.set_apart(read_told, fifo)
        later = pool.submit(os.getpid)
        fifo.write_text("go on")
        process, _ = pool.result(apart)
        assert pool.result(later) == process
        pool.rest()
        pool.rejoin()
        assert list(pool.map(abs, [(-1,)])) == [1]
