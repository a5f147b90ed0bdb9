"""Sends a build to a target, in chunks; what lies there already is not sent again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.corpus.proof.signing import KEY_FILE, open_key, show_key
from fundstelle.corpus.soundness.check import check_quickly
from fundstelle.corpus.soundness.inventory import CHECKSUM, VECTORS, list_files
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
            written.
    """
    folder = builds.get_folder(data_dir, release)
    findings = check_quickly(folder)
    manifest = builds.read_manifest(folder)
    if findings or manifest.files is None:
        problem = findings[0] if findings else "it was made before hashes were kept"
        raise CorpusError(
            f"build {release} is not sent ({problem}); build it again with 'fundstelle ingest'"
        )
    known = {state.name: state.sha256 for state in manifest.files}
    freight = Freight()
    files = []
    for name, path in _list_all(folder):
        sent = _send(name, path, target, freight, anew=anew, advance=advance)
        if known.get(name, sent.sha256) != sent.sha256:
            raise CorpusError(
                f"build {release} is damaged ({name}: its bytes are not those that were written)"
                " and is not sent; build it again with 'fundstelle ingest'"
            )
        files.append(sent)
    write_shipment(target, _sign(data_dir, Shipment(release, tuple(files), CHUNK_BYTES)))
    for pointer in (NEXT, LIVE) if live else (NEXT,):
        write_release(target, pointer, release)
    return freight


def _list_all(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file of a build, its vectors as they are now, the manifest last."""
    yield from list_files(folder)
    for path in sorted((folder / VECTORS).glob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield path.relative_to(folder).as_posix(), path
    for name in (FILE_NAME, CHECKSUM):
        yield name, folder / name


def _send(  # noqa: PLR0913
    name: str,
    path: Path,
    target: Target,
    freight: Freight,
    *,
    anew: bool,
    advance: Callable[[int], None],
) -> SentFile:
    whole, chunks, size = sha256(), list[str](), 0
    with path.open("rb", buffering=0) as file:
        while data := _read_chunk(file.read):
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


def _read_chunk(read: Callable[[int], bytes]) -> bytes:
    """A whole chunk, less only at the end of the file."""
    pieces, lacking = [], CHUNK_BYTES
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
