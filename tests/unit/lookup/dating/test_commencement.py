"""A law that was never changed is in force since the day that its own words name."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.law.norms import StandNote
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import find_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library

DAY = date(2026, 1, 1)
OWN = "Dieses Gesetz tritt am 1. Januar 2026 in Kraft."


def build(words: str, notes: Sequence[StandNote] = ()) -> Library:
    """GrundMG, whose last provision says that; the looks that showed it first were later."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (first,) = (norm for norm in store.norms if norm.norm_id == "de/grundmg/1")
    last = replace(first, norm_id="de/grundmg/2", number="2", citation="Art. 2 GrundMG")
    held = store.fassungen[first.norm_id][0]
    later = replace(held, in_force_from=STAND)
    store.norms.append(last)
    store.fassungen[first.norm_id] = (later,)
    store.fassungen[last.norm_id] = (replace(later, norm_id=last.norm_id, text=words),)
    law = replace(store.statutes["de/grundmg"], stand_notes=tuple(notes))
    store.statutes = {**store.statutes, law.statute_id: law}
    return library


@pytest.mark.parametrize(
    "words",
    [
        OWN,
        f"(1) {OWN}\n(2) Gleichzeitig tritt das Altgesetz außer Kraft.",
        "Dieses Gesetz tritt mit Wirkung vom 1. Januar 2026 in Kraft.",
    ],
)
def test_the_words_of_the_law_date_all_its_provisions(words: str) -> None:
    library = build(words)
    hit = resolve(library, "Art. 1 GrundMG", STAND).hits[0]

    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.valid_from, days.basis) == (DAY, "text")


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (f"{OWN} Art. 1 tritt am Tag nach der Verkündung in Kraft.", ()),
        ("Dieses Gesetz tritt am Tag nach der Verkündung in Kraft.", ()),
        ("Dieses Gesetz tritt am 31. Februar 2026 in Kraft.", ()),
        ("Art. 1 tritt am 1. Januar 2026 in Kraft.", ()),
        (OWN, (StandNote("Stand", "Zuletzt geändert durch Art. 9 G v. 1.2.2026 I 3"),)),
    ],
)
def test_words_that_do_not_date_the_whole_law_date_nothing(
    words: str, notes: Sequence[StandNote]
) -> None:
    library = build(words, notes)

    assert find_commencement(library, library.store.statutes["de/grundmg"]) is None


def test_before_that_day_it_is_not_yet_in_force_and_from_then_on_it_is_answered() -> None:
    library = build(OWN)
    before = resolve(library, "Art. 1 GrundMG", date(2025, 12, 31)).outcomes[0]
    between = resolve(library, "Art. 1 GrundMG", DAY).outcomes[0]

    assert FLOOR < DAY < STAND
    assert isinstance(before, Miss)
    assert before.status == "not_yet_in_force"
    assert isinstance(between, ProvisionHit)


def test_a_text_that_ended_is_not_answered_for_the_days_after_it() -> None:
    library = build(OWN)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/grundmg/1"]
    end = date(2026, 6, 1)
    store.fassungen["de/grundmg/1"] = (replace(held, in_force_until=end),)

    (last,) = resolve(library, "Art. 1 GrundMG", end - timedelta(days=1)).outcomes
    (after,) = resolve(library, "Art. 1 GrundMG", end).outcomes

    assert isinstance(last, ProvisionHit)
    assert isinstance(after, Miss)
    assert after.status == "repealed"
