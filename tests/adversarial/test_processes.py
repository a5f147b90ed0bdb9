"""Processes that are killed: workers are replaced, none outlives its parent."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.adversarial.attacker import get
from tests.e2e.server import FUNDSTELLE, Started, find_free_port, started

WITHIN_S = 60.0

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads /proc")


@pytest.fixture
def data(invented_data: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(invented_data, tmp_path / "data"))


def list_workers(parent: int) -> set[int]:
    """The children of a process that serve; multiprocessing has one more that does not."""
    found = set()
    for each in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes():
            found.add(int(each))
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(reached: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not reached():
        assert time.monotonic() < deadline, what
        signal.sigtimedwait([], 0.1)


def find_serving(server: Started) -> set[int]:
    """The workers that have opened a build: one memory-mapped file of it is enough."""
    return {
        pid
        for pid in list_workers(server.pid)
        if "/index/" in Path(f"/proc/{pid}/maps").read_text()
    }


def find_measured(port: int) -> set[int]:
    """The workers whose memory the metrics tell."""
    text = get(port, "/metrics").body.decode()
    return set(map(int, re.findall(r'worker_process_resident_memory_bytes{worker="(\d+)"}', text)))


def test_a_killed_worker_is_replaced_and_all_end_with_a_killed_parent(data: Path) -> None:
    metrics_port = find_free_port()
    with started(data, "--workers", "2", metrics_port=str(metrics_port)) as server:
        wait_until(lambda: len(find_serving(server)) == 2, "both serve")
        first, second = sorted(list_workers(server.pid))
        wait_until(lambda: find_measured(metrics_port) == {first, second}, "both are measured")
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: len(find_serving(server) - {first}) == 2, "another has come")
        workers = find_serving(server)
        assert second in workers, "the other one goes on"
        wait_until(lambda: find_measured(metrics_port) == workers, "the dead one is forgotten")
        assert get(server.port, "/readyz").json["status"] == "ready"
        maps = Path(f"/proc/{second}/maps").read_text()
        counters = {Path(line.split()[-1]).parent for line in maps.splitlines() if ".db" in line}
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, workers)), "the workers have ended")
        with pytest.raises(ConnectionRefusedError):
            get(server.port, "/healthz")
    assert [folder.exists() for folder in counters] == [True]
    with started(data):
        assert [folder.exists() for folder in counters] == [False], "the next start removes them"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_service_that_cannot_start_says_so_in_its_exit_code(data: Path, workers: str) -> None:
    (data / "accounts.sqlite").write_bytes(b"this is no database" * 1_000)
    done = subprocess.run(
        [FUNDSTELLE, "serve", "--port", str(find_free_port()), "--workers", workers],
        env={**os.environ, "FUNDSTELLE_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode not in {0, None}, done.stderr
    assert "accounts" in done.stderr
    assert "Traceback" not in done.stderr


def test_one_worker_stays_when_it_is_told_to_reload(data: Path) -> None:
    with started(data) as server:
        wait_until(lambda: get(server.port, "/readyz").status == 200, "it serves")
        for _ in range(3):
            os.kill(server.pid, signal.SIGHUP)
            assert get(server.port, "/readyz").json["status"] == "ready"
        assert is_alive(server.pid)


def test_workers_are_renewed_one_by_one_on_sighup(data: Path) -> None:
    metrics_port = find_free_port()
    with started(data, "--workers", "2", metrics_port=str(metrics_port)) as server:
        wait_until(lambda: len(find_serving(server)) == 2, "both serve")
        before = find_serving(server)
        os.kill(server.pid, signal.SIGHUP)

        def is_renewed() -> bool:
            # a worker that ends lets go of a connection whose request has not come whole: again
            assert 200 in {get(server.port, "/healthz").status for _ in range(2)}
            now = list_workers(server.pid)
            return len(now) == 2 and now == find_serving(server) and not now & before

        wait_until(is_renewed, "two others serve")
        wait_until(lambda: find_measured(metrics_port) == list_workers(server.pid), "all measured")
        assert "fundstelle_corpus_is_newest 1.0" in get(metrics_port, "/metrics").body.decode()
