"""Threads for one kind of page, so that no kind waits for another."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Full(Exception):
    """As many are being made and are waiting as the room holds."""


class Room:
    """A few threads and a short queue before them.

    Args:
        name: of its threads, for whoever looks at the process.
        threads: pages that are made at once.
        waiting: requests that may wait for a thread; one more is refused.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(threads, f"pages-{name}")
        # Given back when the work ends, not when its request does: a thread cannot be stopped.
        self._places = threading.Semaphore(threads + waiting)
        self.holds = threads + waiting

    async def work(self, make: Callable[[], T]) -> T:
        """What ``make`` returns, from a thread of this room.

        Raises:
            Full: it was not begun; try again later.
        """
        if not self._places.acquire(blocking=False):
            raise Full
        try:
            making = self._threads.submit(make)
        except BaseException:
            self._places.release()
            raise
        making.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(making)
