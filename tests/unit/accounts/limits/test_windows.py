import pytest

from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.limiter import Blocked, Limit
from fundstelle.accounts.limits.windows import Windows

ONE = Limit("one", 2, 60)
MANY = Limit("many", 3, 3_600)


def test_so_many_may_be_made_and_the_next_waits_for_the_end_of_the_first_ones_period() -> None:
    limiter = Windows(Counters())
    assert [limiter.take((ONE, "a")) for _ in range(2)] == [None] * 2
    blocked = limiter.take((ONE, "a"))
    assert blocked is not None
    assert 50 < blocked.wait_s <= 60
    assert limiter.take((ONE, "b")) is None


def test_of_several_limits_the_first_that_is_used_up_answers_and_those_behind_count_nothing() -> (
    None
):
    limiter = Windows(Counters())
    for _ in range(9):
        limiter.take((ONE, "a"), (MANY, "all"))
    assert limiter.take((ONE, "b"), (MANY, "all")) is None
    blocked = limiter.take((ONE, "c"), (MANY, "all"))
    assert blocked is not None
    assert blocked.wait_s > 60


def test_looking_counts_nothing_and_sees_what_is_used_up() -> None:
    limiter = Windows(Counters())
    assert {limiter.look((ONE, "a")) for _ in range(9)} == {None}
    for _ in range(ONE.free):
        limiter.take((ONE, "a"))
    assert isinstance(limiter.look((ONE, "a")), Blocked)


@pytest.mark.parametrize("past_s", [0, 30])
def test_nobody_is_told_to_come_back_at_once(past_s: int) -> None:
    """The window may end between the count and the look at its end."""
    counters = Counters()
    for _ in range(ONE.free):
        Windows(counters).take((ONE, "a"))
    late = Windows(counters, lambda: counters.find_end("one:a") + past_s)
    assert late.take((ONE, "a")) == Blocked(1.0)
