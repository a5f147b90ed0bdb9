"""Threads for one kind of page, so that no kind waits for another."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from fundstelle.accounts.limits.places import Places

T = TypeVar("T")


class Room:
    """A few threads and a short queue before them.

    Of all places one sender has half at most, so that others find one.

    Args:
        name: of its threads, for whoever looks at the process.
        threads: pages that are made at once.
        waiting: requests that may wait for a thread; one more is refused.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(threads, f"pages-{name}")
        self.places = Places(threads + waiting, (threads + waiting) // 2)

    async def work(self, make: Callable[[], T], sender: str) -> T:
        """What ``make`` returns, from a thread of this room.

        Args:
            make: makes the page.
            sender: the person who asks, or the network of a stranger.

        Raises:
            Full: it was not begun; try again later.
        """
        self.places.enter(sender)
        leave = partial(self.places.leave, sender)
        try:
            making = self._threads.submit(make)
        except BaseException:
            leave()
            raise
        # Given back when the work ends, not when its request does: a thread cannot be stopped.
        making.add_done_callback(leave)
        return await asyncio.wrap_future(making)
