"""What a server has seen of its log cannot be read: nobody calls the log whole then."""

import errno
import fcntl
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest
from click.testing import CliRunner

from fundstelle.accounts.audit import head as heads
from fundstelle.accounts.audit.log import AuditLog, AuditState
from fundstelle.accounts.database.store import DATABASE, AccountsStore
from fundstelle.cli.accounts.audit import audit
from fundstelle.cli.examining import machine
from fundstelle.settings import Settings
from tests.integration.audit.audit_lines import fill

HEAD = "audit-head.json"


def roll_back(folder: Path) -> None:
    """A log of 5 lines, of which this server has seen 10."""
    with closing(AccountsStore.open(folder)) as store:
        fill(AuditLog(store), 3)
    copy(folder / DATABASE, folder / "older")
    with closing(AccountsStore.open(folder)) as store:
        fill(AuditLog(store), 5)
    for path in folder.glob(f"{DATABASE}-*"):
        path.unlink()
    (folder / "older").replace(folder / DATABASE)


def put_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def nest(path: Path) -> None:
    path.write_text("[" * 300_000)


def number_in_words(path: Path) -> None:
    path.write_text(path.read_text().replace('"number": 8', '"number": "8"'))


HIDINGS = [put_pipe, put_folder, nest, number_in_words, Path.unlink]


def verify(folder: Path) -> tuple[int, str]:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(folder)})
    result = CliRunner().invoke(audit, ["verify"], obj=settings)
    return result.exit_code, result.stderr


def list_events(log: AuditLog) -> list[str]:
    return [line.event for line in log.latest()]


@pytest.mark.parametrize("hide", HIDINGS)
def test_a_log_that_cannot_be_compared_is_not_called_whole(
    tmp_path: Path, hide: Callable[[Path], None]
) -> None:
    roll_back(tmp_path)
    assert "has seen line 8" in verify(tmp_path)[1]
    hide(tmp_path / HEAD)
    code, said = verify(tmp_path)
    assert code == 1
    assert HEAD in said
    assert "whole" not in said
    with closing(AccountsStore.open(tmp_path)) as store:
        log = AuditLog(store)
        log.begin()
        assert list_events(log)[0] == "chain_broken"
        state = log.get_state()
        assert state.breaks == state.is_comparable  # damaged or gone, or else not to be read
        log.record("signed_in", "user_a")
        log.record("signed_in", "user_b")
        assert list_events(log)[:3] == ["signed_in", "signed_in", "chain_broken"]


def test_a_line_that_says_so_says_no_more_than_that(tmp_path: Path) -> None:
    with closing(AccountsStore.open(tmp_path)) as store:
        fill(AuditLog(store), 3)
    put_pipe(tmp_path / HEAD)
    with closing(AccountsStore.open(tmp_path)) as store:
        AuditLog(store).begin()
    (tmp_path / HEAD).unlink()
    code, said = verify(tmp_path)
    assert code == 1
    assert "line 4 says that the log could not be compared when it was written" in said
    assert "was broken" not in said


@pytest.mark.parametrize("hide", [put_pipe, put_folder])
def test_a_server_says_so_until_it_can_be_read_again(
    tmp_path: Path, hide: Callable[[Path], None]
) -> None:
    roll_back(tmp_path)
    kept = tmp_path / "kept"
    copy(tmp_path / HEAD, kept)
    hide(tmp_path / HEAD)
    with closing(AccountsStore.open(tmp_path)) as store:
        log = AuditLog(store)
        log.begin()
        assert not log.get_state().is_comparable
        assert [f for f in machine.examine_permissions(tmp_path) if "no file" in f.words]
        (tmp_path / HEAD).rmdir() if hide is put_folder else (tmp_path / HEAD).unlink()
        kept.replace(tmp_path / HEAD)
        log.look()
        assert log.get_state().is_comparable
        log.record("signed_in", "user_a")  # what it says was not overwritten meanwhile
        assert log.get_state().breaks == 1
        [_, broken, *_] = log.latest()
        assert "this server has seen" in str(broken.details["found"])


def test_a_process_compares_with_what_it_has_seen_itself(tmp_path: Path) -> None:
    with closing(AccountsStore.open(tmp_path)) as store:
        log = AuditLog(store)
        fill(log, 3)
        put_pipe(tmp_path / HEAD)
        fill(log, 2)
        assert log.get_state() == AuditState(0, is_comparable=False)


def test_a_lock_that_is_never_let_go_holds_nobody_up_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "_PATIENCE_S", 0.01)
    with closing(AccountsStore.open(tmp_path)) as store:
        fill(AuditLog(store), 3)
        with (tmp_path / HEAD).open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert [p.kind for p in AuditLog(store).verify().problems] == ["unread"]


def test_a_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roll_back(tmp_path)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(heads.HeadFile, "_read_whole", refuse)
    code, said = verify(tmp_path)
    assert code == 1
    assert "could not be compared" in said
    assert "Permission denied" in said
