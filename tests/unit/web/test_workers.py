"""The supervisor on processes that only pretend: who is replaced, when, and what the end is."""

from dataclasses import dataclass, field
from typing import Any, cast

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

    def join(self) -> None:
        self.exitcode = 1


class Bench:
    """Two workers under a supervisor, and a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        self.begun: list[Pretended] = []
        monkeypatch.setattr("uvicorn.supervisors.multiprocess.signal.signal", lambda *_: None)
        monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
        monkeypatch.setattr(workers, "Process", self.begin)
        config = uvicorn.Config("nothing:here", workers=2)
        self.supervisor = Supervisor(config, [], clock=lambda: self.now_s)
        self.supervisor.processes = cast("Any", [self.begin(), self.begin()])

    def begin(self, *_: object) -> Pretended:
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
