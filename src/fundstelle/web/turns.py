"""Long answers take turns, so that the loop reads and writes between two of them."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

LONG_S = 0.02
MOST_WAITING = 128
MOST_BYTES = 8 * 2**20

_LOOP_TURNS = 8  # a new connection is accepted, read, and answered from memory in fewer
_IDLE_TURN_S = 0.00005  # a turn in which the loop had nothing to do


class Crowded(Exception):
    """As many of a seat's requests wait as may."""


@dataclass(slots=True)
class _Queue:
    """What one seat waits for, and the bytes of the requests that wait."""

    turns: deque[tuple[asyncio.Future[None], int]] = field(default_factory=deque)
    size: int = 0


class Turns:
    """One after the other, among answers that have to be worked out.

    Seats come round in turn, and each seat's answers in their order: who asks much waits for its
    own. Nothing is taken as long as all answers are short: the first long one begins a queue.

    Args:
        clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._is_taken = False
        self._waiting: dict[str, _Queue] = {}  # the next seat first

    def is_long(self) -> bool:
        """Whether others work long: who has to work waits for a turn."""
        return self._is_taken

    async def take(self, seat: str, size: int = 0) -> None:
        """Wait for the turn; ``rest`` ends it.

        Args:
            seat: whose it is.
            size: bytes that are held meanwhile.

        Raises:
            Crowded: the seat has ``MOST_WAITING`` requests waiting, or ``MOST_BYTES`` of them.
        """
        if not self._is_taken:
            self._is_taken = True
            return
        queue = self._waiting.setdefault(seat, _Queue())
        if queue.turns and (len(queue.turns) >= MOST_WAITING or queue.size + size > MOST_BYTES):
            raise Crowded
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = turn, size
        queue.turns.append(place)
        queue.size += size
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came, and nobody is there to use it
                self._pass_on()
            else:
                self._give_up(seat, place)
            raise

    async def rest(self, took_s: float, *, has_turn: bool) -> None:
        """After the work: let the loop turn where it took long, then let the next one begin."""
        if not has_turn:
            if took_s < LONG_S or self._is_taken:
                return
            self._is_taken = True
        try:
            if took_s >= LONG_S:
                await self._let_others(took_s)
        finally:
            self._pass_on()

    async def _let_others(self, took_s: float) -> None:
        """Let the loop turn until it has nothing to do, for as long as the work took at most.

        It accepts one connection a turn: a fixed number of turns would let those pile up that
        come while the work is done.
        """
        begun = before = self._clock()
        turns = idle = 0
        while idle < _LOOP_TURNS:
            await asyncio.sleep(0)
            now = self._clock()
            turns += 1
            idle = idle + 1 if now - before < _IDLE_TURN_S else 0
            before = now
            if turns >= _LOOP_TURNS and now - begun >= took_s:
                return

    def _give_up(self, seat: str, place: tuple[asyncio.Future[None], int]) -> None:
        queue = self._waiting.get(seat)
        if queue is not None and place in queue.turns:
            queue.turns.remove(place)
            queue.size -= place[1]
            if not queue.turns:
                del self._waiting[seat]

    def _pass_on(self) -> None:
        """The turn goes to the seat that has waited longest since its last one."""
        while self._waiting:
            seat = next(iter(self._waiting))
            queue = self._waiting.pop(seat)
            turn, size = queue.turns.popleft()
            queue.size -= size
            if queue.turns:
                self._waiting[seat] = queue  # behind all others
            if not turn.done():  # else it was given up
                turn.set_result(None)
                return
        self._is_taken = False
