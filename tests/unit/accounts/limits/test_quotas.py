"""The limits of a seat, counted in memory. The clocks are numbers that the test moves."""

import logging
import math
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.quotas import Allowance, Quotas, SeatLimits
from fundstelle.errors import AccountsUnavailable

NOON = datetime(2026, 12, 31, 12, 0, tzinfo=UTC).timestamp()


class Clock:
    """One time for both clocks."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def seconds(self) -> float:
        return self.now

    def ticks(self) -> int:
        return round(self.now * 1_000_000_000)


def build(  # noqa: PLR0917 -- the parts that a case may set
    clock: Clock,
    rate: int = 60,
    burst: int = 1_000,
    month: int = 0,
    count_month: Callable[[str], int] | None = None,
    later: Callable[[float, Callable[[], None]], None] = lambda _delay, task: task(),
    counters: Counters | None = None,
) -> Quotas:
    return Quotas(
        rate,
        burst,
        month,
        counters=counters,
        count_month=count_month,
        later=later,
        clock=clock.seconds,
        ticks=clock.ticks,
    )


def who(
    key: str = "key_a", seat: str = "user_a", rate: int | None = None, month: int | None = None
) -> Principal:
    return Principal(key, "a", rate, seat, month)


def take(quotas: Quotas, principal: Principal, times: int) -> list[bool]:
    return [quotas.take(principal).allowed for _ in range(times)]


def test_the_keys_and_grants_of_a_person_share_one_limit() -> None:
    quotas = build(Clock(), rate=3)
    assert quotas.take(who("key_a")).allowed
    assert quotas.take(who("key_b")).allowed
    assert quotas.take(who("grant_c")).allowed
    assert not quotas.take(who("key_a")).allowed
    assert quotas.take(who("key_d", seat="user_b")).allowed


def test_a_key_of_nobody_is_a_seat_of_its_own() -> None:
    quotas = build(Clock(), rate=1)
    assert [quotas.take(who(key, seat="")).allowed for key in ("a", "b", "a")] == [
        True,
        True,
        False,
    ]


def test_a_minute_gives_its_rate_and_the_next_one_again() -> None:
    clock = Clock(NOON + 10)
    quotas = build(clock, rate=3)
    last = [quotas.take(who()) for _ in range(4)][-1]
    assert (last.allowed, last.remaining, last.reset_s, last.retry_after_s) == (False, 0, 50, 50)
    clock.now += 49.9
    assert not quotas.take(who()).allowed
    clock.now += 0.1
    assert take(quotas, who(), 4) == [True, True, True, False]


def test_what_comes_at_once_is_limited_by_the_burst() -> None:
    clock = Clock()
    quotas = build(clock, rate=60, burst=2)
    first, second, third = (quotas.take(who()) for _ in range(3))
    assert (first.burst_remaining, first.burst_reset_s) == (1, 1)
    assert (second.burst_remaining, second.burst_reset_s) == (0, 2)
    assert (third.allowed, third.retry_after_s) == (False, 1.0)
    assert third.remaining == 58  # refused by the burst: the minute did not count it
    clock.now += 1
    assert quotas.take(who()).allowed


def test_the_turn_of_a_minute_gives_no_second_burst() -> None:
    clock = Clock(NOON + 59.9)
    quotas = build(clock, rate=60, burst=5)
    before = sum(take(quotas, who(), 60))
    clock.now += 0.2
    assert before + sum(take(quotas, who(), 60)) == 5


def test_a_month_gives_its_calls_and_ends_with_the_year() -> None:
    clock = Clock()
    quotas = build(clock, month=2)
    last = [quotas.take(who()) for _ in range(3)][-1]
    assert (last.allowed, last.month_remaining) == (False, 0)
    assert last.retry_after_s is not None
    assert 12 * 3600 <= last.retry_after_s <= 12 * 3600 + 1
    clock.now += last.retry_after_s
    assert take(quotas, who(), 3) == [True, True, False]


def test_a_clock_that_ran_ahead_and_is_set_back_counts_for_the_month_that_it_is() -> None:
    clock = Clock(NOON + 86_400)
    quotas = build(clock, month=2)
    assert take(quotas, who(rate=0), 3) == [True, True, False]
    clock.now = NOON
    allowance = quotas.take(who(rate=0))
    assert (allowance.allowed, allowance.month_remaining) == (True, 1)
    assert allowance.month_reset_s <= 86_400


def test_a_call_that_the_minute_refuses_is_not_counted_for_the_month() -> None:
    clock = Clock()
    quotas = build(clock, rate=2, month=100)
    take(quotas, who(), 50)
    clock.now += 60
    assert quotas.take(who()).month_remaining == 97


def test_calls_that_the_month_refuses_use_up_nothing_of_a_greater_limit() -> None:
    """A client that knocks on and on must not lock its seat out for when an admin gives more."""
    quotas = build(Clock(), rate=0)
    assert take(quotas, who(month=5), 40) == [True] * 5 + [False] * 35
    assert take(quotas, who(month=20), 17) == [True] * 15 + [False] * 2


def test_a_month_goes_on_where_the_recorded_calls_stand() -> None:
    quotas = build(Clock(), month=10, count_month={"user_a": 8}.get)  # type: ignore[arg-type]
    assert [quotas.take(who()).month_remaining for _ in range(2)] == [1, 0]
    assert not quotas.take(who()).allowed


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        (who(), SeatLimits(60, 1_000)),
        (who(rate=5), SeatLimits(5, 1_000)),
        (who(rate=0, month=0), SeatLimits(0, 0)),
        (who(month=7), SeatLimits(60, 7)),
    ],
)
def test_own_limits_come_before_the_servers(principal: Principal, expected: SeatLimits) -> None:
    quotas = build(Clock(), month=1_000)
    allowance = quotas.take(principal)
    assert quotas.get_limits(principal) == expected
    assert (allowance.limit, allowance.month_limit) == (expected.per_minute, expected.per_month)


def test_without_limits_nothing_is_counted() -> None:
    quotas = build(Clock(), rate=0)
    assert {quotas.take(who()).allowed for _ in range(5_000)} == {True}
    assert quotas.take(who()) == Allowance()
    assert not quotas._counters._memory.storage


def test_counters_that_have_expired_are_let_go() -> None:
    counters = Counters()
    for number in range(100):
        counters.add(f"old {number}", -1, 0.0)
    counters.add("new", 60, 61.0)
    assert list(counters._memory.storage) == ["new"]


def test_a_call_starts_no_thread() -> None:
    counters = Counters()
    timer = counters._memory.timer
    counters.add("a", 60, 0.0)
    assert counters._memory.timer is timer


@pytest.fixture
def silent_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def test_without_the_shared_store_a_process_counts_on_its_own_and_complains_once(
    silent_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    counters = Counters(f"redis://:secret@127.0.0.1:{silent_port}/0")
    quotas = build(Clock(), rate=3, counters=counters)
    allowed = []
    for _ in range(4):
        assert counters._shared is not None
        counters._shared.look()  # as is done in the background
        allowed.append(quotas.take(who()).allowed)
    assert allowed == [True, True, True, False]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "secret" not in caplog.text


def test_a_month_that_cannot_be_read_is_asked_for_again_and_nothing_counts_twice() -> None:
    tasks: list[Callable[[], None]] = []
    recorded: list[int] = []

    def count(_seat: str) -> int:
        if not recorded:
            raise AccountsUnavailable("the accounts database does not answer")
        return recorded[0]

    quotas = build(
        Clock(), month=20, count_month=count, later=lambda _delay, task: tasks.append(task)
    )
    assert [quotas.take(who()).month_remaining for _ in range(3)] == [19, 18, 17]
    tasks.pop()()  # it is away
    recorded.append(8 + 2)  # eight from before; the last of the three is not recorded yet
    tasks.pop()()
    assert quotas.take(who()).month_remaining == 20 - 8 - 4
    assert tasks == []


def begin(quotas: Quotas, principal: Principal) -> None:
    begun = quotas.begin(principal)
    if begun is not None:
        begun.result(60)


@pytest.mark.parametrize("recorded", [0, 1, 9, 10, 11])
def test_what_is_recorded_is_known_before_the_first_call(recorded: int) -> None:
    asked: list[str] = []

    def count(seat: str) -> int:
        asked.append(seat)
        return recorded

    tasks: list[Callable[[], None]] = []
    quotas = build(
        Clock(), month=10, count_month=count, later=lambda _delay, task: tasks.append(task)
    )
    for _ in range(3):
        begin(quotas, who())
    left = max(0, 10 - recorded)
    assert take(quotas, who(), 11) == [True] * left + [False] * (11 - left)
    assert (asked, tasks) == (["user_a"], [])


def test_what_several_processes_read_at_once_counts_once() -> None:
    counters = Counters()
    both = [build(Clock(), month=10, count_month=lambda _: 4, counters=counters) for _ in range(2)]
    for quotas in both:
        begin(quotas, who())
    assert [quotas.take(who()).month_remaining for quotas in both] == [5, 4]


def test_a_month_is_waited_for_once_and_not_for_long() -> None:
    clock, let_go = Clock(), threading.Event()
    tasks: list[Callable[[], None]] = []

    def count(_seat: str) -> int:
        let_go.wait(60)
        return 8

    quotas = build(
        clock, month=10, count_month=count, later=lambda _delay, task: tasks.append(task)
    )
    begun = quotas.begin(who())
    assert begun is not None
    assert quotas.begin(who()) is begun, "whoever comes meanwhile waits, too"
    clock.now += 1
    assert quotas.begin(who()) is None
    assert quotas.take(who()).month_remaining == 9
    let_go.set()
    begun.result(60)
    assert quotas.begin(who()) is None
    tasks.pop()()
    assert quotas.take(who()).month_remaining == 0


def test_a_month_that_cannot_be_read_holds_nobody_up() -> None:
    def count(_seat: str) -> int:
        raise AccountsUnavailable("the accounts database does not answer")

    tasks: list[Callable[[], None]] = []
    quotas = build(
        Clock(), month=10, count_month=count, later=lambda _delay, task: tasks.append(task)
    )
    begin(quotas, who())
    assert quotas.take(who()).allowed
    assert len(tasks) == 1
    assert quotas.begin(who()) is None
    for unlimited in (build(Clock(), count_month=count), build(Clock(), month=10)):
        assert unlimited.begin(who()) is None


def test_calls_that_are_given_back_do_not_count_as_recorded_before() -> None:
    tasks: list[Callable[[], None]] = []
    quotas = build(
        Clock(), month=50, count_month=lambda _: 8, later=lambda _delay, task: tasks.append(task)
    )
    quotas.give_back(who(), quotas.take(who(), 16), 15)
    tasks.pop()()
    assert quotas.take(who()).month_remaining == 50 - 8 - 2


def refusals(quotas: Quotas, clock: Clock, calls: int, rate: int | None = None) -> int:
    """How often a client that comes back when told is refused before it is answered."""
    for times in range(10):
        allowance = quotas.take(who(rate=rate), calls)
        if allowance.allowed:
            return times
        assert allowance.retry_after_s is not None
        clock.now += math.ceil(allowance.retry_after_s)  # as the header says it
    raise AssertionError("never answered")


@pytest.mark.parametrize("taken", [0, 1, 7, 19, 20])
@pytest.mark.parametrize("rate", [16, 20, 60, 600])
def test_a_batch_that_comes_back_when_told_is_answered(rate: int, taken: int) -> None:
    clock = Clock(NOON + 3)
    quotas = build(clock, rate=rate, burst=20)
    take(quotas, who(), taken)
    assert [refusals(quotas, clock, 16) <= 1 for _ in range(5)] == [True] * 5


@pytest.mark.parametrize(("burst", "minute"), [(20, 1_000), (1_000, 20)])
def test_what_is_refused_takes_nothing_of_any_limit(burst: int, minute: int) -> None:
    quotas = build(Clock(), rate=minute, burst=burst, month=500)
    before = quotas.take(who(), 10)
    for calls in (11, 16, 20, 21, 501):
        assert not quotas.take(who(), calls).allowed
    after = quotas.take(who(), 10)
    assert after.allowed
    left = (before.burst_remaining, before.remaining, before.month_remaining)
    assert (after.burst_remaining, after.remaining, after.month_remaining) == tuple(
        one - 10 for one in left
    )


def test_calls_that_the_minute_refuses_take_nothing_of_the_burst() -> None:
    clock = Clock(NOON + 50)
    quotas = build(clock, rate=5, burst=20)
    assert sum(take(quotas, who(), 100)) == 5
    assert quotas.take(who()).burst_remaining == 15


def test_the_wait_is_the_longest_of_all_limits() -> None:
    quotas = build(Clock(NOON + 55), rate=60, burst=20)
    take(quotas, who(), 20)
    assert quotas.take(who(), 16).retry_after_s == 16.0
    full = build(Clock(NOON + 10), rate=20, burst=30)
    take(full, who(), 20)
    assert full.take(who(), 11).retry_after_s == 50.0


@pytest.mark.parametrize(
    ("rate", "burst", "month", "most"),
    [(10, 20, 0, 10), (60, 8, 0, 8), (60, 20, 5, 5), (0, 1, 3, 3)],
)
def test_more_than_a_limit_ever_allows_has_no_time_to_come_back(
    rate: int, burst: int, month: int, most: int
) -> None:
    quotas = build(Clock(), rate=rate, burst=burst, month=month)
    never = quotas.take(who(), most + 1)
    assert (never.allowed, never.retry_after_s, never.most) == (False, None, most)
    assert quotas.take(who(), most).allowed


def test_calls_that_are_given_back_can_be_made() -> None:
    clock = Clock()
    quotas = build(clock, rate=20, burst=20, month=20)
    allowance = quotas.take(who(), 20)
    clock.now += 60  # back where they were taken: not into the minute that has begun since
    quotas.give_back(who(), allowance, 16)
    assert (allowance.remaining, allowance.month_remaining) == (16, 16)
    assert quotas.take(who(), 16).allowed
    assert not quotas.take(who()).allowed
