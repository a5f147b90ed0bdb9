"""Sends a build to a target, in chunks; what lies there already is not sent again."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import sha256
from io import FileIO
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.corpus.proof.signing import KEY_FILE, open_key, show_key
from fundstelle.corpus.soundness.check import check_quickly
from fundstelle.corpus.soundness.inventory import CHECKSUM, COUNTING, VECTORS, list_files
from fundstelle.corpus.travel.shipment import CHUNK_BYTES, SentFile, Shipment, sign_files
from fundstelle.corpus.travel.target import (
    LIVE,
    NEXT,
    Target,
    name_object,
    write_release,
    write_shipment,
)
from fundstelle.errors import CorpusError

_ATTEMPTS = 5  # at opening files in a folder that others may replace


@dataclass(slots=True)
class Freight:
    """Bytes of a transfer: what had to go over the line, and what was there."""

    moved: int = 0
    held: int = 0


def push(  # noqa: PLR0913 - two places, and three things that may be wished
    data_dir: Path,
    release: str,
    target: Target,
    *,
    live: bool = False,
    anew: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Freight:
    """Send a build whole, then say that it lies there.

    Broken off, it leaves chunks that the next attempt finds; nobody sees a release of which one is
    missing.

    Args:
        data_dir: where the build is.
        release: which one.
        target: where it goes.
        live: whether replicas are to serve it as soon as they have it, and not only to fetch it.
        anew: whether chunks that lie at the target are sent again: they may be damaged there.
        advance: told the bytes of each chunk.

    Raises:
        CorpusError: there is no such build, a file of it is damaged, or the target cannot be
            written, or is being pruned from here.
    """
    folder = builds.get_folder(data_dir, release)
    # What lies at the target counts as sent: nobody here may delete it until a record names it.
    with builds.lock(data_dir, "build", shared=True):
        freight = Freight()
        shipment = _send_all(folder, release, target, freight, anew=anew, advance=advance)
        write_shipment(target, _sign(data_dir, shipment))
        for pointer in (NEXT, LIVE) if live else (NEXT,):
            write_release(target, pointer, release)
    return freight


def _send_all(  # noqa: PLR0913
    folder: Path,
    release: str,
    target: Target,
    freight: Freight,
    *,
    anew: bool,
    advance: Callable[[int], None],
) -> Shipment:
    findings = check_quickly(folder)
    manifest = builds.read_manifest(folder)
    if findings or manifest.files is None:
        problem = findings[0] if findings else "it was made before hashes were kept"
        raise CorpusError(
            f"build {release} is not sent ({problem}); build it again with 'fundstelle ingest'"
        )
    known = {state.name: state.sha256 for state in manifest.files}
    files = []
    for name, file in _open_all(folder):
        sent = _send(name, file, target, freight, anew=anew, advance=advance)
        if known.get(name, sent.sha256) != sent.sha256:
            raise CorpusError(
                f"build {release} is damaged ({name}: its bytes are not those that were written)"
                " and is not sent; build it again with 'fundstelle ingest'"
            )
        files.append(sent)
    return Shipment(release, tuple(files), CHUNK_BYTES)


def _open_all(folder: Path) -> Iterator[tuple[str, FileIO]]:
    """Every file of a build, opened, its vectors as they are now, the manifest last."""
    for name, path in list_files(folder):
        with path.open("rb", buffering=0) as file:
            yield name, file
    with ExitStack() as opened:
        for name, file in _open_vectors(folder / VECTORS, opened):
            yield f"{VECTORS}/{name}", file
    for name in (FILE_NAME, CHECKSUM):
        with (folder / name).open("rb", buffering=0) as file:
            yield name, file


def _open_vectors(folder: Path, opened: ExitStack) -> list[tuple[str, FileIO]]:
    """The vectors of one moment, though 'fundstelle embed' adds to them or starts them anew.

    All are opened before one is read, so that they are of one and the same folder. The one that
    says how many rows count is read first: of those the others have everything by then.
    """
    for _ in range(_ATTEMPTS):
        try:
            return _open_each(folder, opened)
        except FileNotFoundError:  # there are none, or another folder is taking the name
            opened.close()
    return []


def _open_each(folder: Path, opened: ExitStack) -> list[tuple[str, FileIO]]:
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    opened.callback(os.close, place)
    with os.scandir(place) as entries:
        names = [one.name for one in entries if one.is_file() and not one.name.startswith(".")]
    files = []
    for name in sorted(names, key=lambda name: (name != COUNTING, name)):
        descriptor = os.open(name, os.O_RDONLY, dir_fd=place)
        files.append((name, opened.enter_context(os.fdopen(descriptor, "rb", buffering=0))))
    return files


def _send(  # noqa: PLR0913
    name: str,
    file: FileIO,
    target: Target,
    freight: Freight,
    *,
    anew: bool,
    advance: Callable[[int], None],
) -> SentFile:
    whole, chunks, size = sha256(), list[str](), 0
    most = os.fstat(file.fileno()).st_size  # what comes meanwhile would make the chunks uneven
    while data := _read_chunk(file.read, most - size):
        whole.update(data)
        size += len(data)
        chunks.append(sha256(data).hexdigest())
        place = name_object(chunks[-1])
        if not anew and target.measure(place) == len(data):
            freight.held += len(data)
        else:
            target.write(place, data)
            freight.moved += len(data)
        advance(len(data))
    return SentFile(name, size, whole.hexdigest(), tuple(chunks))


def _read_chunk(read: Callable[[int], bytes], most: int) -> bytes:
    """A whole chunk, less only at the end of the file or where it would be more than ``most``."""
    pieces, lacking = [], min(CHUNK_BYTES, most)
    while lacking and (piece := read(lacking)):
        pieces.append(piece)
        lacking -= len(piece)
    return b"".join(pieces)


def _sign(data_dir: Path, shipment: Shipment) -> Shipment:
    """Signed where the operator's key is here; none is made for it."""
    if not (data_dir / KEY_FILE).exists():
        return shipment
    key = open_key(data_dir)
    return replace(shipment, key=show_key(key.public_key()), signature=sign_files(key, shipment))
