"""Several worker processes: each is replaced when it dies, and none outlives its parent."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

from prometheus_client.multiprocess import mark_process_dead
from uvicorn import Config
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from fundstelle.errors import FundstelleError

GRACE_S = 10
"""What answers under way get to finish."""

_START_S = 300.0  # a worker that does not serve by then hangs
_LONGEST_PAUSE_S = 60.0
_ORPHANED = 70  # EX_SOFTWARE of sysexits.h: this worker could not end in the usual way

_log = logging.getLogger("fundstelle.web")


class Supervisor(Multiprocess):
    """Keeps as many workers as were asked for.

    One that dies is replaced. One that dies before it serves is tried again after a pause, which
    grows to a minute, while another one lives; where none does, ``run`` ends and ``exit_code``
    tells of it.
    """

    def __init__(
        self,
        config: Config,
        sockets: list[socket.socket],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(config, sockets)
        self.exit_code = 0
        self._clock = clock
        self._begun_at: dict[Process, float] = {}
        self._asked: set[Process] = set()  # whether it serves; it has not answered yet
        self._serving: set[Process] = set()
        self._dead: set[Process] = set()
        self._failures = 0  # workers in a row that died before they served
        self._due_at = 0.0

    def keep_subprocess_alive(self) -> None:
        """Look after every worker; called twice a second."""
        for place, process in enumerate(self.processes):
            if self._is_ending():
                return
            if process not in self._dead:
                if self._is_well(process):
                    continue
                self._bury(process)
            if not self._is_ending() and self._clock() >= self._due_at:
                self._dead.discard(process)
                self.processes[place] = fresh = Process(self.config, self.sockets)
                fresh.start()

    def _is_ending(self) -> bool:
        # Ctrl-C reaches the workers, too: they may be gone before it is looked at here
        return self.should_exit.is_set() or bool(self.signal_queue)

    def _is_well(self, process: Process) -> bool:
        """Whether a worker answers. One that is starting has other things to do for a while."""
        if process in self._serving:
            return process.is_alive(self.config.timeout_worker_healthcheck)
        if not process.process.is_alive():
            return False
        if self._has_begun(process):
            self._serving.add(process)
            self._begun_at.pop(process, None)
            self._failures = 0
            return True
        return self._clock() - self._begun_at.setdefault(process, self._clock()) < _START_S

    def _has_begun(self, process: Process) -> bool:
        """Ask a worker whether it serves, and look for the answer without waiting for it."""
        try:
            if process not in self._asked:
                process.parent_conn.send(b"ping")
                self._asked.add(process)
            if process.parent_conn.poll(0):
                self._asked.discard(process)
                return bool(process.parent_conn.recv())
        except (OSError, EOFError):  # it has ended: seen at the next look
            return False
        return False

    def _bury(self, process: Process) -> None:
        """See a worker off that has died, or hangs."""
        process.kill()
        process.join()
        self._dead.add(process)
        self._begun_at.pop(process, None)
        self._asked.discard(process)
        if process.pid is not None and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            mark_process_dead(process.pid)  # type: ignore[no-untyped-call]  # shipped untyped
        if self._is_ending():
            return
        if process in self._serving:
            self._serving.discard(process)
            _log.error("worker %s ended with %s and is replaced", process.pid, process.exitcode)
        elif self._dead.issuperset(self.processes):
            _log.error("worker %s could not start, and no other one serves", process.pid)
            self.exit_code = STARTUP_FAILURE
            self.should_exit.set()
        else:
            self._failures += 1
            pause_s = min(2.0**self._failures, _LONGEST_PAUSE_S)
            self._due_at = self._clock() + pause_s
            _log.error("worker %s could not start; tried again in %d s", process.pid, pause_s)


@contextmanager
def beginning() -> Iterator[None]:
    """Around what a worker begins with; in a process that is no worker it does nothing.

    From then on the worker ends when the process that began it does, however that ends; answers
    under way are finished first.

    Raises:
        SystemExit: a deliberate error, which is said in one line, keeps the worker from beginning.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        yield
        return
    threading.Thread(target=_outlive, args=(parent,), name="parent", daemon=True).start()
    try:
        yield
    except FundstelleError as error:
        _log.error("%s", error)
        sys.exit(STARTUP_FAILURE)


def _outlive(parent: BaseProcess) -> None:
    """A thread's work: a loop that is held up by an answer would notice too late."""
    parent.join()  # its end of a pipe closes with it: no polling, no pid that another one has
    _log.error("the process that began this worker has ended; so does the worker")
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S + 5)
    os._exit(_ORPHANED)
