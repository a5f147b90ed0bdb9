"""Answers that wait for somebody else, worked out in threads beside the event loop.

Where searches go to a cluster (``search.engines.opensearch``), or ask a model of the operator's
(``search.embedders``), an answer may take as long as those may: on the loop, lookups would wait
behind it. Threads have no budget (ADR 0013); what they wait for has deadlines of its own.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial

from fundstelle.mcp.engine import Charge, Reply
from fundstelle.web.waiting.turns import Crowded

_THREADS = 16
# Answers under way or waiting for a thread: nobody waits longer than one other answer takes (some
# 4 s), and so nobody is answered later than 5 s after a key was found good.
_MOST = 2 * _THREADS
_MOST_OF_SEAT = 24
_DRAIN_S = 10.0


class Apart:
    """The threads of one worker; nothing is begun until the first answer needs one."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None
        self._under_way: set[Future[Reply]] = set()
        self._by_seat: Counter[str] = Counter()

    async def answer(self, ask: Callable[[Charge], Reply], charge: Charge, seat: str) -> Reply:
        """What is answered when a thread asks; the call is counted on the loop.

        Args:
            ask: asks an engine's ``get_apart``, given how a call is counted.
            charge: counts a call, on the loop.
            seat: whose it is.

        Raises:
            Crowded: too many wait already.
        """
        if len(self._under_way) >= _MOST or self._by_seat[seat] >= _MOST_OF_SEAT:
            raise Crowded("too many searches at once: wait for the answers to those that were sent")
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_THREADS, "apart")
        loop = asyncio.get_running_loop()
        running = self._threads.submit(ask, partial(_charge_on, loop, charge))
        self._under_way.add(running)
        self._by_seat[seat] += 1
        try:
            return await asyncio.wrap_future(running)
        finally:
            self._by_seat[seat] -= 1
            if not self._by_seat[seat]:
                del self._by_seat[seat]
            # a client that has gone leaves its answer to be worked out
            running.add_done_callback(self._under_way.discard)

    def drain(self) -> None:
        """Wait until all that is under way now is done: an engine is about to be closed.

        Called in a thread, never on the loop.
        """
        wait(list(self._under_way), timeout=_DRAIN_S)

    def close(self) -> None:
        """Begin nothing any more."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)


def _charge_on(loop: asyncio.AbstractEventLoop, charge: Charge, calls: int) -> float | None:
    """Count calls where all are counted: no limiter is made for several threads."""

    async def count() -> float | None:
        return charge(calls)

    return asyncio.run_coroutine_threadsafe(count(), loop).result()
