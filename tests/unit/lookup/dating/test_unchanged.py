"""A text is given for a day before the first look only where nothing speaks against it."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import Fassung, NormStatus, Statute
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.unchanged import is_unchanged
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    FLOOR,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

CHANGED = date(2013, 4, 20)
STATUTE = replace(build_statute("RuhG", "Ruhegesetz"), last_change=CHANGED)
NORM = build_norm(STATUTE, "§ 7")
BEGINS = "(+++ § 7: Inkraft gem. Art. 9 G v. 1.2.2013 mWv 1.7.2024 +++)"
FASSUNG = build_fassung(NORM, "Niemand weckt die Katze.")


@pytest.mark.parametrize(
    ("on", "statute", "fassung", "given"),
    [
        (date(2024, 1, 1), STATUTE, FASSUNG, True),
        (date(2017, 4, 20), STATUTE, FASSUNG, True),
        (date(2017, 4, 19), STATUTE, FASSUNG, False),  # it may have come into force late
        (date(2024, 1, 1), replace(STATUTE, last_change=None), FASSUNG, False),
        (date(2024, 1, 1), replace(STATUTE, last_change=date.max), FASSUNG, False),
        (date(2024, 1, 1), STATUTE, replace(FASSUNG, in_force_from=FLOOR), False),
        (date(2024, 1, 1), STATUTE, replace(FASSUNG, status=NormStatus.REPEALED), False),
        (
            date(2024, 1, 1),
            STATUTE,
            replace(FASSUNG, notes=(BEGINS,)),
            False,
        ),
        (
            date(2024, 8, 1),
            STATUTE,
            replace(FASSUNG, notes=(BEGINS,)),
            True,
        ),
    ],
)
def test_four_years_after_the_last_change_that_the_notes_name(
    on: date, statute: Statute, fassung: Fassung, *, given: bool
) -> None:
    assert is_unchanged(statute, fassung, on) is given


def build(last_change: date | None) -> Library:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    law = replace(store.statutes["de/grundmg"], last_change=last_change)
    store.statutes = {**store.statutes, law.statute_id: law}
    return library


def test_the_answer_names_what_it_rests_on() -> None:
    (hit,) = resolve(build(CHANGED), "Art. 1 GrundMG", date(2024, 1, 1)).outcomes
    assert isinstance(hit, ProvisionHit)
    (said,) = hit.warnings
    assert FLOOR.isoformat() in said
    assert CHANGED.isoformat() in said


def test_since_the_first_look_nothing_rests_on_notes() -> None:
    (hit,) = resolve(build(CHANGED), "Art. 1 GrundMG", FLOOR).outcomes
    assert isinstance(hit, ProvisionHit)
    assert not hit.warnings


@pytest.mark.parametrize(
    ("written", "last_change"), [("Art. 99 GrundMG", CHANGED), ("Art. 1 GrundMG", None)]
)
def test_nothing_is_denied_by_notes(written: str, last_change: date | None) -> None:
    (absent,) = resolve(build(last_change), written, date(2024, 1, 1)).outcomes
    assert isinstance(absent, Miss)
    assert absent.status == "outside_coverage"
