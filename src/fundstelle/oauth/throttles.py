"""How often strangers may ask the authorization server for what costs it something."""

import time

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from fundstelle.accounts.throttle import find_network

# By what is done: for one address, and for all together.
LIMITS = {
    "register": ("10/hour", "500/hour"),
    "authorize": ("120/minute", "3000/minute"),
    # failures alone; everybody's assistant of one vendor comes from the same few addresses
    "token": ("120/minute", "3000/minute"),
}


class Throttles:
    """Counts by address and in total, in memory or in a shared store.

    Args:
        storage_url: of the ``limits`` library: ``memory://``, ``redis://…``.
    """

    def __init__(self, storage_url: str = "memory://") -> None:
        self._limiter = FixedWindowRateLimiter(storage_from_string(storage_url))
        self._limits: dict[str, tuple[RateLimitItem, RateLimitItem]] = {
            name: (parse(one), parse(total)) for name, (one, total) in LIMITS.items()
        }

    def take(self, action: str, address: str) -> float | None:
        """Count one; the seconds to wait if it is one too many, else ``None``."""
        for limit, key in self._list(action, address):
            if not self._limiter.hit(limit, "oauth", action, key):
                return self._measure(limit, action, key)
        return None

    def look(self, action: str, address: str) -> float | None:
        """As ``take``, without counting."""
        for limit, key in self._list(action, address):
            if not self._limiter.test(limit, "oauth", action, key):
                return self._measure(limit, action, key)
        return None

    def _list(self, action: str, address: str) -> tuple[tuple[RateLimitItem, str], ...]:
        one, total = self._limits[action]
        return (one, find_network(address)), (total, "*")

    def _measure(self, limit: RateLimitItem, action: str, key: str) -> float:
        ends = self._limiter.get_window_stats(limit, "oauth", action, key).reset_time
        return max(1.0, ends - time.time())
