"""Long answers take turns, so that the loop reads and writes between two of them."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

LONG_S = 0.02
COUNTED_S = 0.0005
"""Work from here on is added up: many short answers in one turn of the loop are a long one."""
MOST_WAITING = 128
MOST_BYTES = 8 * 2**20

_LOOP_TURNS = 8  # a new connection is accepted, read, and answered from memory in fewer
_IDLE_TURN_S = 0.00005  # a turn in which the loop had nothing to do


class Crowded(Exception):
    """As much of a seat waits as may; the text is for its client."""


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
        self._spent_s = 0.0  # in this turn of the loop
        self._waiting: dict[str, _Queue] = {}  # the next seat first
        self._seat: str | None = None  # whose turn it is

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
            self._seat = seat
            return
        queue = self._waiting.setdefault(seat, _Queue())
        if queue.turns and (len(queue.turns) >= MOST_WAITING or queue.size + size > MOST_BYTES):
            raise Crowded("too many calls at once: wait for the answers to those that were sent")
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
        took_s = self._add_up(took_s)
        if not has_turn:
            if took_s < LONG_S or self._is_taken:
                return
            self._is_taken = True
        try:
            if took_s >= LONG_S:
                await self._let_others(took_s)
        finally:
            self._pass_on()

    def _add_up(self, took_s: float) -> float:
        """What has been worked in this turn of the loop, all connections that were ready together.

        A hundred that come at once are all answered in one: others wait for the sum.
        """
        if took_s < COUNTED_S:
            return took_s
        if not self._spent_s:
            asyncio.get_running_loop().call_soon(self._forget)
        self._spent_s += took_s
        return self._spent_s

    def _forget(self) -> None:
        self._spent_s = 0.0

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
        """The turn goes to the seat that has waited longest since its last one.

        The seat whose turn has ended comes behind all that came meanwhile: while it worked the
        loop stood, so that nobody could come before that end.
        """
        self._put_behind(self._seat)
        while self._waiting:
            seat, queue = next(iter(self._waiting.items()))
            turn, size = queue.turns.popleft()
            queue.size -= size
            if not queue.turns:
                del self._waiting[seat]
            if not turn.done():  # else it was given up
                self._seat = seat
                turn.set_result(None)
                return
        self._is_taken = False
        self._seat = None

    def _put_behind(self, seat: str | None) -> None:
        queue = None if seat is None else self._waiting.pop(seat, None)
        if seat is not None and queue is not None:
            self._waiting[seat] = queue
