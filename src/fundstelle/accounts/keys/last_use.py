"""When a key was last used: noted in memory, written in the background."""

import logging
import threading
import time
from collections.abc import Callable, Mapping

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

PERIOD_S = 60.0

_log = logging.getLogger(__name__)


class LastUse:
    """Collects uses and hands them to *write* (key id → seconds since the epoch) once a minute."""

    def __init__(
        self,
        write: Callable[[Mapping[str, float]], None],
        later: Callable[[float, Callable[[], None]], None] = run_later,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._later = later
        self._clock = clock
        self._lock = threading.Lock()
        self._pending: dict[str, float] = {}
        self._complaints = Complaints(_log)
        self._due_at = clock()

    def note(self, key_id: str, when: float) -> None:
        """Remember a use; returns at once."""
        with self._lock:
            is_first = not self._pending
            self._pending[key_id] = when
        if is_first:
            self._later(max(0.0, self._due_at - self._clock()), self.flush)

    def flush(self) -> None:
        """Write what has been noted. After a failure it is kept for the next time."""
        with self._lock:
            pending, self._pending = self._pending, {}
            self._due_at = self._clock() + PERIOD_S
        if not pending:
            return
        try:
            self._write(pending)
        except AccountsError as error:
            self._complaints.add(error.code, f"the last use of keys was not recorded yet: {error}")
            with self._lock:
                self._pending = {**pending, **self._pending}
            self._later(PERIOD_S, self.flush)
