"""How often strangers may ask the authorization server for what costs it something."""

from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.limiter import Limit, Limiter
from fundstelle.accounts.limits.windows import Windows
from fundstelle.net.networks import find_network, find_site

_HOUR_S = 3_600
_MINUTE_S = 60

# By what is done: for one network, and for a site. None is for all together, which a few senders
# could use up for the others. What waits in the database is bounded where it is written.
LIMITS = {
    "register": (Limit("register:network", 10, _HOUR_S), Limit("register:site", 60, _HOUR_S)),
    "authorize": (
        Limit("authorize:network", 120, _MINUTE_S),
        Limit("authorize:site", 600, _MINUTE_S),
    ),
    # failures alone; everybody's assistant of one vendor comes from the same few addresses
    "token": (Limit("token:network", 120, _MINUTE_S), Limit("token:site", 600, _MINUTE_S)),
}
_RARE = {"register"}


class Throttles:
    """Limits what is done by network and site. Answers are seconds to wait, or ``None``.

    Args:
        counters: where it counts; ``None`` = in the memory of this process.
        rare: counts what is rare and limited for the server as a whole, as registrations are, where
            the counters are of this process alone. The other limits spare this process work.
    """

    def __init__(self, counters: Counters | None = None, rare: Limiter | None = None) -> None:
        self._windows = Windows(counters or Counters())
        self._rare = rare or self._windows

    def take(self, action: str, address: str) -> float | None:
        """Count one; the seconds to wait if it is one too many, else ``None``."""
        limiter: Limiter = self._rare if action in _RARE else self._windows
        blocked = limiter.take(*_name_attempts(action, address))
        return None if blocked is None else blocked.wait_s

    def look(self, action: str, address: str) -> float | None:
        """As ``take``, without counting; of what this process or the shared store counts."""
        blocked = self._windows.look(*_name_attempts(action, address))
        return None if blocked is None else blocked.wait_s


def _name_attempts(action: str, address: str) -> tuple[tuple[Limit, str], tuple[Limit, str]]:
    network, site = LIMITS[action]
    return (network, find_network(address)), (site, find_site(address))
