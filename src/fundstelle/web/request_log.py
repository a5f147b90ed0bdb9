"""One JSON line a request: ids, method, tool, code, duration; never a key, never a question."""

import os
import secrets
from datetime import UTC, datetime
from itertools import count

import orjson


class RequestLog:
    """Writes lines to a file descriptor, one ``write`` a line, so that workers do not mix them."""

    def __init__(self, descriptor: int = 2) -> None:
        self._descriptor = descriptor
        self._prefix = secrets.token_hex(4)
        self._numbers = count(1)

    def next_id(self) -> str:
        """An id for a request, unique across workers and restarts."""
        return f"{self._prefix}-{next(self._numbers):x}"

    def write(self, line: dict[str, object]) -> None:
        """Write one line; ``time`` is added. A log that cannot be written does not stop answers."""
        stamped = {"time": datetime.now(UTC), **line}
        try:
            os.write(self._descriptor, orjson.dumps(stamped, option=orjson.OPT_APPEND_NEWLINE))
        except OSError:
            return
