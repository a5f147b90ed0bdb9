"""Those of one process who want to write into one SQLite file, in the order they came.

SQLite's own wait is a poll that sleeps up to 100 ms between two looks: where others come and go
all the time, one may find the file locked at each look until its patience is over.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import TimeoutError as NoFreeConnection


class Writers:
    """A queue of threads; whose turn it is asks the file, and waits for other processes alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def turn(self, patience_s: float) -> Iterator[None]:
        """The block has the turn.

        Args:
            patience_s: how long to wait for it.

        Raises:
            NoFreeConnection: it did not come in time.
        """
        self._take(patience_s)
        try:
            yield
        finally:
            with self._lock:
                self._pass_on()

    def _take(self, patience_s: float) -> None:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            turn = threading.Event()
            self._waiting.append(turn)
        try:
            if turn.wait(patience_s):
                return
        except BaseException:
            self._give_up(turn)
            raise
        self._give_up(turn)
        raise NoFreeConnection("others of this process write")

    def _give_up(self, turn: threading.Event) -> None:
        with self._lock:
            if turn.is_set():  # it came just now, and nobody uses it
                self._pass_on()
            else:
                self._waiting.remove(turn)

    def _pass_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().set()
        else:
            self._is_taken = False
