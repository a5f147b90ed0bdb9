from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.lookup.decisions.applied import find_standing
from fundstelle.lookup.library import Library
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
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
    ("cited_id", "day", "doubts"),
    [
        ("de/musterg/4", ENACTED - DAY, ("law", "unknown")),
        ("de/musterg/4", ENACTED, ("unknown",)),
        ("de/musterg/4", FLOOR, ()),
        ("de/musterg/8", FLOOR, ("text",)),
        ("de/musterg/8", STAND, ()),
        ("de/musterg", ENACTED - DAY, ("law", "unknown")),
    ],
)
def test_a_day_tells_whether_law_and_text_were_others(
    cited_id: str, day: date, doubts: tuple[str, ...]
) -> None:
    standing = find_standing(LIBRARY, cited_id)
    assert standing is not None
    found = {
        "law": standing.is_other_law(day),
        "text": standing.is_other_text(day),
        "unknown": standing.is_unknown(day),
    }
    assert tuple(name for name, holds in found.items() if holds) == doubts


def test_what_is_gone_today_is_known_as_repealed() -> None:
    repealed = find_standing(LIBRARY, "de/musterg/3")
    removed = find_standing(LIBRARY, "de/altmg")

    assert repealed is not None
    assert removed is not None
    assert repealed.repealed
    assert removed.repealed


def test_the_last_day_of_an_older_text_is_named() -> None:
    standing = find_standing(LIBRARY, "de/musterg/8")

    assert standing is not None
    assert standing.older_day == STAND - DAY


def test_what_is_not_held_has_no_standing() -> None:
    assert find_standing(LIBRARY, "de/musterg/99") is None


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

    standing = find_standing(library, f"eu/32016R0679{part}")

    assert standing is not None
    assert standing.is_unknown(made - DAY)
    assert not standing.is_unknown(made)
