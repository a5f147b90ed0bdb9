"""The page of a norm shows the text of today where no day is named, under its own status."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.law.norms import DatePrecision, Fassung, NormStatus, Statute
from fundstelle.lookup.dating.on_day import find_text
from fundstelle.lookup.library import Library
from fundstelle.portal.public.choosing import Choice, choose_text
from fundstelle.portal.times import find_to_come, is_of_other_texts
from tests.unit.lookup.dating.test_commencement import DAY, OWN, build
from tests.unit.lookup.invented import STAND, InventedStore, build_library

NORM = "de/grundmg/1"
COMES = STAND + timedelta(days=60)
ONE_DAY = timedelta(days=1)


def hold(*texts: tuple[str, date | None, date | None, NormStatus]) -> Library:
    """Art. 1 GrundMG with these texts: words, first day, day behind the last, status."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen[NORM]
    store.fassungen[NORM] = tuple(
        replace(
            held,
            text=words,
            in_force_from=first,
            in_force_until=until,
            status=status,
            date_precision=DatePrecision.EXACT if first else held.date_precision,
        )
        for words, first, until, status in texts
    )
    status = texts[-1][3]
    store.norms = [replace(n, status=status) if n.norm_id == NORM else n for n in store.norms]
    return library


def choose(library: Library, on: date | None = None, today: date = STAND) -> Choice:
    norm = library.store.find_norm(NORM)
    assert norm is not None
    return choose_text(library, find_law(library), norm, on, today)


def find_law(library: Library) -> Statute:
    return library.store.statutes["de/grundmg"]


def read(fassung: Fassung | None) -> str:
    return fassung.text if fassung is not None else ""


TO_COME = (
    ("heute", None, COMES, NormStatus.IN_FORCE),
    ("künftig", COMES, None, NormStatus.REPEALED),
)


def test_a_text_to_come_is_not_shown_as_that_of_today() -> None:
    library = hold(*TO_COME)
    found = choose(library)
    assert (read(found.fassung), found.status) == ("heute", NormStatus.IN_FORCE)
    assert (found.is_older, found.is_newest, found.to_come) == (False, False, COMES)

    on_its_day = choose(library, COMES)
    assert (read(on_its_day.fassung), on_its_day.status) == ("künftig", NormStatus.REPEALED)
    assert (on_its_day.is_older, on_its_day.is_newest, on_its_day.to_come) == (False, True, None)

    then = choose(library, today=COMES)
    assert (read(then.fassung), then.to_come) == ("künftig", None)
    before = choose(library, COMES - ONE_DAY, COMES)
    assert (read(before.fassung), before.is_older) == ("heute", True)


@pytest.mark.parametrize("days", range(-2, 3))
def test_without_a_day_the_page_is_that_of_today(days: int) -> None:
    library = hold(*TO_COME)
    today = COMES + days * ONE_DAY
    assert choose(library, today=today) == choose(library, today, today)
    held = find_text(library, find_law(library), NORM, today).fassung
    assert choose(library, today=today).fassung == held


def test_a_norm_that_is_to_come_is_shown_as_not_yet_in_force() -> None:
    library = hold(("künftig", COMES, None, NormStatus.IN_FORCE))
    found = choose(library)
    assert (read(found.fassung), found.status) == ("künftig", NormStatus.FUTURE)
    assert (found.is_older, found.to_come) == (False, None)
    assert choose(library, STAND).fassung is None
    assert choose(library, STAND).status is NormStatus.FUTURE


def test_before_its_commencement_a_law_is_shown_as_not_yet_in_force() -> None:
    library = build(OWN)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen[NORM]
    store.fassungen[NORM] = (replace(held, in_force_from=None),)
    found = choose(library, today=DAY - ONE_DAY)
    assert (found.fassung, found.status) == (store.fassungen[NORM][0], NormStatus.FUTURE)
    assert choose(library, today=DAY).status is NormStatus.IN_FORCE


def test_before_the_entry_into_force_of_its_act_a_norm_is_not_yet_in_force() -> None:
    library = hold(("künftig", COMES, None, NormStatus.IN_FORCE))
    act = replace(find_law(library), in_force_from=COMES, date_precision=DatePrecision.TEXT)
    library.store.statutes = {**library.store.statutes, act.statute_id: act}  # type: ignore[misc]
    found = choose(library)
    assert (read(found.fassung), found.status) == ("künftig", NormStatus.FUTURE)


def test_what_has_ended_is_shown_as_repealed_with_what_is_to_come() -> None:
    ended = STAND - ONE_DAY
    library = hold(
        ("früher", None, ended, NormStatus.IN_FORCE), ("künftig", COMES, None, NormStatus.IN_FORCE)
    )
    found = choose(library)
    assert (read(found.fassung), found.status) == ("früher", NormStatus.REPEALED)
    assert found.to_come == COMES


def test_the_contents_of_a_law_are_those_of_today_while_texts_are_to_come() -> None:
    library = hold(*TO_COME)
    law = find_law(library)
    assert find_to_come(library, law, STAND) == COMES
    assert is_of_other_texts(library, law, COMES - ONE_DAY)
    assert find_to_come(library, law, COMES) is None
    assert not is_of_other_texts(library, law, COMES)
    assert not is_of_other_texts(library, law, date.max)
