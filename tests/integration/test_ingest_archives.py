"""Folders and archives as they are carried in."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from fundstelle.errors import SourceError
from fundstelle.ingest.sources import archives
from fundstelle.ingest.sources.archives import find_snapshots
from tests.integration.laws import write_law, write_snapshot


def pack_zip(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(folder.rglob("*.xml")):
            packed.write(path, path.relative_to(folder).as_posix())


def pack_tar(folder: Path, target: Path) -> None:
    with tarfile.open(target, "w:gz" if target.name.endswith("gz") else "w") as packed:
        packed.add(folder, ".")


def pack_zst(folder: Path, target: Path) -> None:
    pack_tar(folder, plain := target.with_suffix(".plain"))
    target.write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))
    plain.unlink()


def read_names(path: Path) -> list[list[str]]:
    return [sorted(entry.name for entry in s.entries()) for s in find_snapshots(path)]


LAWS = ["laws/muster1g/BJNR900000001.xml", "laws/muster2g/BJNR900000002.xml"]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("gii.zip", pack_zip),
        ("gii.tar", pack_tar),
        ("gii.tar.gz", pack_tar),
        ("gii.tgz", pack_tar),
        ("gii.tar.zst", pack_zst),
    ],
)
def test_every_kind_of_archive_gives_the_same_files(
    tmp_path: Path, name: str, pack: Callable[[Path, Path], None]
) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=2)
    pack(folder, tmp_path / name)
    assert read_names(tmp_path / name) == [LAWS]
    assert read_names(folder) == [LAWS]


def test_a_law_s_own_folder_and_file_are_sources(tmp_path: Path) -> None:
    path = write_law(tmp_path, "musterg", 1, {"§ 1": "Erfunden."})
    assert read_names(path.parent) == [["musterg/BJNR900000001.xml"]]
    assert read_names(path) == [["musterg/BJNR900000001.xml"]]


def test_a_zip_of_the_publisher_counts_as_the_law_inside(tmp_path: Path) -> None:
    path = write_law(tmp_path, "musterg", 1, {"§ 1": "Erfunden."})
    with zipfile.ZipFile(path.parent / "xml.zip", "w") as packed:
        packed.write(path, path.name)
        packed.writestr("image.jpg", b"jpg")
    path.unlink()
    assert read_names(tmp_path) == [["musterg/BJNR900000001.xml"]]


def test_a_folder_of_snapshots_is_a_series(tmp_path: Path) -> None:
    pack_zst(write_snapshot(tmp_path / "a", laws=1), tmp_path / "gii-2025-01-01.tar.zst")
    write_snapshot(tmp_path / "gii-2026-01-01", laws=1)
    (tmp_path / "decisions.tar.zst").write_bytes(b"something else")
    (tmp_path / "README.md").write_text("not a law")
    names = [snapshot.name for snapshot in find_snapshots(tmp_path)]
    assert names == ["a", "gii-2025-01-01.tar.zst", "gii-2026-01-01"]


def test_an_archive_beside_its_unpacked_folder_is_read_once(tmp_path: Path) -> None:
    pack_zst(write_snapshot(tmp_path / "gii-xml", laws=1), tmp_path / "gii-xml.tar.zst")
    assert [snapshot.name for snapshot in find_snapshots(tmp_path)] == ["gii-xml"]


def test_links_out_of_a_source_are_not_followed(tmp_path: Path) -> None:
    secret = write_law(tmp_path / "secret", "geheimg", 7, {"§ 1": "Geheim."})
    folder = write_snapshot(tmp_path / "folder", laws=1)
    (folder / "laws" / "muster1g" / "linked.xml").symlink_to(secret)
    pack_tar(folder, tmp_path / "gii.tar")
    assert read_names(folder) == [LAWS[:1]]
    assert read_names(tmp_path / "gii.tar") == [LAWS[:1]]


@pytest.mark.parametrize("name", ["gii.tar.zst", "gii.tar.gz", "gii.zip", "gii.tar"])
@pytest.mark.parametrize("kept", [0, 10, 1000])
def test_a_truncated_archive_is_refused_by_name(tmp_path: Path, name: str, kept: int) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=40)
    packers = {"zst": pack_zst, "gz": pack_tar, "zip": pack_zip, "tar": pack_tar}
    target = tmp_path / name
    packers[name.rsplit(".", 1)[1]](folder, target)
    target.write_bytes(target.read_bytes()[:kept])
    with pytest.raises(SourceError, match=f"{name} is damaged or cut short"):
        list(find_snapshots(target)[0].entries())


def test_a_tar_cut_between_two_files_is_refused(tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=3)
    pack_tar(folder, target := tmp_path / "gii.tar")
    with tarfile.open(target) as packed:
        last = packed.getmembers()[-1].offset
    target.write_bytes(target.read_bytes()[:last])
    with pytest.raises(SourceError, match="no end mark"):
        list(find_snapshots(target)[0].entries())


def test_a_zip_bomb_is_read_no_further_than_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1000)
    with zipfile.ZipFile(tmp_path / "gii.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("laws/a/A.xml", b"0" * 10_000_000)
    [entry] = find_snapshots(tmp_path / "gii.zip")[0].entries()
    assert len(entry.data) == 1001


def test_a_bomb_in_a_law_s_zip_is_read_no_further_than_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("A.xml", b"0" * 10_000_000)
    assert len(archives.unzip_law("a/xml.zip", buffer.getvalue()).data) == 1001


def test_a_tar_bomb_of_one_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 5_000_000)
    with tarfile.open(tmp_path / "gii.tar.gz", "w:gz") as packed:
        member = tarfile.TarInfo("laws/a/A.jpg")
        member.size = 10_000_000
        packed.addfile(member, io.BytesIO(b"0" * member.size))
    with pytest.raises(SourceError, match="cannot be an archive of federal law"):
        list(find_snapshots(tmp_path / "gii.tar.gz")[0].entries())


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all"])
def test_a_damaged_zip_of_a_law_says_so(data: bytes) -> None:
    assert "damaged" in (archives.unzip_law("a/xml.zip", data).problem or "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "does not exist"),
        ("empty", "holds neither laws nor an archive"),
        ("file.doc", "is not an archive"),
    ],
)
def test_what_is_no_source_is_named(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.doc").write_bytes(b"")
    with pytest.raises(SourceError, match=message):
        find_snapshots(tmp_path / name)
