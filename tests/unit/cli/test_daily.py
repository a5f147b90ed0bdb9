"""Updates once a day: when the next is due, and that none outlives its server."""

import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fundstelle.cli.daily import AGAIN, EVERY, DailyUpdates, find_due

NOW = datetime(2026, 5, 4, 3, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.mark.parametrize(
    ("last", "tried", "due"),
    [
        (None, None, NOW + MINUTE),  # a server begins before its first update
        (NOW - HOUR, None, NOW - HOUR + EVERY),
        (NOW - 3 * EVERY, None, NOW + MINUTE),  # it was off for some days
        (NOW - HOUR, NOW - HOUR, NOW - HOUR + EVERY),  # this process made it
        (NOW - EVERY, NOW - MINUTE, NOW - MINUTE + AGAIN),  # it ended without a report
        (None, NOW - MINUTE, NOW - MINUTE + AGAIN),
        (NOW + 300 * EVERY, None, NOW + MINUTE),  # a clock was wrong then
        (NOW - HOUR, NOW + EVERY, NOW - HOUR + EVERY),
    ],
)
def test_an_update_is_due_a_day_after_the_last_and_an_hour_after_one_that_failed(
    last: datetime | None, tried: datetime | None, due: datetime
) -> None:
    assert find_due(last, tried, NOW) == due


def test_without_a_process_to_be_had_it_is_tried_again(tmp_path: Path) -> None:
    begun, hours = tmp_path / "begun", iter(range(10**6))
    work = f"import pathlib; pathlib.Path({str(begun)!r}).touch()"
    command = ["/nowhere/python", "-c", work]
    updates = DailyUpdates(lambda: None, command, lambda: NOW + next(hours) * HOUR)
    with updates:
        waiting = threading.Event()
        while next(hours) < 20:  # some have failed
            waiting.wait(0.01)
        updates._command[0] = sys.executable
        while not begun.exists():
            waiting.wait(0.01)


def test_an_update_is_begun_when_it_is_due_and_ends_with_the_server(tmp_path: Path) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    work = (
        f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(60);"
        f" pathlib.Path({str(ended)!r}).touch()"
    )
    hours = iter(range(10**6))
    updates = DailyUpdates(
        lambda: None, [sys.executable, "-c", work], lambda: NOW + next(hours) * HOUR
    )
    with updates:
        waiting = threading.Event()
        while not begun.exists():
            waiting.wait(0.01)
    assert not ended.exists()
