"""How often strangers may ask the authorization server for what costs it something."""

import time
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from fundstelle.accounts.quota_counters import connect
from fundstelle.accounts.throttle import find_network

_NAME = "oauth"

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
        shared_url: of a store that several servers count in; ``None`` = this process alone.
    """

    def __init__(self, shared_url: str | None = None) -> None:
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._shared = FixedWindowRateLimiter(connect(shared_url)) if shared_url else self._own
        self._limits: dict[str, tuple[RateLimitItem, RateLimitItem]] = {
            name: (parse(one), parse(total)) for name, (one, total) in LIMITS.items()
        }

    def take(self, action: str, address: str) -> float | None:
        """Count one; the seconds to wait if it is one too many, else ``None``."""
        return self._ask(lambda limiter: self._count(limiter.hit, limiter, action, address))

    def look(self, action: str, address: str) -> float | None:
        """As ``take``, without counting."""
        return self._ask(lambda limiter: self._count(limiter.test, limiter, action, address))

    def _ask(self, ask: Callable[[FixedWindowRateLimiter], float | None]) -> float | None:
        """Ask the shared counters, or this process's own while they cannot be reached."""
        try:
            return ask(self._shared)
        except StorageError:
            return ask(self._own)

    def _count(
        self,
        has_room: Callable[[RateLimitItem, str, str, str], bool],
        limiter: FixedWindowRateLimiter,
        action: str,
        address: str,
    ) -> float | None:
        one, total = self._limits[action]
        for limit, key in ((one, find_network(address)), (total, "*")):
            if not has_room(limit, _NAME, action, key):
                ends = limiter.get_window_stats(limit, _NAME, action, key).reset_time
                return max(1.0, ends - time.time())
        return None
