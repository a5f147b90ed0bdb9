"""Whoever compares texts that two programs read is told so, on every way to compare them."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, cast

import pytest

from fundstelle.law.norms import READ_ANEW, StandNote
from fundstelle.lookup.context.law_changes import compare_law
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import list_notices_of_changes, list_notices_of_texts
from fundstelle.portal.reasons import write_days
from fundstelle.portal.times import compare_texts
from tests.unit.lookup.invented import FLOOR, TODAY, InventedStore, build_library
from tests.unit.tools.calling import call

LAW, NORM = "de/musterg", "de/musterg/8"
DAY = timedelta(days=1)
ANEW = FLOOR + 30 * DAY


@pytest.fixture(scope="module")
def library() -> Library:
    library = build_library()
    store = cast("InventedStore", library.store)
    note = StandNote("Sonst", f"{READ_ANEW}{ANEW}: die Texte davor las eine andere Version.")
    store.statutes = {**store.statutes, LAW: replace(store.statutes[LAW], stand_notes=(note,))}
    return library


def list_told(warnings: list[str]) -> list[str]:
    return [one for one in warnings if "another version of Fundstelle" in one]


@pytest.mark.parametrize(
    ("first", "last", "is_told"),
    [
        (FLOOR, TODAY, True),
        (ANEW - DAY, ANEW, True),
        (FLOOR, ANEW - DAY, False),
        (ANEW, TODAY, False),
    ],
)
def test_texts_on_both_sides_of_the_day_are_told_apart(
    library: Library, first: date, last: date, *, is_told: bool
) -> None:
    statute = library.store.statutes[LAW]
    visits = {
        language: Visit(cast("Any", None), cast("Any", None), cast("Any", None), language)
        for language in ("en", "de")
    }
    for on, other in ((first, last), (last, first)):
        days = {"as_of": on.isoformat(), "compare_to": other.isoformat()}
        diff = call(library, "legal_get_context", norm_id=NORM, include=["parents"], **days)
        contents = call(library, "legal_get_toc", law_abbreviation=LAW, **days)
        told = [list_told(answer["warnings"]) for answer in (diff, contents)]
        assert [len(one) for one in told] == [is_told, is_told]
    norm = next(one for one in library.store.list_norms(LAW) if one.norm_id == NORM)
    both = compare_texts(library, statute, norm, (first, last))
    assert both is not None
    found = compare_law(library, statute, first, last)
    for language, visit in visits.items():
        for notices in (
            list_notices_of_changes(visit, library, statute, found, (first, last)),
            list_notices_of_texts(visit, library, norm, (first, last), both.texts),
        ):
            shown = [
                str(one.text)
                for one in notices
                if "Version" in one.text or "version of" in one.text
            ]
            assert len(shown) == is_told
            if is_told and language == "en":
                assert shown == [write_days(told[0][0], visit.day)]


def test_versions_are_told_apart_and_one_text_is_not(library: Library) -> None:
    for include, count in ((["versions"], 1), (["parents"], 0)):
        answer = call(library, "legal_get_context", norm_id=NORM, include=include)
        assert len(list_told(answer["warnings"])) == count
    answer = call(library, "legal_lookup", citation=NORM, as_of=FLOOR.isoformat())
    assert list_told(answer["warnings"]) == []
