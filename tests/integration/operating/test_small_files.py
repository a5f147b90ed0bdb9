"""Small files of a data folder are read without waiting, whatever stands in their place."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fundstelle.accounts.audit.head import HeadFile, Sealer
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.spool import read_left
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.pepper import read_pepper
from fundstelle.backup.create import create
from fundstelle.backup.trace import TRACE, leave_trace, read_trace
from fundstelle.cli.examining.findings import Finding, State
from fundstelle.cli.examining.machine import examine_permissions
from fundstelle.corpus.builds import activate, list_builds, lock
from fundstelle.corpus.proof.signing import KEY_FILE, open_key
from fundstelle.corpus.soundness.check import check_completely, check_quickly
from fundstelle.corpus.soundness.choose import choose_build
from fundstelle.corpus.soundness.record import FOLDER, Record, find_record, keep_record
from fundstelle.corpus.updates import REPORT, read_report
from fundstelle.disks import read_small
from fundstelle.errors import FundstelleError
from fundstelle.search.meaning.vectors import CARD, HASHES, ORDINALS, ROWS, Card, Vectors
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot

RELEASE = "0123456789abcdef"


def hold(folder: Path) -> None:
    with lock(folder):
        pass


READERS: dict[str, Callable[[Path], object]] = {
    "pepper": lambda folder: read_pepper(folder / "pepper"),
    KEY_FILE: open_key,
    TRACE: read_trace,
    REPORT: read_report,
    f"{FOLDER}/{RELEASE}.json": lambda folder: find_record(folder, RELEASE),
    f"builds/{RELEASE}/manifest.json": list_builds,
    "ingest.lock": hold,
    "activate.lock": lambda folder: activate(folder, RELEASE),
    "audit-spool/1.lost": lambda folder: read_left(folder / "audit-spool/1.lost").lost,
}


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    with suppress(FundstelleError):
        assert not READERS[name](tmp_path)


def test_a_backup_waits_for_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/pepper").write_bytes(bytes(32))
    os.mkfifo(tmp_path / "data/audit-head.json")
    with pytest.raises(FundstelleError, match="is not a file"):
        create(tmp_path / "data", tmp_path / "backup", has_file=False, with_build=False)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"", None])
def test_a_backup_says_that_it_does_not_know_the_live_build(
    tmp_path: Path, content: bytes | None
) -> None:
    store = AccountsStore.open(tmp_path / "data")
    AuditLog(store).begin()
    store.close()
    report = create(tmp_path / "data", tmp_path / "one", has_file=True, with_build=False)
    assert report.problems == ()
    if content is None:
        os.mkfifo(tmp_path / "data/active")
    else:
        (tmp_path / "data/active").write_bytes(content)
    report = create(tmp_path / "data", tmp_path / "two", has_file=True, with_build=False)
    [problem] = report.problems
    assert "names no live build" in problem
    assert "active" in problem
    with pytest.raises(FundstelleError, match="names no live build"):
        create(tmp_path / "data", tmp_path / "three", has_file=True, with_build=True)


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sha256", "corpus.sqlite"])
def test_a_check_of_a_build_waits_for_no_pipe(tmp_path: Path, name: str) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    path = tmp_path / "data" / "builds" / release / name
    path.unlink()
    os.mkfifo(path)
    assert any(one.file == name for one in check_completely(path.parent))


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sha256"])
def test_a_check_of_a_build_reads_nothing_of_a_file_that_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    path = tmp_path / "data" / "builds" / release / name
    os.truncate(path, 6 << 30)  # which takes no room on the disk
    inode, read = path.stat().st_ino, os.read

    def read_other(descriptor: int, size: int) -> bytes:
        assert os.fstat(descriptor).st_ino != inode
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", read_other)
    for check in (check_quickly, check_completely):
        [found] = [one for one in check(path.parent) if one.file == name]
        assert "larger than it may be" in found.problem
    with pytest.raises(FundstelleError):
        choose_build(tmp_path / "data")


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sha256"])
def test_a_check_of_a_build_reads_no_device(tmp_path: Path, name: str) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    path = tmp_path / "data" / "builds" / release / name
    path.unlink()
    path.symlink_to("/dev/zero")
    assert any(one.file == name for one in check_completely(path.parent))


@pytest.mark.parametrize("name", [CARD, ROWS, HASHES, ORDINALS])
def test_vectors_wait_for_no_pipe(tmp_path: Path, name: str) -> None:
    (tmp_path / CARD).write_bytes(Card("model", 8, 1).dump())
    for other in (ROWS, HASHES, ORDINALS):
        (tmp_path / other).write_bytes(bytes(64))
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    with pytest.raises(FundstelleError, match="is damaged"):
        Vectors.open(tmp_path)


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    assert read_small(path, 10) == bytes(10)
    with pytest.raises(OSError, match="larger"):
        read_small(path, 9)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_leaves_in_somebodys_folder_is_theirs(tmp_path: Path) -> None:
    os.chown(tmp_path, 12_345, 12_345)
    leave_trace(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    keep_record(tmp_path, RELEASE, Record("", datetime(2026, 1, 1, tzinfo=UTC), ()))
    HeadFile(tmp_path / "audit-head.json", Sealer(bytes(32))).begin()
    left = [one for one in tmp_path.rglob("*") if one.stat().st_uid != 12_345]
    assert left == []
    assert wrong(examine_permissions(tmp_path)) == []


def wrong(findings: Iterable[Finding]) -> list[str]:
    return [each.words for each in findings if each.state is State.WRONG]
