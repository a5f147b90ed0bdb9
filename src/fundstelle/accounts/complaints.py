"""What goes on failing is said once a minute with its count, never once a request."""

import logging
import threading
import time
from collections.abc import Callable

PERIOD_S = 60.0

_MOST_KINDS = 20  # kinds come from other people's error names


class Complaints:
    """Says a failure at once, and then at most once a minute how often it came again.

    Args:
        log: where the lines go.
        ticks: monotonic, in seconds.
    """

    def __init__(self, log: logging.Logger, ticks: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._ticks = ticks
        self._lock = threading.Lock()
        self._said_at: dict[str, float] = {}
        self._unsaid: dict[str, int] = {}
        self._is_open = False  # something was said that has not been taken back

    def add(self, kind: str, text: str) -> None:
        """Take one failure down.

        Args:
            kind: failures of one kind share their line.
            text: the line, without anything secret.
        """
        now = self._ticks()
        with self._lock:
            if kind not in self._said_at and len(self._said_at) >= _MOST_KINDS:
                kind = "other"
            count = self._unsaid.get(kind, 0) + 1
            said_at = self._said_at.get(kind)
            if said_at is not None and now - said_at < PERIOD_S:
                self._unsaid[kind] = count
                return
            self._said_at[kind] = now
            self._unsaid[kind] = 0
            self._is_open = True
        self._log.error("%s%s", text, f" ({count} times since it was last said)" * (count > 1))

    def end(self, text: str) -> None:
        """Say that it works again, if the last thing said was a failure."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
            unsaid = sum(self._unsaid.values())
            self._unsaid.clear()
        self._log.warning("%s%s", text, f" ({unsaid} failures were not said)" * (unsaid > 0))
