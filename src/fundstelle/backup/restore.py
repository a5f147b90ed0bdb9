"""Putting a backup into an empty folder."""

import secrets
import shutil
from pathlib import Path

from fundstelle.accounts.database.dump import restore_database
from fundstelle.backup.contents import DUMP, POINTER
from fundstelle.backup.verify import Report, check_accounts, check_log, unpack
from fundstelle.corpus import publishing
from fundstelle.errors import AccountsError, BackupError

_LEFTOVER = ".restore-"


def restore(path: Path, data: Path, url: str | None = None) -> Report:
    """Unpack a backup into a data folder that is empty or not there; verified before it is used.

    Args:
        path: the backup.
        data: the folder.
        url: an empty database in PostgreSQL, or one to be made, for the dump that is in it.

    Raises:
        BackupError: the folder holds something, or the backup cannot be restored.
        AccountsError: the database holds something, or cannot be filled.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(data.iterdir()):
            raise BackupError(
                f"{data} is not empty; a backup is restored into an empty folder alone. Move away"
                " what is there, or set FUNDSTELLE_DATA to another folder"
            )
        data.chmod(0o700)
        draft = data / f"{_LEFTOVER}{secrets.token_hex(8)}"
        draft.mkdir(mode=0o700)
        try:
            report = _unpack(path, draft, url)
            _move(draft, data)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        name = error.filename or data
        raise BackupError(f"the backup cannot be restored: {name}: {error.strerror}") from None
    return report


def _unpack(path: Path, draft: Path, url: str | None) -> Report:
    found = unpack(path, lambda name: draft / name)
    manifest = found.manifest
    problems = [*check_accounts(draft, manifest), *found.problems]
    if DUMP in manifest.files:
        problems += _fill(draft, url)
    report = Report(manifest, tuple(problems))
    if not manifest.has_build:  # a pointer to nothing would keep a server from starting
        (draft / POINTER).unlink(missing_ok=True)
    for one in draft.rglob("*"):
        publishing.sync_folder(one)
    return report


def _fill(draft: Path, url: str | None) -> list[str]:
    """Put the dump into its database, see that it is the pepper's, and leave no copy of it."""
    if url is None:
        raise BackupError(
            "the backup holds accounts of PostgreSQL: set FUNDSTELLE_DATABASE_URL to an empty"
            " database, or to one that is to be made"
        )
    restore_database(url, draft / DUMP)
    (draft / DUMP).unlink()
    try:
        return check_log(draft, url)
    except AccountsError as error:
        raise BackupError(
            f"the database was filled and cannot be used ({error}); drop it, and restore another"
            " backup"
        ) from None


def _move(draft: Path, data: Path) -> None:
    """The pointer last: with it the folder is complete."""
    for one in sorted(draft.iterdir(), key=lambda one: (one.name == POINTER, one.name)):
        one.rename(data / one.name)
    publishing.sync_folder(data)
