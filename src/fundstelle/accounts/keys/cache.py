"""The live keys in memory, never more than a few seconds behind the database that answers.

While it does not answer, what is held goes on for ``STALE_S``: a database that is frozen or being
restarted stops nobody who was welcome a moment ago. A revocation made meanwhile cannot be known.
"""

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from fundstelle.accounts.keys.reach import EVERYTHING, Reach
from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.errors import AccountsUnavailable

MAX_AGE_S = 4.0  # a second less than what is promised for a revocation
STALE_S = 300.0  # so old may be what is held while the database is away
_AWAY = "the accounts database does not answer"
WHOLE_S = 60.0  # so often all keys are read, and not what has changed alone
_SOON_S = 2.0  # from this age on it is read anew in the background
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
    reach: Reach = EVERYTHING


class Recall(Enum):
    """What memory alone says of a credential where it names no principal."""

    ASK = "ask"  # only the database can tell


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
        self._read_at = self._whole_at = -math.inf
        self._is_away = False  # the database has not answered last time
        self._begun = self._ended = 0  # readings, by number; the newest that succeeded
        self._changed = 0  # so often this process has changed the database
        self._lock = threading.Lock()
        self._unknown = TokenBuckets(
            UNKNOWN_PER_MINUTE, UNKNOWN_BURST, lambda: int(clock() * 1_000_000_000)
        )

    def recall(self, digest: bytes, now: float) -> LiveKey | None:
        """The live key from memory; ``None`` if the database has to be asked. Never waits."""
        # A clock that was set back must not make what is held look young.
        age = now - self._read_at
        if not 0 <= age < (STALE_S if self._is_away else MAX_AGE_S):
            return None
        return self._keys.get(digest)

    def find(self, digest: bytes, now: float) -> LiveKey | None:
        """The live key with this digest; expiry is the caller's to judge.

        Raises:
            AccountsUnavailable: the database is needed for it, and does not answer.
        """
        if not 0 <= now - self._read_at < MAX_AGE_S:
            try:
                self._refresh(now)
            except AccountsUnavailable:
                key = self._keys.get(digest)
                if key is None or not 0 <= now - self._read_at < STALE_S:
                    raise
                return key
            return self._keys.get(digest)
        key = self._keys.get(digest)
        if key is None and self._unknown.take("") is None:
            self._refresh(now)
            return self._keys.get(digest)
        if key is None and self._is_away:
            raise AccountsUnavailable(_AWAY)
        return key

    def read_again(self) -> None:
        """Look into the database next time: this process has just changed it.

        What is being read meanwhile may be from before the change, and counts as old.
        """
        self._changed += 1
        self._read_at = -math.inf

    def keep_fresh(self, now: float) -> None:
        """Read what has changed before somebody has to wait for it; called every second or so.

        Without it a key that was revoked while nobody asked could go on in an outage that began
        after that.

        Raises:
            AccountsError: the database cannot be used.
        """
        if not 0 <= now - self._read_at < _SOON_S:
            self._refresh(now)

    def _refresh(self, now: float) -> None:
        """Read what has changed; one does for all who came before it began."""
        seen = self._begun
        # While the database is away nobody waits for the one that tries.
        if not self._lock.acquire(blocking=not self._is_away):
            raise AccountsUnavailable(_AWAY)
        try:
            if self._ended > seen:
                return
            self._begun += 1
            # An older version may still count changes one by one, as another copy may have, too.
            is_due = self._is_away or not 0 <= now - self._whole_at < WHOLE_S
            changed = self._changed
            changes = self._read_changes(-1 if is_due else self._revision)
            self._take(changes)
            self._read_at = now
            if self._changed != changed:
                self._read_at = -math.inf
            if changes.complete:
                self._whole_at = now
            self._ended = self._begun
            self._is_away = False
        except AccountsUnavailable:
            self._is_away = True
            raise
        finally:
            self._lock.release()

    def _take(self, changes: Changes) -> None:
        keys = {} if changes.complete else self._keys.copy()
        for digest, key in changes.keys.items():
            keys.pop(digest, None)
            if key is not None:
                if known := self._keys.get(digest):
                    key.use_noted = known.use_noted
                keys[digest] = key
        self._keys = keys
        self._revision = changes.revision
