"""Putting a backup into an empty folder.

```text
<data>/.restore-<random>/content/  what is unpacked; from here it is moved into the folder
<data>/.restore-<random>/names     what is moved, once all of it is unpacked and verified
<data>/.restore-database           which dump was begun to be put where (``backup.filling``)
```
"""

import os
import shutil
from pathlib import Path

from fundstelle.accounts.database.store import PEPPER
from fundstelle.backup.contents import DUMP, POINTER
from fundstelle.backup.filling import NOTE, fill, forget
from fundstelle.backup.restored import find_restored
from fundstelle.backup.scratch import iter_left, scratch
from fundstelle.backup.verify import Report, check_accounts, unpack
from fundstelle.corpus import publishing
from fundstelle.disks import sync_folder
from fundstelle.errors import BackupError

_UNDER_WAY = ".restore-"
_CONTENT, _NAMES = "content", "names"


def restore(path: Path, data: Path, url: str | None = None) -> Report:
    """Unpack a backup into a data folder that is empty or not there; verified before it is used.

    What a restoration left that was killed is taken away first; a database that it has filled
    already is not filled again. One that was killed when all was there is only ended.

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
        _take_back(data)
        if any(one.name != NOTE for one in data.iterdir()):
            if (restored := find_restored(path, data, url)) is not None:
                forget(data)
                return restored
            raise BackupError(
                f"{data} is not empty; a backup is restored into an empty folder alone. Move away"
                " what is there, or set FUNDSTELLE_DATA to another folder"
            )
        data.chmod(0o700)
        with scratch(data, _UNDER_WAY) as draft:
            (content := draft / _CONTENT).mkdir(mode=0o700)
            report = _unpack(path, content, data, url)
            try:
                _move(draft, data)
            except BaseException:
                _move_back(draft, data)
                raise
        forget(data)
    except OSError as error:
        name = error.filename or data
        raise BackupError(f"the backup cannot be restored: {name}: {error.strerror}") from None
    return report


def _take_back(data: Path) -> None:
    """Take away what killed restorations left, and what they had moved already."""
    for draft, descriptor in iter_left(data, _UNDER_WAY):
        try:
            if _move_back(draft, data):
                shutil.rmtree(draft, ignore_errors=True)
        finally:
            os.close(descriptor)


def _move_back(draft: Path, data: Path) -> bool:
    """Take away what was moved out of a draft; whether the draft is of no more use.

    Nothing is taken where all was moved, or where anything lies that the draft has not brought:
    somebody may be using it.
    """
    waiting, path = _list_names(draft / _CONTENT), draft / _NAMES
    held = {name for name in _list_names(data) if not name.startswith(_UNDER_WAY)}
    brought = set(path.read_text().split()) - waiting if path.exists() else set()
    if waiting and held - brought:
        return False
    for name in sorted(held) if waiting else ():
        one = data / name
        shutil.rmtree(one) if one.is_dir() else one.unlink()
    return True


def _list_names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()} if folder.is_dir() else set()


def _unpack(path: Path, content: Path, data: Path, url: str | None) -> Report:
    found = unpack(path, lambda name: content / name)
    manifest = found.manifest
    problems = [*check_accounts(content, manifest), *found.problems]
    if DUMP in manifest.files:
        problems += fill(content, data, url)
    report = Report(manifest, tuple(problems))
    if not manifest.has_build:  # a pointer to nothing would keep a server from starting
        (content / POINTER).unlink(missing_ok=True)
    for one in content.rglob("*"):
        sync_folder(one)
    return report


def _move(draft: Path, data: Path) -> None:
    """The pepper last: without it no server uses the folder, with it all is there."""
    content = draft / _CONTENT
    order = sorted(_list_names(content), key=lambda name: (name == PEPPER, name == POINTER, name))
    publishing.write_durably(draft / _NAMES, "".join(f"{name}\n" for name in order).encode())
    for name in order:
        (content / name).rename(data / name)
    sync_folder(data)
