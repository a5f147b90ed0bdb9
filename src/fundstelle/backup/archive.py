"""The file of a backup: a tar archive in a zstd frame, and a hash over all of it at its end.

The hash stands in a skippable frame (RFC 8878 §3.1.2), so that ``zstd`` and ``tar`` read the file
as any other. It finds every damage before anything is unpacked. The manifest is the last member:
the hashes in it are made while the files go by.
"""

import hashlib
import os
import struct
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import zstandard

from fundstelle.backup.contents import MANIFEST, MOST_FILES, File, is_allowed
from fundstelle.errors import BackupError
from fundstelle.tar_members import PlainMember, RefusedMember, iter_members

_LEVEL = 6
_SKIPPABLE = struct.Struct("<II32s")  # magic, length, content
_MAGIC = 0x184D2A50
_BLOCK = 1 << 20
# As which a damaged archive shows itself, whatever version of Python reads it.
_DAMAGE = (
    *(zstandard.ZstdError, tarfile.TarError, EOFError, ValueError),
    *(IndexError, OverflowError, RuntimeError),
)


class _Hashing:
    """Passes bytes on and hashes them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        return self._file.write(data)

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.hash.update(data)
        self.size += len(data)
        return data

    def flush(self) -> None:
        self._file.flush()


class Writer:
    """Takes the files of a backup, one after the other."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.files: dict[str, File] = {}

    def add(self, name: str, content: IO[bytes], size: int) -> None:
        """Add a file; ``size`` in bytes.

        Raises:
            BackupError: a backup holds no such name, or the file became shorter under way.
        """
        if name != MANIFEST and not is_allowed(name):
            raise BackupError(f"{name} has a name that no backup holds")
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        hashing = _Hashing(content)
        try:
            self._tar.addfile(entry, hashing)
        except OSError as error:
            if error.errno is not None:
                raise
            raise BackupError(f"{name} changed while it was copied; try again") from None
        self.files[name] = File(size, hashing.hash.hexdigest())

    def add_path(self, name: str, path: Path) -> None:
        """Add a file of the disk."""
        with path.open("rb") as file:
            self.add(name, file, os.fstat(file.fileno()).st_size)


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """A new archive at *path*, which must not be there; complete and on disk when the block ends.

    Raises:
        OSError: it is there, or cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        sink = _Hashing(file)
        compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        with (
            compressor.stream_writer(sink, closefd=False) as compressed,  # type: ignore[arg-type]  # it writes, nothing else
            tarfile.open(fileobj=compressed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
        ):
            yield Writer(tar)
        file.write(_SKIPPABLE.pack(_MAGIC, 32, sink.hash.digest()))
        file.flush()
        os.fsync(file.fileno())


class Sink(Protocol):
    """Takes the content of a file."""

    def write(self, data: bytes, /) -> object:
        """Take the next bytes."""


@dataclass(slots=True)
class Member:
    """A file of an archive, to be read once."""

    name: str
    size: int
    content: "IO[bytes] | Content"

    def copy(self, sink: Sink | None = None) -> File:
        """Read it to its end, into *sink* if there is one."""
        digest, size = hashlib.sha256(), 0
        while block := self.content.read(_BLOCK):
            digest.update(block)
            size += len(block)
            if sink is not None:
                sink.write(block)
        return File(size, digest.hexdigest())


def reading(path: Path) -> Iterator[Member]:
    """The files of an archive, in their order; each is to be read before the next.

    Raises:
        BackupError: it is damaged, or holds what no backup holds.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        _check_seal(path, file)
        file.seek(0)
        seen: set[str] = set()
        try:
            stream = zstandard.ZstdDecompressor().stream_reader(file)
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=PlainMember) as tar:
                for entry in iter_members(tar):
                    if len(seen) == MOST_FILES:
                        raise BackupError(f"{path} holds more files than any backup of ours")
                    yield _open(tar, entry, seen)
        except RefusedMember as error:
            raise BackupError(f"{path} is no backup of ours: {error}") from None
        except _DAMAGE as error:
            raise BackupError(f"{path} is damaged: {error}") from None


class Content:
    """What a file of an archive holds, read as it comes; shorter than said, it is damaged."""

    def __init__(self, content: IO[bytes], name: str) -> None:
        self._content, self._name = content, name

    def read(self, size: int = -1) -> bytes:
        """The next bytes.

        Raises:
            BackupError: there are fewer than its header says.
        """
        try:
            return self._content.read(size)
        except _DAMAGE as error:
            raise BackupError(f"{self._name} in the archive is damaged: {error}") from None


def _open(tar: tarfile.TarFile, entry: tarfile.TarInfo, seen: set[str]) -> Member:
    is_known = entry.name == MANIFEST or is_allowed(entry.name)
    is_plain = entry.type == tarfile.REGTYPE
    content = tar.extractfile(entry) if is_plain and is_known else None
    if content is None or entry.name in seen:
        raise BackupError(
            f"the archive holds {entry.name!r}, which no backup of ours does; nothing was restored"
        )
    seen.add(entry.name)
    return Member(entry.name, entry.size, Content(content, entry.name))


def _check_seal(path: Path, file: IO[bytes]) -> None:
    size = os.fstat(file.fileno()).st_size - _SKIPPABLE.size
    damaged = BackupError(
        f"{path} is damaged, or cut off, or no backup: the hash at its end does not fit"
    )
    if size <= 0:
        raise damaged
    digest = hashlib.sha256()
    while size > 0:
        block = file.read(min(_BLOCK, size))
        if not block:
            raise damaged
        digest.update(block)
        size -= len(block)
    if file.read() != _SKIPPABLE.pack(_MAGIC, 32, digest.digest()):
        raise damaged
