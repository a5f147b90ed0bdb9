"""A database that takes the place of another in its folder does not begin as if it were the first.

Whoever removes it together with the file of what the server has seen of its log wipes the log.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.backup.trace import TRACE, leave_trace
from tests.integration.audit.audit_lines import fill


def use(folder: Path) -> None:
    """A server that has run, written its log and been backed up."""
    store = AccountsStore.open(folder)
    fill(AuditLog(store), 3)
    store.close()
    (folder / SPOOLS).mkdir()
    leave_trace(folder, datetime(2026, 1, 1, tzinfo=UTC))


def remove(folder: Path, *names: str) -> None:
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    for name in ("audit-head.json", *names):
        (folder / name).rmdir() if name == SPOOLS else (folder / name).unlink()


def start_server(store: AccountsStore) -> AuditLog:
    log = AuditLog(store)
    log.begin()
    return log


def make_key(store: AccountsStore) -> AuditLog:
    log = AuditLog(store)
    with log.recording("key_created", "system", "key_1"):
        pass
    return log


@pytest.mark.parametrize(
    "gone", [(), (PEPPER,), (SPOOLS, TRACE), (PEPPER, SPOOLS), (PEPPER, TRACE)]
)
@pytest.mark.parametrize("begin", [start_server, make_key])
def test_a_new_database_where_one_was_begins_with_a_finding(
    tmp_path: Path,
    gone: tuple[str, ...],
    begin: Callable[[AccountsStore], AuditLog],
    caplog: pytest.LogCaptureFixture,
) -> None:
    use(tmp_path)
    remove(tmp_path, *gone)
    # a command that records nothing makes the database and hides nothing by that
    AccountsStore.open(tmp_path).close()
    store = AccountsStore.open(tmp_path)
    assert [one.kind for one in AuditLog(store).verify().problems] == ["wiped"]
    log = begin(store)
    first = next(log.read_lines())
    assert (first.number, first.event) == (0, "chain_broken")
    assert "with it the log was wiped" in str(first.details["found"])
    assert "the audit log was not as it was left" in caplog.text
    assert [(one.kind, one.number) for one in log.verify().problems] == [("broken", 0)]
    fill(log, 2)  # it goes on, and what was found stays found
    assert [one.kind for one in AuditLog(store).verify().problems] == ["broken"]
    log.accept([0], "removed on purpose")
    assert log.verify().problems == ()
    store.close()


def test_what_the_server_has_seen_counts_as_before(tmp_path: Path) -> None:
    use(tmp_path)
    seen = (tmp_path / "audit-head.json").read_bytes()
    remove(tmp_path)
    (tmp_path / "audit-head.json").write_bytes(seen)
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    (found,) = log.verify().problems
    assert "this server has seen line 3" in str(found)
    log.begin()
    first = next(log.read_lines())
    assert (first.number, first.event) == (4, "chain_broken")  # no number is given again
    store.close()


def test_first_starts_find_nothing(tmp_path: Path) -> None:
    def start(_: int) -> None:
        store = AccountsStore.open(tmp_path)
        AuditLog(store).begin()
        (tmp_path / SPOOLS).mkdir(exist_ok=True)
        ApiKeys(store).close()
        store.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(start, range(8)))
    store = AccountsStore.open(tmp_path)
    log = AuditLog(store)
    log.begin()
    assert log.verify().problems == ()
    assert [line.event for line in log.read_lines()] == ["log_begun"]
    store.close()


def test_a_first_start_that_broke_off_finds_nothing_at_the_next(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)  # it has made the tables and the pepper, and no line
    store.close()
    leave_trace(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    store = AccountsStore.open(tmp_path)
    log = start_server(store)
    assert log.verify().problems == ()
    store.close()


def test_a_database_elsewhere_is_nothing_that_the_folder_had(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    data.mkdir()
    other.mkdir()
    use(data)
    store = AccountsStore.open(data, f"sqlite:///{other / 'people.sqlite'}")
    log = start_server(store)
    assert log.verify().problems == ()
    store.close()
