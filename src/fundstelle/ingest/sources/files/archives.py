"""Archives, folders and single files on disk, read within limits: a name and bytes for each file.

What they hold is told by ``ingest.sources.by_hand``.
"""

import gzip
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, cast

import zstandard

from fundstelle.errors import SourceError
from fundstelle.ingest.history.snapshots import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    SourceEntry,
)
from fundstelle.ingest.sources.files.limits import (
    MAX_DIRECTORY_BYTES,
    MAX_INNER_DIRECTORY_BYTES,
    Budget,
    Most,
    check_count,
    check_directory,
    check_member,
)
from fundstelle.tar_members import PlainMember, RefusedMember, iter_members

SUFFIXES = (".tar.zst", ".tar.gz", ".tgz", ".tar", ".zip")

_MOST_AFTER_END = 16  # tarfile steps over a file of a billion bytes in as many empty reads
_RECORD = 20 * tarfile.BLOCKSIZE
_WINDOW = 2**27  # the archives are packed with long-distance matching
_WANTED = (".xml", ".txt")
_LIST = re.compile(
    r"gii-toc\.xml|(?:unlisted|new)-since-.*\.txt"
)  # without it laws count as listed
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zstandard.ZstdError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    ValueError,  # of a number in a header that is none
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """What is carried in as a file or folder."""

    path: Path
    url: str  # of the publisher
    wanted: tuple[str, ...] = _WANTED  # suffixes of the files of interest
    partial: bool = False
    day: date | None = None
    demonstration: bool = False
    most: Most | None = None  # that it may unfold to; None = what an archive of law has


@dataclass(frozen=True, slots=True)
class ArchiveSnapshot(_OnDisk):
    """A snapshot packed into one file."""

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def retrieved_at(self) -> datetime:
        """When the archive was last written."""
        return _modified(self.path)

    def entries(self) -> Iterator[SourceEntry]:
        """Every regular file of interest, as it comes; links and devices are passed over."""
        try:
            if self.path.suffix == ".zip":
                yield from _read_zip(self.path, self.wanted, self._build_budget())
            else:
                yield from _read_tar(self.path, self.wanted, self._build_budget())
        except RefusedMember as error:
            raise SourceError(f"{self.name} is not read: {error}") from error
        except _DAMAGE as error:
            raise SourceError(
                f"{self.name} is damaged or cut short ({error}); fetch it again"
            ) from error
        except OSError as error:
            raise SourceError(f"{self.name} cannot be read: {error.strerror or error}") from error

    def _build_budget(self) -> Budget:
        most = self.most or Most(MAX_FILES, MAX_TOTAL_BYTES)
        return Budget(self.path.name, self.path.stat().st_size, most)


@dataclass(frozen=True, slots=True)
class FolderSnapshot(_OnDisk):
    """A snapshot as a folder of files; an ``xml.zip`` in it counts as the law inside."""

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.resolve().name

    @property
    def retrieved_at(self) -> datetime:
        """When its newest file was written."""
        return max(map(_modified, list_files(self.path, self.wanted)), default=_modified(self.path))

    def entries(self) -> Iterator[SourceEntry]:
        """Every regular file of interest; of links and the like only lists are told."""
        for path in sorted(self.path.rglob("*")):
            if _LIST.fullmatch(path.name) and (path.is_symlink() or not path.is_file()):
                name = path.relative_to(self.path).as_posix()
                yield SourceEntry(name, b"", problem="it is no regular file")
        for path in list_files(self.path, self.wanted):
            name = path.relative_to(self.path).as_posix()
            if path.parent == self.path and path.suffix in {".xml", ".zip"}:
                name = f"{self.name}/{name}"  # a law's own folder is its slug
            try:
                data = _read_capped(path)
            except OSError as error:
                yield SourceEntry(name, b"", problem=f"it cannot be read: {error.strerror}")
                continue
            if path.suffix == ".zip":
                yield unzip_law(name, data, _modified(path))
            else:
                yield SourceEntry(name, data, _modified(path))


@dataclass(frozen=True, slots=True)
class FileSnapshot(_OnDisk):
    """One law as a single file."""

    partial: bool = True

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def retrieved_at(self) -> datetime:
        """When the file was last written."""
        return _modified(self.path)

    def entries(self) -> Iterator[SourceEntry]:
        """The one file, under the name of its folder."""
        try:
            data = _read_capped(self.path)
        except OSError as error:
            raise SourceError(f"{self.path} cannot be read: {error.strerror}") from error
        name = f"{self.path.resolve().parent.name}/{self.name}"
        yield SourceEntry(name, data, self.retrieved_at)


def unzip_law(name: str, data: bytes, modified: datetime | None = None) -> SourceEntry:
    """The law inside one of the publisher's ``xml.zip``, named after the folder it lies in."""
    slug = PurePosixPath(name).parent if PurePosixPath(name).name == "xml.zip" else name[:-4]
    try:
        promised = check_directory(file := BytesIO(data), "it", MAX_INNER_DIRECTORY_BYTES)
        with zipfile.ZipFile(file) as packed:
            check_count(packed, promised)
            for member in packed.infolist():
                if member.filename.endswith(".xml"):
                    inner = PurePosixPath(member.filename).name
                    check_member(member, "it")
                    return SourceEntry(f"{slug}/{inner}", _read_member(packed, member), modified)
    except _DAMAGE as error:
        return SourceEntry(f"{slug}/xml.zip", b"", modified, f"its zip file is damaged ({error})")
    except SourceError as error:
        return SourceEntry(f"{slug}/xml.zip", b"", modified, f"its zip file is refused: {error}")
    return SourceEntry(f"{slug}/xml.zip", b"", modified, "its zip file holds no XML")


def list_files(folder: Path, wanted: tuple[str, ...] = _WANTED) -> Iterator[Path]:
    """Files of interest at any depth.

    Raises:
        SourceError: a folder cannot be read, and its files would be missing unsaid.
    """
    found = (
        Path(parent, name)
        for parent, _, names in os.walk(folder, onerror=_refuse_folder)
        for name in names
    )
    for path in sorted(found):
        if path.suffix in {*wanted, ".zip"} and path.is_file() and not path.is_symlink():
            yield path


def _refuse_folder(error: OSError) -> None:
    raise SourceError(f"the folder {error.filename} cannot be read ({error.strerror})") from error


def _read_capped(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def _read_member(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """At most one byte more than allowed, whatever the archive claims of its size."""
    with packed.open(member) as file:
        return file.read(MAX_FILE_BYTES + 1)


def _read_zip(path: Path, wanted: tuple[str, ...], budget: Budget) -> Iterator[SourceEntry]:
    with path.open("rb") as file:
        promised = check_directory(file, path.name, MAX_DIRECTORY_BYTES)
        with zipfile.ZipFile(file) as packed:
            check_count(packed, promised)
            for member in packed.infolist():
                budget.take_file()
                if member.is_dir() or not member.filename.endswith((*wanted, ".zip")):
                    packed.open(member).close()  # the name is the one that stands at the file, too
                    continue
                check_member(member, path.name)
                data = _read_member(packed, member)
                budget.take(len(data))
                yield _unpacked(member.filename, data, _read_time(member), budget)


def _read_time(member: zipfile.ZipInfo) -> datetime | None:
    """When a member was written; nothing where its fields make no day."""
    try:
        return datetime(*member.date_time, tzinfo=UTC)
    except ValueError:
        return None


def _read_tar(path: Path, wanted: tuple[str, ...], budget: Budget) -> Iterator[SourceEntry]:
    with _decompressed(path) as raw:
        stream = _Counted(raw, budget)
        ended_at = yield from _read_members(cast("IO[bytes]", stream), wanted, budget)
        # tarfile takes an end between two files for the end of the archive, and so a block of
        # zeros that was none; and a checksum is compared by whoever reads up to it.
        if not stream.is_empty_from(ended_at):
            raise EOFError("it ends without an end mark, or something stands behind that")


def _read_members(
    stream: IO[bytes], wanted: tuple[str, ...], budget: Budget
) -> Generator[SourceEntry, None, int]:
    """The files; at last, where the end mark begins, in bytes."""
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=PlainMember) as packed:
        for member in iter_members(packed):
            budget.take_file()
            if not member.isreg() or not member.name.endswith((*wanted, ".zip")):
                continue
            file = packed.extractfile(member)
            data = file.read(MAX_FILE_BYTES + 1) if file else b""
            yield _unpacked(member.name.removeprefix("./"), data, _read_stamp(member), budget)
        return packed.offset


def _read_stamp(member: tarfile.TarInfo) -> datetime | None:
    """When a member was written; nothing where that is no time at all."""
    try:
        return datetime.fromtimestamp(member.mtime, UTC)
    except (ValueError, OverflowError, OSError):
        return None


class _Counted:
    """A stream that remembers what was read last, and lets no more through than is allowed."""

    def __init__(self, stream: IO[bytes], budget: Budget) -> None:
        self._stream = stream
        self._budget = budget
        self._last = b""
        self._read = 0  # bytes
        self._after = 0  # how often it was asked for more behind its end

    def read(self, size: int) -> bytes:
        """As a file's ``read``."""
        data = self._stream.read(size)
        if not data:
            self._after += 1
            if self._after > _MOST_AFTER_END:
                raise EOFError("a file in it is said to be longer than all of it")
        self._budget.take(len(data))
        self._read += len(data)
        self._last = data or self._last
        return data

    def is_empty_from(self, place: int) -> bool:
        """Whether there are zeros from that byte on, and at least one; reads to the end."""
        begun = self._read - len(self._last)
        rest = self._last[max(place - begun, 0) :]
        is_empty = bool(rest) and not rest.strip(b"\0")
        while data := self.read(_RECORD):
            is_empty = is_empty and not data.strip(b"\0")
        return is_empty


def _unpacked(name: str, data: bytes, modified: datetime | None, budget: Budget) -> SourceEntry:
    if not name.endswith(".zip"):
        return SourceEntry(name, data, modified)
    law = unzip_law(name, data, modified)
    budget.take(len(law.data))
    return law


@contextmanager
def _decompressed(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        if path.name.endswith(".zst"):
            reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(raw)
            with reader:
                yield reader
        elif path.name.endswith("gz"):
            with gzip.open(raw) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield raw


def _modified(path: Path) -> datetime:
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
