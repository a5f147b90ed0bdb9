"""Writing a log without ever waiting for whoever reads it.

A reader that stops reading (a pager, a container's full log buffer) would hold up the writer, and
with it every answer. Here one thread writes; what it cannot get rid of is counted and said later.
"""

import atexit
import logging
import os
import threading
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime

import orjson

MOST_BYTES = 1 << 20
"""Waiting to be read; what comes after them is lost."""

_AT_ONCE = 4096  # PIPE_BUF of Linux: up to there the lines of several processes do not mix
_END_S = 1.0


class Pen:
    """Writes whole lines to a file descriptor, in a thread that begins with the first line."""

    def __init__(self, descriptor: int, most_bytes: int = MOST_BYTES) -> None:
        self._descriptor = descriptor
        self._most_bytes = most_bytes
        self._lines: deque[bytes] = deque()
        self._waiting = 0  # bytes, those included that are being written
        self._lost = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def write(self, lines: list[bytes]) -> None:
        """Take lines, each with its end; returns at once."""
        with self._changed:
            for line in lines:
                if self._waiting + len(line) > self._most_bytes:
                    self._lost += 1
                else:
                    self._lines.append(line)
                    self._waiting += len(line)
            if self._thread is None:
                self._begin()
            self._changed.notify_all()

    def _begin(self) -> None:
        """Begin to write; where the system has no thread to spare, the next line tries again."""
        thread = threading.Thread(target=self._work, name="log", daemon=True)
        with suppress(RuntimeError):
            thread.start()
            self._thread = thread
            atexit.register(self.finish)

    def finish(self, patience_s: float = _END_S) -> bool:
        """Whether everything taken so far was written, within the time given."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, patience_s)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._lines))
                block = self._take()
            with suppress(OSError):  # closed, or its disk is full: a log does not stop answers
                _write(self._descriptor, block)
            with self._changed:
                self._waiting -= len(block)
                if self._lost and not self._lines:
                    self._own_up()
                self._changed.notify_all()

    def _take(self) -> bytes:
        """The lines that are written in one go."""
        block = self._lines.popleft()
        while self._lines and len(block) + len(self._lines[0]) <= _AT_ONCE:
            block += self._lines.popleft()
        return block

    def _own_up(self) -> None:
        said = {"lost_lines": self._lost, "time": datetime.now(UTC)}
        line = orjson.dumps(said, option=orjson.OPT_APPEND_NEWLINE)
        self._lost = 0
        self._lines.append(line)
        self._waiting += len(line)


def _write(descriptor: int, block: bytes) -> None:
    while block:
        block = block[os.write(descriptor, block) :]


STDERR = Pen(2)


class PenHandler(logging.Handler):
    """What the modules have to say, through the same pen."""

    def emit(self, record: logging.LogRecord) -> None:
        """Format a record and hand it over; never raises."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001 -- whatever a message is made of, to say it fails alone
            line = f"a message of {record.name} could not be written"
        STDERR.write([f"{line}\n".encode(errors="backslashreplace")])
