"""A name means the law that had it on the day, by what its publisher says or the looks show."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Norm, NormKind, StandNote, Statute
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.bearers import find_end
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.tools.inputs.references import Missing, find_law
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

ISSUED = date(2025, 6, 2)  # promulgation of the new law, which comes later
SEEN = date(2025, 10, 1)  # the look that showed it first
CHANGE = date(2025, 9, 1)  # the day on which the name goes on to it, where that is said
DAY = timedelta(days=1)
OLD, NEW = "de/leihg-2001", "de/leihg"


def _write(day: date) -> str:
    return f"{day.day}.{day.month}.{day.year}"


def build(end: str = "", recorded: date | None = None, old_seen: date = STAND) -> Library:
    """LeihG of 2001, and of 2025, whose head may say from when its text is recorded."""
    old = replace(
        build_statute("LeihG 2001", "Leihgesetz", listed=False),
        abbreviation_official="LeihG",
        stand_notes=(StandNote("Aufh", end),) if end else (),
        stand=old_seen,
    )
    new = replace(build_statute("LeihG", "Leihgesetz"), issued_on=ISSUED, first_look=SEEN)
    contents = [
        (norm, [build_fassung(norm, f"Text von {statute.statute_id}.")])
        for statute in (old, new)
        for norm in (build_norm(statute, "§ 1"),)
    ]
    if recorded is not None:
        head = _build_head(new)
        noted = replace(
            build_fassung(head, ""), notes=(f"(+++ Textnachweis ab: {_write(recorded)} +++)",)
        )
        contents.append((head, [noted]))
    store = InventedStore([old, new], contents)
    return Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))


def _build_head(statute: Statute) -> Norm:
    head = build_norm(statute, "Vorspann")
    return replace(
        head, norm_id=f"{statute.statute_id}/vorspann", number="vorspann", kind=NormKind.OTHER
    )


def find(library: Library, on: date) -> str:
    """The law that the name means on a day, the same however it is asked for; or the status."""
    law = find_law(library, "LeihG", None, on)
    (outcome,) = resolve(library, "§ 1 LeihG", on).outcomes
    (spelt,) = resolve(library, "LeihG § 1", on).outcomes
    assert type(spelt) is type(outcome)
    if isinstance(outcome, ProvisionHit):
        assert law == outcome.statute
        return outcome.statute.statute_id
    assert isinstance(outcome, Miss)
    assert isinstance(law, Missing)
    assert law.miss.status == outcome.status
    return outcome.status


@pytest.mark.parametrize(
    ("end", "recorded"),
    [
        (f"G aufgeh. durch Art. 3 Satz 2 G v. 2.6.2025 I Nr. 9 mWv {_write(CHANGE)}", None),
        (f"Das G tritt gem. § 9 mit Ablauf d. {_write(CHANGE - DAY)} außer Kraft", None),
        ("", CHANGE),
        ("", None),
    ],
)
def test_before_the_newer_law_begins_the_name_is_that_of_the_older(
    end: str, recorded: date | None
) -> None:
    library = build(end, recorded)

    for day in (ISSUED - DAY, ISSUED, CHANGE - DAY):
        assert find(library, day) == OLD
    for day in (SEEN, TODAY):
        assert find(library, day) == NEW


def test_from_the_day_said_on_it_is_the_newer_ones_though_no_look_has_shown_it() -> None:
    library = build(recorded=CHANGE)

    assert find(library, CHANGE) == "outside_coverage"
    assert find(library, SEEN - DAY) == "outside_coverage"


def test_a_law_that_was_seen_before_it_begins_has_the_name_from_its_beginning_on() -> None:
    library = build(recorded=SEEN + 9 * DAY)

    assert find(library, SEEN) == OLD
    assert find(library, SEEN + 8 * DAY) == OLD
    assert find(library, SEEN + 9 * DAY) == NEW


def test_where_nobody_says_the_day_between_two_looks_both_are_named() -> None:
    library = build(old_seen=FLOOR + DAY)

    assert find(library, ISSUED - DAY) == OLD
    assert find(library, ISSUED) == "ambiguous"
    for written in ("§ 1 LeihG", "§ 1 Abs. 1 LeihG", "LeihG"):
        (miss,) = resolve(library, written, SEEN - DAY).outcomes
        assert isinstance(miss, Miss)
        assert miss.status == "ambiguous"
        assert miss.reason == (
            f"Whether LeihG was LeihG 2001 or LeihG on {SEEN - DAY} is not known here: LeihG 2001"
            f" was last seen at the publisher on {FLOOR + DAY}, and LeihG first on {SEEN}."
        )
        named = {(each.norm_id or "").removesuffix("/1") for each in miss.suggestions}
        assert named == {OLD, NEW}


def test_the_other_law_is_suggested_with_a_part_and_without_one() -> None:
    library = build(recorded=CHANGE)

    for written in ("§ 1 LeihG", "§ 1 Abs. 1 LeihG"):
        (miss,) = resolve(library, written, CHANGE).outcomes
        assert isinstance(miss, Miss)
        assert miss.suggestions[0].norm_id == f"{OLD}/1"


@pytest.mark.parametrize(
    "note",
    [
        "V mit Ausnahme d. § 3 Satz 2 aufgeh. durch § 4 V v. 2.6.2025 I Nr. 9 mWv 1.9.2025",
        "G aufgeh. durch Art. 10 G v. 2.6.2025 mWv 1.9.2025 mit Ausnahme des § 17 Abs. 6",
        "Organisationserlass teilweise aufgeh. durch Erlass vom 1.9.2025 mWv 2.9.2025",
        "V aufgeh. durch Art. 13 Satz 2 V v. 20.7.2025 I Nr. 199",
        "G aufgeh. durch Art. 1 G v. 2.6.2025 mWv 31.9.2025",
    ],
)
def test_a_law_of_which_a_part_stays_has_no_end(note: str) -> None:
    law = replace(build_statute("LeihG", "Leihgesetz"), stand_notes=(StandNote("Aufh", note),))

    assert find_end(law) is None
