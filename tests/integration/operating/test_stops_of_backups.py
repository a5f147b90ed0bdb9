"""Backups and restorations that are stopped at any write: whole or not there, no secrets left."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import DATABASE, PEPPER
from fundstelle.backup.create import create
from fundstelle.backup.restore import restore
from fundstelle.backup.verify import verify
from fundstelle.corpus import builds
from fundstelle.errors import BackupError
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.ingest.stopping import Stop, choose, count, in_this_process, stop_at
from tests.integration.services.databases import SqliteDatabase

STRIDE = 7


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    with in_this_process():
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backups")
    data = folder / "data"
    build(data, write_snapshot(folder / "gii", laws=1))
    store = SqliteDatabase().open(data)
    AuditLog(store).begin()
    store.close()
    kept = data / "looks" / "gii" / "ag" / "2030-01-01.zip"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"a law")
    return data


def list_files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_backup_that_is_stopped_at_any_write_has_its_name_only_when_it_is_whole(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, scratch = tmp_path / "place", tmp_path / "place" / "scratch"
    target = place / "backup"
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))

    def run() -> None:
        create(data, target, has_file=True, with_build=True)

    def begin() -> None:
        shutil.rmtree(place, ignore_errors=True)
        scratch.mkdir(parents=True)

    begin()
    places = count(place, run)
    for at, stop in choose(len(places), STRIDE):
        begin()
        try:
            stop_at(place, at, stop, run)
            if target.exists():
                assert verify(target).problems == ()
                target.unlink()
            run()
            assert verify(target).problems == ()
            assert list_files(place) == {"backup", "scratch"}
        except BaseException as error:
            error.add_note(f"at {at}, {places[at - 1]}: {stop.value}")
            raise


def test_a_restoration_that_is_stopped_at_any_write_is_run_again(
    data: Path, tmp_path: Path
) -> None:
    archive, wanted, restored = (tmp_path / name for name in ("archive", "wanted", "restored"))
    create(data, archive, has_file=True, with_build=True)
    root = tmp_path  # the folder itself is made, too

    def run(into: Path) -> None:
        restore(archive, into)

    places = count(root, lambda: run(wanted))
    for at, stop in choose(len(places), STRIDE):
        shutil.rmtree(restored, ignore_errors=True)
        try:
            stop_at(root, at, stop, lambda: run(restored))
            is_done = (restored / PEPPER).exists()
            assert not is_done or (restored / "active").exists()
            run(restored)
            assert list_files(restored) == list_files(wanted)
            release = builds.read_pointer(restored)
            assert release is not None
            assert builds.verify(restored, release) == []
            SqliteDatabase(is_migrated=False).open(restored).close()
        except BaseException as error:
            error.add_note(f"at {at}, {places[at - 1]}: {stop.value}")
            raise


def test_what_a_killed_restoration_left_is_not_taken_away_once_somebody_uses_it(
    data: Path, tmp_path: Path
) -> None:
    archive, restored = tmp_path / "archive", tmp_path / "restored"
    create(data, archive, has_file=True, with_build=False)
    places = count(tmp_path, lambda: restore(archive, tmp_path / "counted"))
    at = 1 + next(n for n, one in enumerate(places) if one == f"rename counted/{PEPPER}")
    stop_at(tmp_path, at, Stop.KILLED, lambda: restore(archive, restored))
    assert (restored / DATABASE).is_file()
    (restored / "notes").write_text("mine", encoding="utf-8")
    with pytest.raises(BackupError, match="is not empty"):
        restore(archive, restored)
    assert (restored / DATABASE).is_file()
    (restored / "notes").unlink()
    restore(archive, restored)
    assert (restored / PEPPER).is_file()
    assert not list(restored.glob(".restore-*"))
