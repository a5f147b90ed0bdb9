"""Updates once a day beside a server, each as a process of its own that ends with it."""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)  # where an update ended without a report

_log = logging.getLogger(__name__)

_FIRST_WAIT = timedelta(minutes=1)  # for a server that has just begun
_LOOK_S = 600.0  # how often the clock is looked at: it may be set meanwhile
_COMMAND = (sys.executable, "-m", "fundstelle", "update")


def find_due(last: datetime | None, tried: datetime | None, now: datetime) -> datetime:
    """When the next update begins: a day after the last, an hour after one without a report.

    Args:
        last: when the last one with a report began, ``None`` if there was none.
        tried: when this process began one last.
        now: since when this process waits. What is said to have begun later was begun by a clock
            that was wrong, and counts as never.
    """
    last = None if last is not None and last > now else last
    tried = None if tried is not None and tried > now else tried
    due = now + _FIRST_WAIT if last is None else max(last + EVERY, now + _FIRST_WAIT)
    if tried is not None and (last is None or tried > last):
        return max(due, tried + AGAIN) if last is None else tried + AGAIN
    return due


class DailyUpdates:
    """Begins an update when it is due, for as long as its context lasts.

    Args:
        find_last: when the last update with a report began.
        command: what updates.
        clock: the time of day.
    """

    def __init__(
        self,
        find_last: Callable[[], datetime | None],
        command: Sequence[str] = _COMMAND,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._find_last = find_last
        self._command = list(command)
        self._clock = clock
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="daily-updates", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()  # a build given up does no harm; the next update begins it anew
        self._thread.join()

    def _keep(self) -> None:
        tried: datetime | None = None
        while not self._ended.is_set():
            due = find_due(self._find_last(), tried, self._clock())
            while (left := (due - self._clock()).total_seconds()) > 0:
                if self._ended.wait(min(left, _LOOK_S)):
                    return
            tried = self._clock()
            try:
                self._process = subprocess.Popen(  # noqa: S603 our own command
                    self._command, stdin=subprocess.DEVNULL
                )
            except OSError as error:  # no process is to be had for now
                _log.error("the daily update could not be begun: %s", error.strerror)
                continue
            if self._ended.is_set():  # it was asked to end while the process began
                self._process.terminate()
            self._process.wait()
