"""Calls by day on a real database. The clock is a number that the test moves."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.usage import PERIOD_S, Usage
from tests.integration.services.databases import Database

DAY_S = 86_400


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 12, 30, 23, 59, tzinfo=UTC).timestamp()

    def __call__(self) -> float:
        return self.now


class Later:
    """Holds background tasks until the test runs them."""

    def __init__(self) -> None:
        self.tasks: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, delay_s: float, task: Callable[[], None]) -> None:
        self.tasks.append((delay_s, task))

    def run(self) -> None:
        tasks, self.tasks = self.tasks, []
        for _, task in tasks:
            task()


class Process:
    """One server process."""

    def __init__(self, store: AccountsStore, clock: Clock) -> None:
        self.store = store
        self.later = Later()
        self.usage = Usage(store, clock, self.later)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(tmp_path: Path, database: Database, clock: Clock) -> Iterator[Callable[[], Process]]:
    started: list[Process] = []

    def start() -> Process:
        started.append(Process(database.open(tmp_path), clock))
        return started[-1]

    yield start
    for process in started:
        process.store.close()


@pytest.fixture
def process(start: Callable[[], Process]) -> Process:
    return start()


def test_calls_are_counted_by_day_with_the_days_that_had_none(
    process: Process, clock: Clock
) -> None:
    for _ in range(3):
        process.usage.note("user_a", "key_a", "legal_lookup")
    clock.now += 2 * DAY_S
    process.usage.note("user_a", "grant_b", "legal_search")
    process.usage.note("user_x", "key_x", "legal_search")
    process.later.run()
    assert process.usage.by_day("user_a", 4) == [
        (date(2026, 12, 29), 0),
        (date(2026, 12, 30), 3),
        (date(2026, 12, 31), 0),
        (date(2027, 1, 1), 1),
    ]


def test_a_credential_is_counted_over_its_last_days(process: Process, clock: Clock) -> None:
    process.usage.note("user_a", "key_a", "legal_lookup")
    clock.now += 29 * DAY_S
    process.usage.note("user_a", "key_a", "legal_search")
    process.usage.note("user_a", "key_b", "legal_search")
    process.later.run()
    assert process.usage.count("key_a") == 2
    clock.now += DAY_S
    assert process.usage.count("key_a", 30) == 1


def test_many_credentials_are_counted_by_one_query(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(200):
        for _ in range(number % 3):
            process.usage.note("user_a", f"key_{number}", "legal_lookup")
    process.later.run()
    process.usage.note("user_a", "key_1", "legal_lookup")
    store, asked = process.usage._store, []
    read = store.read

    def note() -> Any:
        asked.append(1)
        return read()

    monkeypatch.setattr(store, "read", note)
    found = process.usage.count_each(f"key_{number}" for number in range(200))
    assert [found[f"key_{number}"] for number in range(6)] == [0, 2, 2, 0, 1, 2]
    assert len(asked) == 1


def test_a_month_begins_with_its_first_day(process: Process, clock: Clock) -> None:
    process.usage.note("user_a", "key_a", "legal_lookup")
    assert process.usage.calls_this_month("user_a") == 1
    clock.now += 2 * DAY_S
    assert process.usage.calls_this_month("user_a") == 0


def test_what_is_not_written_yet_counts_already(process: Process) -> None:
    process.usage.note("user_a", "key_a", "legal_lookup")
    process.later.run()
    process.usage.note("user_a", "key_a", "legal_lookup")
    process.usage.note("user_a", "key_a", "legal_search")
    assert process.usage.by_day("user_a", 1)[0][1] == 3
    assert process.usage.count("key_a") == 3
    assert process.usage.calls_this_month("user_a") == 3


def test_many_calls_are_one_write(process: Process) -> None:
    for _ in range(1_000):
        process.usage.note("user_a", "key_a", "legal_lookup")
    assert [delay for delay, _ in process.later.tasks] == [PERIOD_S]
    process.later.run()
    assert process.usage.count("key_a") == 1_000


def test_processes_add_up(start: Callable[[], Process]) -> None:
    processes = [start() for _ in range(4)]

    def use(one: Process) -> None:
        for _ in range(10):
            one.usage.note("user_a", "key_a", "legal_lookup")
            one.usage.note("user_b", "key_b", "legal_search")
            one.usage.flush()

    with ThreadPoolExecutor(len(processes)) as pool:
        list(pool.map(use, processes))
    for one in processes:
        one.usage.flush()
    assert processes[0].usage.count("key_a") == 40
    assert processes[0].usage.count("key_b") == 40


def test_nothing_is_lost_while_the_database_is_away(
    tmp_path: Path, process: Process, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    process.usage.note("user_a", "key_a", "legal_lookup")
    process.store.close()
    with database.away(tmp_path), caplog.at_level(logging.WARNING):
        process.later.run()
    assert "could not be recorded yet" in caplog.text
    process.usage.note("user_a", "key_a", "legal_lookup")
    process.later.run()
    assert process.usage.count("key_a") == 2


def test_calls_with_a_key_that_was_taken_over_count_for_who_has_it(process: Process) -> None:
    """From the next one on, and with them those of that day: a row is of one seat."""
    process.usage.note("usr_gone", "key_a", "legal_search")
    process.later.run()
    process.usage.note("usr_heir", "key_a", "legal_search")
    process.later.run()
    assert process.usage.calls_this_month("usr_heir") == 2
    assert process.usage.calls_this_month("usr_gone") == 0
