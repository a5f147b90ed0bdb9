"""So many in a period that begins with the first of them, counted by process or by all servers."""

import time
from collections.abc import Callable

from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.limiter import Blocked, Limit


class Windows:
    """A limiter over counters.

    Args:
        counters: where it counts.
        clock: seconds since the epoch.
    """

    def __init__(self, counters: Counters, clock: Callable[[], float] = time.time) -> None:
        self._counters = counters
        self._clock = clock

    def take(self, *attempts: tuple[Limit, str]) -> Blocked | None:
        """Count an attempt for each limit and subject in turn, up to the first that is used up."""
        for limit, subject in attempts:
            name = _name(limit, subject)
            if self._counters.add(name, limit.period_s, self._clock()) > limit.free:
                return self._block(name)
        return None

    def look(self, *attempts: tuple[Limit, str]) -> Blocked | None:
        """As ``take``, without counting."""
        for limit, subject in attempts:
            name = _name(limit, subject)
            if self._counters.get(name) >= limit.free:
                return self._block(name)
        return None

    def _block(self, name: str) -> Blocked:
        return Blocked(max(1.0, self._counters.find_end(name) - self._clock()))


def _name(limit: Limit, subject: str) -> str:
    return f"{limit.name}:{subject}"
