"""Reading a backup back: every hash, the database, its pepper, the chain of its audit log."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.snapshot import check_database
from fundstelle.accounts.pepper import read_pepper
from fundstelle.accounts.pepper_mark import fingerprint
from fundstelle.accounts.store import DATABASE, PEPPER, AccountsStore
from fundstelle.backup.archive import Member, reading
from fundstelle.backup.contents import BUILDS, MANIFEST, MOST_MANIFEST_BYTES, File, Manifest
from fundstelle.errors import AccountsError, BackupError


@dataclass(frozen=True, slots=True)
class Report:
    """What was found: the backup can be restored, ``problems`` come with it."""

    manifest: Manifest
    problems: tuple[str, ...]


def verify(path: Path) -> Report:
    """Read a backup whole.

    Raises:
        BackupError: it is damaged or does not fit together; it cannot be restored.
    """
    with tempfile.TemporaryDirectory(prefix="fundstelle-verify-") as folder:
        place = Path(folder)

        def choose(name: str) -> Path | None:
            return None if name.startswith(f"{BUILDS}/") else place / name

        try:
            manifest = unpack(path, choose)
        except OSError as error:
            raise BackupError(f"{path} cannot be read ({error.strerror})") from None
        return Report(manifest, tuple(check_accounts(place, manifest)))


def unpack(path: Path, choose: Callable[[str], Path | None]) -> Manifest:
    """Read every file, compare it with the manifest, and put it where *choose* says, if anywhere.

    Raises:
        BackupError: the archive is damaged, or is not what its manifest says.
        OSError: it cannot be read, or a file not be written.
    """
    found: dict[str, File] = {}
    manifest: Manifest | None = None
    for member in reading(path):
        if member.name == MANIFEST:
            if member.size > MOST_MANIFEST_BYTES:
                raise BackupError(f"the manifest of {path} is too large")
            manifest = Manifest.load(member.content.read())
        else:
            found[member.name] = _put(member, choose(member.name))
    if manifest is None:
        raise BackupError(f"{path} is no backup: it has no {MANIFEST}")
    for name in sorted(found.keys() | manifest.files.keys()):
        if found.get(name) != manifest.files.get(name):
            raise BackupError(f"{path} is damaged: {name} is not what the manifest says")
    return manifest


def check_accounts(folder: Path, manifest: Manifest) -> list[str]:
    """What is wrong with the accounts of an unpacked backup that can be restored all the same.

    Raises:
        BackupError: the database is damaged, or the pepper is not its own.
    """
    pepper = read_pepper(folder / PEPPER)
    if pepper is None or fingerprint(pepper) != manifest.pepper:
        raise BackupError("the pepper in the backup is not the one of its manifest")
    if manifest.accounts != "sqlite":
        return []
    if not (folder / DATABASE).is_file():
        raise BackupError(f"the backup has lost its {DATABASE}")
    if damage := check_database(folder / DATABASE):
        raise BackupError("the database in the backup is damaged: " + "; ".join(damage))
    try:
        store = AccountsStore.open(folder)
    except AccountsError as error:
        raise BackupError(f"the accounts in the backup cannot be opened: {error}") from None
    try:
        found = AuditLog(store).verify()
    finally:
        store.close()
    return [f"the audit log was tampered with: {problem}" for problem in found.problems]


def _put(member: Member, target: Path | None) -> File:
    if target is None:
        return member.copy()
    for folder in reversed([one for one in target.parents if not one.exists()]):
        folder.mkdir(mode=0o700)
    target.touch(mode=0o600, exist_ok=False)
    with target.open("wb") as file:
        return member.copy(file)
