"""Putting a backup into an empty folder."""

import secrets
import shutil
from pathlib import Path

from fundstelle.backup.contents import POINTER
from fundstelle.backup.verify import Report, check_accounts, unpack
from fundstelle.corpus import builds
from fundstelle.errors import BackupError

_LEFTOVER = ".restore-"


def restore(path: Path, data: Path) -> Report:
    """Unpack a backup into a data folder that is empty or not there; verified before it is used.

    Raises:
        BackupError: the folder holds something, or the backup cannot be restored.
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
            report = _unpack(path, draft)
            _move(draft, data)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        name = error.filename or data
        raise BackupError(f"the backup cannot be restored: {name}: {error.strerror}") from None
    return report


def _unpack(path: Path, draft: Path) -> Report:
    found = unpack(path, lambda name: draft / name)
    manifest = found.manifest
    report = Report(manifest, (*check_accounts(draft, manifest), *found.problems))
    if not manifest.has_build:  # a pointer to nothing would keep a server from starting
        (draft / POINTER).unlink(missing_ok=True)
    for one in draft.rglob("*"):
        builds.sync_folder(one)
    return report


def _move(draft: Path, data: Path) -> None:
    """The pointer last: with it the folder is complete."""
    for one in sorted(draft.iterdir(), key=lambda one: (one.name == POINTER, one.name)):
        one.rename(data / one.name)
    builds.sync_folder(data)
