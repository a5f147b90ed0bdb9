"""Reading a backup back: every hash, the database, its pepper, the chain of its audit log."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from shutil import disk_usage

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.dump import check_dump
from fundstelle.accounts.database.foreign import NOT_OURS, list_foreign
from fundstelle.accounts.database.pepper_mark import fingerprint
from fundstelle.accounts.database.snapshot import check_database
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.pepper import read_pepper
from fundstelle.backup.archive import Member, reading
from fundstelle.backup.build import check_build
from fundstelle.backup.contents import (
    BUILDS,
    DUMP,
    MANIFEST,
    MOST_MANIFEST_BYTES,
    POINTER,
    File,
    Manifest,
)
from fundstelle.backup.scratch import scratch
from fundstelle.corpus.soundness.inventory import CHECKSUM
from fundstelle.corpus.updates import LOOKS
from fundstelle.errors import AccountsError, BackupError

_UNDER_WAY = "fundstelle-verify-"


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
    with verified(path) as (report, _):
        return report


@contextmanager
def verified(path: Path) -> Iterator[tuple[Report, Path]]:
    """The same, with a folder in which the accounts lie as long as the block lasts.

    Raises:
        BackupError: as there.
    """
    with scratch(Path(tempfile.gettempdir()), _UNDER_WAY) as place:

        def choose(name: str) -> Path | None:
            return None if name.startswith((f"{BUILDS}/", f"{LOOKS}/")) else place / name

        try:
            found = unpack(path, choose)
        except OSError as error:
            raise BackupError(f"{path} cannot be read ({error.strerror})") from None
        problems = [*check_accounts(place, found.manifest), *found.problems]
        yield Report(found.manifest, tuple(problems)), place


def unpack(path: Path, choose: Callable[[str], Path | None]) -> Report:
    """Read every file, compare it with the manifest, and put it where *choose* says, if anywhere.

    ``problems`` are those of the build: its files are compared with its own manifest, too.

    Raises:
        BackupError: the archive is damaged, or is not what its manifest says.
        OSError: it cannot be read, or a file not be written.
    """
    found: dict[str, File] = {}
    manifest: Manifest | None = None
    held: dict[str, bytes] = {}  # what says of others what they are
    room = MOST_MANIFEST_BYTES  # for all of them
    for member in reading(path):
        is_held = member.name.rpartition("/")[2] in {MANIFEST, CHECKSUM, POINTER}
        room -= member.size if is_held else 0
        if room < 0:
            raise BackupError(f"{member.name} of {path} is too large")
        if member.name == MANIFEST:
            manifest = Manifest.load(member.content.read())
            continue
        if is_held:
            held[member.name] = member.content.read()
        content = BytesIO(held[member.name]) if is_held else member.content
        found[member.name] = _put(replace(member, content=content), choose(member.name))
    if manifest is None:
        raise BackupError(f"{path} is no backup: it has no {MANIFEST}")
    for name in sorted(found.keys() | manifest.files.keys()):
        if found.get(name) != manifest.files.get(name):
            raise BackupError(f"{path} is damaged: {name} is not what the manifest says")
    _check_whole(manifest, held.get(POINTER))
    return Report(manifest, tuple(check_build(manifest, held)))


def _check_whole(manifest: Manifest, pointer: bytes | None) -> None:
    """See that there is nothing beside what the manifest speaks of: nothing would look at it.

    Raises:
        BackupError: there is.
    """
    is_file = manifest.accounts == "sqlite"
    for name, is_contradiction in (
        (DATABASE, is_file != (DATABASE in manifest.files)),
        (DUMP, is_file and DUMP in manifest.files),
    ):
        if is_contradiction:
            raise BackupError(
                f"the backup has accounts in {manifest.accounts}, which {name} contradicts"
            )
    release = manifest.release
    if pointer != (None if release is None else f"{release}\n".encode()):
        raise BackupError(f"{POINTER} in the backup does not name the build of its manifest")
    for name in sorted(manifest.files):
        if name.startswith(f"{BUILDS}/") and not name.startswith(f"{BUILDS}/{release}/"):
            raise BackupError(f"the backup holds {name}, which is not of its build")


def check_accounts(folder: Path, manifest: Manifest) -> list[str]:
    """What is wrong with the accounts of an unpacked backup that can be restored all the same.

    Raises:
        BackupError: the database is damaged, or the pepper is not its own.
    """
    pepper = read_pepper(folder / PEPPER)
    if pepper is None or fingerprint(pepper) != manifest.pepper:
        raise BackupError("the pepper in the backup is not the one of its manifest")
    if manifest.accounts != "sqlite":
        return check_dump(folder / DUMP) if DUMP in manifest.files else []
    if not (folder / DATABASE).is_file():
        raise BackupError(f"the backup has lost its {DATABASE}")
    if damage := check_database(folder / DATABASE):
        raise BackupError("the database in the backup is damaged: " + "; ".join(damage))
    try:
        return check_log(folder)
    except AccountsError as error:
        raise BackupError(f"the accounts in the backup cannot be opened: {error}") from None


def check_log(folder: Path, url: str | None = None) -> list[str]:
    """What is wrong with the audit log of unpacked accounts, and what acts in their database.

    Raises:
        AccountsError: they cannot be opened, or the pepper is not their own.
    """
    store = AccountsStore.open(folder, url)
    try:
        found = AuditLog(store).verify()
        with store.read() as connection:
            foreign = list_foreign(connection)
    finally:
        store.close()
    return [
        *(f"the audit log was tampered with: {problem}" for problem in found.problems),
        *(f"the accounts database holds {NOT_OURS.format(one)}" for one in foreign),
    ]


def _put(member: Member, target: Path | None) -> File:
    if target is None:
        return member.copy()
    for folder in reversed([one for one in target.parents if not one.exists()]):
        folder.mkdir(mode=0o700)
    if member.size > disk_usage(target.parent).free:
        raise BackupError(
            f"{member.name} has {member.size / 1e6:,.0f} MB, more than the disk of"
            f" {target.parent} has left"
        )
    target.touch(mode=0o600, exist_ok=False)
    with target.open("wb") as file:
        return member.copy(file)
