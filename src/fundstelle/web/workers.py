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
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from uvicorn import Config
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from fundstelle.errors import FundstelleError
from fundstelle.web.accepting import Worker
from fundstelle.web.counters import FOLDER, bury, hold

GRACE_S = 10
"""What answers under way get to finish."""

_START_S = 300.0  # a worker that does not serve by then hangs
_LONGEST_PAUSE_S = 60.0
_FAREWELL_S = GRACE_S + 5
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
        self._to_renew: list[Process] = []
        self._fresh: Process | None = None  # begun for the first of those, not in its place yet
        self._retired: dict[Process, float] = {}  # asked to end, and when

    def init_processes(self) -> None:
        """Begin the workers."""
        self.processes.extend(self._begin() for _ in range(self.processes_num))

    def keep_subprocess_alive(self) -> None:
        """Look after every worker; called twice a second."""
        self._replace_dead()
        if not self._is_ending():
            self._renew()
        self._see_off()

    def handle_hup(self) -> None:
        """Begin to replace every worker, each when its successor serves; nothing waits for it."""
        self._to_renew = self._to_renew or list(self.processes)

    def handle_ttin(self) -> None:
        """One worker more."""
        worker = self._try_to_begin()
        if worker is not None:
            self.processes_num += 1
            self.processes.append(worker)

    def handle_ttou(self) -> None:
        """Let go of one worker, but for the last one."""
        if len(self.processes) > 1:
            self.processes_num -= 1
            self._retire(self.processes.pop())

    def terminate_all(self) -> None:
        """Ask everyone to end."""
        for process in self._list_all():
            process.terminate()

    def join_all(self) -> None:
        """Wait until everyone has ended."""
        for process in self._list_all():
            process.join()

    def _begin(self) -> Process:
        worker = Worker(self.config, self.sockets)
        worker.start()
        return worker

    def _try_to_begin(self) -> Process | None:
        """``None`` where the machine has no process, memory or file left for one: tried again."""
        try:
            return self._begin()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            _log.error("no worker can be started (%s); tried again in %d s", reason, self._pause())
            return None

    def _pause(self) -> float:
        """Begin no worker for so many seconds, which grow with each that failed."""
        self._failures += 1
        pause_s = min(2.0**self._failures, _LONGEST_PAUSE_S)
        self._due_at = self._clock() + pause_s
        return pause_s

    def _list_all(self) -> list[Process]:
        fresh = [self._fresh] if self._fresh is not None else []
        return [*self.processes, *fresh, *self._retired]

    def _replace_dead(self) -> None:
        for place, process in enumerate(self.processes):
            if self._is_ending():
                return
            if process not in self._dead:
                if self._is_well(process):
                    continue
                self._bury(process)
            if not self._is_ending() and self._clock() >= self._due_at:
                successor = self._try_to_begin()
                if successor is None:
                    return
                self._dead.discard(process)
                self.processes[place] = successor

    def _renew(self) -> None:
        """Go on with a renewal: begin a successor, or look how the one that was begun gets on."""
        self._to_renew = [one for one in self._to_renew if one in self.processes]
        fresh = self._fresh
        if fresh is None:
            if self._to_renew and self._clock() >= self._due_at:
                self._fresh = self._try_to_begin()
        elif not self._is_well(fresh):
            fresh.kill()
            fresh.join()
            self._forget(fresh)
            self._fresh, self._to_renew = None, []
            _log.error("worker %s could not start: the others stay as they are", fresh.pid)
        elif fresh in self._serving:
            self._fresh = None
            if self._to_renew:
                old = self._to_renew.pop(0)
                self.processes[self.processes.index(old)] = fresh
                self._retire(old)
            else:  # the last one to renew has died meanwhile and is replaced already
                self._retire(fresh)

    def _retire(self, process: Process) -> None:
        process.terminate()
        self._retired[process] = self._clock()

    def _see_off(self) -> None:
        """Let go of those who have ended; one that hangs beyond its grace is killed."""
        for process, asked_at in list(self._retired.items()):
            if process.process.is_alive() and self._clock() - asked_at < _FAREWELL_S:
                continue
            process.kill()
            process.join()
            del self._retired[process]
            self._forget(process)

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
        did_serve = process in self._serving
        self._forget(process)
        self._dead.add(process)
        if self._is_ending():
            return
        if did_serve:
            _log.error("worker %s ended with %s and is replaced", process.pid, process.exitcode)
        elif self._dead.issuperset(self.processes):
            _log.error("worker %s could not start, and no other one serves", process.pid)
            self.exit_code = STARTUP_FAILURE
            self.should_exit.set()
        else:
            _log.error("worker %s could not start; tried again in %d s", process.pid, self._pause())

    def _forget(self, process: Process) -> None:
        """Nothing more is known of a worker that has ended, and its states count no more."""
        self._serving.discard(process)
        self._dead.discard(process)
        self._asked.discard(process)
        self._begun_at.pop(process, None)
        if process.pid is not None and FOLDER in os.environ:
            with suppress(OSError):  # they stay, as those of a server that is killed
                bury(Path(os.environ[FOLDER]), process.pid)


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
    hold()
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
    time.sleep(_FAREWELL_S)
    os._exit(_ORPHANED)
