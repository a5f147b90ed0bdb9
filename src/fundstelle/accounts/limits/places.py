"""How much is under way at one moment, for all senders and for each of them."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Full(Exception):
    """As much is under way and is waiting as there is room for, or as one sender may have."""


class Places:
    """How many answers are under way for whom.

    Args:
        holds: of all senders together.
        share: of one of them.
    """

    def __init__(self, holds: int, share: int) -> None:
        self.holds = holds
        self.share = share
        self._lock = threading.Lock()
        self._held: Counter[str] = Counter()

    def enter(self, sender: str) -> None:
        """Take a place.

        Raises:
            Full: there is none, or none for this sender.
        """
        with self._lock:
            if self._held.total() >= self.holds or self._held[sender] >= self.share:
                raise Full
            self._held[sender] += 1

    def leave(self, sender: str, _made: object = None) -> None:
        """Give it back."""
        with self._lock:
            self._held[sender] -= 1
            if not self._held[sender]:
                del self._held[sender]

    @contextmanager
    def hold(self, sender: str) -> Iterator[None]:
        """A place for as long as the block runs.

        Raises:
            Full: there is none, or none for this sender.
        """
        self.enter(sender)
        try:
            yield
        finally:
            self.leave(sender)
