"""What a look has kept and is gone is missed: the law was not unchanged on that day."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.updates import Report
from fundstelle.ingest.sources.gii.kept import KeptLooks
from fundstelle.ingest.sources.gii.kept_list import LIST, KeptList
from fundstelle.ingest.update import open_kept_looks
from tests.integration.corpora.past_site import Past, PastSite, Version, serve_past
from tests.integration.updates.updating import begin, look, open_store, read_statutes

DAYS = [date(2024, 1, 10) + timedelta(days=n) for n in range(5)]
WORDS = ("Der Steg ist aus Holz.", "Der Steg ist aus Stein.", "Der Steg ist aus Stahl.")
CHANGED = (DAYS[0], DAYS[1], DAYS[3])  # on which each of the words came


def write_law(words: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<dokumente builddate="20240110" doknr="BJNR200000024">'
        "<norm doknr='BJNR200000024'><metadaten><jurabk>StegV</jurabk><ausfertigung-datum"
        ' manuell="ja">2023-12-01</ausfertigung-datum><langue>Stegverordnung</langue></metadaten>'
        "<textdaten/></norm><norm doknr='BJNR200000024BJNE000100000'><metadaten>"
        "<jurabk>StegV</jurabk><enbez>§ 1</enbez><titel>Stege</titel></metadaten>"
        f"<textdaten><text><Content><P>{words}</P></Content></text></textdaten></norm></dokumente>"
    ).encode()


@pytest.fixture
def site() -> Iterator[PastSite]:
    past = Past(days=list(DAYS))
    for day, words in zip(CHANGED, WORDS, strict=True):
        name = f"stegv/BJNR200000024/{day.isoformat()}.xml"
        past.versions["stegv"].append(Version(name, write_law(words)))
    other = write_law(WORDS[0]).replace(b"200000024", b"200000025").replace(b"StegV", b"OfenV")
    past.versions["ofenv"].append(Version(f"ofenv/BJNR200000025/{DAYS[0].isoformat()}.xml", other))
    past.tables[DAYS[0]] = {"stegv": "Stegverordnung", "ofenv": "Ofenverordnung"}
    with serve_past(past) as served:
        served.today = DAYS[0]
        yield served


def follow(data: Path, site: PastSite, until: int) -> tuple[str, KeptLooks]:
    """Update day by day; the first release and what was kept."""
    first = begin(data, site).release
    for day in DAYS[1 : until + 1]:
        assert look(data, site, day).is_good
    return first, open_kept_looks(data, site.url + "/")


def build_anew(data: Path, site: PastSite, first: str, day: date) -> Report:
    builds.activate(data, first)
    return look(data, site, day)


def read_text(data: Path, day: date) -> tuple[str, date]:
    """The section on a day, and when that text was last seen."""
    with closing(open_store(data)) as store:
        (law,) = (one for one in store.statutes.values() if one.slug == "stegv")
        (norm,) = (one for one in store.list_norms(law.statute_id) if one.label == "§ 1")
        fassung = store.find_fassung(norm.norm_id, day)
        assert fassung is not None
        return fassung.text, fassung.stand


@pytest.mark.parametrize("how", ["gone", "another"])
def test_a_past_file_that_is_gone_leaves_its_days_open(
    site: PastSite, tmp_path: Path, how: str
) -> None:
    first, kept = follow(tmp_path, site, 4)
    path = kept.folder / "stegv" / f"{DAYS[1].isoformat()}.zip"
    newest = path.with_name(f"{DAYS[3].isoformat()}.zip").read_bytes()
    path.unlink() if how == "gone" else path.write_bytes(newest)
    report = build_anew(tmp_path, site, first, DAYS[4])
    (problem,) = report.outcomes[0].problems
    assert problem.startswith("stegv/")
    assert "a look has kept" in problem
    assert DAYS[1].isoformat() in problem
    assert read_text(tmp_path, DAYS[2]) == (WORDS[0], DAYS[0])  # seen no longer than that
    assert read_text(tmp_path, DAYS[4])[0] == WORDS[2]
    assert {law.stand for law in read_statutes(tmp_path)} == {DAYS[4]}


def test_a_newest_file_that_is_gone_is_asked_for_again(site: PastSite, tmp_path: Path) -> None:
    first, kept = follow(tmp_path, site, 3)
    (kept.folder / "stegv" / f"{DAYS[3].isoformat()}.zip").unlink()
    report = build_anew(tmp_path, site, first, DAYS[3])
    (problem,) = report.outcomes[0].problems
    assert DAYS[3].isoformat() in problem
    stands = {law.slug: law.stand for law in read_statutes(tmp_path)}
    assert stands == {"stegv": DAYS[2], "ofenv": DAYS[3]}
    look(tmp_path, site, DAYS[4])
    assert read_text(tmp_path, DAYS[4])[0] == WORDS[2]
    assert {law.stand for law in read_statutes(tmp_path)} == {DAYS[4]}


def test_a_file_of_a_law_that_came_back_to_older_words_is_kept(
    site: PastSite, tmp_path: Path
) -> None:
    """What is gone was newer: the older file says nothing of today."""
    first, kept = follow(tmp_path, site, 3)
    (kept.folder / "stegv" / f"{DAYS[3].isoformat()}.zip").unlink()
    name = f"stegv/BJNR200000024/{DAYS[4].isoformat()}.xml"
    site.past.versions["stegv"].append(Version(name, write_law(WORDS[1])))
    build_anew(tmp_path, site, first, DAYS[4])
    assert read_text(tmp_path, DAYS[4])[0] == WORDS[1]
    assert {law.stand for law in read_statutes(tmp_path)} == {DAYS[4]}


def test_a_look_without_its_note_of_what_it_could_not_read_confirms_nothing(
    site: PastSite, tmp_path: Path
) -> None:
    first, kept = follow(tmp_path, site, 1)
    site.failures = {"/ofenv/xml.zip": ["503"] * 9}
    assert not look(tmp_path, site, DAYS[2]).is_good
    site.failures = {"/ofenv/xml.zip": ["503"] * 9}
    look(tmp_path, site, DAYS[3])
    (kept.folder / "unread" / f"{DAYS[2].isoformat()}.txt").unlink()
    report = build_anew(tmp_path, site, first, DAYS[3])
    assert any(f"unread/{DAYS[2].isoformat()}.txt" in one for one in report.outcomes[0].problems)
    stands = {law.slug: law.stand for law in read_statutes(tmp_path)}
    assert stands == {"stegv": DAYS[3], "ofenv": DAYS[1]}


def test_a_folder_of_an_earlier_version_is_read_as_before_and_listed_at_the_next_look(
    site: PastSite, tmp_path: Path
) -> None:
    first, kept = follow(tmp_path, site, 3)
    (kept.folder / LIST).unlink()
    assert build_anew(tmp_path, site, first, DAYS[3]).is_good
    assert look(tmp_path, site, DAYS[4]).is_good
    listed = set(KeptList.read(kept.folder).iter_paths(kept.folder))
    files = {path for path in kept.folder.glob("*/*") if path.is_file()}
    assert listed == files
    assert len(files) == 4 + 3  # tables and files of laws


def test_looks_that_were_set_aside_are_not_missed(site: PastSite, tmp_path: Path) -> None:
    first, kept = follow(tmp_path, site, 3)
    assert kept.set_aside(DAYS[2]) == [DAYS[3]]
    assert build_anew(tmp_path, site, first, DAYS[4]).is_good
    assert read_text(tmp_path, DAYS[4])[0] == WORDS[2]


@pytest.mark.parametrize("written", ["stegv/2024-01-11.zip\n", "0" * 64 + "  ../x\n", "\xff"])
def test_a_damaged_list_stops_the_update_of_laws(
    site: PastSite, tmp_path: Path, written: str
) -> None:
    _, kept = follow(tmp_path, site, 1)
    (kept.folder / LIST).write_text(written, encoding="latin-1")
    report = look(tmp_path, site, DAYS[2])
    assert LIST in str(report.outcomes[0].problem)
