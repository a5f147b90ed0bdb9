"""Folders and archives as they are carried in."""

import contextlib
import errno
import io
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from fundstelle.errors import RejectedFile, SourceError
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.ingest.sources.files import archives, limits
from fundstelle.ingest.sources.gii import xml as gii_xml
from tests.integration.corpora.laws import write_law, write_snapshot


def pack_zip(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(folder.rglob("*.xml")):
            packed.write(path, path.relative_to(folder).as_posix())


def pack_tar(folder: Path, target: Path) -> None:
    with tarfile.open(target, "w:gz" if target.name.endswith("gz") else "w") as packed:
        packed.add(folder, ".")


def pack_zst(folder: Path, target: Path) -> None:
    pack_tar(folder, plain := target.with_suffix(".plain"))
    target.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(plain.read_bytes()))
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


def test_laws_in_another_form_beside_snapshots_are_refused_and_not_passed_over(
    tmp_path: Path,
) -> None:
    whole = write_snapshot(tmp_path / "whole", laws=2)
    mixed = tmp_path / "mixed"
    (mixed / "muster1g").mkdir(parents=True)
    (mixed / "muster2g").mkdir()
    first, second = (whole / "laws" / name for name in ("muster1g", "muster2g"))
    for path in first.glob("*.xml"):
        (mixed / "muster1g" / path.name).write_bytes(path.read_bytes())
    pack_zip(second, mixed / "muster2g" / "xml.zip")
    with pytest.raises(SourceError, match=r"holds muster2g beside snapshots.*one form"):
        find_snapshots(mixed)
    (mixed / "muster2g" / "xml.zip").unlink()
    assert [snapshot.name for snapshot in find_snapshots(mixed)] == ["muster1g"]
    pack_tar(whole, mixed / "laws-2030.tar.gz")
    with pytest.raises(SourceError, match=r"laws-2030\.tar\.gz"):
        find_snapshots(mixed)


def test_links_out_of_a_source_are_not_followed(tmp_path: Path) -> None:
    secret = write_law(tmp_path / "secret", "geheimg", 7, {"§ 1": "Geheim."})
    folder = write_snapshot(tmp_path / "folder", laws=1)
    (folder / "laws" / "muster1g" / "linked.xml").symlink_to(secret)
    pack_tar(folder, tmp_path / "gii.tar")
    assert read_names(folder) == [LAWS[:1]]
    assert read_names(tmp_path / "gii.tar") == [LAWS[:1]]


def test_a_folder_that_cannot_be_read_is_a_refusal_and_not_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=2)
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if os.fspath(path).endswith("muster2g"):  # whoever runs the tests may read all folders
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        return scan(path)

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(SourceError, match="muster2g cannot be read"):
        read_names(folder)


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
    with pytest.raises(SourceError, match="without an end mark"):
        list(find_snapshots(target)[0].entries())


@pytest.mark.parametrize("name", ["gii.tar.zst", "gii.tar.gz"])
def test_a_byte_that_was_changed_on_the_way_is_never_read_as_text(
    tmp_path: Path, name: str
) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=12)
    {"zst": pack_zst, "gz": pack_tar}[name.rsplit(".", 1)[1]](folder, target := tmp_path / name)
    snapshot, sound = find_snapshots(target)[0], target.read_bytes()
    whole = [(entry.name, entry.data) for entry in snapshot.entries()]
    for place in range(12, len(sound), max(len(sound) // 150, 1)):
        target.write_bytes(sound[:place] + bytes([sound[place] ^ 16]) + sound[place + 1 :])
        with contextlib.suppress(SourceError):
            assert [(entry.name, entry.data) for entry in snapshot.entries()] == whole
    target.write_bytes(sound[:-8] + bytes(8))
    with pytest.raises(SourceError, match="damaged"):
        list(snapshot.entries())


def test_a_zip_whose_table_is_damaged_loses_no_law_in_silence(tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=12)
    pack_zip(folder, target := tmp_path / "gii.zip")
    snapshot, sound = find_snapshots(target)[0], target.read_bytes()
    whole = [(entry.name, entry.data) for entry in snapshot.entries()]
    table = sound.index(b"PK\1\2")
    for place in range(table, len(sound)):
        for bit in (1, 16):
            target.write_bytes(sound[:place] + bytes([sound[place] ^ bit]) + sound[place + 1 :])
            with contextlib.suppress(SourceError):
                read = [(entry.name, entry.data) for entry in snapshot.entries()]
                assert [data for _, data in read] == [data for _, data in whole], place


@pytest.mark.parametrize("hole", [512, 4_096, 16_384])
def test_a_tar_with_a_hole_loses_no_law_in_silence(tmp_path: Path, hole: int) -> None:
    folder = write_snapshot(tmp_path / "folder", laws=40)
    pack_tar(folder, target := tmp_path / "gii.tar")
    snapshot, sound = find_snapshots(target)[0], target.read_bytes()
    with tarfile.open(target) as packed:
        headers = [member.offset for member in packed.getmembers()]
    for place in headers[1 : -hole // 1_024 - 4]:
        target.write_bytes(sound[:place] + bytes(hole) + sound[place + hole :])
        with pytest.raises(SourceError, match="damaged"):
            list(snapshot.entries())


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


@pytest.mark.parametrize("suffix", [".xml", ".jpg"])
def test_a_file_said_to_be_endless_ends_the_archive_and_not_the_patience(
    tmp_path: Path, suffix: str
) -> None:
    """``tarfile`` would step over its 10,000 billion bytes in a billion empty reads."""
    with tarfile.open(tmp_path / "gii.tar", "w", format=tarfile.PAX_FORMAT) as packed:
        member = tarfile.TarInfo(f"laws/a/A{suffix}")
        member.size = 3
        member.pax_headers = {"size": str(10**13)}
        packed.addfile(member, io.BytesIO(b"abc"))
    with pytest.raises(SourceError, match="damaged or cut short"):
        list(find_snapshots(tmp_path / "gii.tar")[0].entries())


def pack_bomb(target: Path, members: int, size: int) -> Path:
    """A zip file of that many decisions of nothing but zeros."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(members):
            packed.writestr(f"rii/{number}.xml", b"0" * size)
    return target


def count_taken(entries: Iterator[SourceEntry]) -> tuple[int, str]:
    """The bytes that came out before the refusal, and what it says."""
    taken = 0
    try:
        for entry in entries:
            taken += len(entry.data)
    except SourceError as refusal:
        return taken, str(refusal)
    pytest.fail("it was taken whole")


def test_a_zip_of_many_large_members_is_refused_while_it_is_read(tmp_path: Path) -> None:
    bomb = pack_bomb(tmp_path / "decisions.zip", members=40, size=4_000_000)
    assert bomb.stat().st_size < 200_000
    (collection,) = find_collections(bomb)
    taken, reason = count_taken(collection.files.entries())
    assert taken <= limits.FREE_BYTES
    assert reason.startswith("decisions.zip unpacks to more than 200 times its size")


def test_a_stream_of_zeros_behind_a_tar_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        member = tarfile.TarInfo("rii/a.xml")
        member.size = 80_000_000
        packed.addfile(member, io.BytesIO(b"0" * member.size))
    path = tmp_path / "decisions.tar.zst"
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(buffer.getvalue()))
    (collection,) = find_collections(path)
    _, reason = count_taken(collection.files.entries())
    assert "more than 200 times its size" in reason


@pytest.mark.parametrize("places", ["0,1", "0,x"])
def test_a_file_that_is_nearly_all_hole_is_refused(tmp_path: Path, places: str) -> None:
    """It would be 60 MB of zeros that nothing in the archive stands for."""
    with tarfile.open(tmp_path / "gii.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as packed:
        member = tarfile.TarInfo("laws/bgb/BJNR1.xml")
        member.pax_headers = {"GNU.sparse.map": places, "GNU.sparse.size": "60000000"}
        packed.addfile(member)
    with pytest.raises(SourceError, match=r"gii\.tar\.gz is not read: .* pack it again without"):
        list(find_snapshots(tmp_path / "gii.tar.gz")[0].entries())


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_a_tar_name_as_long_as_a_book_is_refused_before_it_is_read(
    tmp_path: Path, kind: bytes
) -> None:
    member = tarfile.TarInfo("long")
    member.type, member.size = kind, 2**33
    path = tmp_path / "gii.tar"
    path.write_bytes(member.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))
    _, reason = count_taken(find_snapshots(path)[0].entries())
    assert "gii.tar is not read: it has a name or attribute of more than 16,384 bytes" in reason


@pytest.mark.parametrize("form", ["outer", "inner"])
def test_a_zip_that_names_a_million_files_is_refused_before_they_are_listed(
    form: str,
) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for number in range(12_000):
            packed.writestr(f"{number:040d}.xml", b"")
    if form == "inner":
        law = archives.unzip_law("a/xml.zip", buffer.getvalue())
        assert "names more files than any such archive" in (law.problem or "")
        return
    with pytest.raises(SourceError, match="names more files"):
        limits.check_directory(buffer, "gii.zip", 1_000_000)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_method_whose_memory_the_file_chooses_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "gii.zip"
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("laws/a/A.xml", b"<dokumente/>")
    with pytest.raises(SourceError, match="by a method that is not read here"):
        list(find_snapshots(path)[0].entries())
    assert "refused" in (archives.unzip_law("a/xml.zip", path.read_bytes()).problem or "")


def test_a_zip_in_a_zip_is_counted_with_what_it_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FREE_BYTES", 1_000_000)
    inner = pack_bomb(tmp_path / "inner.zip", members=1, size=900_000).read_bytes()
    with zipfile.ZipFile(tmp_path / "gii.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(50):
            packed.writestr(f"laws/a{number}/xml.zip", inner)
    taken, reason = count_taken(find_snapshots(tmp_path / "gii.zip")[0].entries())
    assert taken < 20_000_000
    assert "times its size" in reason


def test_a_file_of_nothing_but_elements_is_rejected_before_it_is_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_MARKS", 1_000)
    data = b"<dokumente>" + b"<a/>" * 2_000 + b"</dokumente>"
    for parse in (gii_xml.parse_document, gii_xml.parse_first_norm):
        with pytest.raises(RejectedFile, match="more than 1,000 elements"):
            parse(SourceFile("laws/a/A.xml", "a", data))


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


def write_decision(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "one.xml").write_text("<dokument/>")
    return folder


def test_an_empty_folder_of_decisions_takes_the_place_of_nothing(tmp_path: Path) -> None:
    """It may be a volume that is not mounted: read, it would empty the next build."""
    pack_tar(write_decision(tmp_path / "packed" / "decisions"), tmp_path / "decisions.tar.gz")
    (tmp_path / "decisions").mkdir()
    for source in (tmp_path, tmp_path / "decisions"):
        with pytest.raises(SourceError, match="decisions is empty: mount or fill it"):
            find_collections(source)


def test_an_archive_is_a_copy_of_the_folder_of_its_whole_name_alone(tmp_path: Path) -> None:
    folder = write_decision(tmp_path / "decisions")
    for name in ("decisions.tar.gz", "decisions.2024.tar.gz"):
        pack_tar(folder, tmp_path / name)
    names = [collection.files.name for collection in find_collections(tmp_path)]
    assert names == ["decisions", "decisions.2024.tar.gz"]
    write_snapshot(tmp_path / "gii", laws=1)
    pack_tar(tmp_path / "gii", tmp_path / "gii.2026.tar.gz")
    assert [one.name for one in find_snapshots(tmp_path)] == ["gii", "gii.2026.tar.gz"]


@pytest.mark.parametrize("name", ["decisions.tar.gz", "gii-2026.tar.gz"])
def test_what_is_named_like_an_archive_and_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    write_snapshot(tmp_path / "gii-xml", laws=1)
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(SourceError, match="is no file that can be read"):
            assert [find_snapshots(tmp_path), find_collections(tmp_path)]
        (tmp_path / name).unlink()
        os.mkfifo(tmp_path / name)
