"""The audit log on a real database: what is taken down, and which tampering is found."""

import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fundstelle.accounts.audit.log import AuditLog, Entry
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.errors import AccountsError
from tests.integration.audit.audit_lines import fill
from tests.integration.services.databases import Database

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Clock:
    """A second passes with each look."""

    def __init__(self) -> None:
        self.now = START.timestamp()

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def log(store: AccountsStore) -> AuditLog:
    return AuditLog(store, Clock())


def test_what_was_recorded_is_exported_in_order(log: AuditLog) -> None:
    log.record("signed_in", "user_a", "session_b", "req-1", factor="totp")
    log.record("key_created", "user_a", "key_c")
    begun, first, second = log.export()
    assert (begun["number"], begun["event"]) == (0, "log_begun")
    assert (first["number"], second["number"]) == (1, 2)
    assert first["time"] == "2026-11-21T12:00:01.000Z"
    assert {name: first[name] for name in ("event", "actor", "object", "request", "details")} == {
        "event": "signed_in",
        "actor": "user_a",
        "object": "session_b",
        "request": "req-1",
        "details": {"factor": "totp"},
    }
    assert second["previous"] == first["hash"]
    assert log.verify().problems == ()


def test_an_export_can_be_checked_by_anyone_with_a_hash_function(log: AuditLog) -> None:
    fill(log)
    previous = "0" * 64
    for raw in log.export_lines():
        line = json.loads(raw)
        stated = line.pop("hash")
        canonical = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert stated == hashlib.sha256(canonical.encode()).hexdigest()
        assert line["previous"] == previous
        previous = stated
    assert log.read_head() == (6, previous)


def test_an_export_may_begin_later(log: AuditLog) -> None:
    fill(log)
    since = datetime.fromtimestamp(START.timestamp() + 6, UTC)
    assert [line["number"] for line in log.export(since)] == [5, 6]


def test_the_newest_lines_come_first_for_the_page(log: AuditLog) -> None:
    fill(log, 3)
    assert [line.object for line in log.latest()] == ["key_3", "key_2", "key_1", ""]


def test_a_long_log_is_read_in_pages(log: AuditLog) -> None:
    time = datetime.now(UTC)
    log.append(Entry(time, "e", "a", str(n), "", {}) for n in range(2_001))
    assert log.verify().problems == ()
    assert sum(1 for _ in log.export()) == 2_002
    assert [line.number for line in log.latest()] == list(range(2_001, -1, -1))


def test_a_log_begins_when_a_server_does_and_an_empty_one_is_a_finding(log: AuditLog) -> None:
    problem = log.verify().problem
    assert problem is not None
    assert (problem.kind, problem.number) == ("empty", 0)
    assert list(log.export()) == []
    log.begin()
    log.begin()
    assert [line["event"] for line in log.export()] == ["log_begun"]
    assert log.verify().problems == ()


@pytest.mark.parametrize("value", ["a\x00b", "\ud800", "x" * 10_000, "💼" * 600])
def test_what_a_caller_sends_fits_every_database(log: AuditLog, value: str) -> None:
    log.record(value, value, value, value)
    assert log.verify().problems == ()


def test_switched_off_nothing_is_recorded(store: AccountsStore) -> None:
    off = AuditLog(store, is_on=False)
    fill(off)
    assert off.read_head()[0] == 0


def test_many_processes_write_one_chain_and_nobody_takes_that_for_tampering(
    tmp_path: Path, database: Database
) -> None:
    stores = [database.open(tmp_path) for _ in range(5)]
    *logs, reader = [AuditLog(store) for store in stores]
    reader.begin()
    with ThreadPoolExecutor(len(stores)) as pool:
        written = [pool.submit(fill, log, 10) for log in logs]
        found = [reader.verify().problems for _ in range(8)]
        for each in written:
            each.result()
    assert found == [()] * len(found)
    assert reader.verify().problems == ()
    assert reader.read_head()[0] == 40
    assert sum(log.breaks for log in logs) == 0
    for store in stores:
        store.close()


def test_a_key_and_its_line_are_both_there_or_neither(
    store: AccountsStore, log: AuditLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is made, rotated or ended: what is said to have failed has not happened."""
    keys = ApiKeys(store)
    with log.together() as note:
        _, key = keys.create("held")
        note("key_created", "system", key.id)
    assert [line["event"] for line in log.export()][-1] == "key_created"
    before = [(one.id, one.revoked, one.replaced_by) for one in keys.list()]
    lines = list(log.export())

    def fail(*_: object) -> None:
        raise AccountsError("the line cannot be written")

    changes: list[Callable[[], object]] = [
        lambda: keys.create("another"),
        lambda: keys.rotate(key.id, timedelta(days=1), None),
        lambda: keys.revoke(key.id),
    ]

    def attempt(change: Callable[[], object]) -> None:
        with log.together() as note:
            change()
            note("key_changed", "system", key.id)

    with monkeypatch.context() as patched:
        patched.setattr(log, "_insert", fail)
        for change in changes:
            with pytest.raises(AccountsError):
                attempt(change)
    assert [(one.id, one.revoked, one.replaced_by) for one in keys.list()] == before
    assert list(log.export()) == lines
    with pytest.raises(ZeroDivisionError):
        attempt(lambda: (keys.revoke(key.id), 1 / 0))
    assert [(one.id, one.revoked, one.replaced_by) for one in keys.list()] == before
    with log.together() as note:
        keys.revoke(key.id)
        note("key_revoked", "system", key.id)
    assert keys.list()[0].revoked is not None
    assert log.verify().problems == ()
    keys.close()
