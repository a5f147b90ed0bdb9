"""Token buckets in the memory of one process: how much may come at once.

Kept as the generic cell rate algorithm: the one number a key needs is the moment at which its
bucket will be full again. This is a pace and no ``Limit``: nothing begins or ends with a period,
and the answer is exact to the nanosecond.
"""

import threading
import time
from collections.abc import Callable

UNLIMITED = 0

_MINUTE_NS = 60 * 1_000_000_000
_SECOND_NS = 1_000_000_000


class TokenBuckets:
    """Token buckets by subject: a seat, a person, a network. Threads may share them.

    A bucket holds *burst* tokens, starts full, and regains ``rate_per_minute`` tokens a minute.
    All arithmetic is in whole nanoseconds, so waiting exactly the time that was named is enough.

    Args:
        rate_per_minute: for subjects without a rate of their own; 0 = unlimited.
        burst: tokens in a full bucket, at least 1.
        clock: monotonic, in nanoseconds.
        capacity: buckets kept at most. When that many are below full at once, the fullest
            are forgotten, which makes them full: the error is in the caller's favour.
    """

    def __init__(
        self,
        rate_per_minute: int,
        burst: int,
        clock: Callable[[], int] = time.monotonic_ns,
        capacity: int = 10_000,
    ) -> None:
        if rate_per_minute < 0 or burst < 1 or capacity < 1:
            raise ValueError((rate_per_minute, burst, capacity))
        self._rate_per_minute = rate_per_minute
        self._burst = burst
        self._clock = clock
        self._capacity = capacity
        self._full_at: dict[str, int] = {}
        self._lock = threading.Lock()

    def take(
        self, subject: str, rate_per_minute: int | None = None, tokens: int = 1
    ) -> float | None:
        """Take tokens: all of them or none.

        Args:
            subject: whose bucket.
            rate_per_minute: the subject's own; 0 = unlimited.
            tokens: at least 1, and no more than a full bucket has.

        Returns:
            ``None`` if they were there, else the seconds until they will be.
        """
        rate = self._rate_per_minute if rate_per_minute is None else rate_per_minute
        if rate == UNLIMITED:
            return None
        token_ns = -(-_MINUTE_NS // rate)
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get(subject, now), now) + tokens * token_ns
            missing_ns = full_at - now - self._burst * token_ns
            if missing_ns > 0:
                return missing_ns / _SECOND_NS
            if len(self._full_at) >= self._capacity and subject not in self._full_at:
                self._forget(now)
            self._full_at[subject] = full_at
        return None

    def look(
        self, subject: str, rate_per_minute: int | None = None, tokens: int = 1
    ) -> float | None:
        """As ``take``, and nothing is taken."""
        rate = self._rate_per_minute if rate_per_minute is None else rate_per_minute
        if rate == UNLIMITED:
            return None
        token_ns = -(-_MINUTE_NS // rate)
        now = self._clock()
        full_at = max(self._full_at.get(subject, now), now) + tokens * token_ns
        missing_ns = full_at - now - self._burst * token_ns
        return missing_ns / _SECOND_NS if missing_ns > 0 else None

    def give_back(self, subject: str, rate_per_minute: int, tokens: int) -> None:
        """Put back what was taken and not used."""
        with self._lock:
            if subject in self._full_at:
                self._full_at[subject] -= tokens * -(-_MINUTE_NS // rate_per_minute)

    def charge(self, subject: str, tokens: int) -> None:
        """Take what something has turned out to cost; what is not there is owed.

        One bucket at most, and of subjects without a rate of their own.
        """
        if self._rate_per_minute == UNLIMITED:
            return
        token_ns = -(-_MINUTE_NS // self._rate_per_minute)
        with self._lock:
            now = self._clock()
            if len(self._full_at) >= self._capacity and subject not in self._full_at:
                self._forget(now)
            full_at = max(self._full_at.get(subject, now), now) + tokens * token_ns
            self._full_at[subject] = min(full_at, now + 2 * self._burst * token_ns)

    def count_left(self, subject: str, rate_per_minute: int) -> tuple[int, int]:
        """The tokens in a bucket, and the seconds until it is full again, rounded up."""
        now = self._clock()
        missing_ns = self._full_at.get(subject, now) - now
        if missing_ns <= 0:
            return self._burst, 0
        token_ns = -(-_MINUTE_NS // rate_per_minute)
        return max(0, self._burst + -missing_ns // token_ns), -(-missing_ns // _SECOND_NS)

    def _forget(self, now: int) -> None:
        """Drop the buckets that are full; if that is not enough, the fuller half of the rest."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        if len(self._full_at) >= self._capacity:
            emptiest = sorted(self._full_at.items(), key=lambda item: item[1])
            self._full_at = dict(emptiest[-(self._capacity // 2) :])

    def __len__(self) -> int:
        return len(self._full_at)
