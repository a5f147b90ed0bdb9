"""Which tampering with the audit log is found, and what it is called."""

import hmac
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text

from fundstelle.accounts.audit.chain import chain, mark_place
from fundstelle.accounts.audit.head import HeadFile, Sealer
from fundstelle.accounts.audit.log import AuditLine, AuditLog, Entry
from fundstelle.accounts.audit.reading import Wanted
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.database.schema_records import audit, audit_head
from fundstelle.accounts.database.store import PEPPER, AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.errors import AccountsError
from tests.integration.audit.audit_lines import fill, run
from tests.integration.services.databases import Database


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def log(store: AccountsStore) -> AuditLog:
    return AuditLog(store)


def forget(store: AccountsStore) -> None:
    """What a server that has not seen the log yet knows: nothing."""
    for path in store.folder.glob("audit-head*"):
        path.unlink()
        HeadFile(path, Sealer(store.pepper)).begin()


def get_findings(log: AuditLog) -> list[tuple[str, int]]:
    return [(problem.kind, problem.number) for problem in log.verify().problems]


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
    "all removed": (["DELETE FROM audit"], "truncated", 0),
    "beginning removed": (["DELETE FROM audit WHERE number = 0"], "removed", 0),
    "end removed, head set back": (
        [
            "DELETE FROM audit WHERE number > 4",
            "UPDATE audit_head SET number = 4, hash = (SELECT hash FROM audit WHERE number = 4)",
        ],
        "rewritten",
        4,
    ),
    "head removed": (["DELETE FROM audit_head"], "rewritten", 6),
    "line added": ([ADD], "changed", 7),
}


@pytest.mark.parametrize(("statements", "kind", "number"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_every_tampering_is_found_and_named(
    store: AccountsStore, log: AuditLog, statements: list[str], kind: str, number: int
) -> None:
    fill(log)
    assert log.verify().problems == ()
    run(store, *statements)
    problem = log.verify().problem
    assert problem is not None
    assert (problem.kind, problem.number) == (kind, number)
    assert f"line {number}" in str(problem) or kind in {"truncated", "rewritten", "removed"}


def rewrite(store: AccountsStore, log: AuditLog, first: int) -> None:
    """Change a line and hash it and all behind it anew, as the code itself does."""
    lines = list(log.latest())[::-1]
    previous = lines[first - 1].hash
    with store.write() as connection:
        for old in lines[first:]:
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
    problem = log.verify().problem
    assert problem is not None
    assert (problem.kind, problem.number) == ("rewritten", 6)


def test_one_line_hashed_anew_breaks_the_chain(store: AccountsStore, log: AuditLog) -> None:
    fill(log)
    old = list(log.export())[4]
    entry = Entry(datetime.fromisoformat(old["time"]), "x", "y", "", "", {})
    line = chain(entry, 4, old["previous"])
    run(
        store,
        f"UPDATE audit SET event = 'x', actor = 'y', object = '', request = '', details = '{{}}', "
        f"hash = '{line['hash']}' WHERE number = 4",
    )
    problem = log.verify().problem
    assert problem is not None
    assert (problem.kind, problem.number) == ("rewritten", 5)


WIPE = (
    "DELETE FROM audit",
    f"UPDATE audit_head SET number = 0, hash = '{ZEROS}', seal = '', first = 1",
)
CUT = (
    "DELETE FROM audit WHERE number > 4",
    "UPDATE audit_head SET number = 4, hash = (SELECT hash FROM audit WHERE number = 4)",
)


@pytest.mark.parametrize("written_anew", [False, True])
def test_a_remembered_hash_shows_what_one_with_the_data_folder_did(
    store: AccountsStore, log: AuditLog, *, written_anew: bool
) -> None:
    fill(log)
    head = log.read_head()[1]
    assert log.verify(head).problems == ()
    run(store, *WIPE)
    forget(store)
    fill(log, 9 if written_anew else 1)
    assert log.verify().problems == ()
    problem = log.verify(head).problem
    assert problem is not None
    assert problem.kind == "truncated"


def test_a_remembered_hash_may_be_older_than_the_newest(log: AuditLog) -> None:
    fill(log)
    head = log.read_head()[1]
    fill(log)
    assert log.verify(head).problems == ()


# --- the log goes on, and says what it found


BREAKS = {
    "cut, and the rest hashed anew": (CUT, "was not sealed with this server's pepper"),
    "end removed": (("DELETE FROM audit WHERE number > 4",), "line 6 had been written"),
    "wiped": (WIPE, "this server has seen line 6: it was wiped"),
    "all removed": (("DELETE FROM audit",), "line 6 had been written"),
    "head removed": (("DELETE FROM audit_head",), "the row with the newest hash is missing"),
    "both removed": (("DELETE FROM audit", "DELETE FROM audit_head"), "is missing"),
    "last replaced": ((f"UPDATE audit SET hash = '{ZEROS}' WHERE number = 6",), "replaced"),
    "line added": ((ADD,), "line 7 was not written by this server"),
    "beginning moved": (("UPDATE audit_head SET first = 4",), "was not sealed"),
    "seal of before": (
        ("DELETE FROM audit WHERE number > 0", f"UPDATE audit_head SET hash = '{ZEROS}'"),
        "was not sealed",
    ),
}


@pytest.mark.parametrize(("statements", "text"), BREAKS.values(), ids=BREAKS)
def test_a_broken_log_is_never_sealed_as_if_it_were_whole(
    store: AccountsStore,
    log: AuditLog,
    statements: tuple[str, ...],
    text: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fill(log)
    run(store, *statements)
    log.record("signed_in", "user_b")
    log.record("signed_out", "user_b")
    lines = list(log.export())
    assert [line["event"] for line in lines[-3:]] == ["chain_broken", "signed_in", "signed_out"]
    assert lines[-3]["number"] > 6
    assert text in " ".join(lines[-3]["details"]["found"])
    assert text in caplog.text
    assert log.breaks == 1
    assert ("broken", lines[-3]["number"]) in get_findings(log)


def test_a_line_far_beyond_does_not_stop_the_log(store: AccountsStore, log: AuditLog) -> None:
    fill(log)
    run(store, ADD.replace("SELECT 7", f"SELECT {2**63 - 1}"))
    log.record("signed_in", "user_b")
    assert next(line.number for line in log.latest()) == 7
    assert get_findings(log)[0][0] == "removed"


def copy_log(store: AccountsStore) -> Callable[[], None]:
    """Remember all of the database's log; the result puts it back."""
    with store.read() as connection:
        kept = {
            table: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in (audit, audit_head)
        }

    def put_back() -> None:
        with store.write() as connection:
            for table, rows in kept.items():
                connection.execute(delete(table))
                connection.execute(insert(table), rows)

    return put_back


def test_an_older_copy_put_back_is_found_and_its_numbers_are_not_given_again(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log)
    put_back = copy_log(store)
    fill(log, 3)
    put_back()
    assert get_findings(log) == [("rolled back", 7)]
    log.record("signed_in", "user_b")
    broken, signed_in = list(log.export())[-2:]
    assert (broken["number"], broken["event"]) == (10, "chain_broken")
    assert broken["details"]["known"] == 9
    assert signed_in["number"] == 11
    assert get_findings(log) == [("broken", 10)]


def test_a_server_is_not_deceived_by_what_others_wrote_after_the_rollback(
    store: AccountsStore, log: AuditLog, tmp_path: Path
) -> None:
    fill(log)
    put_back = copy_log(store)
    fill(log, 3)
    (file,) = store.folder.glob("audit-head*")
    copy(file, tmp_path / "seen")
    put_back()
    forget(store)
    fill(log, 5)
    assert get_findings(log) == []
    copy(tmp_path / "seen", file)
    assert get_findings(log) == [("rewritten", 9)]


def test_the_file_may_lag_behind(store: AccountsStore, log: AuditLog, tmp_path: Path) -> None:
    fill(log, 2)
    (file,) = store.folder.glob("audit-head*")
    copy(file, tmp_path / "seen")
    fill(log)
    copy(tmp_path / "seen", file)
    assert get_findings(log) == []
    log.record("signed_in", "user_b")
    assert json.loads(file.read_bytes())["number"] == 9
    assert get_findings(log) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" ",
        b"[]",
        b"\xff",
        b'{"number":1}',
        {"number": 1},
        {"seal": ""},
        {"seal": "ä"},
        {"seal": None},
    ],
)
def test_a_file_that_the_server_did_not_write_is_a_finding(
    store: AccountsStore, log: AuditLog, content: bytes | dict[str, object]
) -> None:
    fill(log)
    (file,) = store.folder.glob("audit-head*")
    assert file.stat().st_mode & 0o777 == 0o600
    if not isinstance(content, bytes):
        content = json.dumps({**json.loads(file.read_bytes()), **content}).encode()
    file.write_bytes(content)
    assert get_findings(log) == [("file", 6)]
    log.record("signed_in", "user_b")
    assert get_findings(log) == [("broken", 7)]


def remove_file(store: AccountsStore) -> None:
    """What somebody does who puts an older copy of the database in place, too."""
    (path,) = store.folder.glob("audit-head*")
    path.unlink()


def test_a_file_that_is_gone_is_a_finding_that_can_be_accepted(
    store: AccountsStore, log: AuditLog
) -> None:
    """The folder shows that a server has run: by the database in it, or by its spool."""
    (store.folder / SPOOLS).mkdir()
    fill(log)
    put_back = copy_log(store)
    fill(log, 3)
    put_back()
    remove_file(store)
    (found,) = log.verify().problems
    assert (found.kind, found.number) == ("file", 6)
    assert "is gone, where this server keeps" in str(found)
    log.begin()  # as at the next start
    broken = next(log.latest())
    assert (broken.number, broken.event) == (7, "chain_broken")
    assert get_findings(log) == [("broken", 7)]
    log.begin()
    log.accept([7], "a copy was put back")
    found_then = log.verify()
    assert (found_then.problems, len(found_then.accepted)) == ((), 1)
    assert next(log.latest()).number == 8


def test_the_first_starts_of_many_processes_miss_no_file(
    store: AccountsStore, database: Database, tmp_path: Path
) -> None:
    (store.folder / SPOOLS).mkdir()
    stores = [database.open(tmp_path) for _ in range(8)]
    try:
        with ThreadPoolExecutor(len(stores)) as pool:
            for _ in pool.map(lambda one: AuditLog(one).begin(), stores):
                pass
            for _ in pool.map(lambda one: AuditLog(one).record("sign_in", "user_a"), stores):
                pass
    finally:
        for one in stores:
            one.close()
    log = AuditLog(store)
    assert log.verify().problems == ()
    assert [line.event for line in log.read_lines()] == ["log_begun", *["sign_in"] * 8]


def test_a_second_server_begins_without_a_word_and_sees_from_then_on(
    store: AccountsStore, log: AuditLog, tmp_path: Path
) -> None:
    fill(log, 2)
    folder = tmp_path / "second"
    folder.mkdir()
    copy(store.folder / PEPPER, folder / PEPPER)
    other = AccountsStore.open(folder, store._engine.url)
    try:
        second = AuditLog(other)
        (note,) = second.verify().notes
        assert "kept no newest line" in note
        second.begin()
        (folder / SPOOLS).mkdir()
        second.begin()
        found = second.verify()
        assert (found.problems, found.notes) == ((), ())
        assert [line.event for line in log.read_lines()][1:] == ["key_created"] * 2
        remove_file(other)
        assert get_findings(second) == [("file", 2)]
        assert get_findings(log) == []
    finally:
        other.close()


def test_a_folder_that_cannot_be_written_has_one_line_about_its_file(
    store: AccountsStore, log: AuditLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (store.folder / SPOOLS).mkdir()
    fill(log, 2)
    remove_file(store)

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("fundstelle.accounts.audit.head.give_name", fail)
    fill(log, 3)
    events = [line.event for line in log.read_lines()]
    assert events[-4:] == ["chain_broken", *["key_created"] * 3]


def test_what_was_found_may_be_accepted_and_the_next_finding_is_seen(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log)
    run(store, "DELETE FROM audit WHERE number > 4")
    log.record("signed_in", "user_b")
    log.accept([7], "the machine lost power")
    found = log.verify()
    assert found.problems == ()
    assert [problem.number for problem in found.accepted] == [7]
    run(store, "UPDATE audit SET event = 'x' WHERE number = 2")
    assert get_findings(log) == [("changed", 2)]
    with pytest.raises(AccountsError, match="nothing was found at 5"):
        log.accept([2, 5], "unknown")


def test_who_has_the_database_alone_can_accept_nothing(store: AccountsStore, log: AuditLog) -> None:
    fill(log)
    run(store, "UPDATE audit SET event = 'x' WHERE number = 2")
    last = next(log.latest())
    entry = Entry(last.time, "findings_accepted", "system", "2", "", {"numbers": [2]})
    line = chain(entry, 7, last.hash)
    with store.write() as connection:
        connection.execute(insert(audit).values(**line))
        connection.execute(text("UPDATE audit_head SET number = 7, hash = :h"), {"h": line["hash"]})
    assert ("changed", 2) in get_findings(log)


def test_a_line_rewritten_to_accept_findings_accepts_none(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log, 12)
    run(store, "UPDATE audit SET event = 'x' WHERE number = 2")
    lines = {line.number: line for line in log.read_lines()}
    details = {"numbers": [2, 9], "found": [str(one) for one in log.verify().problems]}
    entry = Entry(lines[8].time, "findings_accepted", "system", "2, 9", "", details)
    with store.write() as connection:
        connection.execute(delete(audit).where(audit.c.number == 8))
        connection.execute(insert(audit).values(**chain(entry, 8, lines[7].hash)))
    assert sorted(get_findings(log)) == [("changed", 2), ("rewritten", 9)]
    assert log.verify().accepted == ()


def test_however_many_findings_are_accepted_the_next_one_is_seen(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log, 70)
    run(store, "UPDATE audit SET event = 'x' WHERE number % 2 = 0 AND number <= 60")
    while problems := log.verify().problems:
        log.accept([problem.number for problem in problems], "known")
    assert len(log.verify().accepted) == 31
    run(store, "UPDATE audit SET event = 'x' WHERE number = 65")
    assert get_findings(log) == [("changed", 65)]


def test_what_was_accepted_at_a_line_covers_nothing_else_there(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log, 12)
    run(store, "DELETE FROM audit WHERE number IN (4, 5)")
    log.accept([4], "known")
    assert log.verify().problems == ()
    run(store, "UPDATE audit SET event = 'x' WHERE number = 6")
    assert sorted(get_findings(log)) == [("changed", 6), ("removed", 4)]
    run(store, "DELETE FROM audit WHERE number IN (6, 7)")
    assert get_findings(log) == [("removed", 4)]


def put(store: AccountsStore, line: AuditLine, previous: str, **other: Any) -> None:
    """Another line in its place, hashed anew behind the line with that hash."""
    changed = replace(line, **other)
    entry = Entry(line.time, changed.event, changed.actor, line.object, line.request, line.details)
    with store.write() as connection:
        connection.execute(delete(audit).where(audit.c.number == line.number))
        connection.execute(insert(audit).values(**chain(entry, line.number, previous)))


def test_a_line_whose_change_was_accepted_cannot_be_changed_again(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log, 8)
    run(store, "UPDATE audit SET request = 'x' WHERE number = 5")
    log.accept([5], "known")
    assert log.verify().problems == ()
    run(store, "UPDATE audit SET actor = 'mallory' WHERE number = 5")
    assert get_findings(log) == [("changed", 5)]


@pytest.mark.parametrize("kept", ["1" + "0" * 30, '"\\ud800"'], ids=["a number", "a letter"])
def test_an_accepted_line_that_json_does_not_keep_cannot_be_changed_again(
    store: AccountsStore, log: AuditLog, kept: str
) -> None:
    fill(log, 8)
    details = '{"n" : %s}' % kept  # noqa: UP031 -- braces
    try:
        run(store, f"UPDATE audit SET details = '{details}' WHERE number = 5")
    except AccountsError:
        pytest.skip("this database does not keep it either")
    log.accept([5], "known")
    assert log.verify().problems == ()
    run(store, "UPDATE audit SET actor = 'mallory' WHERE number = 5")
    assert get_findings(log) == [("changed", 5)]


@pytest.mark.parametrize("wrong", ["removed", "rewritten"])
def test_nothing_before_an_accepted_finding_can_be_written_anew(
    store: AccountsStore, log: AuditLog, wrong: str
) -> None:
    """No later line vouches for what stands before a gap; the acceptance does."""
    fill(log, 8)
    lines = {line.number: line for line in log.read_lines()}
    if wrong == "removed":
        run(store, "DELETE FROM audit WHERE number = 5")
    else:
        put(store, lines[4], lines[3].hash, actor="somebody")
    assert get_findings(log) == [(wrong, 5)]
    log.accept([5], "known")
    assert log.verify().problems == ()
    put(store, lines[4], lines[3].hash, actor="mallory")
    assert get_findings(log) == [(wrong, 5)]


def test_an_acceptance_that_the_server_found_behind_its_end_never_counts(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log, 8)
    lines = {line.number: line for line in log.read_lines()}
    changed = chain(Entry(lines[5].time, "x", "mallory", "", "", {}), 5, lines[4].hash)
    found = log.verify().problems
    assert found == ()
    foreseen = f"line 5 was changed [{mark_place(AuditLine(**changed), lines[4].hash)}]"
    texts = ["line 5 was changed", foreseen, "line 6 does not follow line 5"]
    forged = Entry(
        lines[8].time, "findings_accepted", "system", "5", "", {"numbers": [5, 6], "found": texts}
    )
    with store.write() as connection:
        connection.execute(insert(audit).values(**chain(forged, 9, lines[8].hash)))
    log.record("key_created", "user_b")
    [problem] = log.verify().problems
    assert problem.kind == "broken"
    log.accept([problem.number], "known")
    assert log.verify().problems == ()
    with store.write() as connection:
        connection.execute(delete(audit).where(audit.c.number == 5))
        connection.execute(insert(audit).values(**{**changed, "hash": lines[5].hash}))
    assert get_findings(log) == [("changed", 5)]


def test_an_acceptance_forged_into_an_older_copy_never_counts(
    store: AccountsStore, log: AuditLog
) -> None:
    """The copy is sealed, and its operator may know of it; what was written behind it is not."""
    fill(log, 6)
    put_back = copy_log(store)
    fill(log, 3)
    put_back()
    lines = {line.number: line for line in log.read_lines()}
    changed = chain(Entry(lines[5].time, "x", "mallory", "", "", {}), 5, lines[4].hash)
    wrong = AuditLine(**{**changed, "hash": lines[5].hash})
    known_as = f"line 5 was changed [{mark_place(wrong, lines[4].hash)}]"
    previous = lines[6].hash
    forged = {"numbers": [5], "found": [known_as]}
    for number, details in ((7, {}), (8, forged)):
        entry = Entry(lines[6].time, "findings_accepted", "system", "5", "", details)
        line = chain(entry, number, previous)
        previous = line["hash"]
        with store.write() as connection:
            connection.execute(insert(audit).values(**line))
    log.record("key_created", "user_b")
    while problems := log.verify().problems:
        log.accept([problem.number for problem in problems], "yesterday's copy")
    with store.write() as connection:
        connection.execute(delete(audit).where(audit.c.number == 5))
        connection.execute(insert(audit).values(**{**changed, "hash": lines[5].hash}))
    assert get_findings(log) == [("changed", 5)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET time = 'garbage' WHERE number = 2",
        "UPDATE audit SET time = '' WHERE number = 2",
        "UPDATE audit SET details = '{' WHERE number = 2",
        "UPDATE audit SET details = '[1]' WHERE number = 2",
        "UPDATE audit SET details = '{\"a\": 99999999999999999999999}' WHERE number = 2",
        "UPDATE audit SET details = 'null' WHERE number = 2",
        "UPDATE audit SET hash = x'00ff' WHERE number = 2",
        "UPDATE audit SET actor = x'00ff' WHERE number = 2",
        "UPDATE audit SET actor = CAST(x'ff' AS TEXT) WHERE number = 2",
        "UPDATE audit SET hash = CAST(x'ff' AS TEXT) WHERE number = 2",
        f"UPDATE audit SET details = '{{\"a\": {'[' * 100_000}{']' * 100_000}}}' WHERE number = 2",
    ],
    ids=lambda statement: str(statement)[:70],
)
def test_values_of_another_kind_are_a_changed_line(tmp_path: Path, statement: str) -> None:
    """SQLite takes any value in any column."""
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    with store.write() as connection:
        connection.exec_driver_sql(statement)
    assert ("changed", 2) in get_findings(log)
    assert len(list(log.latest())) == len(list(log.export_lines())) == 7
    numbers = {number for _, number in get_findings(log)}
    log.accept(numbers, "known")
    assert log.verify().problems == ()
    store.close()


def test_a_moment_spelled_otherwise_leaves_no_export(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    since = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    whole = list(log.export_lines(since))
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE audit SET time = replace(time, ' ', char(9))")
    assert list(log.export_lines(since)) == whole
    store.close()


@pytest.mark.parametrize(
    "form", ["%Y-W%W-3 %H:%M:%f", "%Y-%m-%dT%H:%M:%f", "%Y-%m-%d %H:%M:%f", "%Y%m%d %H%M%f"]
)
def test_a_moment_spelled_otherwise_is_found_and_the_line_shown(tmp_path: Path, form: str) -> None:
    """It reads as the same, so that its hash fits, and is sorted where nobody looks for it."""
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    day = log.now().replace(hour=0, minute=0, second=0, microsecond=0)
    shown = len(log.find_newest(Wanted(since=day), 20).lines)
    run(store, f"UPDATE audit SET time = strftime('{form}', time) WHERE number = 3")
    assert ("changed", 3) in get_findings(log)
    found = log.find_newest(Wanted(since=day), 20).lines
    if len(list(log.export(day))) == shown:  # the moment is still readable
        assert len(found) == shown
    log.accept({number for _, number in get_findings(log)}, "known")
    assert log.verify().problems == ()
    store.close()


def test_a_row_before_the_oldest_line_is_found_and_owns_nothing(
    store: AccountsStore, log: AuditLog
) -> None:
    fill(log)
    line = chain(Entry(log.now(), "key_created", "mallory", "key_1", "", {}), -5, ZEROS)
    with store.write() as connection:
        connection.execute(insert(audit).values(**line))
    assert get_findings(log) == [("inserted", -5)]
    assert [one.owner for one in log.find_owned()["key_1"]] == ["user_a"]
    run(store, "DELETE FROM audit WHERE number = -5")
    assert log.verify().problems == ()


def test_a_newest_line_with_a_hash_that_is_none_is_told_and_gone_on_behind(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE audit SET hash = x'00ff' WHERE number = 6")
    log.record("key_created", "user_a", "key_7", "req-1")
    events = [line["event"] for line in log.export()]
    assert events[-2:] == ["chain_broken", "key_created"]
    assert ("changed", 6) in get_findings(log)
    store.close()


@pytest.mark.parametrize("number", [2**53 - 1, 2**53, 2**40])
def test_a_row_far_beyond_the_end_takes_no_number_from_the_log(
    store: AccountsStore, log: AuditLog, number: int
) -> None:
    fill(log)
    line = chain(Entry(log.now(), "x", "mallory", "", "", {}), number, ZEROS)
    with store.write() as connection:
        connection.execute(insert(audit).values(**line))
    for _ in range(3):
        log.record("key_created", "user_b")
    assert [one["number"] for one in log.export()][:10] == list(range(10))
    assert log.verify().problems
    run(store, f"DELETE FROM audit WHERE number = {number}")
    assert log.verify().problems == ()
    assert log.get_head() is not None


def test_the_log_goes_on_beside_a_row_between_two_numbers(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    columns = "time, event, actor, object, request, details, previous, hash"
    with store.write() as connection:
        connection.exec_driver_sql(
            f"INSERT INTO audit (number, {columns}) SELECT 6.5, {columns} FROM audit"
            " WHERE number = 3"
        )
    log.record("key_created", "user_b")
    assert "1 rows were inserted" in str(log.verify().problems[0])
    run(store, "DELETE FROM audit WHERE number = 6.5")
    while problems := log.verify().problems:
        log.accept([problem.number for problem in problems], "a row was put in between")
    store.close()


def test_rows_without_a_number_are_found(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    columns = "time, event, actor, object, request, details, previous, hash"
    with store.write() as connection:
        for number in ("'abc'", "x'00'", "1.5"):
            connection.exec_driver_sql(
                f"INSERT INTO audit (number, {columns}) SELECT {number}, {columns} FROM audit"
                " WHERE number = 3"
            )
    (problem,) = log.verify().problems
    assert "3 rows were inserted" in str(problem)
    log.record("key_created", "user_b")
    assert len(list(log.latest())) == 8
    store.close()


@pytest.mark.parametrize("found", [5, "text", None, {"a": 1}])
def test_lines_about_the_log_itself_may_hold_anything(
    store: AccountsStore, log: AuditLog, found: object
) -> None:
    fill(log)
    last = next(log.latest())
    for event in ("chain_broken", "findings_accepted", "lines_removed"):
        details = {"found": found, "numbers": found, "vouched": found, "known": found}
        entry = Entry(last.time, event, "system", "", "", details)
        line = chain(entry, last.number + 1, last.hash)
        with store.write() as connection:
            connection.execute(insert(audit).values(**line))
        last = next(iter(list(log.read_lines(last.number + 1))))
    assert get_findings(log)


@pytest.mark.parametrize(
    "statement",
    ["number = 'abc'", "first = 'abc'", "hash = x'00ff'", "before = x'00'", "seal = x'00'"],
)
def test_ends_of_another_kind_are_found_and_the_log_goes_on(tmp_path: Path, statement: str) -> None:
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    fill(log)
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE audit_head SET {statement}")
    assert get_findings(log)
    log.record("key_created", "user_b")
    [problem] = log.verify().problems
    assert problem.kind == "broken"
    log.accept([problem.number], "known")
    assert log.verify().problems == ()
    store.close()


# --- logs of the first version


def write_first_version(store: AccountsStore, log: AuditLog, lines: int) -> str:
    previous = ZEROS
    with store.write() as connection:
        for number in range(1, lines + 1):
            line = chain(Entry(log.now(), "key_created", "user_a", "", "", {}), number, previous)
            previous = line["hash"]
            connection.execute(insert(audit).values(**line))
        key = hmac.digest(store.pepper, b"audit-head", "sha256")
        seal = hmac.new(key, f"{lines}:{previous}".encode(), "sha256").hexdigest()
        head = {"n": lines, "h": previous, "s": seal}
        connection.execute(text("UPDATE audit_head SET number = :n, hash = :h, seal = :s"), head)
    return previous


def test_a_log_of_the_first_version_is_whole_and_goes_on(
    store: AccountsStore, log: AuditLog
) -> None:
    head = write_first_version(store, log, 3)
    assert log.verify(head).problems == ()
    log.begin()
    log.begin()
    fill(log, 2)
    lines = list(log.export())
    assert [line["number"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert (lines[3]["event"], lines[3]["previous"]) == ("log_continued", head)
    found = log.verify(head)
    assert found.problems == ()
    assert "lines 1 to 3 were written before" in found.notes[0]


def test_a_server_of_the_first_version_may_still_be_writing(
    store: AccountsStore, log: AuditLog
) -> None:
    log.begin()
    last = next(log.latest())
    line = chain(Entry(log.now(), "key_created", "user_a", "", "", {}), 1, last.hash)
    key = hmac.digest(store.pepper, b"audit-head", "sha256")
    head = {
        "h": line["hash"],
        "s": hmac.new(key, f"1:{line['hash']}".encode(), "sha256").hexdigest(),
    }
    with store.write() as connection:
        connection.execute(insert(audit).values(**line))
        connection.execute(text("UPDATE audit_head SET number = 1, hash = :h, seal = :s"), head)
    fill(log, 1)
    found = log.verify()
    assert (found.problems, found.notes) == ((), ())


def test_a_log_of_the_first_version_may_not_begin_later(
    store: AccountsStore, log: AuditLog
) -> None:
    write_first_version(store, log, 3)
    run(
        store,
        "UPDATE audit_head SET first = 3, before = (SELECT hash FROM audit WHERE number = 2)",
        "DELETE FROM audit WHERE number < 3",
    )
    assert get_findings(log) == [("rewritten", 3)]


def test_what_is_made_through_a_new_log_was_not_there_before_it(
    store: AccountsStore, log: AuditLog
) -> None:
    keys = ApiKeys(store, later=lambda _delay, _task: None)
    with log.together() as note:
        key = keys.create("a")[1]
        note("key_created", "admin", key.id)
    assert log.verify().notes == ()
    assert [line.event for line in log.read_lines()] == ["log_begun", "key_created"]


def test_a_log_that_begins_late_says_what_there_was(store: AccountsStore, log: AuditLog) -> None:
    ApiKeys(store, later=lambda _delay, _task: None).create("a")
    log.begin()
    assert log.verify().notes == ("the log began when there were already 1 keys and 0 people",)
