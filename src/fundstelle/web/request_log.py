"""One JSON line a request: ids, method, tool, code, duration; never a key, never a question."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count

import orjson

from fundstelle.web.pen import STDERR, Pen

FLUSH_S = 0.1
_FLUSH_LINES = 256

CallLater = Callable[[float, Callable[[], None]], object]


class RequestLog:
    """Gives lines to a pen, which writes them without holding up an answer.

    With a timer lines are gathered for up to ``FLUSH_S`` seconds: a system call a request is a
    tenth of what a request costs.
    """

    def __init__(self, pen: Pen = STDERR) -> None:
        self._pen = pen
        self._prefix = secrets.token_hex(4)
        self._numbers = count(1)
        self._lines: list[bytes] = []
        self._call_later: CallLater | None = None

    def buffer_on(self, call_later: CallLater) -> None:
        """Gather lines from now on; ``call_later`` is the event loop's timer."""
        self._call_later = call_later

    def next_id(self) -> str:
        """An id for a request, unique across workers and restarts."""
        return f"{self._prefix}-{next(self._numbers):x}"

    def write(self, line: dict[str, object]) -> None:
        """Write one line; ``time`` is added. A log that cannot be written does not stop answers."""
        line["time"] = datetime.now(UTC)
        self._lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        if self._call_later is None or len(self._lines) >= _FLUSH_LINES:
            self.flush()
        elif len(self._lines) == 1:
            self._call_later(FLUSH_S, self.flush)

    def flush(self) -> None:
        """Hand over what was gathered."""
        gathered, self._lines = self._lines, []
        if gathered:
            self._pen.write(gathered)
