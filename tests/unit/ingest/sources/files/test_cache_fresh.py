"""What was confirmed a short while ago is not asked again, but only on the same day."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from fundstelle.ingest.sources.files.cache import State

MORNING = datetime(2030, 3, 2, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "fresh"),
    [
        (timedelta(0), True),
        (timedelta(hours=3, minutes=59), True),
        (timedelta(hours=4, minutes=1), False),  # the evening before: of another day
        (timedelta(hours=8), False),
        (timedelta(hours=-1), False),  # by a clock that was ahead
    ],
)
def test_an_evening_says_nothing_of_the_next_day(ago: timedelta, fresh: bool) -> None:
    assert State(checked_at=(MORNING - ago).isoformat()).is_fresh(MORNING) is fresh


def test_what_is_older_than_half_a_day_is_asked_again() -> None:
    evening = MORNING.replace(hour=23)
    assert State(checked_at=(evening - timedelta(hours=11)).isoformat()).is_fresh(evening)
    assert not State(checked_at=(evening - timedelta(hours=12)).isoformat()).is_fresh(evening)


def test_days_are_those_of_one_clock_wherever_it_stands() -> None:
    elsewhere = MORNING.astimezone(timezone(timedelta(hours=-9)))
    assert State(checked_at=MORNING.isoformat()).is_fresh(elsewhere)
    assert not State(checked_at=(MORNING - timedelta(hours=5)).isoformat()).is_fresh(elsewhere)


def test_what_was_never_asked_is_not_fresh() -> None:
    assert not State().is_fresh(MORNING)
