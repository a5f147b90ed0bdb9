"""Threads for one kind of page, so that no kind waits for another."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from fundstelle.accounts.limits.places import Places

T = TypeVar("T")


class Room:
    """A few threads and a short queue before them.

    Of all places one sender has half at most, so that others find one; and senders come round in
    turn, so that whoever asks for much waits for their own.

    Args:
        name: of its threads, for whoever looks at the process.
        threads: pages that are made at once.
        waiting: requests that may wait for a thread; one more is refused.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(threads, f"pages-{name}")
        self._free = threads
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[tuple[Callable[[], Any], Future[Any]]]] = {}  # next first
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
        made: Future[T] = Future()
        # Given back when the work ends, not when its request does: a thread cannot be stopped.
        made.add_done_callback(partial(self.places.leave, sender))
        with self._lock:
            self._waiting.setdefault(sender, deque()).append((make, made))
        self._begin()
        return await asyncio.wrap_future(made)

    def _begin(self) -> None:
        """Give what waits to free threads."""
        with self._lock:
            while self._free and self._waiting:
                sender = next(iter(self._waiting))
                theirs = self._waiting.pop(sender)
                make, made = theirs.popleft()
                if theirs:
                    self._waiting[sender] = theirs  # behind all others
                if not made.set_running_or_notify_cancel():
                    continue  # nobody waits for it any more
                self._free -= 1
                try:
                    self._threads.submit(self._make, make, made)
                except RuntimeError as error:  # the system has no thread
                    self._free += 1
                    made.set_exception(error)

    def _make(self, make: Callable[[], T], made: Future[T]) -> None:
        try:
            page = make()
        except BaseException as error:  # noqa: BLE001 -- it is whoever waits who gets it
            made.set_exception(error)
        else:
            made.set_result(page)
        finally:
            with self._lock:
                self._free += 1
            self._begin()
