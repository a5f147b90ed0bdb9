"""Archives of versions: which looks there were, what each showed, and what it confirmed."""

from datetime import date
from pathlib import Path

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.history import looks
from fundstelle.ingest.history.looks import LawHistory, confirm, read_confirmation, spool_history
from fundstelle.ingest.history.plan import plan
from fundstelle.ingest.history.snapshots import SourceEntry, SpooledSnapshot
from tests.unit.ingest.history.test_plan import make_candidate
from tests.unit.ingest.history.test_snapshots import Given, make_law

DAYS = ("2022-01-05", "2022-01-12", "2022-01-19", "2022-01-26")


def version(slug: str, number: str, day: str) -> SourceEntry:
    return SourceEntry(f"{slug}/{number}/{day}.xml", make_law(body=day))


def table(day: str, *slugs: str) -> SourceEntry:
    items = "".join(
        f"<item><title>T</title>\n<link>https://example.org/{slug}/xml.zip</link></item>"
        for slug in slugs
    )
    return SourceEntry(f"toc/gii-toc-{day}.xml", f"<items>{items}</items>".encode())


def observed(*days: str) -> SourceEntry:
    return SourceEntry("observed-days.txt", "\n".join(days or DAYS).encode())


def read(folder: Path, *entries: SourceEntry, laws: tuple[str, ...] = ()) -> list[SpooledSnapshot]:
    return spool_history(LawHistory(Given(list(entries))), folder / "spool", laws, lambda _: None)


def test_every_look_since_the_first_text_is_a_snapshot_of_what_was_new(tmp_path: Path) -> None:
    entries = [
        version("a", "BJNR1", DAYS[1]),
        version("a", "BJNR1", DAYS[3]),
        version("b", "BJNR2", DAYS[1]),
        observed(),
    ]
    found = read(tmp_path, *entries)
    shown = {str(one.day): [file.name for file in one.files] for one in found}
    assert shown == {
        DAYS[1]: [f"a/BJNR1/{DAYS[1]}.xml", f"b/BJNR2/{DAYS[1]}.xml"],
        DAYS[2]: [],
        DAYS[3]: [f"a/BJNR1/{DAYS[3]}.xml"],
    }
    with found[0].spool.open("rb") as spool:
        assert found[-1].files[0].read(spool).data == make_law(body=DAYS[3])


def test_a_version_says_when_it_was_built(tmp_path: Path) -> None:
    name = f"a/BJNR1/{DAYS[0]}.xml"
    entry = SourceEntry(name, make_law("20211227"))
    [look, *_] = read(tmp_path, entry, SourceEntry(name, make_law("20211228")), observed())
    assert [file.built for file in look.files] == ["20211227", "20211228"]


def test_only_the_laws_wanted_are_taken(tmp_path: Path) -> None:
    entries = [version("a", "BJNR1", DAYS[0]), version("b", "BJNR2", DAYS[0]), observed()]
    assert [file.slug for file in read(tmp_path, *entries, laws=("b",))[0].files] == ["b"]


def test_a_table_of_contents_counts_at_the_first_look_that_is_not_before_it(tmp_path: Path) -> None:
    entries = [
        version("a", "BJNR1", DAYS[0]),
        table("2022-01-10", "a", "b"),
        table("2022-01-12", "a"),
        table("2022-02-01", "c"),
        observed(),
    ]
    contents = [one.contents for one in read(tmp_path, *entries)]
    assert contents == [None, {"a"}, None, None]


def test_a_version_of_a_day_on_which_nobody_looked_is_refused_with_its_reason(
    tmp_path: Path,
) -> None:
    entries = [version("a", "BJNR1", DAYS[0]), version("a", "BJNR1", "2022-01-13"), observed()]
    first, *_ = read(tmp_path, *entries)
    assert [(one.name, one.reason) for one in first.rejected] == [
        ("a/BJNR1/2022-01-13.xml", "nobody looked on 2022-01-13 (observed-days.txt)")
    ]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (SourceEntry("a/BJNR1.xml", b""), "its name is not"),
        (SourceEntry("a/BJNR1/2022-01-32.xml", b""), "its name is not"),
        (SourceEntry("../BJNR1/2022-01-05.xml", make_law()), "points outside"),
        (SourceEntry("a/BJNR1/2022-01-05.xml", b"", problem="it is cut short"), "it is cut short"),
        (SourceEntry("toc/gii-toc-2022-01-05.xml", b"<items>"), "it is cut short or names no law"),
    ],
)
def test_what_cannot_be_used_is_named_and_the_rest_is_read(
    tmp_path: Path, entry: SourceEntry, reason: str
) -> None:
    first, *_ = read(tmp_path, entry, version("b", "BJNR2", DAYS[0]), observed())
    assert reason in first.rejected[0].reason
    assert [file.slug for file in first.files] == ["b"]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([version("a", "BJNR1", DAYS[0])], "nothing says on which days"),
        ([observed()], "holds no version"),
        ([version("a", "BJNR1", DAYS[0]), observed("2022-01-04")], "no version of a day"),
        ([version("a", "BJNR1", DAYS[0]), observed("yesterday")], "no list of at most"),
        ([version("a", "BJNR1", DAYS[0]), observed(DAYS[0], "9000-01-01")], "still to come"),
    ],
)
def test_an_archive_that_cannot_say_who_looked_when_is_refused(
    tmp_path: Path, entries: list[SourceEntry], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(tmp_path, *entries)


def test_versions_have_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "MAX_FILES", 1)
    with pytest.raises(SourceError, match="give them in two archives"):
        read(tmp_path, *(version("a", "BJNR1", day) for day in DAYS), observed())


def test_a_list_of_confirmed_laws_is_a_look_without_files(tmp_path: Path) -> None:
    file = tmp_path / "confirmed-2022-02-02.txt"
    file.write_text("BJNR1\nBJNR3\n", encoding="ascii")
    confirmation = read_confirmation(file, "https://example.org/")
    assert confirmation is not None
    look = confirm(confirmation, tmp_path / "spool")
    assert (look.day, look.files) == (date(2022, 2, 2), ())
    assert look.confirmed == {"BJNR1", "BJNR3"}
    assert read_confirmation(tmp_path / "confirmed.txt", "") is None


@pytest.mark.parametrize(("name", "text"), [("2022-02-31", "BJNR1"), ("2022-02-02", " ")])
def test_a_list_without_a_day_or_a_law_is_refused(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / f"confirmed-{name}.txt"
    file.write_text(text, encoding="ascii")
    with pytest.raises(SourceError, match="names no day or no law"):
        read_confirmation(file, "")


def plan_two_laws(folder: Path, *entries: SourceEntry) -> dict[str, list[tuple[int, bool, str]]]:
    """Of each law its versions: the look, whether it was new there, and the last look so."""
    found = read(folder, *entries)
    candidates = [
        make_candidate(file.slug, f"BJNR-{file.slug}", file.name, snapshot=number)
        for number, look in enumerate(found)
        for file in look.files
    ]
    planned, _ = plan(found, candidates)
    return {
        statute.versions[0].file.slug: [
            (one.snapshot, one.first_seen, str(one.last_seen)) for one in statute.versions
        ]
        for statute in planned
    }


def test_a_law_listed_afterwards_was_as_it_was_at_every_look_between(tmp_path: Path) -> None:
    entries = [version("a", "BJNR1", DAYS[0]), version("a", "BJNR1", DAYS[2]), observed()]
    listed = table(DAYS[3], "a")
    assert plan_two_laws(tmp_path, *entries, listed)["a"] == [
        (0, False, DAYS[1]),
        (2, False, DAYS[3]),
    ]


def test_a_law_that_is_not_listed_is_seen_on_the_days_of_its_files_alone(tmp_path: Path) -> None:
    entries = [version("a", "BJNR1", DAYS[0]), version("b", "BJNR2", DAYS[0]), observed()]
    planned = plan_two_laws(tmp_path, *entries, table(DAYS[2], "b"))
    assert planned["a"] == [(0, False, DAYS[0])]
    assert planned["b"] == [(0, False, DAYS[3])]


def test_what_a_later_look_shows_first_was_not_there_before(tmp_path: Path) -> None:
    entries = [version("a", "BJNR1", DAYS[0]), version("b", "BJNR2", DAYS[2]), observed()]
    planned = plan_two_laws(tmp_path, *entries, table(DAYS[3], "a", "b"))
    assert planned["b"] == [(2, True, DAYS[3])]
    assert planned["a"] == [(0, False, DAYS[3])]
