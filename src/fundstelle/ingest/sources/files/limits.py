"""How far a publisher's file may unfold: bytes, files, and how much smaller it was packed.

All limits are far above what the official archives hold (docs/settings.md has none of them), and
are kept while reading: what goes beyond is refused by name before it is held anywhere.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from fundstelle.errors import RejectedFile, SourceError
from fundstelle.ingest.records import SourceFile

MAX_RATIO = 200  # times as large as it was packed; the official history of six years has 56
FREE_BYTES = 64 * 2**20  # below this a ratio says nothing
MAX_MARKS = 2_000_000  # "<" in a file; the largest law has 110,000
MAX_DIRECTORY_BYTES = 64 * 2**20  # of a zip file: about 400,000 names
MAX_INNER_DIRECTORY_BYTES = 2**20  # of a zip file in another one

# as which a damaged zip file in memory shows itself; ValueError: a name that is no UTF-8, a place
# before its beginning
ZIP_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError),
    *(ValueError, OverflowError, struct.error),
)

_END = struct.Struct("<4s4H2LH")  # APPNOTE 4.3.16
_END_64 = struct.Struct("<4sQ2H2L4Q")  # 4.3.14
_LOCATOR = struct.Struct("<4sLQL")  # 4.3.15
_END_MARK = b"PK\5\6"
_LONGEST_COMMENT = 65_536  # a byte more than there can be, as zipfile looks
_PLAIN = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


@dataclass(frozen=True, slots=True)
class Most:
    """How much one archive may hold, and what is said of one that holds more."""

    files: int
    size_bytes: int
    kind: str = "federal law"


# Of documents, which are read one by one: nothing of an archive is held in memory but what its
# files are called and where they lie, some 300 bytes each.
MOST_DOCUMENTS = Most(5_000_000, 256 * 2**30, "documents")


class Budget:
    """What one archive may still unfold to."""

    def __init__(self, name: str, packed: int, most: Most) -> None:
        self._name = name
        self._packed = packed
        self._most = most
        self._size = 0
        self._files = 0

    def take(self, size: int) -> None:
        """Count bytes that came out of the archive.

        Raises:
            SourceError: they are more than an archive of law has.
        """
        self._size += size
        if self._size > self._most.size_bytes:
            raise SourceError(
                f"{self._name} unpacks to more than {self._most.size_bytes >> 30} GB; it cannot be"
                f" an archive of {self._most.kind}"
            )
        if self._size > max(FREE_BYTES, self._packed * MAX_RATIO):
            raise SourceError(
                f"{self._name} unpacks to more than {MAX_RATIO} times its size; it cannot be an"
                f" archive of {self._most.kind}"
            )

    def take_file(self) -> None:
        """Count a file.

        Raises:
            SourceError: there are more than an archive of law has.
        """
        self._files += 1
        if self._files > self._most.files:
            raise SourceError(
                f"{self._name} holds more than {self._most.files:,} files; it cannot be an archive"
                f" of {self._most.kind}"
            )


def check_directory(file: BinaryIO, name: str, most: int) -> int | None:
    """See that a zip file's table of contents is small before it is read into memory.

    Gives the number of files that it says it names, for ``check_count``; ``None`` if nothing does.

    Source: PKWARE APPNOTE 4.3.14 to 4.3.16. What is no zip file is left to ``zipfile``.

    Raises:
        SourceError: it is larger than ``most`` bytes.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _LONGEST_COMMENT - _END.size))
    tail = file.read()
    at = _find_end(tail)
    count: int | None = None
    if at is not None:
        *_, count, length, _, _ = _END.unpack_from(tail, at)
        ends = [(count, length), *_read_long_ends(file, size - len(tail) + at)]
        if any(most < length <= size for _, length in ends):
            raise SourceError(f"{name} names more files than any such archive holds")
        count = ends[-1][0]
    file.seek(0)
    return count


def _find_end(tail: bytes) -> int | None:
    """Where ``zipfile`` sees the record at the end of a zip file.

    It is the last one: but its mark may stand in another field of one that has no comment, too.
    """
    bare = len(tail) - _END.size
    if bare >= 0 and tail.startswith(_END_MARK, bare) and tail.endswith(b"\0\0"):
        return bare
    at = tail.rfind(_END_MARK)
    return at if 0 <= at <= bare else None


def _read_long_ends(file: BinaryIO, at: int) -> Iterator[tuple[int, int]]:
    """Files and bytes of the table of contents, as records say that a large zip file has besides.

    The locator before the record at ``at`` says where; ``zipfile`` may take what stands right
    before the locator instead.
    """
    place = at - _LOCATOR.size
    file.seek(max(place, 0))
    locator = file.read(_LOCATOR.size)
    if place < 0 or not locator.startswith(b"PK\6\7"):
        return
    for start in (_LOCATOR.unpack(locator)[2], place - _END_64.size):
        file.seek(min(max(start, 0), at))
        record = file.read(_END_64.size)
        if len(record) == _END_64.size and record.startswith(b"PK\6\6"):
            *_, count, length, _ = _END_64.unpack(record)
            yield count, length


def check_count(packed: zipfile.ZipFile, promised: int | None) -> None:
    """See that a zip file's table of contents was read whole.

    Raises:
        BadZipFile: it names another number of files than stands behind it.
    """
    if promised is not None and promised != len(packed.infolist()):
        raise zipfile.BadZipFile(f"it names {len(packed.infolist())} files and counts {promised}")


def check_member(member: zipfile.ZipInfo, name: str) -> None:
    """See that a member of a zip file is packed as publishers do.

    Raises:
        SourceError: by a method whose memory a file can choose.
    """
    if member.compress_type not in _PLAIN:
        raise SourceError(f"{name} is packed by a method that is not read here (deflate is)")


def check_marks(file: SourceFile) -> None:
    """See that a file has no more elements than a parser should hold in memory.

    Raises:
        RejectedFile: it has.
    """
    if file.data.count(b"<") > MAX_MARKS or file.data.count(b"=") > 2 * MAX_MARKS:
        raise RejectedFile(file.name, f"it has more than {MAX_MARKS:,} elements or attributes")
