from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from fundstelle.ingest.history.plan import Known, plan
from fundstelle.ingest.history.sightings import Candidate
from fundstelle.ingest.history.snapshots import SpooledFile, SpooledSnapshot
from fundstelle.ingest.records import StatuteHeader
from tests.unit.corpus.values import STATUTE


def make_snapshot(
    day: date,
    *,
    contents: frozenset[str] | None = None,
    removed: frozenset[str] = frozenset(),
    added: frozenset[str] = frozenset(),
) -> SpooledSnapshot:
    return SpooledSnapshot(
        name=f"gii-{day}",
        url="https://example.org/",
        day=day,
        retrieved_at=datetime(2025, 1, 1, tzinfo=UTC),
        spool=Path("spool"),
        files=(),
        rejected=(),
        contents=contents,
        removed=removed,
        added=added,
        sha256="",
        partial=False,
        demonstration=False,
    )


def make_candidate(
    slug: str, number: str, name: str, *, snapshot: int = 0, listed: bool = True, year: int = 2000
) -> Candidate:
    folder = "laws" if listed else "unlisted"
    return Candidate(
        snapshot,
        SpooledFile(f"{folder}/{slug}/{number}.xml", slug, listed, 0, 10, ""),
        StatuteHeader(slug, number, name, name, name, date(year, 1, 1)),
    )


OLD, NEW = make_snapshot(date(2024, 1, 1)), make_snapshot(date(2025, 1, 1))


def name_all(candidates: Sequence[Candidate]) -> dict[str, str]:
    planned, _ = plan([OLD], candidates)
    return {statute.versions[0].file.slug: statute.statute_id for statute in planned}


def test_a_contested_name_goes_to_the_listed_then_to_the_newer_law() -> None:
    laws = [
        make_candidate("gone", "BJNR1", "DupG", listed=False, year=2020),
        make_candidate("old", "BJNR2", "DupG", year=1990),
        make_candidate("new", "BJNR3", "DupG", year=2010),
    ]
    expected = {"new": "de/dupg", "old": "de/dupg-1990", "gone": "de/dupg-2020"}
    assert name_all(laws) == expected
    assert name_all(laws[::-1]) == expected


def test_a_contested_name_goes_to_the_law_that_lawyers_cite_by_it() -> None:
    cited = make_candidate("bkv", "BJNR1", "BKV", year=1997)
    newer = replace(
        cited,
        file=replace(cited.file, slug="newer"),
        header=StatuteHeader("newer", "BJNR2", "NeuBKV", "BKV", "Neue", date(2020, 1, 1)),
    )
    assert name_all([newer, cited]) == {"bkv": "de/bkv", "newer": "de/bkv-2020"}


def test_laws_of_one_name_and_year_are_told_apart_by_document_number() -> None:
    laws = [make_candidate(f"law{n}", f"BJNR{n}", "DupG") for n in (1, 2, 3)]
    assert name_all(laws) == {
        "law1": "de/dupg",
        "law2": "de/dupg-2000",
        "law3": "de/dupg-2000-bjnr3",
    }


def test_the_second_file_of_one_law_is_rejected_with_both_names() -> None:
    laws = [
        make_candidate("a", "BJNR1", "EinG", listed=False),
        make_candidate("b", "BJNR1", "EinG"),
    ]
    planned, [rejected] = plan([OLD], laws)
    assert [statute.versions[0].file.slug for statute in planned] == ["b"]
    assert rejected.name == "unlisted/a/BJNR1.xml"
    assert rejected.reason == "it is the same law (BJNR1) as laws/b/BJNR1.xml"


def test_of_two_files_of_one_law_the_one_that_was_built_later_counts() -> None:
    old, new = make_candidate("a", "BJNR1", "AG"), make_candidate("b", "BJNR1", "AG")
    old = replace(old, file=replace(old.file, built="20240301"))
    new = replace(new, file=replace(new.file, built="20240309"))
    [statute], [rejected] = plan([OLD], [old, new])
    assert statute.versions[0].file is new.file
    assert rejected.name == "laws/a/BJNR1.xml"


def test_of_two_files_of_one_name_the_later_in_the_archive_counts() -> None:
    first = make_candidate("a", "BJNR1", "AG")
    second = replace(first, file=replace(first.file, offset=first.file.offset + 100))
    for laws in ([first, second], [second, first]):
        [statute], [rejected] = plan([OLD], laws)
        assert statute.versions[0].file is second.file
        assert "the same law" in rejected.reason


def test_a_file_without_a_document_number_is_rejected() -> None:
    """Two of them, one after the other, would be one law."""
    planned, (rejected,) = plan([OLD], [make_candidate("a", "", "AG")])
    assert planned == []
    assert "doknr" in rejected.reason


def test_one_law_in_two_snapshots_is_one_statute_named_as_in_the_newer() -> None:
    laws = [
        make_candidate("a", "BJNR1", "AltG"),
        make_candidate("a", "BJNR1", "NeuG", snapshot=1),
    ]
    [statute], rejected = plan([OLD, NEW], laws)
    assert (statute.statute_id, len(statute.versions), rejected) == ("de/neug", 2, [])
    assert not statute.versions[0].first_seen


def test_a_law_is_new_if_the_snapshot_says_so_or_the_older_contents_lack_it() -> None:
    law = [make_candidate("a", "BJNR1", "AG", snapshot=1)]
    said = make_snapshot(date(2025, 1, 1), added=frozenset({"BJNR1"}))
    listed = make_snapshot(date(2024, 1, 1), contents=frozenset({"a"}))
    unlisted = make_snapshot(date(2024, 1, 1), contents=frozenset({"b"}))
    for series, expected in (
        ([OLD, said], True),
        ([OLD, NEW], False),
        ([listed, NEW], False),
        ([unlisted, NEW], True),
    ):
        [statute], _ = plan(series, law)
        assert statute.versions[0].first_seen is expected


def test_a_law_on_the_list_of_removals_is_kept_unlisted() -> None:
    removal = make_snapshot(date(2025, 1, 1), removed=frozenset({"BJNR1"}))
    [gone, kept], _ = plan(
        [OLD, removal],
        [make_candidate("a", "BJNR1", "AG"), make_candidate("b", "BJNR2", "BG")],
    )
    assert (gone.listed, kept.listed) == (False, True)


def know(*laws: tuple[str, str, str], contents: frozenset[str] | None = None) -> Known:
    """A live build that holds laws of these document numbers, ids and slugs."""
    statutes = {
        number: replace(
            STATUTE,
            publisher_id=number,
            statute_id=statute_id,
            slug=slug,
            norm_count=7,
            abbreviation_official=(name := statute_id.removeprefix("de/")),
            abbreviations_juris=(name,),
        )
        for number, statute_id, slug in laws
    }
    return Known(statutes, contents)


def test_a_younger_law_takes_the_name_of_one_that_the_live_build_holds() -> None:
    known = know(("BJNR1", "de/dupg", "old"), ("BJNR2", "de/stillg", "still"))
    laws = [make_candidate("old", "BJNR1", "DupG", year=1990), make_candidate("n", "BJNR3", "DupG")]
    planned, _ = plan([NEW], laws, known)
    assert [(p.statute_id, p.carried_id, p.carried, len(p.versions)) for p in planned] == [
        ("de/dupg", None, None, 1),
        ("de/dupg-1990", "de/dupg", 7, 1),
        ("de/stillg", "de/stillg", 7, 0),
    ]


def test_what_single_norms_bear_beside_the_first_abbreviation_names_no_law() -> None:
    """One section of the AMV bears AWV by a slip: held or read anew, the law is the same."""
    known = know(("BJNR1", "de/amv", "a"))
    [held] = known.statutes.values()
    slipped = replace(
        held, abbreviation_official="AMV", abbreviations_juris=("RVO 368o", "AMV", "AWV", "BGB")
    )
    [statute], _ = plan([NEW], [], replace(known, statutes={"BJNR1": slipped}))
    assert (statute.statute_id, statute.abbreviation) == ("de/amv", "AMV")


def test_only_a_full_snapshot_without_a_law_takes_it_off_the_list() -> None:
    known = know(("BJNR1", "de/ag", "a"))
    day = date(2025, 1, 1)
    lacking = make_snapshot(day, contents=frozenset({"b"}))
    for snapshot, expected in (
        (lacking, False),
        (replace(lacking, partial=True), True),
        (make_snapshot(day, contents=frozenset({"a"})), True),  # named, but not given
        (make_snapshot(day), True),
        (make_snapshot(day, removed=frozenset({"BJNR1"})), False),
    ):
        [statute], _ = plan([snapshot], [], known)
        assert statute.listed is expected


def test_a_law_that_comes_back_is_listed_again() -> None:
    gone = make_snapshot(date(2024, 6, 1), contents=frozenset({"b"}))
    [statute], _ = plan(
        [OLD, gone, NEW],
        [make_candidate("a", "BJNR1", "AG"), make_candidate("a", "BJNR1", "AG", snapshot=2)],
    )
    assert statute.listed


def test_an_address_that_is_listed_again_is_its_law_s_unless_another_has_it() -> None:
    gone = make_snapshot(date(2024, 6, 1), contents=frozenset({"b"}))
    back = make_snapshot(date(2025, 1, 1), contents=frozenset({"a", "b"}))
    law = make_candidate("a", "BJNR1", "AG")
    [statute], _ = plan([OLD, gone, back], [law])
    assert statute.listed
    planned, _ = plan([OLD, gone, back], [law, make_candidate("a", "BJNR2", "BG", snapshot=2)])
    assert {one.abbreviation: one.listed for one in planned} == {"AG": False, "BG": True}


def make_looks(*listed: str, unread: str = "") -> list[SpooledSnapshot]:
    """Looks day after day that name only what is new; the addresses that each lists, a word each.

    At the last one ``unread`` could not be had.
    """
    looks = [
        replace(
            make_snapshot(date(2025, 1, day), contents=frozenset(slugs.split())),
            changes_only=True,
            listed_then=True,
        )
        for day, slugs in enumerate(listed, 1)
    ]
    return [*looks[:-1], replace(looks[-1], unread=frozenset(unread.split()))]


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        (make_looks("a", "b", "a"), [(0, "a"), (1, "b"), (2, "a")]),
        (make_looks("a", "b", "b", "a", "a"), [(0, "a"), (1, "b"), (3, "a")]),
        (make_looks("a", "b", "a b", "a"), [(0, "a"), (1, "b"), (3, "a")]),
        (make_looks("a", "b", ""), [(0, "a"), (1, "b")]),
        (make_looks("a", "b", "a", unread="a"), [(0, "a"), (1, "b")]),
        (make_looks("a", "a b", "a b"), [(0, "a"), (1, "b")]),
    ],
)
def test_a_law_is_followed_back_to_an_address_that_it_had_before(
    looks: list[SpooledSnapshot], expected: list[tuple[int, str]]
) -> None:
    files = [make_candidate("a", "BJNR1", "AG"), make_candidate("b", "BJNR1", "AG", snapshot=1)]
    [statute], _ = plan(looks, files)
    assert [(v.snapshot, v.file.slug) for v in statute.versions] == expected


def test_an_earlier_address_that_has_become_another_law_s_is_none_to_go_back_to() -> None:
    files = [
        make_candidate("a", "BJNR1", "AG"),
        make_candidate("b", "BJNR1", "AG", snapshot=1),
        make_candidate("a", "BJNR2", "BG", snapshot=1),
    ]
    planned, _ = plan(make_looks("a", "a b", "a"), files)
    assert {one.abbreviation: (one.listed, len(one.versions)) for one in planned} == {
        "AG": (False, 2),
        "BG": (True, 1),
    }


def test_behind_a_text_that_cannot_be_read_a_law_was_not_seen() -> None:
    days = [date(2025, 1, day) for day in (1, 2, 3, 4)]
    looks = [
        replace(make_snapshot(day, contents=frozenset({"a"})), changes_only=True) for day in days
    ]
    law = make_candidate("a", "BJNR1", "AG")
    for series, unread in (
        (looks, [(2, "a")]),
        ([*looks[:2], replace(looks[2], unusable=frozenset({"a"})), looks[3]], []),
    ):
        [statute], _ = plan(series, [law], unread=unread)
        assert statute.versions[0].last_seen == days[1]
        [mended], _ = plan(series, [law, replace(law, snapshot=3)], unread=unread)
        assert [one.last_seen for one in mended.versions] == [days[1], days[3]]
        [carried], _ = plan(series[1:], [], know(("BJNR1", "de/ag", "a")), [(1, "a")])
        assert carried.confirmed == days[1]


def test_a_law_is_new_if_the_contents_of_the_live_build_lack_it() -> None:
    law = [make_candidate("a", "BJNR1", "AG")]
    for contents, expected in ((None, False), (frozenset({"a"}), False), (frozenset({"b"}), True)):
        [statute], _ = plan([NEW], law, know(contents=contents))
        assert statute.versions[0].first_seen is expected
