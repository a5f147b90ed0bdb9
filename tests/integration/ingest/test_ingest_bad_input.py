"""Files that cannot be used: each is named with its reason, and the rest goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.errors import CorpusError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law, write_snapshot
from tests.unit.ingest.sources.decision_files import rii
from tests.unit.ingest.test_eurlex import FORMEX

HEAD = '<?xml version="1.0" encoding="UTF-8" ?>'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
SECRET = "nur für den Rechner selbst"


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def bomb(data: bytes) -> bytes:
    doctype = f'<!DOCTYPE dokumente [<!ENTITY l0 "ha">{LAUGHS}]>'
    return f"{HEAD}{doctype}".encode() + data.split(b">", 2)[2].replace(b"Bombe", b"&l11;")


def outside(path: Path) -> Callable[[bytes], bytes]:
    def write(data: bytes) -> bytes:
        doctype = f'<!DOCTYPE dokumente [<!ENTITY x SYSTEM "{path.as_uri()}">]>'
        return f"{HEAD}{doctype}".encode() + data.split(b">", 2)[2].replace(b"Bombe", b"&x;")

    return write


CASES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("empty", lambda data: data[:0]),
    ("cut short", cut),
    ("a page of a proxy", lambda _: b"<html><body>Please sign in"),
    ("well-formed but no law", lambda _: b"<html/>"),
    ("a picture", lambda _: b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    ("a zip file", lambda _: b"PK\x03\x04" + b"\0" * 100),
    ("Latin-1 that claims UTF-8", lambda data: data.replace(b"Bombe", b"f\xfcr")),
    ("an unknown encoding", lambda data: data.replace(b"UTF-8", b"UTF-99")),
    ("UTF-16", lambda data: data.decode().replace("UTF-8", "UTF-16").encode("utf-16")),
    ("an entity bomb", bomb),
]


@pytest.mark.parametrize(("name", "spoil"), CASES, ids=[name for name, _ in CASES])
def test_an_unusable_file_is_rejected_by_name_and_the_rest_goes_on(
    tmp_path: Path, name: str, spoil: Callable[[bytes], bytes]
) -> None:
    source = write_snapshot(tmp_path / "source", laws=2)
    path = write_law(source / "laws", "badg", 66, {"§ 1": "Bombe"})
    path.write_bytes(spoil(path.read_bytes()))
    heard = Heard()
    manifest = build(tmp_path / "data", source, allow_rejects=True, heard=heard)
    [rejected] = manifest.rejected
    assert rejected.name == "laws/badg/BJNR900000066.xml", name
    assert rejected.reason
    assert "\n" not in rejected.reason
    assert heard.notes == [f"rejected {rejected.name}: {rejected.reason}"]
    assert list(builds.open_active(tmp_path / "data").statutes) == ["de/muster1g", "de/muster2g"]


def test_an_external_entity_brings_nothing_in(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(SECRET)
    source = write_snapshot(tmp_path / "source", laws=1)
    path = write_law(source / "laws", "badg", 66, {"§ 1": "Bombe"})
    path.write_bytes(outside(tmp_path / "secret.txt")(path.read_bytes()))
    manifest = build(tmp_path / "data", source, allow_rejects=True)
    database = builds.get_folder(tmp_path / "data", manifest.release) / builds.DATABASE
    assert SECRET.encode() not in database.read_bytes()


def test_the_second_file_of_a_law_is_rejected(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source", laws=1)
    write_law(source / "unlisted", "altg", 1, {"§ 1": "Dasselbe Gesetz noch einmal."})
    manifest = build(tmp_path / "data", source, allow_rejects=True)
    [rejected] = manifest.rejected
    assert rejected.name == "unlisted/altg/BJNR900000001.xml"
    assert "the same law (BJNR900000001) as laws/muster1g/BJNR900000001.xml" in rejected.reason


@pytest.mark.parametrize(("good", "passes"), [(99, True), (98, False)])
def test_more_than_one_percent_of_rejected_files_fails_the_build(
    tmp_path: Path, good: int, passes: bool
) -> None:
    source = write_snapshot(tmp_path / "source", laws=good)
    write_law(source / "laws", "badg", 500, {"§ 1": "x"}).write_bytes(b"not XML")
    if passes:
        assert len(build(tmp_path / "data", source).rejected) == 1
        return
    with pytest.raises(CorpusError, match=r"1 of 99 files cannot be used.*--allow-rejects"):
        build(tmp_path / "data", source)
    assert builds.read_pointer(tmp_path / "data") is None
    assert list((tmp_path / "data" / "builds").iterdir()) == []


def test_an_older_state_speaks_for_a_law_whose_newer_file_is_unusable(tmp_path: Path) -> None:
    write_law(tmp_path / "s" / "gii-2024-01-01" / "laws", "ag", 1, {"§ 1": "Alt."})
    newer = write_law(tmp_path / "s" / "gii-2025-01-01" / "laws", "ag", 1, {"§ 1": "Neu."})
    newer.write_bytes(newer.read_bytes()[:-40])
    manifest = build(tmp_path / "data", tmp_path / "s", allow_rejects=True)
    fassung = builds.open_active(tmp_path / "data").find_fassung("de/ag/1")
    assert len(manifest.rejected) == 1
    assert fassung is not None
    assert (fassung.text, fassung.stand.year) == ("Alt.", 2024)


def test_marks_without_end_cost_no_time_and_their_files_are_named(tmp_path: Path) -> None:
    """Bringing them into order takes the square of their number, in one call that nothing ends."""
    marks = "a" + "\u0300\u0316" * 100_000
    source = tmp_path / "source"
    laws = write_snapshot(source / "gii-2025-01-01", laws=2) / "laws"
    write_law(laws, "text", 61, {"§ 1": marks})
    write_law(laws, "name", 62, {"§ 1": "Text."}, name=f"X{marks}")
    write_law(laws, "title", 63, {"§ 1": "Text."}, titles={"§ 1": marks})
    write_law(laws, "label", 64, {f"§ 1{marks}": "Text."})
    for folder, files in (
        ("decisions", {"text.xml": rii(gruende=f"<p>{marks}</p>"), "plain.txt": f"BGH {marks}"}),
        ("decisions", {"docket.xml": rii(aktenzeichen=f"VI ZR 1/20{marks}", doknr="KORE2")}),
        ("eurlex", {"act.xml": FORMEX.replace("</P>", f"{marks}</P>"), "good.xml": FORMEX}),
    ):
        for name, text in files.items():
            (source / folder).mkdir(exist_ok=True)
            (source / folder / name).write_text(text, encoding="utf-8")
    sources: list[Snapshot | Collection] = [*find_snapshots(source), *find_collections(source)]
    manifest = build(tmp_path / "data", sources, allow_rejects=True)
    expected = {
        *(f"laws/{slug}/BJNR9{number:08d}.xml" for slug, number in LAWS_WITH_MARKS.items()),
        *("decisions/text.xml", "plain.txt", "decisions/docket.xml", "eurlex/act.xml"),
    }
    assert {rejected.name for rejected in manifest.rejected} == expected
    assert all("combining marks" in rejected.reason for rejected in manifest.rejected)


LAWS_WITH_MARKS = {"text": 61, "name": 62, "title": 63, "label": 64}
