"""Of an act of which parts could not be read just that is said, and nothing of it is denied."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, cast

import pytest

from fundstelle.law.norms import GAPS, StandNote
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.context.law_changes import compare_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import list_notices_of_changes
from fundstelle.portal.reasons import tell, write_days
from tests.unit.lookup.invented import FLOOR, TODAY, build_library
from tests.unit.tools.calling import call

NEXT = date(2025, 9, 1)  # the day of a later, whole text
NOTE = StandNote("Sonst", f"{GAPS} vom 2024-01-01 konnten gelesen werden.")


def hold(*, complete: bool, notes: tuple[StandNote, ...] = (NOTE,)) -> Library:
    library = build_library()
    statutes = library.store.statutes
    assert isinstance(statutes, dict)
    held = statutes["de/musterg"]
    statutes["de/musterg"] = replace(held, complete=complete, stand_notes=notes)
    return library


@pytest.mark.parametrize("cited", ["§ 2 Abs. 1 Nr. 9 MusterG", "§ 99 MusterG", "Anlage 7 MusterG"])
def test_what_an_act_with_gaps_lacks_is_not_denied(cited: str) -> None:
    [outcome] = resolve(hold(complete=False), cited, TODAY).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    assert outcome.reason.endswith("is not in this corpus: parts of MusterG could not be read.")
    told = tell(outcome.reason, "de")
    assert told.text.endswith("Teile von MusterG konnten nicht gelesen werden.")


def test_what_is_held_of_an_act_with_gaps_comes_with_a_warning_of_them() -> None:
    [outcome] = resolve(hold(complete=False), "§ 2 MusterG", TODAY).outcomes
    assert isinstance(outcome, ProvisionHit)
    assert "Parts of the newest text of MusterG could not be read" in outcome.warnings[0]
    assert not any("abridged" in warning for warning in outcome.warnings)


def hold_mended() -> Library:
    return hold(complete=True, notes=(NOTE, StandNote("Stand", f"{NEXT}: ohne Rechtswirkung")))


def test_gaps_of_an_older_text_are_no_gaps_of_the_act() -> None:
    [outcome] = resolve(hold_mended(), "§ 2 MusterG", TODAY).outcomes
    assert isinstance(outcome, ProvisionHit)
    assert not any("could not be read" in warning for warning in outcome.warnings)
    [outcome] = resolve(hold_mended(), "§ 99 MusterG", NEXT).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "norm_does_not_exist"


@pytest.mark.parametrize("cited", ["§ 2 Abs. 1 Nr. 9 MusterG", "§ 99 MusterG", "Anlage 7 MusterG"])
def test_on_the_days_of_an_older_text_its_gaps_count(cited: str) -> None:
    before = NEXT - timedelta(days=1)
    [outcome] = resolve(hold_mended(), cited, before).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    [outcome] = resolve(hold_mended(), "§ 2 MusterG", before).outcomes
    assert isinstance(outcome, ProvisionHit)
    assert outcome.warnings[0].startswith("Parts of the text of MusterG for 2025-08-31 could not")


@pytest.mark.parametrize("newest", [True, False])
def test_contents_and_their_changes_say_what_a_lookup_says_of_gaps(*, newest: bool) -> None:
    library = hold(complete=False) if newest else hold_mended()
    on = TODAY if newest else NEXT - timedelta(days=1)
    [hit] = resolve(library, "MusterG", on).outcomes
    assert isinstance(hit, LawHit)
    [said] = (warning for warning in hit.warnings if "could not be read" in warning)
    english = Visit(cast("Any", None), cast("Any", None), cast("Any", None), "en")
    for other in (None, FLOOR, TODAY):
        asked = {"as_of": on, **({"compare_to": other} if other else {})}
        given = {key: day.isoformat() for key, day in asked.items()}
        answer = call(library, "legal_get_toc", law_abbreviation="MusterG", **given)
        assert said in answer["warnings"], given
        if other is None:
            continue
        first, last = sorted((on, other))
        found = compare_law(library, hit.statute, first, last)
        shown = list_notices_of_changes(english, library, hit.statute, found, (first, last))
        assert write_days(said, english.day) in [str(one.text) for one in shown]
