"""Counters that expire, in memory or in a Redis or Valkey that several servers share."""

import math
import threading
from collections.abc import Sequence
from typing import NamedTuple

from limits.storage import MemoryStorage

from fundstelle.accounts.database.availability import StoreState
from fundstelle.accounts.limits.shared_store import SharedStore

_SWEEP_S = 60.0


class _NoTimer(threading.Timer):
    """Stands where ``MemoryStorage`` keeps its timer and looks busy.

    The library would start a thread after every pause of 10 ms to look for expired counters, which
    costs a call 300 µs. ``_sweep`` does the same once a minute.
    """

    def is_alive(self) -> bool:
        return True


class Counter(NamedTuple):
    """How far a counter may be raised; it lives for ``lasts_s`` from then on that it is made."""

    name: str
    most: int
    lasts_s: int


class Taken(NamedTuple):
    """Whether there was room in all counters, and what each stands at now."""

    fits: bool
    used: Sequence[int]


class Counters:
    """Counters that expire by themselves.

    If the shared store fails, this process goes on counting in its own memory: calls are still
    limited, by each process on its own.

    Args:
        url: ``redis://…`` or ``rediss://…``; ``None`` = in memory.

    Raises:
        SettingsError: the client library for the shared store is not installed.
    """

    def __init__(self, url: str | None = None) -> None:
        self._memory = MemoryStorage()
        self._memory.timer.cancel()
        self._memory.timer = _NoTimer(0, int)
        self._swept_at = -math.inf
        self._lock = threading.Lock()
        self._shared = None if url is None else SharedStore(url)

    @property
    def state(self) -> StoreState | None:
        """Whether the shared store answers; ``None`` = there is none."""
        return None if self._shared is None else self._shared.state

    def add(self, name: str, lasts_s: int, now: float, amount: int = 1) -> int:
        """Raise a counter, which lives for ``lasts_s`` from its first call on; its new value."""
        if self._shared is not None:
            shared = self._shared.add(name, lasts_s, amount)
            if shared is not None:
                return shared
        if not 0 <= now - self._swept_at < _SWEEP_S:
            self._sweep(now)
        return self._memory.incr(name, lasts_s, amount)

    def take(
        self, counters: Sequence[Counter], amount: int, now: float, *, looks: bool = False
    ) -> Taken:
        """Raise all of some counters in one step, or none where one has no room for the amount.

        With ``looks`` none is raised in any case.
        """
        if self._shared is not None:
            shared = self._shared.take_all(counters, amount, looks=looks)
            if shared is not None:
                return Taken(*shared)
        if not 0 <= now - self._swept_at < _SWEEP_S:
            self._sweep(now)
        with self._lock:
            used = [self._memory.get(counter.name) for counter in counters]
            fits = all(u + amount <= c.most for u, c in zip(used, counters, strict=True))
            if fits and not looks:
                used = [self._memory.incr(c.name, c.lasts_s, amount) for c in counters]
        return Taken(fits, used)

    def give_back(self, names: Sequence[str], amount: int) -> None:
        """Lower counters that were raised, each if it is still there, and never below nothing."""
        if self._shared is not None and self._shared.give_back(names, amount):
            return
        with self._lock:
            for name in names:
                back = min(amount, self._memory.get(name))
                if back:
                    self._memory.incr(name, 1, -back)

    def get(self, name: str) -> int:
        """The value of a counter."""
        if self._shared is not None:
            shared = self._shared.get(name)
            if shared is not None:
                return shared
        return self._memory.get(name)

    def find_end(self, name: str) -> float:
        """When a counter expires, in seconds since the epoch; now, if it has."""
        if self._shared is not None:
            shared = self._shared.find_end(name)
            if shared is not None:
                return shared
        return self._memory.get_expiry(name)

    def _sweep(self, now: float) -> None:
        """Let go of expired counters: asking for one does that."""
        self._swept_at = now
        for name in list(self._memory.expirations):
            self._memory.get(name)
