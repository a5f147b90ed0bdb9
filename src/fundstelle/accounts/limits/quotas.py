"""How often a seat may call: at once, in a minute, in a month.

All keys and OAuth grants of a person are one seat. Three limits hold side by side:

- ``burst``: a token bucket in this process (``token_buckets``). At most so many calls come at once,
  after that they come at the pace of the minute's rate. It spares a server the whole minute's calls
  within one second, and it is what keeps the turn of a minute from being used twice.
- ``minute``: calls from one full minute (UTC) to the next.
- ``month``: calls of a calendar month (UTC).

Minute and month are counted in memory by default, or in a Redis or Valkey that several servers
share. A call, or all calls of a batch, are counted by each limit or by none: who is refused and
comes back when told is not set back by having asked.
"""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.database.availability import StoreState
from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.limits.counters import Counter, Counters
from fundstelle.accounts.limits.token_buckets import UNLIMITED, TokenBuckets
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

MINUTE_S = 60
FIRST_WAIT_S = 0.5
"""The first call of a seat waits no longer for what is recorded of its month."""

_READERS = 2
_AGAIN_S = 5.0  # after the month could not be read
_SLACK_S = 60  # a counter outlives its window: clocks differ

_log = logging.getLogger(__name__)


class Seat(Protocol):
    """Whoever has limits of their own: a person or a principal."""

    @property
    def rate_per_minute(self) -> int | None:
        """``None`` = the server's default, 0 = unlimited."""

    @property
    def calls_per_month(self) -> int | None:
        """The same."""


class SeatLimits(NamedTuple):
    """The limits that hold for someone; 0 = unlimited."""

    per_minute: int
    per_month: int


@dataclass(slots=True)
class Allowance:
    """Whether calls are allowed, and what is left after them.

    ``limit``, ``remaining`` and ``reset_s`` (seconds) are those of the minute; 0 = unlimited.
    ``most`` is how many can ever be allowed together.
    """

    allowed: bool = True
    retry_after_s: float | None = None  # if refused for now; refused without: it can never be
    most: int = UNLIMITED
    limit: int = UNLIMITED
    remaining: int = 0
    reset_s: int = 0
    burst: int = 0
    burst_remaining: int = 0
    burst_reset_s: int = 0
    month_limit: int = UNLIMITED
    month_remaining: int = 0
    month_reset_s: int = 0
    counted: Sequence[str] = ()  # the counters that were raised


class Quotas:
    """The limits of one server.

    Args:
        rate_per_minute: for seats without a rate of their own; 0 = unlimited.
        burst: calls at once, at least 1.
        calls_per_month: for seats without a number of their own; 0 = unlimited.
        counters: where minutes and months are counted.
        count_month: the calls of a seat recorded for this month: a counter that starts anew, in a
            process that starts, goes on from there. It is asked for off the event loop: by
            ``begin``, and in the background where a call is counted before that is known.
        later: runs a task after some seconds, off the calling thread.
        clock: seconds since the epoch.
        ticks: monotonic, in nanoseconds.
    """

    def __init__(  # noqa: PLR0913 -- three limits, where they are kept, two clocks
        self,
        rate_per_minute: int,
        burst: int,
        calls_per_month: int = UNLIMITED,
        *,
        counters: Counters | None = None,
        count_month: Callable[[str], int] | None = None,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._rate_per_minute = rate_per_minute
        self._calls_per_month = calls_per_month
        self._burst = burst
        self._buckets = TokenBuckets(rate_per_minute, burst, ticks)
        self._counters = counters or Counters()
        self._count_month = count_month
        self._later = later
        self._complaints = Complaints(_log)
        self._clock = clock
        self._month = ""
        self._month_begins = 0.0
        self._month_ends = 0.0
        self._begun: dict[str, tuple[Future[None] | None, float]] = {}  # of this month, by seat
        self._none_before: set[str] = set()  # seats of which nothing was recorded before
        self._readers = ThreadPoolExecutor(_READERS, "quota-month")

    @property
    def store_state(self) -> StoreState | None:
        """Whether the store that several servers count in answers; ``None`` = there is none."""
        return self._counters.state

    def begin(self, principal: Principal) -> Future[None] | None:
        """What to wait for before the first call of a seat in this process and month is counted.

        Not longer than ``FIRST_WAIT_S`` in all: where the database is slower than that, calls are
        counted from zero until it has answered. Never raises.
        """
        _, most = self.get_limits(principal)
        if most == UNLIMITED or self._count_month is None:
            return None
        now = self._clock()
        seat = _name_seat(principal)
        counter = self._count_in_month(seat, most, now)
        if seat not in self._begun:
            self._begun[seat] = (None, now)
            with suppress(RuntimeError):  # the system has no thread
                asked = self._readers.submit(self._read_before, seat, counter)
                self._begun[seat] = (asked, now)
        waiting, since = self._begun[seat]
        if waiting is None or not 0 <= now - since < FIRST_WAIT_S or waiting.done():
            self._begun[seat] = (None, since)
            return None
        return waiting

    def take(self, principal: Principal, calls: int = 1) -> Allowance:
        """Count calls of a seat: all of them by each limit, or none. Never raises."""
        rate, most = self.get_limits(principal)
        allowance = Allowance(limit=rate, month_limit=most)
        seat = _name_seat(principal)
        now = self._clock()
        bounded = self._list_counters(seat, rate, most, now)
        if not bounded:
            return allowance
        counters = [counter for counter, _ in bounded]
        at_once = [self._burst] if rate != UNLIMITED else []
        allowance.most = min([*at_once, *(counter.most for counter in counters)])
        wait = self._buckets.look(seat, rate, calls)
        free = wait is None and calls <= allowance.most
        taken = self._counters.take(counters, calls, now, looks=not free)
        used = list(taken.used)
        if free and taken.fits:
            self._buckets.take(seat, rate, calls)
            allowance.counted = [counter.name for counter in counters]
            is_known = seat in self._none_before
            self._none_before.discard(seat)  # by now something is
            is_new = most != UNLIMITED and used[-1] == calls and not is_known
            if is_new and self._count_month is not None:
                used[-1] = self._begin_month(seat, counters[-1].name, calls)
        else:
            allowance.allowed = False
            if calls <= allowance.most:
                ends = zip(bounded, used, strict=True)
                waits = [end - now for (c, end), count in ends if count + calls > c.most]
                allowance.retry_after_s = max([wait or 0.0, *waits])
        if rate != UNLIMITED:
            allowance.reset_s = MINUTE_S - int(now) % MINUTE_S
            allowance.remaining = max(0, rate - used[0])
            self._tell_burst(allowance, seat)
        if most != UNLIMITED:
            allowance.month_reset_s = int(self._month_ends - now) + 1
            allowance.month_remaining = max(0, most - used[-1])
        return allowance

    def give_back(self, principal: Principal, allowance: Allowance, calls: int) -> None:
        """Uncount calls that were allowed and are not answered."""
        self._counters.give_back(allowance.counted, calls)
        if allowance.limit != UNLIMITED:
            seat = _name_seat(principal)
            self._buckets.give_back(seat, allowance.limit, calls)
            allowance.remaining += calls
            self._tell_burst(allowance, seat)
        if allowance.month_limit != UNLIMITED:
            allowance.month_remaining += calls

    def get_limits(self, seat: Seat) -> SeatLimits:
        """The limits that hold for a person or a principal."""
        rate, most = seat.rate_per_minute, seat.calls_per_month
        return SeatLimits(
            self._rate_per_minute if rate is None else rate,
            self._calls_per_month if most is None else most,
        )

    def _list_counters(
        self, seat: str, rate: int, most: int, now: float
    ) -> list[tuple[Counter, float]]:
        """What counts a seat's calls, the month last, and when each begins anew."""
        bounded = []
        if rate != UNLIMITED:
            minute = int(now // MINUTE_S)
            counter = Counter(f"minute:{seat}:{minute}", rate, MINUTE_S + _SLACK_S)
            bounded.append((counter, float((minute + 1) * MINUTE_S)))
        if most != UNLIMITED:
            bounded.append((self._count_in_month(seat, most, now), self._month_ends))
        return bounded

    def _count_in_month(self, seat: str, most: int, now: float) -> Counter:
        """What counts a seat's calls of the month that it is now."""
        if not self._month_begins <= now < self._month_ends:  # a clock may be set back, too
            self._month, self._month_begins, self._month_ends = _find_month(now)
            self._begun.clear()
            self._none_before.clear()
        lasts = int(self._month_ends - now) + 1
        return Counter(f"month:{seat}:{self._month}", most, lasts + _SLACK_S)

    def _read_before(self, seat: str, counter: Counter) -> None:
        """Have a counter at which nothing stands yet begin with what is recorded."""
        assert self._count_month is not None
        try:
            before = self._count_month(seat)
        except AccountsError:
            return  # told of, and tried again, by what counts the first call
        if before > 0:  # whoever counts it at the same moment adds it once
            bound = Counter(counter.name, before, counter.lasts_s)
            self._counters.take([bound], before, self._clock())
        elif counter.name.endswith(self._month):
            self._none_before.add(seat)

    def _tell_burst(self, allowance: Allowance, seat: str) -> None:
        left, full_s = self._buckets.count_left(seat, allowance.limit)
        allowance.burst, allowance.burst_remaining, allowance.burst_reset_s = (
            self._burst,
            left,
            full_s,
        )

    def _begin_month(self, seat: str, counter: str, calls: int) -> int:
        """Have a counter that is new go on from what is recorded; what it stands at by now."""
        ends = self._month_ends
        self._later(0.0, lambda: self._count_before(seat, counter, ends, calls))
        return self._counters.get(counter)

    def _count_before(self, seat: str, counter: str, ends: float, first: int) -> None:
        """Add what was recorded of this month before; tried again until that can be read."""
        now = self._clock()
        if self._count_month is None or now >= ends:
            return
        try:
            before = self._count_month(seat)
        except AccountsError as error:
            text = f"the calls of this month cannot be read yet, they count from zero: {error}"
            self._complaints.add(error.code, text)
            self._later(_AGAIN_S, lambda: self._count_before(seat, counter, ends, first))
            return
        # recorded since it began to count; what was given back meanwhile is not
        before -= max(0, self._counters.get(counter) - first)
        if before > 0:
            self._counters.add(counter, int(ends - now) + 1 + _SLACK_S, now, before)


def _name_seat(principal: Principal) -> str:
    return principal.seat or principal.key_id


def _find_month(now: float) -> tuple[str, float, float]:
    """The name of the month, the moment at which it began, and the one at which it ends."""
    moment = datetime.fromtimestamp(now, UTC)
    year, month = divmod(moment.year * 12 + moment.month, 12)
    begin = datetime(moment.year, moment.month, 1, tzinfo=UTC)
    end = datetime(year, month + 1, 1, tzinfo=UTC)
    return moment.strftime("%Y-%m"), begin.timestamp(), end.timestamp()
