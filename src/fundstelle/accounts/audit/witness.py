"""Telling somebody else what the newest line is: who has this server cannot take that back.

Sent in the background, at most once a minute, and at once when the log was found broken. A line is
JSON: ``log`` (the server), ``number``, ``hash``, and ``found`` with what was wrong.
"""

import logging
import logging.handlers
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import orjson

from fundstelle.accounts.audit.chain import AuditProblem
from fundstelle.accounts.audit.head import Head
from fundstelle.accounts.timetable import run_later
from fundstelle.net.client import CONFIGURED, GuardedClient, NoAnswer

PERIOD_S = 60.0
TIMEOUT_S = 5.0
_MOST_BYTES = 1024 * 1024  # of an answer that nobody reads

_SYSLOG_PORT = 514  # RFC 5426

_log = logging.getLogger(__name__)


class Witness:
    """Tells one place.

    Args:
        send: takes a line there; raises ``OSError`` or ``NoAnswer`` if it cannot.
        name: which server this is.
        later: runs a task after some seconds, off the calling thread.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        name: str,
        later: Callable[[float, Callable[[], None]], None] = run_later,
    ) -> None:
        self._send = send
        self._name = name
        self._later = later
        self._lock = threading.Lock()
        self._newest: Head | None = None
        self._found: list[str] = []
        self._is_due = False
        self._told_at = -PERIOD_S
        self._is_failing = False

    def tell(self, head: Head, problems: Sequence[AuditProblem]) -> None:
        """Have it told; returns at once."""
        with self._lock:
            self._newest = head
            self._found += [str(problem) for problem in problems]
            if self._is_due and not problems:
                return
            self._is_due = True
            wait_s = 0.0 if problems else self._told_at + PERIOD_S - time.monotonic()
        self._later(max(0.0, wait_s), self._tell_newest)

    def _tell_newest(self) -> None:
        with self._lock:
            head, self._newest = self._newest, None
            found, self._found = self._found, []
            self._is_due = False
            self._told_at = time.monotonic()
        if head is None:
            return
        said: dict[str, Any] = {"log": self._name, "number": head.number, "hash": head.hash}
        if found:
            said["found"] = found
        try:
            self._send(orjson.dumps(said))
        except (OSError, NoAnswer) as error:
            if not self._is_failing:  # neither its address nor what it answers: there may be a key
                why = type(error.__cause__ or error).__name__
                _log.error("the witness of the audit log was not told: %s", why)
            self._is_failing = True
            with self._lock:
                self._found[:0] = found
                self._newest = self._newest or head
                starts, self._is_due = not self._is_due, True
            if starts:
                self._later(PERIOD_S, self._tell_newest)
        else:
            self._is_failing = False


def open_witness(url: str) -> Callable[[bytes], None]:
    """What takes a line to ``syslog://host[:port]`` (UDP, RFC 5426) or posts it to a URL."""
    parts = urlsplit(url)
    if parts.scheme == "syslog":
        address = (parts.hostname or "", parts.port or _SYSLOG_PORT)
        return lambda line: _send_syslog(address, line)
    client = GuardedClient(TIMEOUT_S, _MOST_BYTES)
    return lambda line: _post(client, url, line)


def _send_syslog(address: tuple[str, int], line: bytes) -> None:
    handler = _Syslog(address, facility=logging.handlers.SysLogHandler.LOG_AUTHPRIV)
    handler.ident = "fundstelle: "
    try:
        handler.emit(logging.makeLogRecord({"msg": line.decode(), "levelname": "INFO"}))
    finally:
        handler.close()


class _Syslog(logging.handlers.SysLogHandler):
    append_nul = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 -- the library's name
        """Let it be seen by who sent it, instead of printing it."""
        del record
        raise  # noqa: PLE0704 -- called by the library where it handles the error


def _post(client: GuardedClient, url: str, line: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    reach = replace(CONFIGURED, plain=True)  # where that may be is checked as it is configured
    answer = client.ask(url, reach, headers=headers, body=line)
    if not 200 <= answer.status < 300:
        raise NoAnswer(f"status {answer.status}")
