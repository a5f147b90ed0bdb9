"""Putting a dump into its database once, though the restoration may be killed behind it.

PostgreSQL takes a dump wholly or not at all, the folder is filled name by name. So that a run that
comes later tells a database that an earlier one has filled from one that is somebody's, a note lies
in the folder meanwhile: which dump was about to be put into which database, when that was empty.
"""

from hashlib import sha256
from pathlib import Path

from fundstelle.accounts.database.dump import name_place, read_pepper_mark, restore_database
from fundstelle.accounts.database.pepper_mark import fingerprint
from fundstelle.accounts.database.store import PEPPER
from fundstelle.accounts.pepper import read_pepper
from fundstelle.backup.contents import DUMP
from fundstelle.backup.verify import check_log
from fundstelle.corpus import publishing
from fundstelle.disks import sync_folder
from fundstelle.errors import AccountsError, BackupError

NOTE = ".restore-database"


def fill(content: Path, data: Path, url: str | None) -> list[str]:
    """Put the dump into its database, see that it is the pepper's, and leave no copy of it.

    Args:
        content: the unpacked backup.
        data: the folder that it is restored into.
        url: of the database; it is empty, is to be made, or was filled by a run that was killed.

    Raises:
        BackupError: it cannot be used.
        AccountsError: it holds something else, or cannot be filled.
    """
    if url is None:
        raise BackupError(
            "the backup holds accounts of PostgreSQL: set FUNDSTELLE_DATABASE_URL to an empty"
            " database, or to one that is to be made"
        )
    dump, note = content / DUMP, data / NOTE
    told = _describe(dump, url)
    is_begun = note.is_file() and note.read_bytes() == told
    if not (is_begun and _is_filled(content, url)):

        def begin() -> None:
            publishing.write_durably(note, told)
            sync_folder(data)

        restore_database(url, dump, begin)
    dump.unlink()
    try:
        return check_log(content, url)
    except AccountsError as error:
        raise BackupError(
            f"the database was filled and cannot be used ({error}); drop it, and restore another"
            " backup"
        ) from None


def forget(data: Path) -> None:
    """Nothing is under way any more."""
    (data / NOTE).unlink(missing_ok=True)


def _describe(dump: Path, url: str) -> bytes:
    """Dump and database; whoever signs in to it may do so by another name."""
    with dump.open("rb") as file:
        whole = sha256()
        while block := file.read(2**20):
            whole.update(block)
    return sha256(f"{whole.hexdigest()} {name_place(url)}".encode()).hexdigest().encode()


def _is_filled(content: Path, url: str) -> bool:
    """Whether the database is that of the pepper which was unpacked with the dump."""
    pepper = read_pepper(content / PEPPER)
    try:
        return pepper is not None and read_pepper_mark(url) == fingerprint(pepper)
    except AccountsError:  # there is none yet, or it holds nothing
        return False
