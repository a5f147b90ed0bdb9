"""Whether a folder holds what a backup does and nothing else: a restoration came to its end there.

One that was killed in its last step has moved all, and who runs it again is told that all is there.
A folder that a server has used holds more, or has changed; nothing is said of it.
"""

from pathlib import Path

from fundstelle.accounts.database.store import DATABASE, PEPPER
from fundstelle.backup.contents import DUMP, POINTER, File, Manifest, is_allowed
from fundstelle.backup.filling import NOTE, hash_file, is_filled
from fundstelle.backup.verify import Report, check_log, verified


def find_restored(path: Path, data: Path, url: str | None) -> Report | None:
    """What a restoration of this backup would report that has ended there; ``None`` = none has.

    Raises:
        BackupError: the backup is damaged.
        AccountsError: the accounts cannot be opened.
        OSError: a file cannot be read.
    """
    names = {one.relative_to(data).as_posix() for one in data.rglob("*") if not one.is_dir()}
    names.discard(NOTE)
    # Before a backup is read whole, which may take minutes: the pepper was moved last.
    if PEPPER not in names or not all(map(is_allowed, names)):
        return None
    with verified(path) as (found, place):
        # To read the database back has changed its head, here as there: compared is what came out.
        wanted = dict(found.manifest.files)
        if DATABASE in wanted:
            wanted[DATABASE] = _describe(place / DATABASE)
        if names != _list_moved(found.manifest) or not all(
            _is_same(data / name, wanted[name]) for name in names
        ):
            return None
    dump = found.manifest.files.get(DUMP)
    if dump is None:
        return found
    if url is None or not is_filled(data, data, dump.sha256, url):
        return None
    return Report(found.manifest, (*found.problems, *check_log(data, url)))


def _list_moved(manifest: Manifest) -> set[str]:
    """The files of a backup that are in the folder in the end."""
    gone = {DUMP} if manifest.has_build else {DUMP, POINTER}
    return set(manifest.files) - gone


def _is_same(file: Path, wanted: File) -> bool:
    is_plain = file.is_file() and not file.is_symlink()
    return is_plain and file.stat().st_size == wanted.size and _describe(file) == wanted


def _describe(file: Path) -> File:
    return File(file.stat().st_size, hash_file(file))
