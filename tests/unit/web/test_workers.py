"""The supervisor on processes that only pretend: who is replaced, when, and what the end is."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.config import STARTUP_FAILURE

from fundstelle.web import workers
from fundstelle.web.workers import Supervisor


@dataclass(eq=False)
class Pretended:
    """A worker that does as it is told."""

    pid: int
    lives: bool = True
    serves: bool = False
    exitcode: int | None = None
    pings: int = 0
    asked_to_end: bool = False
    process: Any = field(init=False)
    parent_conn: Any = field(init=False)

    def __post_init__(self) -> None:
        self.process = self.parent_conn = self

    def is_alive(self, _timeout: float = 0.0) -> bool:
        return self.lives

    def send(self, _ping: bytes) -> None:
        self.pings += 1

    def poll(self, _timeout: float) -> bool:
        return self.serves

    def recv(self) -> bool:
        return True

    def start(self) -> None:
        """It has begun."""

    def kill(self) -> None:
        self.lives = False

    def terminate(self) -> None:
        self.asked_to_end = True

    def join(self) -> None:
        assert not self.lives, "somebody waits for it"
        self.exitcode = 1


class Bench:
    """Two workers under a supervisor, and a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        self.begun: list[Pretended] = []
        self.is_full = False  # the machine has no process left
        monkeypatch.setattr("uvicorn.supervisors.multiprocess.signal.signal", lambda *_: None)
        monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
        monkeypatch.setattr(workers, "Worker", self.begin)
        config = uvicorn.Config("nothing:here", workers=2)
        self.supervisor = Supervisor(config, [], clock=lambda: self.now_s)
        self.supervisor.init_processes()

    def begin(self, *_: object) -> Pretended:
        if self.is_full:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        self.begun.append(Pretended(pid=len(self.begun) + 1))
        return self.begun[-1]

    def look(self, after_s: float = 0.5) -> None:
        self.now_s += after_s
        self.supervisor.keep_subprocess_alive()


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


def test_a_slow_start_is_left_its_time_and_asked_only_once(bench: Bench) -> None:
    for _ in range(100):
        bench.look()
    assert len(bench.begun) == 2
    assert [worker.pings for worker in bench.begun] == [1, 1]
    bench.look(after_s=300.0)
    assert not bench.begun[0].lives, "what does not serve by then hangs"


def test_a_worker_that_has_served_is_replaced_at_once(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.begun[0].lives = False
    bench.look()
    assert len(bench.begun) == 3
    assert not bench.supervisor.should_exit.is_set()


def test_one_that_cannot_start_is_tried_ever_more_rarely_while_another_serves(
    bench: Bench,
) -> None:
    bench.begun[1].serves = True
    for _ in range(1_200):  # ten minutes
        bench.begun[-1].lives = bench.begun[-1].serves
        bench.begun[0].lives = False
        bench.look()
    assert 10 < len(bench.begun) < 20
    assert not bench.supervisor.should_exit.is_set()


def test_a_machine_without_processes_ends_no_supervisor(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.begun[0].lives = False
    bench.is_full = True
    for _ in range(20):
        bench.look()
    bench.supervisor.handle_ttin()
    bench.look(after_s=100.0)
    assert len(bench.begun) == 2
    assert bench.begun[1].lives
    bench.is_full = False
    bench.look(after_s=100.0)
    assert len(bench.begun) == 3
    assert len(bench.supervisor.processes) == 2
    assert not bench.supervisor.should_exit.is_set()


def test_where_none_can_start_the_service_ends_and_says_so(bench: Bench) -> None:
    for worker in bench.begun:
        worker.lives = False
    bench.look()
    assert bench.supervisor.should_exit.is_set()
    assert bench.supervisor.exit_code == STARTUP_FAILURE


def test_workers_that_end_after_ctrl_c_are_neither_replaced_nor_a_failure(bench: Bench) -> None:
    bench.supervisor.signal_queue.append(2)
    for worker in bench.begun:
        worker.lives = False
    bench.look()
    assert len(bench.begun) == 2
    assert bench.supervisor.exit_code == 0


def list_pids(bench: Bench) -> list[int | None]:
    return [process.pid for process in bench.supervisor.processes]


def test_a_renewal_waits_for_each_successor_and_holds_nothing_up(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.supervisor.handle_hup()
    bench.supervisor.handle_hup()
    for _ in range(120):  # a minute: the corpus is large
        bench.look()
    assert list_pids(bench) == [1, 2]
    bench.begun[2].serves = True
    bench.look()
    assert list_pids(bench) == [3, 2]
    assert [worker.asked_to_end for worker in bench.begun] == [True, False, False]
    bench.begun[0].lives = False
    bench.look()
    bench.begun[3].serves = True
    bench.look()
    assert list_pids(bench) == [3, 4]
    bench.look(after_s=60.0)
    assert not bench.begun[1].lives, "one that does not end in its time is killed"
    bench.look()
    assert len(bench.begun) == 4, "renewed once, however often it was asked for meanwhile"


def test_where_a_successor_cannot_start_the_others_stay(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.supervisor.handle_hup()
    bench.look()
    bench.begun[2].lives = False
    for _ in range(10):
        bench.look()
    assert list_pids(bench) == [1, 2]
    assert len(bench.begun) == 3
    assert not bench.supervisor.should_exit.is_set()


def test_one_that_dies_while_its_successor_starts_is_replaced_once(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.supervisor.handle_hup()
    bench.look()
    bench.begun[0].lives = bench.begun[1].lives = False
    bench.look()
    for worker in bench.begun[2:]:
        worker.serves = True
    for _ in range(4):
        bench.look()
    assert list_pids(bench) == [4, 5]
    assert bench.begun[2].asked_to_end


def test_the_states_of_a_worker_that_was_let_go_count_no_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    for pid in (1, 2):
        (tmp_path / f"gauge_livemin_{pid}.db").touch()
    bench.supervisor.handle_ttou()
    assert bench.begun[1].asked_to_end
    bench.begun[1].lives = False
    bench.look()
    assert [path.name for path in tmp_path.glob("*.db")] == ["gauge_livemin_1.db"]
    bench.supervisor.handle_ttou()
    assert list_pids(bench) == [1], "the last one stays"


def test_all_of_them_end_with_the_service(bench: Bench) -> None:
    for worker in bench.begun:
        worker.serves = True
    bench.look()
    bench.supervisor.handle_hup()
    bench.look()
    bench.supervisor.handle_ttou()
    bench.supervisor.terminate_all()
    assert all(worker.asked_to_end for worker in bench.begun)
    for worker in bench.begun:
        worker.lives = False
    bench.supervisor.join_all()
    assert all(worker.exitcode == 1 for worker in bench.begun)
