"""Work that is due later, off the thread that asks for it."""

import heapq
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count

Task = Callable[[], None]

AGAIN_S = 1.0
"""After which a task is tried again for which the system had no thread."""


def _start_thread(task: Task) -> None:
    threading.Thread(target=task, name="later", daemon=True).start()


class Timetable:
    """Starts each task, when it is due, in a thread of its own; none keeps the process alive.

    One thread waits for all. Where the system gives no thread (a limit of processes is reached), a
    task is not lost: it is tried again until there is one.

    Args:
        start: begins a thread; ``RuntimeError`` if there is none to be had.
        clock: monotonic, in seconds.
    """

    def __init__(
        self,
        start: Callable[[Task], None] = _start_thread,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._start = start
        self._clock = clock
        self._numbers = count()  # of tasks that are due at once the first comes first
        self._tasks: list[tuple[float, int, Task]] = []
        self._changed = threading.Condition()
        self._is_kept = False  # whether a thread waits for what is due

    def add(self, delay_s: float, task: Task) -> None:
        """Run *task* in ``delay_s`` seconds; never raises."""
        with self._changed:
            heapq.heappush(self._tasks, (self._clock() + delay_s, next(self._numbers), task))
            self._changed.notify_all()
            if not self._is_kept:
                with suppress(RuntimeError):  # then the next task tries
                    self._start(self._keep)
                    self._is_kept = True

    def start_due(self) -> float | None:
        """Start what is due; the seconds until the next task is, ``None`` without one."""
        with self._changed:
            now = self._clock()
            while self._tasks and self._tasks[0][0] <= now:
                task = self._tasks[0][2]
                try:
                    self._start(task)
                except RuntimeError:
                    return AGAIN_S
                heapq.heappop(self._tasks)
            return max(0.0, self._tasks[0][0] - now) if self._tasks else None

    def _keep(self) -> None:
        while True:
            with self._changed:  # held in between, so that nothing that is added is overlooked
                self._changed.wait(self.start_due())


_timetable = Timetable()


def run_later(delay_s: float, task: Task) -> None:
    """Run *task* after so many seconds in a thread of its own; never raises."""
    _timetable.add(delay_s, task)
