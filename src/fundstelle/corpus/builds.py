"""The folder of builds: which there are, which is live, and how one takes another's place.

```text
<data>/active                      the release that is live, one line
<data>/builds/<release>/           one immutable build
    corpus.sqlite  decisions.sqlite  index/  manifest.json  manifest.sha256
<data>/builds/.tmp-<pid>-<random>/ one being made; left over if its process died (publishing)
<data>/builds/.pull-<release>/     one being fetched; goes on where it broke off (travel.pull)
<data>/ingest.lock                 held while one is being made
<data>/activate.lock               held while the pointer changes, or a build is named for deletion
```
"""

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import FILE_NAME, MOST_BYTES, Manifest, load_manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.publishing import (
    discard_leftovers,
    give_name,
    take_name,
    write_durably,
)
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import DECISIONS, NO_HASHES, STORE, Finding, check_completely
from fundstelle.corpus.soundness.root import check_store
from fundstelle.corpus.updates import add_report, read_report
from fundstelle.disks import explain_refusal, opened_lock, read_small, sync_folder
from fundstelle.errors import CorpusError, NoCorpus

DATABASE = STORE
DATABASES = (STORE, DECISIONS)
INDEX = "index"

_RELEASE = re.compile(r"[0-9a-f]{16}")
_POINTER_BYTES = 64  # a release, the end of its line, and what would show that it is none
_FRESH_POINTER = ".active-new"


@contextmanager
def explained(data_dir: Path) -> Iterator[None]:
    """What the operating system refuses, in words and with what to do.

    Raises:
        CorpusError: the disk is full, read-only, or files belong to somebody else.
    """
    try:
        yield
    except OSError as error:
        raise CorpusError(explain_refusal(error, data_dir)) from error


def read_pointer(data_dir: Path) -> str | None:
    """The live release, ``None`` if there is none; one small read, for polling.

    It waits for nothing and reads no more than a pointer has, whatever stands in its place.
    """
    try:
        descriptor = os.open(data_dir / "active", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            release = os.read(descriptor, _POINTER_BYTES).decode("ascii").strip()
        finally:
            os.close(descriptor)
    except (OSError, UnicodeDecodeError):
        return None
    return release if _RELEASE.fullmatch(release) else None


def get_live(data_dir: Path) -> str | None:
    """The live release for whoever goes on from it or deletes others; ``None`` if there is none.

    Raises:
        CorpusError: a pointer is there, and names no release, or there are builds and no pointer:
            which build is live is not known.
    """
    release = read_pointer(data_dir)
    pointer = data_dir / "active"
    if release is None and (os.path.lexists(pointer) or _has_builds(data_dir)):
        raise CorpusError(
            f"{pointer} is not there, cannot be read, or names no build: make one live with"
            " 'fundstelle corpus activate' ('fundstelle corpus list' names them), or begin anew"
            " with 'fundstelle ingest --fresh'"
        )
    return release


def _has_builds(data_dir: Path) -> bool:
    return any(
        _RELEASE.fullmatch(manifest.parent.name)
        for manifest in data_dir.glob(f"builds/*/{FILE_NAME}")
    )


def get_folder(data_dir: Path, release: str) -> Path:
    """Where a build lies.

    Raises:
        CorpusError: ``release`` does not have the form of one, or there is no such build.
    """
    folder = data_dir / "builds" / release
    if not _RELEASE.fullmatch(release) or not (folder / FILE_NAME).is_file():
        raise CorpusError(
            f"there is no build {release!r} in {data_dir}; 'fundstelle corpus list' names them"
        )
    return folder


def read_manifest(folder: Path) -> Manifest:
    """The manifest of one build.

    Raises:
        CorpusError: it is missing or damaged.
    """
    path = folder / FILE_NAME
    try:
        data = read_small(path, MOST_BYTES)
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read ({error.strerror}); build the corpus again with"
            " 'fundstelle ingest'"
        ) from error
    return load_manifest(data, str(path))


def may_hold_official_law(data_dir: Path) -> bool:
    """Whether official law is held: any build that does not say of itself that it is invented.

    One that cannot be read, or that is live and not there (a disk that is not mounted), may be.
    """
    releases = [one.name for one in data_dir.glob("builds/*") if _RELEASE.fullmatch(one.name)]
    if os.path.lexists(data_dir / "active"):
        releases.append(read_pointer(data_dir) or "")
    try:
        manifests = [read_manifest(data_dir / "builds" / release) for release in releases]
    except CorpusError:
        return True
    return not all(manifest.demonstration for manifest in manifests)


def list_builds(data_dir: Path) -> list[Manifest]:
    """The manifests of all complete builds, the latest Stand first; damaged ones are left out.

    Of one Stand that comes first which was built last.
    """
    manifests = []
    for folder in sorted(data_dir.glob(f"builds/*/{FILE_NAME}")):
        if not _RELEASE.fullmatch(folder.parent.name):
            continue
        try:
            manifests.append(read_manifest(folder.parent))
        except CorpusError:
            continue
    return sorted(manifests, key=lambda m: (m.stand, m.built_at, m.release), reverse=True)


def list_damaged(data_dir: Path) -> list[tuple[str, str]]:
    """Builds whose manifest cannot be read, and why; also the live one that is not there."""
    folders = {one.name for one in data_dir.glob("builds/*") if _RELEASE.fullmatch(one.name)}
    live = read_pointer(data_dir)
    damaged = []
    for release in sorted(folders | ({live} if live else set())):
        try:
            read_manifest(data_dir / "builds" / release)
        except CorpusError as error:
            damaged.append((release, str(error)))
    return damaged


def list_indexes(data_dir: Path) -> list[Path]:
    """The folders of the indexes of all builds, damaged ones too, which may be fetched anew."""
    folders = [folder for folder in data_dir.glob("builds/*") if _RELEASE.fullmatch(folder.name)]
    return [folder / INDEX for folder in sorted(folders)]


def tell_other_version(manifest: Manifest) -> str | None:
    """Why a build cannot be opened that another version has made; ``None`` of this version's."""
    if manifest.schema_version == SCHEMA_VERSION:
        return None
    return (
        "it was made by another version of Fundstelle (schema"
        f" {manifest.schema_version}, not {SCHEMA_VERSION})"
    )


def open_build(data_dir: Path, release: str) -> WholeStore:
    """Open one build for reading; what the last update says of its sources is in its manifest.

    Raises:
        CorpusError: it is not there, of another schema, or cannot be read.
    """
    folder = get_folder(data_dir, release)
    manifest = read_manifest(folder)
    if (reason := tell_other_version(manifest)) is not None:
        raise CorpusError(
            f"build {release} cannot be opened: {reason}; build again with 'fundstelle ingest'"
        )
    return open_whole(folder / DATABASE, add_report(manifest, read_report(data_dir)))


def open_active(data_dir: Path) -> WholeStore:
    """Open the live build.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it cannot be read.
    """
    release = get_live(data_dir)
    if release is None:
        raise NoCorpus(f"there is no corpus in {data_dir} yet; build one with 'fundstelle ingest'")
    return open_build(data_dir, release)


def activate(data_dir: Path, release: str) -> None:
    """Make a build the live one, in one step.

    Raises:
        CorpusError: there is no such build, another version of Fundstelle has made it, or the
            folder cannot be written.
    """
    folder = get_folder(data_dir, release)  # before a lock is made in what may be no data folder
    reason = None
    with suppress(CorpusError):  # a damaged one is made live where nobody looks for that before
        reason = tell_other_version(read_manifest(folder))
    if reason is not None:
        raise CorpusError(f"build {release} cannot be made live: {reason}; what is live stays")
    with explained(data_dir), _pointer_held(data_dir):
        _point_at(data_dir, release)


def go_on(data_dir: Path, release: str, finished: Path | None, base: str | None) -> None:
    """Make the build that was made from another the live one, in the place of that one alone.

    Args:
        data_dir: the folder.
        release: the build.
        finished: where it lies, if it does not bear its name yet.
        base: as ``require_base`` has it.

    Raises:
        CorpusError: another one is live; nothing has changed. Or as ``activate``.
    """
    with explained(data_dir), _pointer_held(data_dir):
        if read_pointer(data_dir) != release:
            require_base(data_dir, base)
        if finished is not None:
            give_name(data_dir, finished, release)
        _point_at(data_dir, release)


def require_base(data_dir: Path, base: str | None) -> None:
    """See that the live build is the one that is gone on from; ``None``: it may be any.

    Raises:
        CorpusError: it is another one. Whoever made it live would not have what they chose.
    """
    if base is not None and (live := get_live(data_dir)) != base:
        raise CorpusError(
            f"another build was made live meanwhile ({live}, not {base}): nothing was built; run"
            " the command again, which goes on from the one that is live (the next update does)"
        )


def _point_at(data_dir: Path, release: str) -> None:
    get_folder(data_dir, release)  # it may have been deleted while this waited
    fresh = data_dir / _FRESH_POINTER  # one writes it at a time
    try:
        write_durably(fresh, f"{release}\n".encode())
        fresh.replace(data_dir / "active")
    except OSError:
        with suppress(OSError):  # a full disk takes the name and not the line
            fresh.unlink()
        raise
    sync_folder(data_dir)


def verify(data_dir: Path, release: str) -> list[Finding]:
    """What is wrong with a build; empty if it is as it was made.

    Every file is read and compared with the manifest's hashes, then the store checks itself.

    Raises:
        CorpusError: there is no such build, or no byte is wrong as far as can be checked: of one
            that another version has made the store cannot, and of one that was made before hashes
            were kept the store alone can.
    """
    folder = data_dir / "builds" / release
    if not _RELEASE.fullmatch(release) or not folder.is_dir():
        get_folder(data_dir, release)
    findings = check_completely(folder)
    try:
        manifest = read_manifest(folder)
        if manifest.release != release:
            findings.append(Finding(FILE_NAME, f"it is that of release {manifest.release}"))
        reason = tell_other_version(manifest)
        if reason is None:
            findings += [Finding(DATABASE, one) for one in _verify_store(data_dir, manifest)]
    except CorpusError as error:
        return findings or [Finding(DATABASE, str(error))]
    if not findings and reason is not None:  # which is no damage, and is not to be noted as such
        raise CorpusError(f"{release} cannot be opened here: {reason}; its files are as they were")
    if not findings and manifest.files is None:
        raise CorpusError(
            f"{release} was {NO_HASHES}, and the store is as it was; build it again with"
            " 'fundstelle ingest --fresh' to have every file checked"
        )
    return findings


def _verify_store(data_dir: Path, manifest: Manifest) -> list[str]:
    """What the store says of itself: SQLite's own check, the texts' hashes, the release's."""
    store = open_build(data_dir, manifest.release)
    try:
        return check_store(store, manifest)
    finally:
        store.close()


def prune(data_dir: Path, keep: int, served: str | None = None, *needed: str | None) -> list[str]:
    """Delete what is left over and older builds, as ``delete_older`` does; not beside a build.

    Raises:
        CorpusError: as ``delete_older``.
    """
    _require_writable(data_dir / "builds")
    discard_leftovers(data_dir)
    return delete_older(data_dir, keep, served, *needed)


def delete_older(
    data_dir: Path, keep: int, served: str | None = None, *needed: str | None
) -> list[str]:
    """Delete all but the live and the ``keep`` newest builds; gives the releases deleted.

    Newest is by Stand, as ``list_builds`` has them. Call it under ``lock``.

    Args:
        data_dir: the folder.
        keep: how many, the live one and those ``needed`` among them.
        served: the build that servers use in the place of a damaged live one; it is kept.
        needed: the builds that were live before or are to be next, where there are any; they are
            kept, however old they are beside others.

    Raises:
        CorpusError: the live build is not there or not known, so that what is used may be any of
            the others; or nothing can be deleted, or not all that was to be.
    """
    active = get_live(data_dir)
    if active is not None and not (data_dir / "builds" / active).is_dir():
        raise CorpusError(
            f"the live build {active} is not in {data_dir}; make another one live first, with"
            " 'fundstelle corpus activate', so that it is not deleted"
        )
    _require_writable(data_dir / "builds")
    first = {one for one in (active, *needed) if one and (data_dir / "builds" / one).is_dir()}
    others = [m.release for m in list_builds(data_dir) if m.release not in {*first, served}]
    gone = []
    for release in others[max(keep - len(first), 0) :]:
        with _pointer_held(data_dir):
            if release == read_pointer(data_dir):
                continue  # made live while others were deleted
            trash = take_name(data_dir / "builds" / release)
        shutil.rmtree(trash, ignore_errors=True)
        if trash.exists():
            raise CorpusError(
                f"build {release} is no longer one, but its files are still there, in {trash}:"
                " see why they cannot be deleted, and delete them"
            )
        gone.append(release)
    return gone


@contextmanager
def _pointer_held(data_dir: Path) -> Iterator[None]:
    """Wait until nobody changes the pointer or deletes by it, and keep others from it.

    It is held for a moment only: not while the files of a build are deleted.
    """
    with opened_lock(data_dir / "activate.lock") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _require_writable(folder: Path) -> None:
    """See that builds can be deleted, before one has lost its name.

    Raises:
        CorpusError: they cannot.
    """
    with explained(folder):
        if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


@contextmanager
def lock(data_dir: Path, work: str = "ingest", *, shared: bool = False) -> Iterator[None]:
    """Keep others of the same work away: ``ingest``, ``update``, ``embed`` or ``build``.

    The lock ends with the process, however that ends. Any number have it ``shared``, while none
    has it alone.

    Raises:
        CorpusError: another one is at work.
    """
    with ExitStack() as stack:
        with explained(data_dir):
            data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = stack.enter_context(opened_lock(data_dir / f"{work}.lock"))
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EAGAIN, errno.EACCES}:
                raise
            raise CorpusError(
                f"another 'fundstelle {work}' is at work in {data_dir}; wait until it has ended"
            ) from error
        yield
