"""The processes of an ingestion: one of them apart, the others ended when there is no more work."""

import os
from pathlib import Path

import pytest

from fundstelle.ingest.build.pool import Pool


def read_told(fifo: Path) -> tuple[int, str]:
    """Wait until something is told; by whom it was heard."""
    return os.getpid(), fifo.read_text()


def say_who(number: int) -> tuple[int, int]:
    return number, os.getpid()


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


def test_when_what_was_apart_is_done_another_process_helps_with_the_rest() -> None:
    with Pool(2) as pool:
        apart = pool.set_apart(os.getpid)
        results = pool.map(say_who, ((number,) for number in range(200)))
        done = [next(results)]
        pool.result(apart)
        done += results
        assert [number for number, _ in done] == list(range(200))  # in their order
        assert len({process for _, process in done}) == 2
        assert apart.result() not in {process for _, process in done}
        pool.rest()
        assert not any(is_there(process) for _, process in done)


def test_where_what_was_apart_failed_the_rest_ends_at_once(tmp_path: Path) -> None:
    with Pool(2) as pool:
        apart = pool.set_apart(read_told, tmp_path / "missing")
        results = pool.map(say_who, ((number,) for number in range(200)))
        next(results)
        assert apart.exception() is not None
        with pytest.raises(FileNotFoundError):
            list(results)
