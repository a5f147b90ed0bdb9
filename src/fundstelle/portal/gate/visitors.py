"""How many pages a network may have that nobody in particular asks for.

Counted in the memory of each worker: it bounds what strangers can make this process compute, and
is no quota. People who have signed in are known by their cookie and are not counted.
"""

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.accounts.secrets import hash_secret

_MOST_KNOWN = 10_000
_IPV4_BITS = 24  # addresses next to each other are cheap to rent
_IPV6_BITS = 56  # what one customer is given at least (RFC 6177)


class Networks:
    """Counts by network.

    Args:
        per_minute: for each network; 0 = unlimited. Half a minute's may come at once.
        clock: monotonic, in nanoseconds.
    """

    def __init__(self, per_minute: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._buckets = TokenBuckets(per_minute, max(1, per_minute // 2), clock)
        self._lock = threading.Lock()

    def count(self, address: str) -> float | None:
        """Count one for the network of an address; the seconds to wait if it is one too many."""
        with self._lock:
            return self._buckets.take(find_network(address))


class SignedIn:
    """Who was signed in with which cookie lately; cookies are kept as hashes."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, cookie: str, person: str) -> None:
        """A person is signed in with this cookie; the one not seen for longest is forgotten."""
        digest = hash_secret(cookie)
        with self._lock:
            self._known[digest] = person
            self._known.move_to_end(digest)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def discard(self, cookie: str) -> None:
        """Nobody is signed in with this cookie any more."""
        with self._lock:
            self._known.pop(hash_secret(cookie), None)

    def find(self, cookie: str) -> str | None:
        """The id of the person who was signed in with this cookie, if anybody was."""
        return self._known.get(hash_secret(cookie))


def find_network(address: str) -> str:
    """The network of an address, as wide as what one sender holds cheaply."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""  # a socket without addresses: all together
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, _IPV6_BITS), strict=False))
        parsed = parsed.ipv4_mapped
    return str(ipaddress.ip_network((parsed, _IPV4_BITS), strict=False))
