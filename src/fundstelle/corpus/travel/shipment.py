"""What is sent of a build: each file with its size, its hash and the chunks it is cut into. Pure.

A shipment comes from a place that others may write to. So it is read strictly: its names lead
nowhere but below the build's folder, its sizes are all that will ever be fetched for it.
"""

import re
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.corpus.soundness.inventory import CHECKSUM
from fundstelle.errors import CorpusError, quote_error

FORMAT = 1
CHUNK_BYTES = 16 * 2**20
"""So much is lost where a transfer breaks off, and so much a replica holds in memory."""
MOST_RECORD_BYTES = 64 * 2**20

_MOST_FILES = 10_000
_LONGEST_NAME = 500  # characters; later messages name the file
_MOST_MANIFEST_BYTES = 16 * 2**20  # it is read whole; those of large builds have a few hundred KB
_MOST_CHUNK_BYTES = 64 * 2**20
_RELEASE = re.compile(r"[0-9a-f]{16}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PART = re.compile(r"\.?[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")  # of a name: not "." and not ".."


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of a file that lie at the target under their hash."""

    sha256: str
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class SentFile:
    """One file of a build."""

    name: str  # relative to the build's folder, with /
    size: int  # bytes
    sha256: str
    chunks: tuple[str, ...]  # their hashes, in order; all but the last have the chunk's size


@dataclass(frozen=True, slots=True)
class Shipment:
    """All files of a build, its manifest among them.

    ``key`` and ``signature`` are the operator's over the names and hashes of all files, ``None``
    where the machine that sent it does not have the key. The root in the manifest is signed beside
    it: that one speaks for the texts, wherever they lie; this one for every byte.
    """

    release: str
    files: tuple[SentFile, ...]
    chunk_bytes: int = CHUNK_BYTES
    key: str | None = None
    signature: str | None = None

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    def cut(self, file: SentFile) -> list[Chunk]:
        """The chunks of a file with their places."""
        step = self.chunk_bytes
        return [
            Chunk(sha256, at * step, min(step, file.size - at * step))
            for at, sha256 in enumerate(file.chunks)
        ]


def is_release(text: str) -> bool:
    """Whether it has the form of a release: 16 hex digits."""
    return _RELEASE.fullmatch(text) is not None


def state_files(shipment: Shipment) -> bytes:
    """What is signed: the release, and a line for each file as ``sha256sum`` writes it."""
    lines = sorted(f"{file.sha256}  {file.name}\n" for file in shipment.files)
    return "".join([f"fundstelle-shipment-v1\n{shipment.release}\n", *lines]).encode()


def sign_files(key: Ed25519PrivateKey, shipment: Shipment) -> str:
    """The signature as 128 hex digits."""
    return key.sign(state_files(shipment)).hex()


def are_signed(key: Ed25519PublicKey, shipment: Shipment) -> bool:
    """Whether the owner of the key sent these files."""
    try:
        key.verify(bytes.fromhex(shipment.signature or ""), state_files(shipment))
    except (InvalidSignature, ValueError):
        return False
    return True


def dump_shipment(shipment: Shipment) -> bytes:
    """The shipment as the target holds it: JSON."""
    return orjson.dumps({"format": FORMAT, **asdict(shipment)}) + b"\n"


def load_shipment(data: bytes, name: str) -> Shipment:
    """The inverse of ``dump_shipment``; ``name`` is what an error calls it.

    Raises:
        CorpusError: it is not what ``push`` writes.
    """
    try:
        shipment = _read(orjson.loads(data))
        _check(shipment)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorpusError(
            f"{name} is damaged, or of another version ({quote_error(error)}); send the release"
            " again with 'fundstelle build push'"
        ) from error
    return shipment


def _read(fields: dict[str, Any]) -> Shipment:
    if fields.pop("format") != FORMAT:
        raise ValueError("its format is not known here")
    files = [SentFile(**{**one, "chunks": tuple(one["chunks"])}) for one in fields.pop("files")]
    return Shipment(files=tuple(files), **fields)


def _check(shipment: Shipment) -> None:
    if not is_release(shipment.release):
        raise ValueError("it names no release")
    if not _is_count(shipment.chunk_bytes) or not 0 < shipment.chunk_bytes <= _MOST_CHUNK_BYTES:
        raise ValueError("its chunks are too large")
    if len(shipment.files) > _MOST_FILES:
        raise ValueError("it has too many files")
    for hexadecimal in (shipment.key, shipment.signature):
        if hexadecimal is not None:
            bytes.fromhex(hexadecimal)
    names = {file.name for file in shipment.files}
    if len(names) < len(shipment.files) or not {FILE_NAME, CHECKSUM} <= names:
        raise ValueError("it names a file twice, or lacks the manifest")
    for file in shipment.files:
        _check_file(file, shipment.chunk_bytes)
        parents = file.name.split("/")[:-1]
        if any("/".join(parents[: at + 1]) in names for at in range(len(parents))):
            raise ValueError(f"{file.name!r} lies below a file")


def _check_file(file: SentFile, chunk_bytes: int) -> None:
    parts = file.name.split("/")
    if len(file.name) > _LONGEST_NAME or not all(map(_PART.fullmatch, parts)):
        raise ValueError(f"{file.name!r} is no name of a file")
    if not _is_count(file.size) or file.size < 0:
        raise ValueError(f"{file.name!r} has no size")
    if file.name == FILE_NAME and file.size > _MOST_MANIFEST_BYTES:
        raise ValueError("its manifest is too large")
    if len(file.chunks) != -(-file.size // chunk_bytes):
        raise ValueError(f"the chunks of {file.name!r} do not make up its size")
    if not all(map(_SHA256.fullmatch, (file.sha256, *file.chunks))):
        raise ValueError(f"a hash of {file.name!r} is none")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
