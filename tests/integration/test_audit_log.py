"""The audit log on a real database: what is taken down, and which tampering is found."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from fundstelle.accounts.audit import AuditLog, Entry
from fundstelle.accounts.audit_calls import CallLog
from fundstelle.accounts.audit_chain import chain
from fundstelle.accounts.store import AccountsStore
from tests.integration.databases import Database

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
QUESTION = "Darf mein Mandant Herr Geheim kündigen?"


class Clock:
    """A second passes with each look."""

    def __init__(self) -> None:
        self.now = START.timestamp()

    def __call__(self) -> float:
        self.now += 1
        return self.now


class Later:
    """Holds background tasks until the test runs them."""

    def __init__(self) -> None:
        self.tasks: list[Callable[[], None]] = []

    def __call__(self, delay_s: float, task: Callable[[], None]) -> None:
        del delay_s
        self.tasks.append(task)

    def run(self) -> None:
        tasks, self.tasks = self.tasks, []
        for task in tasks:
            task()


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def log(store: AccountsStore) -> AuditLog:
    return AuditLog(store, Clock())


def fill(log: AuditLog, lines: int = 6) -> None:
    for number in range(1, lines + 1):
        log.record("key_created", "user_a", f"key_{number}", "req-1", name=f"Gerät {number} 💼")


def run(store: AccountsStore, *statements: str) -> None:
    with store.write() as connection:
        for statement in statements:
            connection.execute(text(statement))


def test_what_was_recorded_is_exported_in_order(log: AuditLog) -> None:
    log.record("signed_in", "user_a", "session_b", "req-1", factor="totp")
    log.record("key_created", "user_a", "key_c")
    first, second = log.export()
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
    assert log.verify() is None


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
    since = datetime.fromtimestamp(START.timestamp() + 5, UTC)
    assert [line["number"] for line in log.export(since)] == [5, 6]


def test_the_newest_lines_come_first_for_the_page(log: AuditLog) -> None:
    fill(log, 3)
    assert [line.object for line in log.latest()] == ["key_3", "key_2", "key_1"]


def test_a_long_log_is_read_in_pages(log: AuditLog) -> None:
    time = datetime.now(UTC)
    log.append(Entry(time, "e", "a", str(n), "", {}) for n in range(2_001))
    assert log.verify() is None
    assert sum(1 for _ in log.export()) == 2_001
    assert [line.number for line in log.latest()] == list(range(2_001, 0, -1))


def test_an_empty_log_is_whole(log: AuditLog) -> None:
    assert log.verify() is None
    assert list(log.export()) == []
    assert log.read_head() == (0, "0" * 64)


@pytest.mark.parametrize("value", ["a\x00b", "\ud800", "x" * 10_000, "💼" * 600])
def test_what_a_caller_sends_fits_every_database(log: AuditLog, value: str) -> None:
    log.record(value, value, value, value)
    assert log.verify() is None


def test_switched_off_nothing_is_recorded(store: AccountsStore) -> None:
    off = AuditLog(store, is_on=False)
    fill(off)
    assert off.read_head()[0] == 0


def test_many_processes_write_one_chain(tmp_path: Path, database: Database) -> None:
    stores = [database.open(tmp_path) for _ in range(4)]
    with ThreadPoolExecutor(len(stores)) as pool:
        list(pool.map(lambda store: fill(AuditLog(store), 10), stores))
    assert AuditLog(stores[0]).verify() is None
    assert AuditLog(stores[0]).read_head()[0] == 40
    for store in stores:
        store.close()


# --- tampering: each by SQL, as someone does it who has the database but not the pepper


RENUMBER = (
    "UPDATE audit SET number = number + 1000 WHERE number > 3",
    "UPDATE audit SET number = number - 1001 WHERE number > 1000",
)
EXCHANGE = (
    "UPDATE audit SET number = 1003 WHERE number = 3",
    "UPDATE audit SET number = 3 WHERE number = 5",
    "UPDATE audit SET number = 5 WHERE number = 1003",
)
ZEROS = "0" * 64
COPIED = "time, event, actor, object, request, details, hash, hash"
ADD = f"INSERT INTO audit SELECT 7, {COPIED} FROM audit WHERE number = 6"

TAMPERINGS = {
    "event": (["UPDATE audit SET event = 'x' WHERE number = 4"], "changed", 4),
    "actor": (["UPDATE audit SET actor = 'user_b' WHERE number = 4"], "changed", 4),
    "object": (["UPDATE audit SET object = 'key_9' WHERE number = 4"], "changed", 4),
    "request": (["UPDATE audit SET request = 'req-2' WHERE number = 4"], "changed", 4),
    "time": (
        ["UPDATE audit SET time = (SELECT time FROM audit WHERE number = 1) WHERE number = 4"],
        "changed",
        4,
    ),
    "details": (['UPDATE audit SET details = \'{"name":"y"}\' WHERE number = 4'], "changed", 4),
    "hash": ([f"UPDATE audit SET hash = '{ZEROS}' WHERE number = 4"], "changed", 4),
    "previous": ([f"UPDATE audit SET previous = '{ZEROS}' WHERE number = 4"], "changed", 4),
    "first removed": (["DELETE FROM audit WHERE number = 1"], "removed", 1),
    "one removed": (["DELETE FROM audit WHERE number = 3"], "removed", 3),
    "several removed": (["DELETE FROM audit WHERE number IN (3, 4)"], "removed", 3),
    "removed and renumbered": (["DELETE FROM audit WHERE number = 3", *RENUMBER], "reordered", 3),
    "exchanged": (list(EXCHANGE), "reordered", 3),
    "end removed": (["DELETE FROM audit WHERE number > 4"], "truncated", 5),
    "all removed": (["DELETE FROM audit"], "truncated", 1),
    "end removed, head set back": (
        [
            "DELETE FROM audit WHERE number > 4",
            "UPDATE audit_head SET number = 4, hash = (SELECT hash FROM audit WHERE number = 4)",
        ],
        "rewritten",
        4,
    ),
    "head removed": (["DELETE FROM audit_head"], "rewritten", 6),
    "line added": (
        [
            ADD,
        ],
        "changed",
        7,
    ),
}


@pytest.mark.parametrize(("statements", "kind", "number"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_every_tampering_is_found_and_named(
    store: AccountsStore, log: AuditLog, statements: list[str], kind: str, number: int
) -> None:
    fill(log)
    assert log.verify() is None
    run(store, *statements)
    problem = log.verify()
    assert problem is not None
    assert (problem.kind, problem.number) == (kind, number)
    assert f"line {number}" in str(problem) or kind in {"truncated", "rewritten", "removed"}


def rewrite(store: AccountsStore, log: AuditLog, first: int) -> None:
    """Change a line and hash it and all behind it anew, as the code itself does."""
    lines = list(log.latest())[::-1]
    previous = lines[first - 2].hash
    with store.write() as connection:
        for old in lines[first - 1 :]:
            entry = Entry(old.time, "changed", old.actor, old.object, old.request, old.details)
            line = chain(entry, old.number, previous)
            previous = line["hash"]
            connection.execute(
                text("UPDATE audit SET event = :e, previous = :p, hash = :h WHERE number = :n"),
                {"e": "changed", "p": line["previous"], "h": line["hash"], "n": line["number"]},
            )
        connection.execute(text("UPDATE audit_head SET hash = :h"), {"h": previous})


def test_a_log_hashed_anew_without_the_pepper_is_found(store: AccountsStore, log: AuditLog) -> None:
    fill(log)
    rewrite(store, log, 3)
    problem = log.verify()
    assert problem is not None
    assert (problem.kind, problem.number) == ("rewritten", 6)


def test_one_line_hashed_anew_breaks_the_chain(store: AccountsStore, log: AuditLog) -> None:
    fill(log)
    old = list(log.export())[3]
    entry = Entry(datetime.fromisoformat(old["time"]), "x", "y", "", "", {})
    line = chain(entry, 4, old["previous"])
    run(
        store,
        f"UPDATE audit SET event = 'x', actor = 'y', object = '', request = '', details = '{{}}', "
        f"hash = '{line['hash']}' WHERE number = 4",
    )
    problem = log.verify()
    assert problem is not None
    assert (problem.kind, problem.number) == ("rewritten", 5)


@pytest.mark.parametrize("written_anew", [False, True])
def test_a_remembered_hash_shows_what_one_with_the_pepper_did(
    store: AccountsStore, log: AuditLog, *, written_anew: bool
) -> None:
    fill(log)
    head = log.read_head()[1]
    assert log.verify(head) is None
    run(store, "DELETE FROM audit", f"UPDATE audit_head SET number = 0, hash = '{ZEROS}', seal=''")
    if written_anew:
        fill(log, 9)
    assert log.verify() is None
    problem = log.verify(head)
    assert problem is not None
    assert problem.kind == "truncated"


def test_a_remembered_hash_may_be_older_than_the_newest(log: AuditLog) -> None:
    fill(log)
    head = log.read_head()[1]
    fill(log)
    assert log.verify(head) is None


# --- tool calls


def note(calls: CallLog, query: str = QUESTION, **more: Any) -> None:
    given = {"credential": "key_a", "tool": "legal_search", "release": "build-1", "request": "r-1"}
    arguments = {"query": query, "limit": 5}
    calls.note(**{"arguments": arguments, "result_ids": ("de/bgb/823",), **given, **more})


def test_a_tool_call_is_recorded_without_what_was_asked(
    tmp_path: Path, store: AccountsStore, database: Database, log: AuditLog
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, later)
    note(calls)
    later.run()
    (line,) = log.export()
    assert (line["event"], line["actor"], line["object"]) == (
        "tool_called",
        "key_a",
        "legal_search",
    )
    assert set(line["details"]) == {"input", "release", "results"}
    assert (line["details"]["release"], line["details"]["results"]) == ("build-1", ["de/bgb/823"])
    assert b"Geheim" not in database.dump(tmp_path)
    assert log.verify() is None


def test_the_hash_of_the_input_is_keyed_and_blind_to_order(log: AuditLog) -> None:
    one, other = (CallLog(log, pepper * 32, Later()) for pepper in (b"a", b"b"))
    assert one.hash_input("t", {"a": 1, "b": 2}) == one.hash_input("t", {"b": 2, "a": 1})
    assert one.hash_input("t", {"a": 1}) != one.hash_input("t", {"a": 2})
    assert one.hash_input("t", {"a": 1}) != one.hash_input("u", {"a": 1})
    assert one.hash_input("t", {"a": 1}) != other.hash_input("t", {"a": 1})
    deep: dict[str, Any] = {}
    for _ in range(2_000):
        deep = {"x": deep}
    assert len(one.hash_input("t", deep)) == 64


def test_calls_of_one_moment_cost_one_task(log: AuditLog, store: AccountsStore) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, later)
    for number in range(1_200):
        note(calls, request=f"r-{number}")
    assert len(later.tasks) == 1
    later.run()
    assert [line["request"] for line in log.export()] == [f"r-{number}" for number in range(1_200)]
    note(calls)
    assert len(later.tasks) == 1


@contextmanager
def without(database: Database, data: Path, store: AccountsStore) -> Iterator[None]:
    store.close()
    with database.away(data):
        yield


def test_calls_wait_while_the_database_is_away_and_lost_ones_are_counted(
    tmp_path: Path,
    store: AccountsStore,
    database: Database,
    log: AuditLog,
    caplog: pytest.LogCaptureFixture,
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, later, capacity=3)
    with without(database, tmp_path, store), caplog.at_level(logging.ERROR):
        for _ in range(2):
            note(calls)
        later.run()
        for _ in range(5):
            note(calls)
    assert "could not be recorded yet" in caplog.text
    later.run()
    assert [line["event"] for line in log.export()] == ["tool_called"] * 3 + ["calls_lost"]
    assert list(log.export())[-1]["details"] == {"calls": 4}
    assert log.verify() is None
