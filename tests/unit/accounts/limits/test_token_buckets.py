from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.accounts.limits.token_buckets import TokenBuckets

SECOND = 1_000_000_000


class Clock:
    """Nanoseconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 10**15

    def __call__(self) -> int:
        return self.now


def test_a_full_bucket_gives_its_burst_and_then_one_token_at_a_time() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 3, clock)
    assert [buckets.take("a") for _ in range(4)] == [None, None, None, 1.0]
    clock.now += SECOND // 4
    assert buckets.take("a") == 0.75
    clock.now += 3 * SECOND // 4
    assert [buckets.take("a"), buckets.take("a")] == [None, 1.0]


def test_a_refused_call_costs_nothing() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 1, clock)
    buckets.take("a")
    assert {buckets.take("a") for _ in range(100)} == {1.0}
    clock.now += SECOND
    assert buckets.take("a") is None


def test_a_look_says_what_taking_would_and_takes_nothing() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 2, clock)
    for _ in range(4):
        looked = {buckets.look("a") for _ in range(3)}
        assert looked == {buckets.take("a")}
        clock.now += SECOND // 4
    assert buckets.look("b") is None
    assert TokenBuckets(0, 1, clock).look("a") is None


def test_keys_do_not_share_a_bucket() -> None:
    buckets = TokenBuckets(60, 1, Clock())
    assert [buckets.take("a"), buckets.take("b"), buckets.take("a")] == [None, None, 1.0]


@pytest.mark.parametrize(
    ("server", "own", "expected"),
    [
        (60, None, 1.0),
        (60, 120, 0.5),
        (60, 1, 60.0),
        (0, 60, 1.0),
    ],
)
def test_a_keys_own_rate_comes_before_the_servers(
    server: int, own: int | None, expected: float
) -> None:
    buckets = TokenBuckets(server, 1, Clock())
    assert [buckets.take("a", own), buckets.take("a", own)] == [None, expected]


@pytest.mark.parametrize(("server", "own"), [(0, None), (60, 0), (0, 0)])
def test_rate_zero_is_unlimited(server: int, own: int | None) -> None:
    buckets = TokenBuckets(server, 1, Clock())
    assert {buckets.take("a", own) for _ in range(1000)} == {None}
    assert len(buckets) == 0


@given(
    rate=st.integers(1, 10_000),
    burst=st.integers(1, 50),
    pauses=st.lists(st.integers(0, 90 * SECOND), max_size=100),
)
def test_it_gives_exactly_what_a_bucket_of_tokens_gives(
    rate: int, burst: int, pauses: list[int]
) -> None:
    clock = Clock()
    buckets = TokenBuckets(rate, burst, clock)
    token_ns = -(-60 * SECOND // rate)
    tokens = Fraction(burst)
    for pause in pauses:
        clock.now += pause
        tokens = min(Fraction(burst), tokens + Fraction(pause, token_ns))
        allowed = tokens >= 1
        tokens -= allowed
        assert (buckets.take("a") is None) == allowed


@given(
    rate=st.integers(1, 1_000_000),
    burst=st.integers(1, 50),
    pauses=st.lists(st.integers(0, SECOND), max_size=60),
)
def test_waiting_as_long_as_told_is_enough_and_a_nanosecond_less_is_not(
    rate: int, burst: int, pauses: list[int]
) -> None:
    clock = Clock()
    buckets = TokenBuckets(rate, burst, clock)
    for pause in pauses:
        clock.now += pause
        wait = buckets.take("a")
        if wait is not None:
            wait_ns = round(wait * SECOND)
            clock.now += wait_ns - 1
            assert buckets.take("a") is not None
            clock.now += 1
            assert buckets.take("a") is None


@given(st.lists(st.integers(0, 2 * SECOND), min_size=30, max_size=200))
def test_no_minute_sees_more_than_rate_and_burst(pauses: list[int]) -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 20, clock)
    minute: deque[int] = deque()
    for pause in pauses:
        clock.now += pause
        if buckets.take("a") is None:
            minute.append(clock.now)
        while minute and minute[0] <= clock.now - 60 * SECOND:
            minute.popleft()
        assert len(minute) <= 60 + 20


def test_what_something_has_cost_is_owed_one_bucket_at_most() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 3, clock)
    assert buckets.take("a") is None
    buckets.charge("a", 4)
    assert buckets.take("a") == 3.0
    buckets.charge("a", 1_000)
    assert buckets.take("a") == 4.0
    assert buckets.take("b") is None
    clock.now += 4 * SECOND
    assert buckets.take("a") is None
    unlimited = TokenBuckets(0, 3, clock)
    unlimited.charge("a", 1_000)
    assert unlimited.take("a") is None


def test_memory_is_bounded_and_the_emptiest_buckets_are_kept() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 2, clock, capacity=10)
    buckets.take("busy")
    buckets.take("busy")
    for i in range(1000):
        buckets.take(f"key_{i}")
        assert len(buckets) <= 10
    assert buckets.take("busy") == 1.0


def test_full_buckets_are_forgotten_first() -> None:
    clock = Clock()
    buckets = TokenBuckets(60, 2, clock, capacity=4)
    for i in range(4):
        buckets.take(f"old_{i}")
    clock.now += 60 * SECOND
    buckets.take("new")
    assert len(buckets) == 1


def test_a_bucket_without_room_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="0"):
        TokenBuckets(60, 0)
