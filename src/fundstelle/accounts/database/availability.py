"""Whether the database answers; who asks one that does not is refused at once.

A failure that came quickly costs nobody anything, so the next may try for itself. One that was
waited for is worth remembering: until the database has answered again only one in a while waits
for it, and all others fail at once. Otherwise every thread would sooner or later stand waiting.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.database.failures import Failure

RETRY_S = 1.0  # after a failure that was waited for
SLOW_S = 0.5  # a failure that took longer was waited for
_LEASE_S = 15.0  # so long the one that waits keeps the others from waiting too

_log = logging.getLogger("fundstelle.accounts")


@dataclass(frozen=True, slots=True)
class StoreState:
    """What is known of a store that the server depends on.

    ``since``: seconds since the epoch, when ``reachable`` or ``writable`` last changed.
    ``last_error``: the kind of the last failure, such as ``OperationalError 53300``; no message.
    """

    reachable: bool
    writable: bool
    since: float
    last_error: str | None = None


class Availability:
    """What the last answers of one database say about it.

    Args:
        name: the database in a log line, without its password.
        clock: seconds since the epoch.
        ticks: monotonic, in seconds.
    """

    def __init__(
        self,
        name: str,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._clock = clock
        self._ticks = ticks
        self._lock = threading.Lock()
        self._complaints = Complaints(_log, ticks)
        self._closed_until = -math.inf  # nobody asks before
        self._failed = False
        self._failed_at = -math.inf
        self.state = StoreState(reachable=True, writable=True, since=clock())

    def is_open(self) -> bool:
        """Whether to ask the database; who gets ``False`` fails at once.

        The one that gets ``True`` while it is away tries for all the others.
        """
        if self._closed_until == -math.inf:
            return True
        with self._lock:
            now = self._ticks()
            if now < self._closed_until:
                return False
            if self._closed_until != -math.inf:
                self._closed_until = now + _LEASE_S
            return True

    def note_answer(self, *, written: bool, took_s: float) -> None:
        """The database has answered, and has written if that was asked.

        An answer to what was asked before the last failure says nothing of the time since.

        Args:
            written: it has written.
            took_s: how long was waited for it.
        """
        if not self._failed:
            return
        with self._lock:
            if self._ticks() - took_s <= self._failed_at:
                return
            self._closed_until = -math.inf
            writable = self.state.writable or written
            self._move(reachable=True, writable=writable)
            self._failed = not writable
        if not self._failed:
            self._complaints.end(f"the accounts database {self._name} can be used again")

    def note_failure(self, failure: Failure, *, writing: bool, took_s: float) -> None:
        """The database could not be used.

        Args:
            failure: how it could not.
            writing: that was asked; reading may go on where it fails.
            took_s: how long was waited for it.
        """
        with self._lock:
            self._failed = True
            self._failed_at = self._ticks()
            if failure.away and took_s >= SLOW_S:
                self._closed_until = self._ticks() + RETRY_S
            elif self._closed_until != -math.inf:
                self._closed_until = self._ticks()
            reachable = self.state.reachable and not failure.away
            writable = self.state.writable and (failure.away or not writing)
            self._move(reachable=reachable, writable=writable, last_error=failure.kind)
        text = f"the accounts database {self._name} cannot be used: {failure.cause}"
        self._complaints.add(failure.kind, text)

    def note_refusal(self) -> None:
        """Somebody was refused at once: counted with the failure that it is due to."""
        kind = self.state.last_error or ""
        self._complaints.add(kind, f"the accounts database {self._name} does not answer")

    def _move(self, *, reachable: bool, writable: bool, last_error: str | None = None) -> None:
        before = self.state
        same = (before.reachable, before.writable) == (reachable, writable)
        since = before.since if same else self._clock()
        self.state = StoreState(reachable, writable, since, last_error or before.last_error)
