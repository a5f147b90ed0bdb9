"""Tool calls on their way to the log: none is lost unseen, however a process ends."""

import errno
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from fundstelle.accounts.audit import spool
from fundstelle.accounts.audit.calls import CallLog
from fundstelle.accounts.audit.events import CALL, LOST, RECOVERED
from fundstelle.accounts.audit.log import AuditLog, Entry
from fundstelle.accounts.audit.reading import find_missing
from fundstelle.accounts.audit.records import read_record
from fundstelle.accounts.audit.takeover import note_removed, take_over
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.errors import AccountsError
from tests.integration.services.databases import Database

QUESTION = "Darf mein Mandant Herr Geheim kündigen?"


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
    return AuditLog(store)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def note(calls: CallLog, query: str = QUESTION, **more: Any) -> None:
    given = {"credential": "key_a", "tool": "legal_search", "release": "build-1", "request": "r-1"}
    arguments = {"query": query, "limit": 5}
    calls.note(**{"arguments": arguments, "result_ids": ("de/bgb/823",), **given, **more})


def test_a_tool_call_is_recorded_without_what_was_asked(
    tmp_path: Path, folder: Path, store: AccountsStore, database: Database, log: AuditLog
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, folder, later)
    note(calls)
    later.run()
    _, line = log.export()
    assert (line["event"], line["actor"], line["object"]) == (
        "tool_called",
        "key_a",
        "legal_search",
    )
    assert set(line["details"]) == {"input", "release", "results"}
    assert (line["details"]["release"], line["details"]["results"]) == ("build-1", ["de/bgb/823"])
    assert b"Geheim" not in database.dump(tmp_path)
    assert log.verify().problems == ()


def test_the_hash_of_the_input_is_keyed_and_blind_to_order(log: AuditLog) -> None:
    one, other = (CallLog(log, pepper * 32, None, Later()) for pepper in (b"a", b"b"))
    assert one.hash_input("t", {"a": 1, "b": 2}) == one.hash_input("t", {"b": 2, "a": 1})
    assert one.hash_input("t", {"a": 1}) != one.hash_input("t", {"a": 2})
    assert one.hash_input("t", {"a": 1}) != one.hash_input("u", {"a": 1})
    assert one.hash_input("t", {"a": 1}) != other.hash_input("t", {"a": 1})
    deep: dict[str, Any] = {}
    for _ in range(2_000):
        deep = {"x": deep}
    assert len(one.hash_input("t", deep)) == 32


def test_calls_of_one_moment_cost_one_task(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, folder, later)
    for number in range(1_200):
        note(calls, request=f"r-{number}")
    assert len(later.tasks) == 1
    later.run()
    assert [line["request"] for line in log.export()][1:] == [
        f"r-{number}" for number in range(1_200)
    ]
    note(calls)
    assert len(later.tasks) == 1


@contextmanager
def without(database: Database, data: Path, store: AccountsStore) -> Iterator[None]:
    store.close()
    with database.away(data):
        yield


def test_calls_wait_in_memory_where_no_file_can_be_written_and_lost_ones_are_counted(
    tmp_path: Path,
    store: AccountsStore,
    database: Database,
    log: AuditLog,
    caplog: pytest.LogCaptureFixture,
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, None, later, capacity=3)
    with without(database, tmp_path, store), caplog.at_level(logging.ERROR):
        for _ in range(2):
            note(calls)
        later.run()
        for _ in range(5):
            note(calls)
    assert "could not be recorded yet" in caplog.text
    later.run()
    assert [line["event"] for line in log.export()][1:] == ["tool_called"] * 3 + ["calls_lost"]
    assert list(log.export())[-1]["details"]["calls"] == 4
    assert log.verify().problems == ()


# --- a process that does not live to write them


def die(calls: CallLog) -> None:
    """What the end of a process does: its files stay, its lock is free."""
    assert calls._spool is not None
    calls._spool.close(keeps=True)


def get_events(log: AuditLog, skipped: int = 1) -> list[str]:
    return [line["event"] for line in log.export()][skipped:]


@pytest.mark.parametrize("says_boot", [True, False])
def test_what_was_noted_outlives_the_process_and_is_written_once(
    log: AuditLog,
    store: AccountsStore,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    says_boot: bool,
) -> None:
    if not says_boot:  # as on other systems, and in some containers
        monkeypatch.setattr(spool, "_BOOT_ID", folder / "missing")
    calls = CallLog(log, store.pepper, folder, Later())
    for number in range(3):
        note(calls, request=f"r-{number}")
    calls.flush()
    for number in range(3, 5):
        note(calls, request=f"r-{number}")
    files = list(folder.iterdir())
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert b"Geheim" not in b"".join(path.read_bytes() for path in files)
    die(calls)
    assert take_over(folder, log) == 2
    assert take_over(folder, log) == 0
    assert get_events(log) == [*[CALL] * 5, RECOVERED]
    assert [line["request"] for line in log.export()][1:6] == [f"r-{n}" for n in range(5)]
    assert list(folder.iterdir()) == []
    assert log.verify().problems == ()


def test_what_reached_the_log_just_before_the_end_is_not_written_again(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    for number in range(5):
        note(calls, request=f"r-{number % 4}")  # two of a batch look alike
    (file,) = folder.glob("*.calls")
    log.append(read_record(record) for record in file.read_bytes().splitlines()[:2])
    die(calls)
    assert take_over(folder, log) == 3
    requests = [line["request"] for line in log.export() if line["event"] == CALL]
    assert sorted(requests) == ["r-0", "r-0", "r-1", "r-2", "r-3"]


def test_calls_that_are_all_alike_are_each_recorded_from_several_files(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of one batch: of one request, one moment and one question."""
    monkeypatch.setattr(spool, "_SEGMENT_BYTES", 1)
    log.clock = lambda: 1_800_000_000.25
    calls = CallLog(log, store.pepper, folder, Later())
    for _ in range(5):
        note(calls)
    assert len(list(folder.glob("*.calls"))) == 5
    die(calls)
    assert take_over(folder, log) == 5
    lines = [line for line in log.export() if line["event"] == CALL]
    assert [line["details"].get("nth", 1) for line in lines] == [1, 2, 3, 4, 5]
    assert log.verify().problems == ()


def test_nobody_takes_what_a_living_process_holds(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls)
    assert take_over(folder, log) == 0
    calls.close()
    assert get_events(log) == [CALL]
    assert list(folder.iterdir()) == []


def test_a_file_that_is_nobodys_holds_up_no_calls(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    """It comes first, and is no name that a process of ours has."""
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls)
    die(calls)
    (folder / "0.lock").touch()
    assert take_over(folder, log) == 1
    assert (folder / "0.lock").exists()


def test_siblings_that_see_an_end_at_once_write_it_once(
    tmp_path: Path, database: Database, store: AccountsStore, folder: Path
) -> None:
    for process in range(3):
        calls = CallLog(AuditLog(store), store.pepper, folder, Later())
        for number in range(20):  # ids of requests are of one process, as in a server
            note(calls, request=f"{process}-{number}")
        die(calls)
    siblings = [database.open(tmp_path) for _ in range(4)]

    def try_to_take_over(sibling: AccountsStore) -> None:
        with suppress(AccountsError):  # a busy database: the next does it, as in a server
            take_over(folder, AuditLog(sibling))

    with ThreadPoolExecutor(len(siblings)) as pool:
        list(pool.map(try_to_take_over, siblings))
    log = AuditLog(store)
    take_over(folder, log)
    assert get_events(log).count(CALL) == 60
    assert log.verify().problems == ()
    for sibling in siblings:
        sibling.close()


@contextmanager
def committing_late(
    store: AccountsStore, stalled: AccountsStore, entries: Sequence[Entry]
) -> Iterator[None]:
    """A commit that comes through only when somebody else has asked for the end of the log."""
    reached, asked = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        reached.set()
        asked.wait(30)

    def notice(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if "FROM audit_head" in statement:
            asked.set()

    event.listen(stalled._engine, "commit", hold)
    event.listen(store._engine, "before_cursor_execute", notice)
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(AuditLog(stalled).append, entries)
        assert reached.wait(30)
        yield
        writing.result(30)
    event.remove(store._engine, "before_cursor_execute", notice)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("is_successor", [True, False])
def test_a_commit_that_comes_through_late_doubles_no_call(
    tmp_path: Path,
    store: AccountsStore,
    database: Database,
    log: AuditLog,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_successor: bool,
) -> None:
    store, folder = log.store, tmp_path / "spool"
    log.begin()
    calls = CallLog(log, store.pepper, folder, Later())
    for number in range(3):
        note(calls, request=f"r-{number}")
    (file,) = folder.glob("*.calls")
    entries = [read_record(record) for record in file.read_bytes().splitlines()]
    with monkeypatch.context() as failing:
        failing.setattr(log, "append", fail)
        calls.flush()
    stalled = database.open(tmp_path)
    with committing_late(store, stalled, entries):
        if is_successor:
            die(calls)
            take_over(folder, log)
        else:
            calls.flush()
    assert get_events(log) == [CALL] * 3
    assert log.verify().problems == ()
    stalled.close()


def fail(_entries: Iterable[Entry], *, may_be_lost: bool) -> None:  # noqa: ARG001 as it is called
    raise AccountsError("no answer within 2.5 s")


def test_a_line_of_the_log_stands_for_one_call_however_many_are_looked_up(log: AuditLog) -> None:
    entries = [Entry(log.now(), CALL, "key_a", "legal_search", "r-1", {})] * 250
    log.append(entries[:150])
    assert len(find_missing(log.store, entries)) == 100


def test_a_line_cut_off_in_the_middle_is_counted(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    for _ in range(3):
        note(calls)
    (file,) = folder.glob("*.calls")
    die(calls)
    os.truncate(file, file.stat().st_size - 10)
    assert take_over(folder, log) == 2
    assert get_events(log) == [CALL, CALL, LOST, RECOVERED]
    assert list(log.export())[3]["details"]["calls"] == 1


def test_a_piece_of_a_line_stops_nothing_and_is_counted(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls, request="r-1")
    (file,) = folder.glob("*.calls")
    file.write_bytes(b"[1,2" + file.read_bytes()[4:])
    note(calls, request="r-2")
    calls.flush()
    assert get_events(log) == [CALL, LOST]
    assert calls.get_state().lost == 1


def test_after_the_end_of_the_machine_it_is_said_that_calls_may_be_missing(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    die(calls)
    (lock,) = folder.glob("*.lock")
    lock.rename(lock.with_name(lock.name.rsplit("-", 1)[0] + "-another.lock"))
    assert take_over(folder, log) == 0
    assert get_events(log) == [RECOVERED]
    assert "may be missing" in list(log.export())[-1]["details"]["machine"]


@pytest.mark.parametrize("ends", [False, True])
def test_calls_beyond_the_bound_are_counted_and_their_number_outlives_the_process(
    log: AuditLog, store: AccountsStore, folder: Path, *, ends: bool
) -> None:
    calls = CallLog(log, store.pepper, folder, Later(), most_bytes=1_000)
    for _ in range(10):
        note(calls)
    state = calls.get_state()
    assert (state.waiting + state.lost, state.written_at) == (10, None)
    assert 0 < state.lost < 10
    if ends:
        die(calls)
        take_over(folder, log)
    else:
        calls.flush()
        assert calls.get_state().waiting == 0
        assert calls.get_state().written_at is not None
    assert get_events(log)[: state.waiting + 1] == [*[CALL] * state.waiting, LOST]
    (lost,) = (line["details"] for line in log.export() if line["event"] == LOST)
    assert lost["calls"] == state.lost
    if not ends:
        calls.close()
        assert list(folder.iterdir()) == []


def test_a_loss_that_could_not_be_said_at_the_end_is_said_by_the_next_server(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = CallLog(log, store.pepper, folder, Later(), most_bytes=1_000)
    for _ in range(10):
        note(calls)
    lost = calls.get_state().lost
    append = log.append

    def append_calls(entries: Iterable[Entry], **_: bool) -> None:
        """The database goes away when the calls are written."""
        taken = list(entries)
        if taken[0].event == LOST:
            raise AccountsError("away")
        append(taken)

    with monkeypatch.context() as patched:
        patched.setattr(log, "append", append_calls)
        calls.close()
    assert LOST not in get_events(log)
    take_over(folder, log)
    (line,) = (line for line in log.export() if line["event"] == LOST)
    assert line["details"]["calls"] == lost
    assert list(folder.iterdir()) == []


def test_calls_wait_in_a_file_while_the_database_is_away_also_over_an_end(
    tmp_path: Path,
    store: AccountsStore,
    database: Database,
    log: AuditLog,
    folder: Path,
    *,
    caplog: pytest.LogCaptureFixture,
) -> None:
    log.begin()
    calls = CallLog(log, store.pepper, folder, Later())
    with without(database, tmp_path, store), caplog.at_level(logging.ERROR):
        for number in range(4):
            note(calls, request=f"r-{number}")
            calls.flush()
        calls.close()
    assert caplog.text.count("could not be recorded yet") == 1
    assert take_over(folder, log) == 4
    assert get_events(log) == [*[CALL] * 4, RECOVERED]


def test_a_transaction_whose_end_was_not_heard_of_is_not_repeated(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls)
    append = log.append

    def append_unheard(entries: Sequence[Entry], **_: bool) -> None:
        append(entries)
        raise AccountsError("the connection was lost")

    monkeypatch.setattr(log, "append", append_unheard)
    calls.flush()
    monkeypatch.setattr(log, "append", append)
    note(calls, request="r-2")
    calls.flush()
    assert [line["request"] for line in log.export()][1:] == ["r-1", "r-2"]


def test_a_full_disk_leaves_the_memory(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls, request="r-1")
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:20]))
    note(calls, request="r-2")
    monkeypatch.undo()
    note(calls, request="r-3")
    calls.flush()
    assert sorted(line["request"] for line in log.export()) == ["", "r-1", "r-2", "r-3"]


def test_calls_wait_above_a_folder_that_cannot_be_used(
    log: AuditLog, store: AccountsStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.touch()
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls)
    assert calls.get_state().is_endangered
    assert "cannot be put down" in caplog.text
    die(calls)
    with pytest.raises(OSError, match="is no folder"):
        take_over(folder, log)
    assert get_events(log) == [CALL, RECOVERED]
    assert not list(folder.parent.glob("*-*.lock"))
    folder.unlink()
    assert not calls.get_state().is_endangered


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk that has no room for another file or a longer one."""
    opened, written = os.open, os.write

    def open_there(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & os.O_CREAT and not Path(path).exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, flags, *more, **named)

    def write(descriptor: int, data: bytes) -> int:
        return written(descriptor, data[:0])

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", open_there)
        patched.setattr(os, "write", write)
        yield


@pytest.mark.parametrize("written", [0, 2, 3])
def test_calls_that_waited_in_memory_alone_are_counted_by_the_next_server(
    log: AuditLog,
    store: AccountsStore,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    written: int,
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    with full(monkeypatch):
        for number in range(written):
            note(calls, request=f"w-{number}")
    calls.flush()
    with full(monkeypatch):
        for number in range(3 - written):
            note(calls, request=f"r-{number}")
        assert calls.get_state().is_endangered
    die(calls)
    take_over(folder, log)
    assert get_events(log) == [CALL] * written + [LOST] * (written < 3)
    lost = [line["details"] for line in log.export() if line["event"] == LOST]
    assert [(one["calls"], one["at_most"]) for one in lost] == [(3 - written, True)] * len(lost)
    assert list(folder.iterdir()) == []


def test_calls_go_into_files_again_when_they_can(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full(monkeypatch):
        calls = CallLog(log, store.pepper, folder, Later())
        note(calls, request="r-1")
    assert calls.get_state().is_endangered
    monkeypatch.setattr("fundstelle.accounts.audit.calls._COMPLAINT_PERIOD_S", 0.0)
    calls.flush()
    assert not calls.get_state().is_endangered
    note(calls, request="r-2")
    die(calls)
    take_over(folder, log)
    assert get_events(log) == [CALL, CALL, RECOVERED]


@pytest.mark.parametrize("pattern", ["*", "*.calls", "*.lock", "*.lost"])
def test_files_that_are_removed_under_the_server_are_made_anew_with_what_waits(
    tmp_path: Path,
    store: AccountsStore,
    database: Database,
    log: AuditLog,
    folder: Path,
    *,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    pattern: str,
) -> None:
    monkeypatch.setattr(spool, "_SEGMENT_BYTES", 500)  # two or three calls
    log.begin()
    later = Later()
    calls = CallLog(log, store.pepper, folder, later)
    with without(database, tmp_path, store):
        for number in range(6):
            note(calls, request=f"r-{number}")
        assert not calls.get_state().is_endangered
        for path in folder.glob(pattern):
            path.unlink()
        if pattern == "*":
            folder.rmdir()
        assert calls.get_state().is_endangered
        later.run()
        assert "were removed" in caplog.text
        assert calls.get_state().is_endangered  # whoever looks once a minute is told
        assert calls.get_state().waiting == 6
        note(calls, request="r-6")
    die(calls)
    assert take_over(folder, log) == 7
    assert get_events(log) == [*[CALL] * 7, RECOVERED]
    assert list(folder.iterdir()) == []
    monkeypatch.setattr("fundstelle.accounts.audit.calls._COMPLAINT_PERIOD_S", 0.0)
    assert not calls.get_state().is_endangered


def test_a_removed_folder_is_made_anew_by_a_server_that_nobody_calls(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    later = Later()
    calls = CallLog(log, store.pepper, folder, later)
    shutil.rmtree(folder)
    assert calls.get_state().is_endangered
    later.run()
    assert len(list(folder.glob("*.lock"))) == 1
    calls.close()
    assert list(folder.iterdir()) == []


def test_a_successor_that_finds_no_folder_says_that_calls_may_be_missing(
    tmp_path: Path, log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    note_removed(folder, log)
    assert not folder.exists(), "a server that is the first"
    log.begin()
    note_removed(folder, log)
    assert not folder.exists(), "commands have written, and no server"
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls)
    calls.flush()
    note(calls)
    shutil.rmtree(folder)
    die(calls)
    for _ in range(2):  # once, however many start
        note_removed(folder, log)
    assert get_events(log) == [CALL, LOST]
    assert "may be missing" in list(log.export())[-1]["details"]["folder"]
    shutil.rmtree(folder)
    for head in tmp_path.glob("audit-head*"):
        head.unlink()
    note_removed(folder, log)
    assert not folder.exists(), "another server of the same database"


def test_a_data_folder_that_is_gone_is_not_made_anew(
    tmp_path: Path, log: AuditLog, store: AccountsStore
) -> None:
    folder = tmp_path / "data" / "spool"
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls, request="r-0")
    shutil.rmtree(folder.parent)
    calls.flush()
    assert not folder.parent.exists()
    assert calls.get_state().is_endangered
    assert get_events(log) == [CALL]


def test_what_a_removed_file_does_not_hold_any_more_is_counted(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    for number in range(3):
        note(calls, request=f"r-{number}")
    (path,) = folder.glob("*.calls")
    os.truncate(path, path.stat().st_size - 10)
    shutil.rmtree(folder)
    calls.flush()
    assert get_events(log) == [CALL, CALL, LOST]
    assert calls.get_state().lost == 1


def test_a_process_whose_calls_cannot_be_read_holds_up_no_other(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    one, other = (CallLog(log, store.pepper, folder, Later()) for _ in range(2))
    for calls in (one, other):
        note(calls)
        die(calls)
    path = min(folder.glob("*.calls"))
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a file"):
        take_over(folder, log)
    assert get_events(log) == [CALL, RECOVERED]


def test_many_calls_fill_several_files_which_go_when_they_are_written(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    ids = tuple(f"de/gesetz/{number}" for number in range(5_000))  # more than is read at once
    for number in range(16):
        note(calls, request=f"r-{number}", result_ids=ids)
    assert len(list(folder.glob("*.calls"))) > 1
    calls.flush()
    assert [line["request"] for line in log.export()][1:] == [f"r-{n}" for n in range(16)]
    assert [path.stat().st_size for path in folder.glob("*.calls")] in ([], [0])
    calls.close()


def test_calls_of_a_file_that_was_emptied_are_counted_as_lost(
    log: AuditLog, store: AccountsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "_SEGMENT_BYTES", 500)  # two or three calls
    calls = CallLog(log, store.pepper, folder, Later())
    for number in range(6):
        note(calls, request=f"r-{number}")
    first, *rest = sorted(folder.glob("*.calls"))
    held = first.read_bytes().count(b"\n")
    kept = sum(one.read_bytes().count(b"\n") for one in rest)
    os.truncate(first, 0)
    calls.flush()
    lines = list(log.export())
    assert [line["details"]["calls"] for line in lines if line["event"] == LOST] == [held]
    assert len([line for line in lines if line["event"] == CALL]) == kept == 6 - held
    state = calls.get_state()
    assert (state.waiting, state.lost) == (0, held)
    note(calls, request="r-6")
    calls.flush()
    assert [line["request"] for line in log.export()][-1] == "r-6"
    calls.close()


def test_the_only_file_that_was_emptied_goes_on(
    log: AuditLog, store: AccountsStore, folder: Path
) -> None:
    calls = CallLog(log, store.pepper, folder, Later())
    note(calls, request="r-0")
    [path] = folder.glob("*.calls")
    os.truncate(path, 0)
    calls.flush()
    note(calls, request="r-1")
    calls.flush()
    found = [(line["event"], line["request"]) for line in log.export()][1:]
    assert found == [(LOST, ""), (CALL, "r-1")]
    calls.close()
