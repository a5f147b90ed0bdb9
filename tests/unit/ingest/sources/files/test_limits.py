"""How much an archive may hold: of laws a little, of documents as much as a stream takes."""

import io
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.files import archives
from fundstelle.ingest.sources.files.archives import ArchiveSnapshot
from fundstelle.ingest.sources.files.limits import Most, check_directory

FILES = {f"rii/{number}.xml": b"<dokument/>" * 20 for number in range(3)}


def pack(path: Path) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as packed:
            for name, data in FILES.items():
                packed.writestr(name, data)
        return path
    with tarfile.open(path, "w") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


@pytest.fixture(params=["decisions.tar", "decisions.zip"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return pack(tmp_path / request.param)


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (Most(2, 10**6, "documents"), "holds more than 2 files; it cannot be an archive of docu"),
        (Most(3, 300, "documents"), "unpacks to more than 0 GB; it cannot be an archive of docu"),
        (Most(2, 10**6), "it cannot be an archive of federal law"),
    ],
)
def test_an_archive_that_holds_more_is_refused(archive: Path, most: Most, said: str) -> None:
    snapshot = ArchiveSnapshot(archive, "", most=most)
    with pytest.raises(SourceError, match=said):
        list(snapshot.entries())


def test_documents_may_be_more_than_laws(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 300)
    (collection,) = find_collections(archive.parent)
    assert [entry.name for entry in collection.files.entries()] == list(FILES)
    with pytest.raises(SourceError, match="federal law"):
        list(ArchiveSnapshot(archive, "").entries())


def test_an_archive_is_read_file_by_file(archive: Path) -> None:
    most = Most(2, 10**6, "documents")
    entries = ArchiveSnapshot(archive, "", most=most).entries()
    assert [next(entries).name, next(entries).name] == list(FILES)[:2]
    with pytest.raises(SourceError, match="more than 2 files"):
        next(entries)


def pack_names(count: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for number in range(count):
            packed.writestr(f"{number}.xml", b"")
    return file.getvalue()


def put_mark(data: bytes) -> bytes:
    """The mark of the record at the end, once more: as its place of the contents."""
    return data[:-6] + b"PK\5\6" + data[-2:]


def put_comment(data: bytes) -> bytes:
    """A comment of a byte more than there is room for in its length."""
    return data[:-2] + b"\xff\xff" + b"c" * 65_536


def put_decoy(data: bytes, said: int = 0) -> bytes:
    """As large zip files have it, and the locator leads to another record."""
    *_, count, size, place, _ = struct.unpack("<4s4H2LH", data[-22:])
    real = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, place)
    decoy = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 0, 0, said, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
    short = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0, 0, said, 0, 0)
    return decoy + data[:-22] + real + locator + short


def put_large_decoy(data: bytes) -> bytes:
    """The other records say that there is more than the whole file."""
    return put_decoy(data, 0xFFFFFFFF)


@pytest.mark.parametrize("hide", [bytes, put_mark, put_comment, put_decoy, put_large_decoy])
def test_the_contents_that_zipfile_reads_are_those_that_are_measured(
    hide: Callable[[bytes], bytes],
) -> None:
    data = hide(pack_names(100))
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert len(packed.infolist()) == 100
    with pytest.raises(SourceError, match="it names more files than any such archive holds"):
        check_directory(io.BytesIO(data), "it", 5_000)
    assert check_directory(io.BytesIO(data), "it", 50_000) == 100


@pytest.mark.parametrize("size", [0, 3, 20, 21, 22, 50])
@pytest.mark.parametrize("mark", [b"PK\5\6", b"PK\6\7", b"x"])
def test_what_is_no_zip_file_is_left_to_zipfile(mark: bytes, size: int) -> None:
    file = io.BytesIO((mark * 20)[:size])
    check_directory(file, "it", 10)
    assert file.tell() == 0
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(file)
