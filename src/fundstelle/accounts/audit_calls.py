"""Tool calls for the audit log: gathered in memory, written in the background.

Of what was asked only a keyed hash is kept, made before the call is put into memory: it tells
whether two calls asked the same, and answers "was this asked?" to who holds the pepper, but gives
no question back.
"""

import hmac
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from fundstelle.accounts.audit import SYSTEM, AuditLog, Entry
from fundstelle.accounts.last_use import run_later
from fundstelle.errors import AccountsError

EVENT = "tool_called"
LOST = "calls_lost"
PERIOD_S = 1.0
CAPACITY = 20_000  # calls that wait while the database cannot be used

_BATCH = 100  # small: a long one would keep answers waiting for the interpreter

_log = logging.getLogger(__name__)


class CallLog:
    """Records the tool calls of one server process.

    Args:
        audit: the log.
        pepper: what the hash of the input is keyed with, by a key of its own derived from it.
        later: runs a task after some seconds, off the calling thread.
        capacity: calls kept in memory at most. Beyond it calls are answered but not recorded; how
            many is recorded as soon as the log can be written again.
    """

    def __init__(
        self,
        audit: AuditLog,
        pepper: bytes,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        capacity: int = CAPACITY,
    ) -> None:
        self._audit = audit
        self._keyed = hmac.new(hmac.digest(pepper, b"audit-input", "sha256"), digestmod="sha256")
        self._later = later
        self._capacity = capacity
        self._lock = threading.Lock()  # of the list
        self._writing = threading.Lock()  # of the log: one flush at a time keeps the order
        self._waiting: list[Entry] = []
        self._lost = 0
        self._is_due = False

    def hash_input(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What is recorded of an input: equal for equal arguments, whatever their order."""
        keyed = self._keyed.copy()
        keyed.update(tool.encode() + b"\n")
        try:
            keyed.update(orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS))
        except orjson.JSONEncodeError:  # nested deeper than the encoder goes; no tool takes that
            keyed.update(repr(sorted(arguments)).encode(errors="replace"))
        return keyed.hexdigest()

    def note(  # noqa: PLR0913 -- the members of a record
        self,
        *,
        credential: str,
        tool: str,
        arguments: Mapping[str, Any],
        release: str,
        result_ids: Sequence[str],
        request: str,
    ) -> None:
        """Take one call down; returns at once."""
        details = {
            "input": self.hash_input(tool, arguments),
            "release": release,
            "results": list(result_ids),
        }
        entry = Entry(self._audit.now(), EVENT, credential, tool, request, details)
        with self._lock:
            if len(self._waiting) >= self._capacity:
                self._lost += 1
                return
            self._waiting.append(entry)
            starts, self._is_due = not self._is_due, True
        if starts:
            self._later(PERIOD_S, self.flush)

    def flush(self) -> None:
        """Write what waits, in small transactions. After a failure it waits on."""
        with self._writing:
            with self._lock:
                waiting, self._waiting = self._waiting, []
                lost, self._lost = self._lost, 0
                self._is_due = False
            if lost:
                details = {"calls": lost}
                waiting.append(Entry(self._audit.now(), LOST, SYSTEM, "", "", details))
            written = 0
            try:
                for written in range(0, len(waiting), _BATCH):
                    self._audit.append(waiting[written : written + _BATCH])
            except AccountsError as error:
                self._put_back(waiting[written:])
                _log.error("tool calls could not be recorded yet: %s", error)

    def _put_back(self, entries: list[Entry]) -> None:
        with self._lock:
            self._waiting[:0] = entries
            starts, self._is_due = not self._is_due, True
        if starts:
            self._later(PERIOD_S, self.flush)
