"""Long answers take turns, so that the loop reads and writes between two of them."""

import asyncio

LONG_S = 0.02
_LOOP_TURNS = 8  # a new connection is accepted, read, and answered from memory in fewer


class Turns:
    """First come, first served, among answers that have to be worked out.

    Nothing is taken as long as all answers are short: the first long one begins a queue.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    def is_long(self) -> bool:
        """Whether others work long: who has to work waits for a turn."""
        return self._lock.locked()

    async def take(self) -> None:
        """Wait for the turn; ``rest`` ends it."""
        await self._lock.acquire()

    async def rest(self, took_s: float, *, has_turn: bool) -> None:
        """After the work: let the loop turn where it took long, then let the next one begin."""
        if not has_turn:
            if took_s < LONG_S or self._lock.locked():
                return
            await self._lock.acquire()  # free, so that nobody comes between
        try:
            if took_s >= LONG_S:
                for _ in range(_LOOP_TURNS):
                    await asyncio.sleep(0)
        finally:
            self._lock.release()
