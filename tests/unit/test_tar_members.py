"""Tar archives of strangers: every usual form is read, and nothing unfolds to more than it is."""

import io
import tarfile
import time

import pytest

from fundstelle.tar_members import MOST_HEADER_BYTES, PlainMember, RefusedMember, iter_members

LONG = "/".join(["gesetz über das gemeine wohl"] * 130) + "/a.xml"  # of 4,000 bytes or so
NAMES = ["a.xml", "ä.xml", "x" * 99 + ".xml", LONG]


def pack(
    *members: tarfile.TarInfo, form: int = tarfile.PAX_FORMAT, comment: str | None = None
) -> bytes:
    file, told = io.BytesIO(), {"comment": comment} if comment else {}
    with tarfile.open(fileobj=file, mode="w", format=form, pax_headers=told) as archive:
        for member in members:
            member.size = 3
            archive.addfile(member, io.BytesIO(b"abc"))
    return file.getvalue()


def read(data: bytes) -> list[tuple[str, bytes, float]]:
    found = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|", tarinfo=PlainMember) as archive:
        for member in iter_members(archive):
            content = archive.extractfile(member) if member.isreg() else None
            found.append((member.name, content.read() if content else b"", member.mtime))
    return found


def make_header(kind: bytes, content: bytes, size: int | None = None) -> bytes:
    member = tarfile.TarInfo("header")
    member.type, member.size = kind, len(content) if size is None else size
    return member.tobuf(tarfile.GNU_FORMAT) + content + bytes(-len(content) % 512)


def make_record(keyword: str, value: str) -> bytes:
    rest = f" {keyword}={value}\n".encode()
    length = len(rest) + 1
    while len(str(length)) + len(rest) != length:
        length += 1
    return str(length).encode() + rest


PLAIN = pack(tarfile.TarInfo("a.xml"))


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_names_of_any_path_are_read(form: int) -> None:
    data = pack(*map(tarfile.TarInfo, NAMES), form=form)
    assert [name for name, _, _ in read(data)] == NAMES
    assert {content for _, content, _ in read(data)} == {b"abc"}


def test_what_archives_say_beside_names_changes_no_file() -> None:
    """As macOS and systems with SELinux pack, to a fraction of a second."""
    member = tarfile.TarInfo("a.xml")
    member.mtime = 1_900_000_000.25
    member.pax_headers = {
        "SCHILY.xattr.security.selinux": "unconfined_u:object_r:user_home_t:s0",
        "LIBARCHIVE.xattr.com.apple.metadata:kMDItemWhereFroms": "x" * 2_000,
    }
    assert read(pack(member, tarfile.TarInfo("b.xml"))) == [
        ("a.xml", b"abc", 1_900_000_000.25),
        ("b.xml", b"abc", 0),
    ]


def test_an_archive_of_git_is_read() -> None:
    """It begins with the commit, as a comment on all files."""
    data = pack(tarfile.TarInfo("a.xml"), comment="0123456789abcdef")
    assert read(data) == [("a.xml", b"abc", 0)]


def test_a_size_that_the_header_has_no_room_for_is_read() -> None:
    whole = make_header(tarfile.XHDTYPE, make_record("size", "3"))
    member = tarfile.TarInfo("a.xml").tobuf(tarfile.GNU_FORMAT) + b"abc" + bytes(509)
    assert read(whole + member + PLAIN) == [("a.xml", b"abc", 0)] * 2


def test_a_link_to_a_long_name_is_a_member() -> None:
    member = tarfile.TarInfo("a.xml")
    member.type, member.linkname = tarfile.SYMTYPE, LONG
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(member)
    assert read(data.getvalue()) == [("a.xml", b"", 0)]


@pytest.mark.parametrize(
    "records",
    [
        {"GNU.sparse.map": "0,1", "GNU.sparse.size": "60000000"},
        {"GNU.sparse.size": "60000000", "GNU.sparse.offset": "0", "GNU.sparse.numbytes": "1"},
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "60000000"},
    ],
    ids=["0.1", "0.0", "1.0"],
)
def test_files_with_holes_are_refused(records: dict[str, str]) -> None:
    header = make_header(tarfile.XHDTYPE, b"".join(map(make_record, records, records.values())))
    with pytest.raises(RefusedMember, match="a file with holes in it"):
        read(header + PLAIN)


@pytest.mark.parametrize("is_extended", [False, True])
def test_files_with_holes_of_the_old_form_are_refused(is_extended: bool) -> None:
    """Their map may go on in block after block, each of which is held."""
    header = bytearray(make_header(tarfile.GNUTYPE_SPARSE, b""))
    header[482], header[483:494] = is_extended, b"00345700000"
    header[148:156] = b" " * 8
    header[148:155] = b"%06o\0" % sum(header)
    with pytest.raises(RefusedMember, match="holes in it"):
        read(bytes(header))


@pytest.mark.parametrize("keyword", ["path", "size", "anything"])
def test_attributes_of_all_files_are_refused(keyword: str) -> None:
    """They would be copied to each of them."""
    header = make_header(tarfile.XGLTYPE, make_record(keyword, "3"))
    with pytest.raises(RefusedMember, match="hold for all files"):
        read(header + PLAIN)


@pytest.mark.parametrize(
    "kind",
    [
        *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE),
        *(tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    ],
)
def test_headers_are_no_longer_and_no_more_than_any_are(kind: bytes) -> None:
    with pytest.raises(RefusedMember, match="name or attribute of more than 16,384 bytes"):
        read(make_header(kind, b"", MOST_HEADER_BYTES + 1))
    record = make_record("comment", "x")
    assert read(make_header(kind, record) * 4 + PLAIN)
    with pytest.raises(RefusedMember, match="more than 4 headers"):
        read(make_header(kind, record) * 2_000 + PLAIN)


@pytest.mark.parametrize(
    "content",
    [b"1" * 16_000, b"2 " * 8_000 + b"=", b"x", b"8 path=a\n", b"7 path=", b"6 path\n", b"0 a=b\n"],
)
def test_attributes_that_are_none_are_damage_and_take_no_time(content: bytes) -> None:
    """``tarfile`` took the square of their length, in time or in memory."""
    begun = time.process_time()
    with pytest.raises(tarfile.ReadError, match="attribute in it cannot be read"):
        read(make_header(tarfile.XHDTYPE, content) + PLAIN)
    assert time.process_time() - begun < 0.3


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
@pytest.mark.parametrize("behind", [b"", bytes(1_024), b"x" * 512])
def test_an_end_behind_a_name_is_none_of_the_archive(kind: bytes, behind: bytes) -> None:
    with pytest.raises(tarfile.ReadError, match="no file stands behind"):
        read(PLAIN[:1_024] + make_header(kind, b"") + behind)
    with pytest.raises(tarfile.ReadError, match="ends within a name"):
        read(PLAIN[:1_024] + make_header(kind, b"", 600))


@pytest.mark.parametrize("size", ["-1", "x", "9" * 21, "³"])
def test_a_size_that_is_none_is_damage(size: str) -> None:
    with pytest.raises(tarfile.ReadError, match="size that is none"):
        read(make_header(tarfile.XHDTYPE, make_record("size", size)) + PLAIN)
    with pytest.raises(tarfile.ReadError, match="below zero"):
        read(make_header(tarfile.XHDTYPE, b"", -512) + PLAIN)


def test_a_time_that_is_none_is_none() -> None:
    assert read(make_header(tarfile.XHDTYPE, make_record("mtime", "x")) + PLAIN)[0][2] == 0


def test_members_are_not_kept() -> None:
    data = pack(*(tarfile.TarInfo(str(number)) for number in range(50)))
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|", tarinfo=PlainMember) as archive:
        members = iter_members(archive)
        assert [len(vars(archive)["members"]) for _ in members] == [0] * 50
