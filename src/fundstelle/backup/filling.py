"""Putting a dump into its database once, though the restoration may be killed behind it.

PostgreSQL takes a dump wholly or not at all, the folder is filled name by name. So that a run that
comes later tells a database that an earlier one has filled from one that is somebody's, a note lies
in the folder meanwhile: which dump was about to be put into which database, when that was empty.
"""

from hashlib import file_digest, sha256
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
    dump = content / DUMP
    whole = hash_file(dump)
    if not is_filled(content, data, whole, url):

        def begin() -> None:
            publishing.write_durably(data / NOTE, _describe(whole, url))
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


def hash_file(path: Path) -> str:
    """Its SHA-256, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _describe(dump: str, url: str) -> bytes:
    """The hash of a dump, and its database; whoever signs in to it may do so by another name."""
    return sha256(f"{dump} {name_place(url)}".encode()).hexdigest().encode()


def is_filled(content: Path, data: Path, dump: str, url: str) -> bool:
    """Whether a run that was killed has put this dump into this database.

    Args:
        content: where the pepper lies that came with the dump.
        data: the folder that it was restored into.
        dump: its SHA-256.
        url: of the database.
    """
    note = data / NOTE
    if not note.is_file() or note.read_bytes() != _describe(dump, url):
        return False
    pepper = read_pepper(content / PEPPER)
    try:
        return pepper is not None and read_pepper_mark(url) == fingerprint(pepper)
    except AccountsError:  # there is none yet, or it holds nothing
        return False
