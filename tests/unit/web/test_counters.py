"""The counters of workers lie in memory, and those of a server that was killed do not stay."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fundstelle.web import counters
from fundstelle.web.counters import (
    FOLDER,
    bury,
    counting,
    discard_leftovers,
    find_memory,
    hold,
)

SERVER = """
import sys
from pathlib import Path
from fundstelle.web.counters import counting
with counting(Path(sys.argv[1])) as folder:
    (folder / "counter_1.db").touch()
    print(folder, flush=True)
    sys.stdin.read()
"""
WORKER = """
import sys
from fundstelle.web.counters import hold
hold()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(counters, "_ROOM", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@contextmanager
def running(program: str, *arguments: str, folder: str = "") -> Iterator[str]:
    """The first line of a process that is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, FOLDER: folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def test_a_folder_stays_as_long_as_its_server_or_one_of_its_workers_lives(tmp_path: Path) -> None:
    with running(SERVER, str(tmp_path)) as name:
        folder = Path(name)
        discard_leftovers(tmp_path)
        assert (folder / "counter_1.db").exists()
        with running(WORKER, folder=name) as said:
            assert said == "held"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(FOLDER, name)
                hold()  # another worker, which ends with this process
            discard_leftovers(tmp_path)
            assert folder.exists()
    discard_leftovers(tmp_path)
    assert folder.exists()  # of the worker that is this process


def test_a_folder_of_which_all_were_killed_is_removed(tmp_path: Path) -> None:
    with running(SERVER, str(tmp_path)) as name, running(WORKER, folder=name) as said:
        assert said == "held"
    assert Path(name, "counter_1.db").exists()
    with counting(tmp_path) as mine:
        discard_leftovers(tmp_path)
        assert list(tmp_path.iterdir()) == [mine]
    assert not mine.exists()


def test_what_is_just_being_made_or_belongs_to_others_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(SERVER, str(tmp_path)) as name:
        pass
    fresh, link = tmp_path / "fundstelle-metrics-fresh", tmp_path / "fundstelle-metrics-link"
    fresh.mkdir()
    link.symlink_to(name)
    file = tmp_path / "fundstelle-metrics-file"
    file.touch()
    with monkeypatch.context() as patch:
        patch.setattr("os.geteuid", lambda: os.getuid() + 1)
        discard_leftovers(tmp_path)
    assert Path(name).exists()
    discard_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([fresh, link, file])


def test_counters_of_workers_stay_off_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_memory(tmp_path) == str(tmp_path)
    assert find_memory(tmp_path / "absent") is None
    file = tmp_path / "file"
    file.touch()
    assert find_memory(file) is None
    monkeypatch.setattr(counters, "_ROOM", 1 << 62)
    assert find_memory(tmp_path) is None


COUNTING = """
import sys
from prometheus_client import Counter, Gauge, Histogram
Counter("calls", "Calls", ["tool"]).labels("a").inc(int(sys.argv[1]))
Histogram("seconds", "Seconds", buckets=(1, 2)).observe(1.5)
Gauge("alive", "Alive", multiprocess_mode="livemax").set(1)
print(__import__("os").getpid(), flush=True)
"""
READING = """
from fundstelle.web import metrics
print(metrics.render().decode())
"""


def count(folder: Path, calls: int) -> int:
    """A worker that counts and ends; its pid."""
    with running(COUNTING, str(calls), folder=str(folder)) as pid:
        return int(pid)


def read_counted(folder: Path) -> dict[str, float]:
    """What all workers have counted."""
    environment = {**os.environ, FOLDER: str(folder)}
    told = subprocess.run(
        [sys.executable, "-c", READING], env=environment, capture_output=True, text=True, check=True
    ).stdout
    lines = (line.rpartition(" ") for line in told.splitlines() if not line.startswith("#"))
    return {
        name: float(value)
        for name, _, value in lines
        if name.startswith(("calls_total", "seconds", "alive"))
    }


def test_what_workers_counted_stays_and_their_files_do_not(tmp_path: Path) -> None:
    with counting(tmp_path) as folder:
        sums = {file: file.stat().st_size for file in folder.glob("*_ended.db")}
        pids = [count(folder, calls) for calls in (1, 2, 4)]
        before = read_counted(folder)
        assert before['calls_total{tool="a"}'] == 7
        assert before["seconds_count"] == 3
        for pid in pids:
            bury(folder, pid)
            after = {**read_counted(folder), "alive": before["alive"]}
            assert after == before
            assert not list(folder.glob(f"*_{pid}.db"))
        assert {file: file.stat().st_size for file in sums} == sums


def test_a_file_that_broke_off_holds_nobody_up(tmp_path: Path) -> None:
    with counting(tmp_path) as folder:
        broken = folder / "counter_7.db"
        broken.write_bytes((10_000).to_bytes(4, "little") + b"\0" * 60)
        bury(folder, 7)
        assert not broken.exists()
        assert "calls_total" not in read_counted(folder)
