"""The members of a tar archive that a stranger may have packed, none held longer than it is read.

``tarfile`` takes a header's word: it unfolds files of holes, keeps every attribute that an archive
ever named, follows header upon header, and takes the square of their length to read attributes
(before Python 3.11.10). So what stands before a file is read here, of bounded size and number.

Source: POSIX.1-2024, pax, "pax Header Block" and "pax Extended Header"; GNU tar, "Basic Tar Format"
and "Storing Sparse Files".
"""

import tarfile
from collections.abc import Iterator
from typing import Self

MOST_HEADER_BYTES = 16_384
"""Of a name or attributes: a path has at most 4,096, and the longest of our sources has 116."""

_MOST_HEADERS = 4  # before one file: the archive's comment, attributes, a long name, a link's
_MOST_DIGITS = 20
_NAMES = frozenset({tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK})
_ATTRIBUTES = frozenset({tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE})
_HEADERS = _NAMES | _ATTRIBUTES | {tarfile.XGLTYPE}
_HOLES = (
    "it has a file with holes in it, which may unfold to anything; pack it again without 'tar"
    " --sparse'"
)


class RefusedMember(tarfile.TarError):
    """What stands in a tar archive is no damage, and is not read; the message says what to do."""


class PlainMember(tarfile.TarInfo):
    """A member of an archive; of what stands before it are read its name, size and time.

    For ``tarfile.open``. Where a link leads, who owns a file and the like are not looked at.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """As ``tarfile``.

        Raises:
            RefusedMember: it has holes, or what stands before it is larger than any name is.
            TarError: it is no header.
        """
        found = super().frombuf(buf, encoding, errors)
        if found.type == tarfile.GNUTYPE_SPARSE:
            raise RefusedMember(_HOLES)
        if found.size < 0:
            raise tarfile.ReadError("a file in it has a size below zero")
        if found.type in _HEADERS and found.size > MOST_HEADER_BYTES:
            raise RefusedMember(
                f"it has a name or attribute of more than {MOST_HEADER_BYTES:,} bytes; pack it"
                " again with short names and without attributes ('tar --format=ustar')"
            )
        return found

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Where ``tarfile`` has its subclasses read what stands behind a header."""
        told: dict[str, str] = {}
        member = self
        for _ in range(_MOST_HEADERS):
            if member.type not in _HEADERS:
                break
            told = _read_header(member.type, _read_blocks(archive, member.size)) | told
            member = _read_next(archive)
        if member.type in _HEADERS:
            raise RefusedMember(
                f"more than {_MOST_HEADERS} headers stand before a file; pack it again with 'tar'"
            )
        plain: tarfile.TarInfo = super(PlainMember, member)._proc_member(archive)  # type: ignore[misc]  # typeshed leaves it out
        _tell(plain, told, archive)
        return plain


def iter_members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members of an archive that was opened with ``PlainMember``, one after the other.

    Each is to be read before the next; ``tarfile`` itself keeps all of them.

    Raises:
        RefusedMember: one is not read; it says why, and what to do.
        TarError: the archive is damaged.
    """
    while (member := archive.next()) is not None:
        archive.members.clear()  # type: ignore[attr-defined]  # typeshed leaves it out
        yield member


def _read_blocks(archive: tarfile.TarFile, size: int) -> bytes:
    data: bytes = archive.fileobj.read(_round_up(size))
    if len(data) < size:
        raise tarfile.ReadError("it ends within a name or attribute")
    return data[:size]


def _round_up(size: int) -> int:
    return -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE


def _read_next(archive: tarfile.TarFile) -> PlainMember:
    """The header behind a header; an end here is none of the archive."""
    stream = archive.fileobj
    block = stream.read(tarfile.BLOCKSIZE)
    try:
        found = PlainMember.frombuf(block, archive.encoding or "utf-8", archive.errors or "strict")
    except tarfile.HeaderError as error:
        raise tarfile.ReadError(f"no file stands behind a name or attribute ({error})") from None
    found.offset = stream.tell() - tarfile.BLOCKSIZE
    return found


def _read_header(kind: bytes, data: bytes) -> dict[str, str]:
    """What a header says of the file behind it, as attributes."""
    if kind == tarfile.GNUTYPE_LONGNAME:
        return {"path": _decode(data.partition(b"\0")[0])}
    if kind == tarfile.GNUTYPE_LONGLINK:
        return {}
    told = {_decode(keyword): _decode(value) for keyword, value in _iter_records(data)}
    if any(keyword.startswith("GNU.sparse.") for keyword in told):
        raise RefusedMember(_HOLES)
    if kind == tarfile.XGLTYPE and not told.keys() <= {"comment"}:  # the commit, of 'git archive'
        raise RefusedMember(
            "it has attributes that hold for all files; pack it again without ('tar"
            " --format=ustar')"
        )
    return told


def _iter_records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keyword and value of each attribute: ``<bytes of all this> <keyword>=<value><end of line>``.

    Raises:
        ReadError: there is something else.
    """
    data = data.rstrip(b"\0")
    begin = 0
    while begin < len(data):
        blank = data.find(b" ", begin, begin + _MOST_DIGITS + 1)
        length = data[begin : max(blank, begin)]
        end = begin + int(length) if length.isdigit() else 0
        keyword, equals, value = data[blank + 1 : end - 1].partition(b"=")
        if not blank < end <= len(data) or data[end - 1 : end] != b"\n" or not equals:
            raise tarfile.ReadError("an attribute in it cannot be read")
        yield keyword, value
        begin = end


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _tell(member: tarfile.TarInfo, told: dict[str, str], archive: tarfile.TarFile) -> None:
    """Put what stood before a file in the place of what its own header says."""
    if (name := told.get("path")) is not None:
        member.name = name.rstrip("/")
    if (size := told.get("size")) is not None:
        if not (size.isascii() and size.isdigit() and len(size) <= _MOST_DIGITS):
            raise tarfile.ReadError("a file in it has a size that is none")
        member.size = int(size)
        has_data = member.isreg() or member.type not in tarfile.SUPPORTED_TYPES
        archive.offset = member.offset_data + (_round_up(member.size) if has_data else 0)
    if (time := told.get("mtime")) is not None:
        try:
            member.mtime = float(time)
        except ValueError:
            member.mtime = 0
