"""Making a backup while servers run and write."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from fundstelle import __version__
from fundstelle.accounts.database.dump import dump_database, read_pepper_mark
from fundstelle.accounts.database.pepper_mark import fingerprint
from fundstelle.accounts.database.snapshot import copy_database
from fundstelle.accounts.database.store import DATABASE, PEPPER
from fundstelle.accounts.pepper import read_pepper
from fundstelle.backup.archive import Writer, writing
from fundstelle.backup.contents import (
    BUILDS,
    DUMP,
    HEADS,
    MANIFEST,
    POINTER,
    Manifest,
    is_allowed,
)
from fundstelle.backup.scratch import scratch
from fundstelle.backup.trace import leave_trace
from fundstelle.backup.verify import Report, verify
from fundstelle.corpus import builds
from fundstelle.corpus.proof.signing import KEY_FILE
from fundstelle.corpus.updates import LOOKS
from fundstelle.disks import read_small, sync_folder
from fundstelle.errors import BackupError, CorpusError
from fundstelle.sharing import NO_LINKS

_UNDER_WAY = ".fundstelle-backup-"
_MOST_OF_ONE = 1 << 20  # bytes of a small file; also of one that was changed
_MOST_OF_A_LIST = 64 << 20  # of what updates have seen


def create(
    data: Path, target: Path, *, has_file: bool, with_build: bool, dumped: str | None = None
) -> Report:
    """Write a backup of a data folder, read it back, and only then give it its name.

    Until then it lies in a folder beside the target, which the next one removes if this one is
    killed.

    Args:
        data: the folder.
        target: the file; it must not be there.
        has_file: the accounts are in the folder, not in a database elsewhere.
        with_build: put the live build into it.
        dumped: the address of a database elsewhere that is dumped into it; ``None`` leaves it out.

    Raises:
        BackupError: there is nothing to back up, or the target is there or cannot be written.
        AccountsError: the database or the pepper cannot be read.
    """
    pepper = read_pepper(data / PEPPER)
    if pepper is None or (has_file and not (data / DATABASE).is_file()):
        raise BackupError(f"there are no accounts in {data}; set FUNDSTELLE_DATA to their folder")
    if dumped is not None:
        _require_own(data / PEPPER, pepper, read_pepper_mark(dumped))
    manifest = Manifest(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        fundstelle=__version__,
        accounts="sqlite" if has_file else "postgresql",
        pepper=fingerprint(pepper),
        release=builds.read_pointer(data),
    )
    if target.exists() or target.is_symlink():
        raise BackupError(f"{target} is there already; name a file that is not")
    try:
        with scratch(target.parent, _UNDER_WAY) as folder:
            draft = folder / "archive"
            with writing(draft) as writer:
                _add_heads(writer, data)
                if has_file or dumped is not None:
                    _add_database(writer, data, folder, dumped)
                _add_secrets(writer, data, pepper)
                _add_corpus(writer, data, manifest.release, with_build=with_build)
                _add_looks(writer, data)
                manifest = replace(manifest, files=dict(writer.files))
                content = manifest.dump()
                writer.add(MANIFEST, BytesIO(content), len(content))
            found = verify(draft)
            _give_name(draft, target)
    except OSError as error:
        name = error.filename or target
        raise BackupError(f"the backup cannot be written: {name}: {error.strerror}") from None
    leave_trace(data, datetime.fromisoformat(manifest.created))
    return replace(found, problems=(*found.problems, *_list_unnamed(data, manifest.release)))


def _list_unnamed(data: Path, release: str | None) -> Iterator[str]:
    """That the backup does not say which build is live, although there is one."""
    if release is None:
        try:
            builds.get_live(data)
        except CorpusError as error:
            yield f"the backup names no live build: {error}"


def _give_name(draft: Path, target: Path) -> None:
    """In one step, and never to a file in the place of another that came meanwhile."""
    try:
        os.link(draft, target)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        # in two steps: the name is taken first
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        draft.replace(target)
    sync_folder(target.parent)


def _require_own(path: Path, pepper: bytes, mark: str | None) -> None:
    """See that the database is the one of this folder.

    Raises:
        BackupError: it was made with another pepper, or by no server of ours.
    """
    if mark != fingerprint(pepper):
        raise BackupError(
            f"{path} is not the pepper of the database in FUNDSTELLE_DATABASE_URL: name the data"
            " folder of a server that uses it"
        )


def _add_heads(writer: Writer, data: Path) -> None:
    """The heads of the audit log come first: they may lag behind the database, not lead it."""
    for path in sorted(data.glob(HEADS)):
        content = read_small(path, _MOST_OF_ONE)
        writer.add(path.name, BytesIO(content), len(content))


def _add_database(writer: Writer, data: Path, folder: Path, dumped: str | None) -> None:
    """The database at one moment, by a copy in ``folder``."""
    copy = folder / (DATABASE if dumped is None else DUMP)
    if dumped is None:
        copy_database(data / DATABASE, copy)
    else:
        dump_database(dumped, copy)
    writer.add_path(copy.name, copy)
    copy.unlink()  # room for the rest


def _add_secrets(writer: Writer, data: Path, pepper: bytes) -> None:
    writer.add(PEPPER, BytesIO(pepper), len(pepper))
    with suppress(FileNotFoundError):  # a folder without a build has none
        key = read_small(data / KEY_FILE, _MOST_OF_ONE)
        writer.add(KEY_FILE, BytesIO(key), len(key))


def _add_corpus(writer: Writer, data: Path, release: str | None, *, with_build: bool) -> None:
    if release is None:
        if with_build:
            problem = next(_list_unnamed(data, release), f"there is no live build in {data}")
            raise BackupError(problem)
        return
    if with_build:
        folder = builds.get_folder(data, release)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                writer.add_path(f"{BUILDS}/{release}/{path.relative_to(folder).as_posix()}", path)
    pointer = f"{release}\n".encode()
    writer.add(POINTER, BytesIO(pointer), len(pointer))


def _add_looks(writer: Writer, data: Path) -> None:
    """What updates have seen, first of each source the lists that speak of the other files.

    An update that runs meanwhile writes them last. So they are read before it is looked what else
    there is, that of what was compared before that of the days: each may be older than what it
    speaks of, and what came meanwhile is of a day that they do not have and is looked at again.
    """
    folder = data / LOOKS
    first = [path for path in _list_files(folder) if len(path.relative_to(folder).parts) == 2]
    lists = {path: read_small(path, _MOST_OF_A_LIST) for path in first}
    for path, content in lists.items():
        name = f"{LOOKS}/{path.relative_to(folder).as_posix()}"
        if path.suffix != ".part" and is_allowed(name):
            writer.add(name, BytesIO(content), len(content))
    for path in _list_files(folder):
        name = f"{LOOKS}/{path.relative_to(folder).as_posix()}"
        if path not in lists and path.suffix != ".part" and is_allowed(name):
            with suppress(FileNotFoundError):
                writer.add_path(name, path)


def _list_files(folder: Path) -> list[Path]:
    """All files at any depth; a folder that cannot be read is an error, not empty."""
    if not folder.is_dir():
        return []
    walked = os.walk(folder, onerror=_refuse, followlinks=True)  # a disk of its own
    found = (Path(parent, name) for parent, _, names in walked for name in names)
    return sorted(path for path in found if path.is_file())


def _refuse(error: OSError) -> None:
    raise error
