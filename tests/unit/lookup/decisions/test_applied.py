from datetime import date, timedelta

import pytest

from fundstelle.lookup.decisions.applied import find_standing
from tests.unit.lookup.invented import FLOOR, STAND, build_library

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
