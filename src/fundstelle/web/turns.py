"""Long answers take turns, so that the loop reads and writes between two of them."""

import asyncio
from collections import deque

LONG_S = 0.02
_LOOP_TURNS = 8  # a new connection is accepted, read, and answered from memory in fewer


class Turns:
    """One after the other, among answers that have to be worked out.

    Seats come round in turn, and each seat's answers in their order: who asks much waits for its
    own. Nothing is taken as long as all answers are short: the first long one begins a queue.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the next seat first

    def is_long(self) -> bool:
        """Whether others work long: who has to work waits for a turn."""
        return self._is_taken

    async def take(self, seat: str) -> None:
        """Wait for the turn; ``rest`` ends it."""
        if not self._is_taken:
            self._is_taken = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(seat, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came, and nobody is there to use it
                self._pass_on()
            raise

    async def rest(self, took_s: float, *, has_turn: bool) -> None:
        """After the work: let the loop turn where it took long, then let the next one begin."""
        if not has_turn:
            if took_s < LONG_S or self._is_taken:
                return
            self._is_taken = True
        try:
            if took_s >= LONG_S:
                for _ in range(_LOOP_TURNS):
                    await asyncio.sleep(0)
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """The turn goes to the seat that has waited longest since its last one."""
        while self._waiting:
            seat = next(iter(self._waiting))
            queue = self._waiting.pop(seat)
            turn = queue.popleft()
            if queue:
                self._waiting[seat] = queue  # behind all others
            if not turn.done():  # else it was given up
                turn.set_result(None)
                return
        self._is_taken = False
