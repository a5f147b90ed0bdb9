"""The live keys in memory, never more than a few seconds behind the database."""

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fundstelle.accounts.token_buckets import TokenBuckets

MAX_AGE_S = 4.0  # a second less than what is promised for a revocation
# A key that is not in memory may have been created a moment ago. Asking the database for it is
# rationed: keys that were made up, with checksums that fit, must not become queries.
UNKNOWN_PER_MINUTE = 600
UNKNOWN_BURST = 20


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking: by a key or by an OAuth grant.

    Calls are counted for the ``seat``: all keys and grants of a person share one. Limits:
    ``None`` = the server's default, 0 = unlimited.
    """

    key_id: str  # or grant id
    name: str
    rate_per_minute: int | None
    seat: str = ""  # user id, or the key's own where it belongs to no person
    calls_per_month: int | None = None


@dataclass(slots=True)
class LiveKey:
    """A key that is not revoked. Times are seconds since the epoch."""

    digest: bytes
    principal: Principal
    expires: float = math.inf
    use_noted: float = -math.inf


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened since a revision: the new revision, and each key touched, gone if ``None``.

    ``complete`` says that these are all keys there are, not only the changed ones.
    """

    revision: int
    keys: Mapping[bytes, LiveKey | None]
    complete: bool = False


class KeyCache:
    """Live keys by digest. It holds what the database holds, so nothing presented makes it grow.

    Args:
        read_changes: gives the changes since a revision; -1 = everything.
        clock: seconds since the epoch.
    """

    def __init__(self, read_changes: Callable[[int], Changes], clock: Callable[[], float]) -> None:
        self._read_changes = read_changes
        self._keys: dict[bytes, LiveKey] = {}
        self._revision = -1
        self._read_at = -math.inf
        self._lock = threading.Lock()
        self._unknown = TokenBuckets(
            UNKNOWN_PER_MINUTE, UNKNOWN_BURST, lambda: int(clock() * 1_000_000_000)
        )

    def find(self, digest: bytes, now: float) -> LiveKey | None:
        """The live key with this digest; expiry is the caller's to judge."""
        # A clock that was set back must not make what is held look young.
        if not 0 <= now - self._read_at < MAX_AGE_S:
            self._refresh(now)
            return self._keys.get(digest)
        key = self._keys.get(digest)
        if key is None and self._unknown.take("") is None:
            self._refresh(now)
            key = self._keys.get(digest)
        return key

    def read_again(self) -> None:
        """Look into the database next time: this process has just changed it."""
        self._read_at = -math.inf

    def _refresh(self, now: float) -> None:
        with self._lock:
            changes = self._read_changes(self._revision)
            keys = {} if changes.complete else self._keys.copy()
            for digest, key in changes.keys.items():
                keys.pop(digest, None)
                if key is not None:
                    if known := self._keys.get(digest):
                        key.use_noted = known.use_noted
                    keys[digest] = key
            self._keys = keys
            self._revision = changes.revision
            self._read_at = now
