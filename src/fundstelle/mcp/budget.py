"""How long the answer to one request may be worked out, in processor seconds; then it is cut.

Answers are worked out on the thread of the event loop, so what never ends would end the server. A
timer of the process (POSIX ``ITIMER_PROF``) interrupts the work: Python runs its handler between
two instructions, and within a match of a regular expression. See ADR 0013.
"""

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from fundstelle.errors import CallCut

BUDGET_S = 1.0
_TICK_S = 0.05

# Python modules that take locks which other threads wait for: they are not left half-way.
_NOT_HERE = frozenset({"importlib._bootstrap", "logging", "threading"})
_MOST_DELAYS = 20
_INTERRUPTS_CALLS = False  # of the system: they go on where they were
_FRAMES = 8

_Result = TypeVar("_Result")


class OverBudget(BaseException):
    """Raised into the work; no ``Exception``, so that code that survives errors does not keep it.

    It never leaves ``Budget.run``.
    """


class Budget:
    """The budget of one request after the other; several pieces of work share one request's.

    On other threads than the main one, where Python handles no signals, nothing is limited.
    """

    def __init__(self, budget_s: float = BUDGET_S) -> None:
        self._budget_s = budget_s
        self._is_inside = False
        self._is_spent = False
        self._delays = 0
        self._first_tick: float | None = None  # of the clock of this thread
        self.is_open = False

    def run(self, work: Callable[[], _Result]) -> _Result:
        """Do the work.

        Raises:
            CallCut: it took too long, or went too deep.
        """
        if threading.get_ident() != _MAIN:
            return work()
        if self._is_spent:  # by what was asked before in the same request
            raise CallCut(self._budget_s)
        if not self.is_open:
            self._open()
        # Signals are looked at where something is called and where a loop turns: not between the
        # end of the call and the assignment behind it. After it the handler raises nothing.
        try:
            self._is_inside = True
            result = work()
            self._is_inside = False
        except (OverBudget, RecursionError, MemoryError):
            self._is_inside = False
            raise CallCut(self._budget_s) from None
        except BaseException:
            self._is_inside = False
            if self._is_spent:  # a library has made another error of it
                raise CallCut(self._budget_s) from None
            raise
        return result

    @property
    def used_s(self) -> float:
        """About how many processor seconds the request has taken; 0.0 as long as they are few."""
        return 0.0 if self._first_tick is None else self._measure()

    def _open(self) -> None:
        global _active  # noqa: PLW0603 -- a process has one timer, and one request at a time
        if _active is None:
            signal.signal(signal.SIGPROF, _tick)
            signal.siginterrupt(signal.SIGPROF, _INTERRUPTS_CALLS)
        _active = self
        self.is_open = True
        # repeated: should the work keep one exception to itself, the next is on its way
        signal.setitimer(signal.ITIMER_PROF, _TICK_S, _TICK_S)

    def close(self) -> None:
        """The request is answered."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.is_open = self._is_spent = False
        self._first_tick = None
        self._delays = 0

    def _measure(self) -> float:
        return _TICK_S + time.thread_time() - (self._first_tick or 0.0)

    def tick(self, frame: FrameType | None) -> None:
        """Some time has passed: other threads may have taken it, so look at our own clock.

        Raises:
            OverBudget: within work that has taken too long.
        """
        if self._first_tick is None:
            self._first_tick = time.thread_time()
        if self._measure() < self._budget_s:
            return
        self._is_spent = True
        if self._is_inside and not self._must_wait(frame):
            raise OverBudget

    def _must_wait(self, frame: FrameType | None) -> bool:
        """Whether a lock may be held just now; the next tick is near."""
        self._delays += 1
        depth = 0
        while frame is not None and depth < _FRAMES and self._delays < _MOST_DELAYS:
            if frame.f_globals.get("__name__") in _NOT_HERE:
                return True
            frame = frame.f_back
            depth += 1
        return False


_MAIN = threading.main_thread().ident
_active: Budget | None = None


def _tick(_signal: int, frame: FrameType | None) -> None:
    if _active is not None and _active.is_open:
        _active.tick(frame)
