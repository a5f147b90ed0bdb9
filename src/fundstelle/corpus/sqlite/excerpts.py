"""Excerpts that are kept: well-found norms are read again with every search."""

import threading
from collections.abc import Callable, Sequence
from datetime import date

from fundstelle.corpus.store import Excerpt

_MOST = 4_096  # about 10 MB; then started over
_MOST_CHARS = 20_000  # longer ones are not kept


class KeptExcerpts:
    """Excerpts by ordinal and day. Threads may share them.

    ``read`` gives those with some ordinals on a day, without the unknown ones; it may be called by
    several threads at once.
    """

    def __init__(self, read: Callable[[Sequence[int], date], dict[int, Excerpt]]) -> None:
        self._read = read
        self._kept: dict[tuple[int, date], Excerpt] = {}
        self._lock = threading.Lock()

    def get(self, ordinals: Sequence[int], on: date) -> list[Excerpt]:
        """Those with these ordinals, in the order asked; unknown ones are left out."""
        with self._lock:
            found = {n: self._kept[n, on] for n in ordinals if (n, on) in self._kept}
        unread = [n for n in ordinals if n not in found]
        if unread:
            read = self._read(unread, on)
            self._keep(read, on)
            found |= read
        return [found[n] for n in ordinals if n in found]

    def _keep(self, read: dict[int, Excerpt], on: date) -> None:
        with self._lock:
            if len(self._kept) + len(read) > _MOST:
                self._kept.clear()
            for ordinal, excerpt in read.items():
                if len(excerpt.text) <= _MOST_CHARS:
                    self._kept[ordinal, on] = excerpt
