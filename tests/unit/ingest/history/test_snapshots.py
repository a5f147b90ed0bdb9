from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.history import snapshots
from fundstelle.ingest.history.snapshots import SourceEntry, SpooledSnapshot, spool

MIDNIGHT = datetime(2025, 3, 31, tzinfo=UTC)


def make_law(built: str = "20250301", body: str = "") -> bytes:
    return f'<dokumente builddate="{built}120000" doknr="BJNR1">{body}</dokumente>'.encode()


@dataclass
class Given:
    """A snapshot written out in a test."""

    files: list[SourceEntry]
    name: str = "gii-xml.tar.zst"
    day: date | None = None
    url: str = "https://example.org/"
    retrieved_at: datetime = MIDNIGHT
    partial: bool = False
    demonstration: bool = False
    counted: list[int] = field(default_factory=list)

    def entries(self) -> Iterator[SourceEntry]:
        return iter(self.files)

    def spool(self, folder: Path, *laws: str) -> SpooledSnapshot:
        return spool(self, folder / "spool", laws, self.counted.append)


def law(name: str, built: str = "20250301", modified: datetime | None = None) -> SourceEntry:
    return SourceEntry(name, make_law(built), modified)


def test_files_are_read_back_in_the_order_of_their_names(tmp_path: Path) -> None:
    given = Given([law("laws/b/B.xml"), SourceEntry("laws/a/A.xml", b'<x builddate="20250101"/>')])
    spooled = given.spool(tmp_path)
    with spooled.spool.open("rb") as opened:
        read = [file.read(opened) for file in spooled.files]
    assert [(f.slug, f.name) for f in read] == [("a", "laws/a/A.xml"), ("b", "laws/b/B.xml")]
    assert read[1].data == make_law()


def test_only_laws_are_taken(tmp_path: Path) -> None:
    names = ["laws/a/A.xml", "gii-toc-2026-06-21.xml", "gii-norm.dtd", "readme.txt", "laws/a/x.jpg"]
    spooled = Given([law(name) for name in names]).spool(tmp_path)
    assert [file.name for file in spooled.files] == ["laws/a/A.xml"]
    assert spooled.contents is None


@pytest.mark.parametrize(
    ("given", "day"),
    [
        (Given([law("laws/a/A.xml")], day=date(2020, 1, 1)), date(2020, 1, 1)),
        (Given([law("laws/a/A.xml")], name="gii-2026-04-29.tar.zst"), date(2026, 4, 29)),
        (Given([law("laws/a/A.xml")], name="gii-2026-14-29.tar.zst"), date(2025, 3, 1)),
        (Given([law("a/A.xml"), law("b/B.xml", "20250327")]), date(2025, 3, 27)),
        (Given([law("a/A.xml", modified=MIDNIGHT)]), date(2025, 3, 31)),
        # Unpacked today, or stamped before its files were made: no mark of a snapshot.
        (Given([law("a/A.xml", modified=MIDNIGHT.replace(hour=7))]), date(2025, 3, 1)),
        (Given([law("a/A.xml", "20260101", modified=MIDNIGHT)]), date(2026, 1, 1)),
    ],
)
def test_the_day_of_a_snapshot(tmp_path: Path, given: Given, day: date) -> None:
    assert given.spool(tmp_path).day == day


def test_a_snapshot_without_a_day_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="put the day in its name"):
        Given([SourceEntry("laws/a/A.xml", b"<x/>")]).spool(tmp_path)


def test_what_the_contents_do_not_name_is_unlisted(tmp_path: Path) -> None:
    contents = b"<items><item><link>http://x.de/a/xml.zip</link></item></items>"
    names = ["laws/a/A.xml", "laws/b/B.xml", "unlisted/c/C.xml"]
    files = [*map(law, names), SourceEntry("gii-toc.xml", contents)]
    spooled = Given(files).spool(tmp_path)
    assert [file.listed for file in spooled.files] == [True, False, False]
    assert spooled.contents == frozenset({"a"})


def test_the_titles_of_the_contents_are_kept(tmp_path: Path) -> None:
    contents = (
        b"<items><item><title>Gesetz &quot;A&quot;\n und B</title>\n<link>http://x.de/a/xml.zip"
        b"</link></item><item><link>http://x.de/b/xml.zip</link></item></items>"
    )
    spooled = Given([law("laws/a/A.xml"), SourceEntry("gii-toc.xml", contents)]).spool(tmp_path)
    assert spooled.titles == {"a": 'Gesetz "A" und B'}


def test_lists_of_changes_are_read(tmp_path: Path) -> None:
    files = [
        law("laws/a/A.xml"),
        SourceEntry("unlisted-since-2025-03-31.txt", b"BJNR1\nBJNR2\n"),
        SourceEntry("new-since-2025-03-31.txt", b"BJNR3\n"),
    ]
    spooled = Given(files).spool(tmp_path)
    assert spooled.removed == {"BJNR1", "BJNR2"}
    assert spooled.added == {"BJNR3"}


def test_laws_can_be_chosen_by_their_slug(tmp_path: Path) -> None:
    spooled = Given([law("laws/a/A.xml"), law("laws/b/B.xml")]).spool(tmp_path, "b")
    assert [file.slug for file in spooled.files] == ["b"]
    assert spooled.partial
    (other := tmp_path / "other").mkdir()
    with pytest.raises(SourceError, match="holds none of zzz"):
        Given([law("laws/a/A.xml")]).spool(other, "zzz")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("../../etc/x.xml", "outside"), ("/etc/x.xml", "outside"), ("laws/../../x.xml", "outside")],
)
def test_names_that_point_outside_are_rejected(tmp_path: Path, name: str, reason: str) -> None:
    spooled = Given([law("laws/a/A.xml"), law(name)]).spool(tmp_path)
    assert [(one.name, reason in one.reason) for one in spooled.rejected] == [(name, True)]


def test_a_file_that_is_far_too_long_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_FILE_BYTES", 100)
    long = SourceEntry("laws/b/B.xml", make_law(body="x" * 100))
    spooled = Given([law("laws/a/A.xml"), long]).spool(tmp_path)
    assert [one.name for one in spooled.rejected] == ["laws/b/B.xml"]


def test_a_source_that_is_far_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_TOTAL_BYTES", 100)
    with pytest.raises(SourceError, match="cannot be an archive of federal law"):
        Given([law("laws/a/A.xml"), law("laws/b/B.xml")]).spool(tmp_path)


def test_the_hash_follows_names_and_contents_and_not_their_order(tmp_path: Path) -> None:
    def digest(number: int, *files: SourceEntry) -> str:
        (folder := tmp_path / str(number)).mkdir()
        return Given(list(files)).spool(folder).sha256

    one, two = law("laws/a/A.xml"), law("laws/b/B.xml", "20250302")
    assert digest(1, one, two) == digest(2, two, one)
    assert digest(3, one) != digest(4, law("laws/x/A.xml"))


def test_a_law_built_long_after_all_others_does_not_date_them(tmp_path: Path) -> None:
    days = [f"202503{day:02}" for day in range(1, 26)]
    laws = [law(f"laws/g{day}/A.xml", day) for day in (*days, "20260501")]
    spooled = Given(laws, name="laws").spool(tmp_path)
    assert spooled.day == date(2025, 3, 25)
    (rejected,) = spooled.rejected
    assert rejected.name == "laws/g20260501/A.xml"
    assert "2026-05-01, long after all others (2025-03-25)" in rejected.reason
    assert len(spooled.files) == len(days)


def test_where_the_source_states_its_day_no_law_is_too_new(tmp_path: Path) -> None:
    days = [f"202503{day:02}" for day in range(1, 26)]
    laws = [law(f"laws/g{day}/A.xml", day) for day in (*days, "20260501")]
    spooled = Given(laws, name="laws", day=date(2026, 5, 2)).spool(tmp_path)
    assert (spooled.day, spooled.rejected, len(spooled.files)) == (date(2026, 5, 2), (), len(laws))
