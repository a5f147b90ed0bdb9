"""A restoration with PostgreSQL that was killed, at each of its steps, and is run again."""

import subprocess
import sys
from pathlib import Path

import pytest

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import PEPPER
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.backup.create import create
from fundstelle.backup.restore import restore
from fundstelle.errors import AccountsError, BackupError
from tests.integration.services.databases import PostgresDatabase, PostgresServer

KILLED = 9
RESTORE = """
import os, sys
from pathlib import Path
from fundstelle.backup import filling, restore
archive, data, url, where = sys.argv[1:]

def stop(*_):
    os._exit(9)

if where == "before":
    filling.restore_database = lambda url, dump, begin: (begin(), stop())
elif where == "behind":
    filling.check_log = stop
else:
    restore.forget = stop
restore.restore(Path(archive), Path(data), url)
"""


@pytest.fixture
def archive(tmp_path: Path, postgres: PostgresServer) -> tuple[Path, str, PostgresDatabase]:
    """A backup of accounts in PostgreSQL, a key in it, and their database."""
    database = postgres.create()
    store = database.open(tmp_path / "data")
    AuditLog(store).begin()
    keys = ApiKeys(store)
    plain, _ = keys.create("before")
    keys.close()
    store.close()
    target = tmp_path / "archive"
    create(tmp_path / "data", target, has_file=False, with_build=False, dumped=database.url)
    return target, plain, database


def kill(archive: Path, data: Path, url: str | None, where: str) -> None:
    command = [sys.executable, "-c", RESTORE, str(archive), str(data), str(url), where]
    assert subprocess.run(command, check=False).returncode == KILLED


def knows(database: PostgresDatabase, data: Path, plain: str) -> bool:
    store = database.open(data)
    keys = ApiKeys(store)
    known = keys.authenticate(plain)
    keys.close()
    store.close()
    return known is not None


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("where", ["before", "behind"])
def test_it_comes_to_what_it_comes_to_undisturbed(
    archive: tuple[Path, str, PostgresDatabase],
    tmp_path: Path,
    postgres: PostgresServer,
    where: str,
    times: int,
) -> None:
    path, plain, _ = archive
    database, restored = postgres.create_empty(), tmp_path / "restored"
    for _ in range(times):
        kill(path, restored, database.url, where)
    assert restore(path, restored, database.url).problems == ()
    assert knows(database, restored, plain)
    assert not list(restored.glob(".restore-*"))


def test_one_that_was_killed_at_its_very_end_is_whole(
    archive: tuple[Path, str, PostgresDatabase], tmp_path: Path, postgres: PostgresServer
) -> None:
    path, plain, _ = archive
    database, restored = postgres.create_empty(), tmp_path / "restored"
    kill(path, restored, database.url, "end")
    assert (restored / PEPPER).is_file()
    assert restore(path, restored, database.url).problems == ()
    assert knows(database, restored, plain)
    with pytest.raises(BackupError, match="is not empty"):  # it has come to its end
        restore(path, restored, database.url)


def test_one_that_was_killed_at_its_very_end_is_not_ended_on_another_database(
    archive: tuple[Path, str, PostgresDatabase], tmp_path: Path, postgres: PostgresServer
) -> None:
    path, _, live = archive
    restored = tmp_path / "restored"
    kill(path, restored, postgres.create_empty().url, "end")
    for url in (live.url, postgres.create_empty().url, None):
        with pytest.raises(BackupError, match="is not empty"):
            restore(path, restored, url)


def test_a_database_that_no_killed_run_has_filled_is_not_taken(
    archive: tuple[Path, str, PostgresDatabase], tmp_path: Path, postgres: PostgresServer
) -> None:
    """The one that was backed up has the same pepper, and lines that the backup has not."""
    path, _, live = archive
    restored = tmp_path / "restored"
    for _ in range(2):
        with pytest.raises(AccountsError, match="holds tables"):
            restore(path, restored, live.url)
    kill(path, restored, postgres.create_empty().url, "behind")
    with pytest.raises(AccountsError, match="holds tables"):
        restore(path, restored, live.url)
