from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.lookup.decisions.applied import Applied, find_standing
from fundstelle.lookup.library import Library
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
ENACTED = date(2001, 2, 3)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("cited_id", "day", "applied"),
    [
        ("de/musterg/4", ENACTED - DAY, Applied.OTHER_LAW),
        ("de/musterg/4", ENACTED, Applied.NOT_HELD),
        ("de/musterg/4", FLOOR, Applied.SAME),
        ("de/musterg/8", FLOOR - DAY, Applied.NOT_HELD),
        ("de/musterg/8", FLOOR, Applied.OLDER),
        ("de/musterg/8", STAND - DAY, Applied.BETWEEN),
        ("de/musterg/8", STAND, Applied.SAME),
        ("de/musterg/3", TODAY, Applied.NONE),
        ("de/musterg", ENACTED - DAY, Applied.OTHER_LAW),
        ("de/musterg", ENACTED, Applied.NOT_HELD),
        ("de/musterg", FLOOR, Applied.SAME),
    ],
)
def test_a_day_tells_what_is_held_for_it(cited_id: str, day: date, applied: Applied) -> None:
    standing = find_standing(LIBRARY, cited_id, TODAY)
    assert standing is not None
    assert standing.read(day) is applied


def test_what_is_gone_today_is_known_as_repealed() -> None:
    repealed = find_standing(LIBRARY, "de/musterg/3", TODAY)
    removed = find_standing(LIBRARY, "de/altmg", TODAY)

    assert repealed is not None
    assert removed is not None
    assert repealed.repealed
    assert removed.repealed


def test_that_its_words_changed_is_known_of_what_has_an_older_text() -> None:
    changed = {
        number: standing.has_changed
        for number in "48"
        if (standing := find_standing(LIBRARY, f"de/musterg/{number}", TODAY)) is not None
    }
    assert changed == {"4": False, "8": True}


def test_what_is_not_held_has_no_standing() -> None:
    assert find_standing(LIBRARY, "de/musterg/99", TODAY) is None


@pytest.mark.parametrize("part", ["/art_6", ""])
def test_the_text_of_an_act_is_known_from_its_own_day_on(part: str) -> None:
    made = date(2016, 4, 27)
    act = replace(
        build_statute("NestVO", "Nestverordnung"),
        statute_id="eu/32016R0679",
        jurisdiction="eu",
        first_look=made,
        stand=made,
    )
    norm = replace(build_norm(act, "Art 6"), norm_id="eu/32016R0679/art_6")
    store = InventedStore([act], [(norm, [replace(build_fassung(norm, "Nester."), stand=made)])])
    library = Library(store, InventedIndex(store), LIBRARY.names)

    standing = find_standing(library, f"eu/32016R0679{part}", TODAY)

    assert standing is not None
    assert standing.read(made - DAY) is Applied.NOT_HELD
    assert standing.read(made) is Applied.SAME
