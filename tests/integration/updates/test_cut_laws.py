"""A law's file that lacks most of it, or has another law's name, is not taken by itself."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.updates import LOOKS
from fundstelle.law.norms import NormStatus
from tests.integration.corpora.past_site import Past, PastSite, Version, serve_past
from tests.integration.updates.updating import begin, look, read_statutes

DAYS = [date(2024, 1, 10) + timedelta(days=n) for n in range(8)]


def write_norm(number: str, title: str, text: str) -> str:
    return (
        f'<norm doknr="BJNR100000024BJNE{number:0>9}"><metadaten><jurabk>LV</jurabk>'
        f"<enbez>{number}</enbez><titel>{title}</titel></metadaten>"
        f"<textdaten><text><Content><P>{text}</P></Content></text></textdaten></norm>"
    )


def write_law(norms: str = "", notes: str = "") -> bytes:
    """A law of ours."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<dokumente builddate="20240110" doknr="BJNR100000024">'
        '<norm doknr="BJNR100000024"><metadaten><jurabk>LV</jurabk><ausfertigung-datum'
        f' manuell="ja">2023-12-01</ausfertigung-datum><langue>Leuchtturmverordnung</langue>{notes}'
        f"</metadaten><textdaten/></norm>{norms}</dokumente>"
    ).encode()


def write_sections(numbers: range) -> str:
    return "".join(
        write_norm(f"§ {n}", f"Leuchtfeuer {n}", f"Das Feuer {n} brennt bei Nacht.")
        for n in numbers
    )


WHOLE = write_law(write_sections(range(1, 13)))
EMPTY, TENTH = write_law(), write_law(write_sections(range(1, 2)))
HALF = write_law(write_sections(range(1, 7)))
GONE = write_law(write_sections(range(1, 3)) + write_norm("§§ 3 bis 12", "(weggefallen)", ""))
ALL_GONE = write_law(
    "",
    "<standangabe checked='ja'><standtyp>Aufh</standtyp><standkommentar>V aufgeh. durch § 13 V v."
    " 1.1.2024 I Nr. 1</standkommentar></standangabe>",
)


@pytest.fixture
def site() -> Iterator[PastSite]:
    past = Past(days=list(DAYS))
    other = WHOLE.replace(b"100000024", b"100000025").replace(b"<jurabk>LV<", b"<jurabk>OV<")
    for slug, number, law in (("lv", "BJNR100000024", WHOLE), ("ov", "BJNR100000025", other)):
        past.versions[slug].append(Version(f"{slug}/{number}/{DAYS[0].isoformat()}.xml", law))
    past.tables[DAYS[0]] = {"lv": "Leuchtturmverordnung", "ov": "Ofenverordnung"}
    with serve_past(past) as served:
        served.today = DAYS[0]
        yield served


def change(site: PastSite, day: date, law: bytes) -> None:
    name = f"lv/BJNR100000024/{day.isoformat()}.xml"
    site.past.versions["lv"].append(Version(name, law))


def read_law(data: Path) -> tuple[int, date]:
    """How many sections are in force, and the last look that found them so."""
    (law,) = (one for one in read_statutes(data) if one.slug == "lv")
    with closing(builds.open_active(data)) as store:
        norms = store.list_norms(law.statute_id)
    held = [norm for norm in norms if norm.status is NormStatus.IN_FORCE and "§" in norm.label]
    return len(held), law.stand


@pytest.mark.parametrize("cut", [EMPTY, TENTH])
def test_a_cut_file_is_taken_at_the_second_look_alone(
    site: PastSite, tmp_path: Path, cut: bytes
) -> None:
    begin_twice(tmp_path, site)
    change(site, DAYS[1], cut)
    report = look(tmp_path / "one", site, DAYS[1])
    assert not report.is_good
    (problem,) = report.outcomes[0].problems
    assert problem.startswith("laws/lv/xml.zip: ")
    assert "of the 12 provisions that are held" in problem
    assert read_law(tmp_path / "one") == (12, DAYS[0])
    assert not look(tmp_path / "one", site, DAYS[1]).is_good  # the same day is no other look
    assert read_law(tmp_path / "one") == (12, DAYS[0])
    assert look(tmp_path / "one", site, DAYS[2]).is_good
    assert read_law(tmp_path / "one") == (cut.count(b"<enbez>"), DAYS[2])
    check_replay(tmp_path, site)


def test_a_file_that_is_whole_again_is_as_before(site: PastSite, tmp_path: Path) -> None:
    begin_twice(tmp_path, site)
    change(site, DAYS[1], EMPTY)
    change(site, DAYS[2], WHOLE)
    change(site, DAYS[3], EMPTY)
    change(site, DAYS[4], TENTH)
    assert not look(tmp_path / "one", site, DAYS[1]).is_good
    assert look(tmp_path / "one", site, DAYS[2]).is_good
    assert read_law(tmp_path / "one") == (12, DAYS[2])
    # another look has found it since, and another text was doubted: each begins anew
    for day in DAYS[3:5]:
        assert not look(tmp_path / "one", site, day).is_good
        assert read_law(tmp_path / "one") == (12, DAYS[2])
    assert look(tmp_path / "one", site, DAYS[5]).is_good
    assert read_law(tmp_path / "one") == (1, DAYS[5])
    check_replay(tmp_path, site)


@pytest.mark.parametrize("law", [HALF, GONE, ALL_GONE])
def test_what_the_file_itself_says_is_taken_at_once(
    site: PastSite, tmp_path: Path, law: bytes
) -> None:
    begin_twice(tmp_path, site)
    change(site, DAYS[1], law)
    assert look(tmp_path / "one", site, DAYS[1]).is_good
    left = {HALF: 6, GONE: 2, ALL_GONE: 0}[law]
    assert read_law(tmp_path / "one") == (left, DAYS[1])
    check_replay(tmp_path, site)


def test_a_short_law_may_lose_most_of_it(site: PastSite, tmp_path: Path) -> None:
    site.past.versions["lv"].clear()
    change(site, DAYS[0], write_law(write_sections(range(1, 10))))
    begin_twice(tmp_path, site)
    change(site, DAYS[1], TENTH)
    assert look(tmp_path / "one", site, DAYS[1]).is_good
    assert read_law(tmp_path / "one") == (1, DAYS[1])


def test_a_law_does_not_come_to_the_name_of_another_that_is_listed(
    site: PastSite, tmp_path: Path
) -> None:
    begin_twice(tmp_path, site)
    change(site, DAYS[1], WHOLE.replace(b"<jurabk>LV<", b"<jurabk>OV<"))
    for day in DAYS[1:4]:  # however often it says so
        report = look(tmp_path / "one", site, day)
        (problem,) = report.outcomes[0].problems
        assert (
            "calls itself OV, as another law that is listed does (ov), and is held as LV" in problem
        )
        assert read_law(tmp_path / "one") == (12, DAYS[0])
        named = {one.abbreviation: one.slug for one in read_statutes(tmp_path / "one")}
        assert named == {"LV": "lv", "OV": "ov"}
    # when the other lets go of it, the name is free, from the next look on
    free = WHOLE.replace(b"100000024", b"100000025").replace(b"<jurabk>LV<", b"<jurabk>OldV<")
    name = f"ov/BJNR100000025/{DAYS[4].isoformat()}.xml"
    site.past.versions["ov"].append(Version(name, free))
    look(tmp_path / "one", site, DAYS[4])
    assert look(tmp_path / "one", site, DAYS[5]).is_good
    named = {one.abbreviation: one.slug for one in read_statutes(tmp_path / "one")}
    assert named == {"OV": "lv", "OldV": "ov"}
    check_replay(tmp_path, site)


def test_a_law_may_come_to_a_name_that_nobody_has(site: PastSite, tmp_path: Path) -> None:
    begin_twice(tmp_path, site)
    change(site, DAYS[1], WHOLE.replace(b"<jurabk>LV<", b"<jurabk>LeuchtV<"))
    assert look(tmp_path / "one", site, DAYS[1]).is_good
    assert {one.abbreviation for one in read_statutes(tmp_path / "one")} == {"LeuchtV", "OV"}
    check_replay(tmp_path, site)


def test_a_law_keeps_the_name_that_a_newer_law_has_too(site: PastSite, tmp_path: Path) -> None:
    """Its own file says "LV 2010", which is LV; it is held with its year beside the one of 2024."""
    older = WHOLE.replace(b"<jurabk>LV<", b"<jurabk>LV 2010<")
    newer = WHOLE.replace(b"100000024", b"100000025").replace(b"2023-12-01", b"2024-01-05")
    for slug, number, law in (
        ("lv", "BJNR100000024", older),
        ("ov", "BJNR100000025", newer.replace(b"<jurabk>LV<", b"<jurabk>LV 2024<")),
    ):
        name = f"{slug}/{number}/{DAYS[0].isoformat()}.xml"
        site.past.versions[slug] = [Version(name, law)]
    begin_twice(tmp_path, site)
    held = {one.abbreviation: one.slug for one in read_statutes(tmp_path / "one")}
    assert held == {"LV 2023": "lv", "LV": "ov"}
    change(site, DAYS[1], older.replace(b"brennt bei Nacht", b"brennt immer"))
    assert look(tmp_path / "one", site, DAYS[1]).is_good
    assert read_law(tmp_path / "one") == (12, DAYS[1])
    assert {one.abbreviation: one.slug for one in read_statutes(tmp_path / "one")} == held
    check_replay(tmp_path, site)


def begin_twice(data: Path, site: PastSite) -> None:
    begin(data / "one", site)
    shutil.copytree(data / "one", data / "all")


def check_replay(data: Path, site: PastSite) -> None:
    """All looks at once go on from the first build to what they went on to one by one."""
    shutil.copytree(data / "one" / LOOKS, data / "all" / LOOKS)
    look(data / "all", site, site.today)
    assert builds.read_pointer(data / "all") == builds.read_pointer(data / "one")
