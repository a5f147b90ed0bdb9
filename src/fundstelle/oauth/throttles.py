"""How often strangers may ask the authorization server for what costs it something."""

import time
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from fundstelle.accounts.guessing.limits import (
    REGISTER_NETWORK,
    REGISTER_SITE,
    find_network,
    find_site,
)
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.limits.shared_store import SharedStore

_NAME = "oauth"

# By what is done: for one network, and for a site. None is for all together, which a few senders
# could use up for the others. What waits in the database is bounded where it is written.
LIMITS = {
    "register": ("10/hour", "60/hour"),
    "authorize": ("120/minute", "600/minute"),
    # failures alone; everybody's assistant of one vendor comes from the same few addresses
    "token": ("120/minute", "600/minute"),
}
# What is counted in the accounts database where there is no shared store: it is rare, and the
# limit is one of the server. The others spare this process work, so each process counts its own.
_STORED = {"register": (REGISTER_NETWORK, REGISTER_SITE)}


class Throttles:
    """Counts by network and site, in memory, in the accounts database or in a shared store.

    Args:
        shared_url: of a store that several servers count in; ``None`` = there is none.
        stored: counts in the accounts database; ``None`` = this process counts alone.
    """

    def __init__(self, shared_url: str | None = None, stored: Throttle | None = None) -> None:
        self._stored = stored
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._shared = SharedStore(shared_url) if shared_url else None
        self._limits: dict[str, tuple[RateLimitItem, RateLimitItem]] = {
            name: (parse(one), parse(site)) for name, (one, site) in LIMITS.items()
        }

    def take(self, action: str, address: str) -> float | None:
        """Count one; the seconds to wait if it is one too many, else ``None``."""
        if action in _STORED and self._stored is not None and self._shared is None:
            network, site = _STORED[action]
            blocked = self._stored.take(
                (network, find_network(address)), (site, find_site(address))
            )
            return None if blocked is None else blocked.wait_s
        return self._ask(lambda limiter: self._count(limiter.hit, limiter, action, address))

    def look(self, action: str, address: str) -> float | None:
        """As ``take``, without counting."""
        return self._ask(lambda limiter: self._count(limiter.test, limiter, action, address))

    def _ask(self, ask: Callable[[FixedWindowRateLimiter], float | None]) -> float | None:
        """Ask the shared counters, or this process's own while they cannot be reached."""
        if self._shared is not None:
            answer = self._shared.ask(lambda storage: (ask(FixedWindowRateLimiter(storage)),))
            if answer is not None:
                return answer[0]
        return ask(self._own)

    def _count(
        self,
        has_room: Callable[[RateLimitItem, str, str, str], bool],
        limiter: FixedWindowRateLimiter,
        action: str,
        address: str,
    ) -> float | None:
        one, all_of_site = self._limits[action]
        for limit, key in ((one, find_network(address)), (all_of_site, find_site(address))):
            if not has_room(limit, _NAME, action, key):
                ends = limiter.get_window_stats(limit, _NAME, action, key).reset_time
                return max(1.0, ends - time.time())
        return None
