"""Old lines are removed from the beginning of the log, and what is kept still verifies."""

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copy

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from fundstelle.accounts.audit.keeper import Keeper
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.retention import prune
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.cli import cli
from fundstelle.settings import Settings
from tests.integration.services.databases import Database, SqliteDatabase

_DAY_S = 86_400


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(store: AccountsStore, clock: Clock) -> AuditLog:
    """Lines of ten days: 0 to 10."""
    log = AuditLog(store, clock)
    for number in range(1, 11):
        log.record("key_created", "user_a", f"key_{number}")
        clock.now += _DAY_S
    return log


def get_numbers(log: AuditLog) -> list[int]:
    return [line["number"] for line in log.export()]


def test_lines_older_than_the_days_go_and_the_log_says_so(log: AuditLog) -> None:
    newest = log.read_head()[1]
    removed_hash = list(log.export())[6]["hash"]
    assert prune(log, 4) == 7
    assert get_numbers(log) == [7, 8, 9, 10, 11]
    line = list(log.export())[-1]
    assert (line["event"], line["object"]) == ("lines_removed", "6")
    assert line["details"] == {
        "up_to": 6, "hash": removed_hash, "older_than": "2026-11-24", "days": 4,
    }  # fmt: skip
    assert next(log.export())["previous"] == removed_hash
    found = log.verify(newest)
    assert (found.problems, found.first, found.number) == ((), 7, 11)
    assert prune(log, 4) == 0
    assert [line.number for line in log.latest()] == [11, 10, 9, 8, 7]


def test_a_log_of_which_all_is_old_goes_on_with_what_says_so(log: AuditLog, clock: Clock) -> None:
    clock.now += 1_000 * _DAY_S
    assert prune(log, 1) == 11
    assert get_numbers(log) == [11]
    assert log.verify().problems == ()


def test_what_was_wrong_with_removed_lines_is_kept(log: AuditLog, store: AccountsStore) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE audit SET event = 'x' WHERE number = 3"))
    prune(log, 4)
    last = list(log.export())[-1]
    assert last["details"]["found"] == ["line 3 was changed"]
    (problem,) = log.verify().problems
    assert (problem.kind, problem.number) == ("broken", last["number"])
    assert "line 3 was changed" in problem.text
    log.accept([last["number"]], "known")
    assert log.verify().problems == ()


def test_lines_made_old_by_somebody_are_not_removed_unsaid(
    log: AuditLog, store: AccountsStore
) -> None:
    with store.write() as connection:
        connection.execute(
            text(
                "UPDATE audit SET time = (SELECT time FROM audit WHERE number = 0) WHERE number < 9"
            )
        )
    prune(log, 4)
    assert "line 8 was changed" in str(log.verify().problem)


def test_what_was_accepted_is_no_finding_again_when_its_line_goes(
    log: AuditLog, store: AccountsStore
) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE audit SET event = 'x' WHERE number = 3"))
    log.accept([3], "known")
    prune(log, 4)
    assert list(log.export())[-1]["details"]["accepted"] == ["line 3 was changed"]
    assert log.verify().problems == ()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit WHERE number = 7",
        "UPDATE audit_head SET first = 8, before = (SELECT hash FROM audit WHERE number = 7)",
        "UPDATE audit_head SET first = 0, before = '" + "0" * 64 + "'",
    ],
)
def test_where_the_log_begins_cannot_be_moved_without_the_pepper(
    log: AuditLog, store: AccountsStore, statement: str
) -> None:
    prune(log, 4)
    with store.write() as connection:
        connection.execute(text(statement))
    assert log.verify().problems != ()


def test_a_broken_end_is_said_before_lines_go(log: AuditLog, store: AccountsStore) -> None:
    with store.write() as connection:
        connection.execute(text("DELETE FROM audit WHERE number = 10"))
    prune(log, 4)
    events = [line["event"] for line in log.export()]
    assert events[-2:] == ["chain_broken", "lines_removed"]
    assert [problem.kind for problem in log.verify().problems] == ["broken"]


def test_a_file_older_than_what_is_kept_is_no_finding(
    log: AuditLog, store: AccountsStore, clock: Clock, tmp_path: Path
) -> None:
    (file,) = store.folder.glob("audit-head*")
    copy(file, tmp_path / "seen")
    log.record("signed_in", "user_a")
    clock.now += 30 * _DAY_S
    prune(log, 4)
    copy(tmp_path / "seen", file)
    assert log.verify().problems == ()
    log.record("signed_in", "user_a")
    assert log.verify().problems == ()


def test_a_server_prunes_once_a_day(log: AuditLog, clock: Clock, tmp_path: Path) -> None:
    tasks = []
    keeper = Keeper(log, tmp_path / "spool", 4, lambda delay_s, task: tasks.append((delay_s, task)))
    keeper.start()
    for _ in range(3):
        tasks.pop()[1]()
    assert get_numbers(log)[0] == 7
    assert [line["event"] for line in log.export()].count("lines_removed") == 1
    clock.now += _DAY_S
    tasks.pop()[1]()
    assert get_numbers(log)[0] == 8
    assert tasks[0][0] == 60


@pytest.mark.parametrize("is_running", [True, False])
@pytest.mark.parametrize("writes", [True, False])
def test_a_clock_that_leaps_ahead_removes_nothing_for_a_day(
    log: AuditLog,
    clock: Clock,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    *,
    is_running: bool,
    writes: bool,
) -> None:
    """Under a server or before it starts, whatever is recorded meanwhile; back, all is there."""
    tasks = []
    ticks = Clock()
    spool = tmp_path / "spool"
    keeper = Keeper(log, spool, 400, lambda delay_s, task: tasks.append((delay_s, task)), ticks)
    keeper.start()

    def look() -> None:
        tasks.pop()[1]()

    if is_running:
        look()
    clock.now += 401 * _DAY_S
    if writes:
        log.record("calls_recovered", "system", "machine")
    kept = get_numbers(log)
    for _ in range(5):
        look()
        clock.now += 60
        ticks.now += 60
    assert get_numbers(log) == kept
    assert caplog.text.count("no old lines are removed for a day") == 1
    right = clock.now
    clock.now -= 401 * _DAY_S
    look()
    assert get_numbers(log) == kept
    clock.now = right  # a server that was off for long, its clock right
    look()
    assert get_numbers(log) == kept
    clock.now += _DAY_S
    ticks.now += _DAY_S
    look()
    assert get_numbers(log)[0] == 11


def test_where_nothing_is_old_the_clock_is_not_doubted(
    log: AuditLog, clock: Clock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A new server's log knows of nothing before its first line, which is no leap."""
    clock.now += 60 * _DAY_S
    tasks = []
    spool = tmp_path / "spool"
    Keeper(log, spool, 400, lambda delay_s, task: tasks.append((delay_s, task))).start()
    tasks.pop()[1]()
    assert get_numbers(log) == list(range(11))
    assert caplog.text == ""


def test_a_leap_in_a_long_silence_is_doubted_for_a_day_of_its_own(
    log: AuditLog, clock: Clock, tmp_path: Path
) -> None:
    tasks = []
    ticks = Clock()
    spool = tmp_path / "spool"
    keeper = Keeper(log, spool, 400, lambda delay_s, task: tasks.append((delay_s, task)), ticks)
    keeper.start()

    def pass_by(seconds: float, leap: float = 0.0) -> None:
        clock.now += seconds + leap
        ticks.now += seconds
        tasks.pop()[1]()

    clock.now += 40 * _DAY_S
    pass_by(60)
    pass_by(_DAY_S)  # its word is taken now, and nothing is old
    pass_by(_DAY_S / 2, leap=500 * _DAY_S)
    pass_by(_DAY_S / 2)
    assert get_numbers(log) == list(range(11))
    pass_by(_DAY_S / 2)
    assert get_numbers(log) == [11]


def test_without_a_number_of_days_all_is_kept(log: AuditLog, tmp_path: Path) -> None:
    tasks = []
    keeper = Keeper(log, tmp_path / "spool", 0, lambda delay_s, task: tasks.append((delay_s, task)))
    keeper.start()
    tasks.pop()[1]()
    assert get_numbers(log) == list(range(11))


def test_lines_are_cut_off_in_steps(
    log: AuditLog, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.accounts.audit.retention._STEP", 3)
    monkeypatch.setattr("fundstelle.accounts.audit.retention._BATCH", 2)
    clock.now += 20 * _DAY_S
    assert prune(log, 5) == 11
    assert get_numbers(log) == [11, 12, 13, 14]
    assert log.verify().problems == ()


@pytest.mark.parametrize("most", [1, 3, 5_000])
@pytest.mark.parametrize("ahead", [2, 30, 3_650])
def test_lines_of_a_clock_that_ran_ahead_go_with_those_behind_them(
    log: AuditLog, clock: Clock, monkeypatch: pytest.MonkeyPatch, ahead: int, most: int
) -> None:
    monkeypatch.setattr("fundstelle.accounts.audit.retention._STEP", most)
    clock.now += ahead * _DAY_S
    for number in range(6):
        log.record("signed_in", "user_a", f"key_{number}")
    clock.now -= ahead * _DAY_S
    log.record("signed_in", "user_b")
    assert prune(log, 20) == 0  # how old the six are nothing says yet
    for _ in range(21):
        clock.now += _DAY_S
        log.record("signed_in", "user_b")
    prune(log, 20)
    first = next(log.export())
    age = log.now() - datetime.fromisoformat(first["time"])
    assert age <= timedelta(days=20 + (ahead if ahead < 20 else 0))
    assert log.verify().problems == ()


@pytest.mark.parametrize(
    ("age", "options", "removed"),
    [(2, ("--days", "1"), True), (500, (), False), (500, ("--trust-clock",), True)],
    ids=["known", "silent", "trusted"],
)
def test_the_command_removes_nothing_on_the_word_of_a_clock_that_may_have_leapt(
    tmp_path: Path, age: int, options: tuple[str, ...], *, removed: bool
) -> None:
    with closing(SqliteDatabase().open(tmp_path)) as store:
        log = AuditLog(store, lambda: time.time() - age * _DAY_S)
        log.record("key_created", "user_a", "key_1")
        environ = {"FUNDSTELLE_DATA": str(tmp_path)}
        settings = Settings.from_env(environ)
        result = CliRunner().invoke(cli, ("audit", "prune", *options), env=environ, obj=settings)
        assert (result.exit_code == 0) is removed, result.output
        assert ("key_created" in {line["event"] for line in log.export()}) is not removed
        assert ("--trust-clock" in result.output) is not removed
