"""How much an archive may hold: of laws a little, of documents as much as a stream takes."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.files import archives
from fundstelle.ingest.sources.files.archives import ArchiveSnapshot
from fundstelle.ingest.sources.files.limits import Most

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
