"""Fetches a build from a target, checks every byte and its root, and gives it its name.

What has been fetched lies under a name of its own beside the builds until all of it is there and
right. A transfer that was broken off goes on there: what lies in a file already counts if it has
the hash of its chunk, whoever wrote it.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME, MOST_BYTES, Manifest, load_manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.proof.signing import load_public, show_key
from fundstelle.corpus.publishing import PULLED, discard, give_name
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import check_completely, check_quickly
from fundstelle.corpus.soundness.inventory import VECTORS, hash_file
from fundstelle.corpus.soundness.record import Record, find_recorded, identify_build, keep_record
from fundstelle.corpus.soundness.root import check_store
from fundstelle.corpus.travel.push import Freight
from fundstelle.corpus.travel.shipment import Chunk, SentFile, Shipment, are_signed
from fundstelle.corpus.travel.target import Target, name_object, read_shipment
from fundstelle.disks import read_small
from fundstelle.errors import CorpusError

_SPARE_BYTES = 64 * 2**20  # that a pull leaves free: accounts and logs go on beside it


@dataclass(frozen=True, slots=True)
class Pins:
    """What whoever fetches knows of a release from elsewhere; ``None`` = nothing."""

    key: str | None = None  # the operator's public key: root and files must be signed with it
    root: str | None = None  # of the release's texts, 64 hex digits

    def require_signed(self, shipment: Shipment) -> None:
        """See that the owner of the key that is pinned sent these files, before any is fetched.

        Raises:
            CorpusError: another did, or the key that is pinned is none.
        """
        if self.key is not None and not are_signed(load_public(self.key), shipment):
            raise CorpusError(
                f"the files of release {shipment.release} are not signed with the key that is"
                " pinned; nothing of it is used: ask whoever made it for 'fundstelle release key',"
                " and push it from the machine that holds the key"
            )

    def require(self, shipment: Shipment, manifest: Manifest) -> None:
        """See that the release is what is known of it.

        Raises:
            CorpusError: it is not, or the key that is pinned is none.
        """
        release = shipment.release
        if self.root is not None and manifest.root != self.root.strip().lower():
            raise CorpusError(
                f"release {release} has the root {manifest.root}, not the one that is pinned;"
                " nothing of it is used: ask whoever made it for 'fundstelle release root'"
            )
        if self.key is None:
            return
        key = load_public(self.key)
        if manifest.key != show_key(key):
            raise CorpusError(
                f"release {release} is not signed with the key that is pinned; nothing of it is"
                " used: ask whoever made it for 'fundstelle release key'"
            )


def pull(  # noqa: PLR0913 - two places, what is known, and who is told
    data_dir: Path,
    release: str,
    target: Target,
    *,
    pins: Pins = Pins(),
    check_vectors: Callable[[Path], Iterable[str]] = lambda _: (),
    advance: Callable[[int], None] = lambda _: None,
) -> Freight | None:
    """Fetch a release, so that it lies here ready to be made live; ``None`` if it did already.

    Of one that lies here each byte is read, vectors too, and what is damaged is fetched anew.

    Args:
        data_dir: where it goes.
        release: which one.
        target: where it comes from.
        pins: what it has to be.
        check_vectors: what is wrong with a folder of vectors, which no manifest knows.
        advance: told the bytes of each chunk.

    Raises:
        CorpusError: it is not there, not what it should be, or cannot be written here; what was
            fetched and is right stays for the next attempt.
    """
    with builds.explained(data_dir), builds.lock(data_dir):
        shipment = read_shipment(target, release)
        pins.require_signed(shipment)
        manifest = _read_manifest(shipment, target)
        pins.require(shipment, manifest)
        held = data_dir / "builds" / release
        is_here = held.is_dir() and not check_quickly(held) and _is_the_same(held, shipment)
        is_sound = is_here and _is_sound(data_dir, release)
        if is_sound and not _find_wrong(held, shipment, check_vectors):
            return None
        folder = _make_room(data_dir, shipment)
        freight = Freight()
        held_files = _list_held(data_dir)
        for file in shipment.files:
            _fetch(folder, file, shipment, target, held_files, freight, advance)
        _check(folder, shipment, manifest, check_vectors)
        give_name(data_dir, folder, release)
    return freight


def _read_manifest(shipment: Shipment, target: Target) -> Manifest:
    """The manifest that is sent, after a look at whether it speaks of these files.

    Raises:
        CorpusError: it does not, or is of another version.
    """
    sent = {file.name: file for file in shipment.files}
    name = f"the manifest of release {shipment.release}"
    data = b"".join(_get(chunk, target) for chunk in shipment.cut(sent[FILE_NAME]))
    if sha256(data).hexdigest() != sent[FILE_NAME].sha256:
        raise CorpusError(
            f"{name} is not the one that was sent, though each part of it may be; nothing of it is"
            " used: push the release again"
        )
    manifest = load_manifest(data, name)
    named = {(state.name, state.size, state.sha256) for state in manifest.files or ()}
    others = {
        (file.name, file.size, file.sha256)
        for file in shipment.files
        if not file.name.startswith((f"{VECTORS}/", "manifest."))
    }
    if manifest.release != shipment.release or named != others:
        raise CorpusError(
            f"{name} names other files than lie at {target.address}; push the release again"
        )
    if manifest.schema_version != SCHEMA_VERSION:
        raise CorpusError(
            f"release {shipment.release} was made by another version of Fundstelle (schema"
            f" {manifest.schema_version}, not {SCHEMA_VERSION}); install the same version here"
            " and there"
        )
    return manifest


def _is_the_same(folder: Path, shipment: Shipment) -> bool:
    """Whether a build of that name is this one: two of the same texts differ in their files."""
    sent = next(file for file in shipment.files if file.name == FILE_NAME)
    return sha256(read_small(folder / FILE_NAME, MOST_BYTES)).hexdigest() == sent.sha256


def _is_sound(data_dir: Path, release: str) -> bool:
    """Whether a build that is here is what was written, each byte read.

    What a check has found before is looked for anew: it holds no more where it was mended by hand.
    """
    if not find_recorded(data_dir, release):
        return not check_completely(data_dir / "builds" / release)
    of, findings = identify_build(data_dir, release), builds.verify(data_dir, release)
    keep_record(data_dir, release, Record(of, datetime.now(UTC), tuple(findings)))
    return not findings


def _find_wrong(
    folder: Path, shipment: Shipment, check_vectors: Callable[[Path], Iterable[str]]
) -> list[str]:
    """What is wrong with the vectors of a build that is here, where they were sent, too."""
    vectors = folder / VECTORS
    is_sent = any(file.name.startswith(f"{VECTORS}/") for file in shipment.files)
    return list(check_vectors(vectors)) if is_sent and vectors.is_dir() else []


def _make_room(data_dir: Path, shipment: Shipment) -> Path:
    """The folder in which a transfer begins or goes on; those of other releases are deleted.

    Raises:
        CorpusError: the disk has no room for it.
    """
    place = data_dir / "builds"
    place.mkdir(parents=True, exist_ok=True)
    folder = place / f"{PULLED}{shipment.release}"
    for other in place.glob(f"{PULLED}*"):
        if other != folder or other.is_symlink():
            discard(other)
    folder.mkdir(exist_ok=True)
    wanted = {file.name for file in shipment.files}
    there = 0
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_symlink() or (
            path.is_file() and path.relative_to(folder).as_posix() not in wanted
        ):
            path.unlink()
        elif path.is_file():
            there += path.stat().st_size
    lacking = shipment.size - there + _SPARE_BYTES - shutil.disk_usage(place).free
    if lacking > 0:
        raise CorpusError(
            f"the disk that holds {data_dir} lacks {lacking / 1e6:,.0f} MB for release"
            f" {shipment.release}; free them ('fundstelle corpus prune' deletes old builds) and run"
            " the command again"
        )
    return folder


def _list_held(data_dir: Path) -> dict[str, Path]:
    """Files of the builds that are here, by hash: what they hold need not be fetched."""
    return {
        state.sha256: data_dir / "builds" / manifest.release / state.name
        for manifest in builds.list_builds(data_dir)
        for state in manifest.files or ()
    }


def _fetch(  # noqa: PLR0913, PLR0917 - a file, and everything it may come from
    folder: Path,
    file: SentFile,
    shipment: Shipment,
    target: Target,
    held: dict[str, Path],
    freight: Freight,
    advance: Callable[[int], None],
) -> None:
    path = folder / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o644)
    try:
        os.ftruncate(descriptor, min(os.fstat(descriptor).st_size, file.size))
        for chunk in shipment.cut(file):
            if _is_there(descriptor, chunk):
                freight.held += chunk.size
            else:
                data = _find_held(held.get(file.sha256), chunk)
                if data is None:
                    data = _get(chunk, target)
                    freight.moved += chunk.size
                else:
                    freight.held += chunk.size
                _write(descriptor, data, chunk.start)
            advance(chunk.size)
    finally:
        os.close(descriptor)


def _is_there(descriptor: int, chunk: Chunk) -> bool:
    data = os.pread(descriptor, chunk.size, chunk.start)
    return len(data) == chunk.size and sha256(data).hexdigest() == chunk.sha256


def _find_held(path: Path | None, chunk: Chunk) -> bytes | None:
    """The chunk from a build that is here, ``None`` if its file is not what it was."""
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            data = os.pread(file.fileno(), chunk.size, chunk.start)
    except OSError:
        return None
    return data if sha256(data).hexdigest() == chunk.sha256 else None


def _get(chunk: Chunk, target: Target) -> bytes:
    """A chunk from the target.

    Raises:
        CorpusError: it is not there, or not the one.
    """
    name = name_object(chunk.sha256)
    data = target.read(name, chunk.size)
    if data is None:
        raise CorpusError(
            f"{name} is missing at {target.address}; push the release again, which sends what is"
            " missing"
        )
    if len(data) != chunk.size or sha256(data).hexdigest() != chunk.sha256:
        raise CorpusError(
            f"{name} of {target.address} is damaged: its bytes do not have that hash; push the"
            " release again with --anew, which sends every object"
        )
    return data


def _write(descriptor: int, data: bytes, start: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, start)
        view, start = view[written:], start + written


def _check(
    folder: Path,
    shipment: Shipment,
    manifest: Manifest,
    check_vectors: Callable[[Path], Iterable[str]],
) -> None:
    """Read what has been put together whole: files, texts, root, signature.

    Raises:
        CorpusError: it is not what the release says; it is deleted, for each of its chunks was
            right, so that trying again would not help.
    """
    problems = list(map(str, check_completely(folder)))
    problems += _find_others(folder, shipment, manifest)
    if not problems:
        with closing(open_whole(folder / builds.DATABASE, manifest)) as store:
            problems += check_store(store, manifest)
    if not problems and (folder / VECTORS).is_dir():
        problems += check_vectors(folder / VECTORS)
    if problems:
        discard(folder)
        raise CorpusError(
            f"release {shipment.release} is not what it should be ({problems[0]}) and is not used;"
            " build it again with 'fundstelle ingest' where it was made, and push that"
        )


def _find_others(folder: Path, shipment: Shipment, manifest: Manifest) -> Iterator[str]:
    """Files that no manifest knows and that are not the ones that were sent.

    Signed is the hash of a whole file; those of its chunks are whatever the target says.
    """
    known = {state.name for state in manifest.files or ()}
    for file in shipment.files:
        if file.name not in known and hash_file(folder / file.name) != file.sha256:
            yield f"{file.name} is not the file that was sent"
