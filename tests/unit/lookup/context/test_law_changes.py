from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.law.norms import DatePrecision, Fassung, Headings, NormStatus
from fundstelle.lookup.context.law_changes import LawComparison, compare_law
from fundstelle.lookup.library import Library
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library

LAW = "de/musterg"
DAY = timedelta(days=1)


def end(fassung: Fassung) -> Fassung:
    """Seen on the first look and not on the second."""
    return replace(fassung, in_force_until=STAND, stand=FLOOR)


def begin(fassung: Fassung) -> Fassung:
    return replace(fassung, in_force_from=STAND, date_precision=DatePrecision.FIRST_SEEN)


@pytest.fixture
def library() -> Library:
    return build_changed()


def build_changed() -> Library:
    """§ 1 is new, § 2 is gone, § 4 stands in § 4a, § 8 has other words, Anlage 1 another title."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    held = store.fassungen
    (one,), (two,), (four,) = (held[f"{LAW}/{number}"] for number in ("1", "2", "4"))
    empty = replace(held[f"{LAW}/3"][0], norm_id=f"{LAW}/2", status=NormStatus.REPEALED)
    held[f"{LAW}/1"] = (begin(one),)
    held[f"{LAW}/2"] = (end(two), begin(empty))
    held[f"{LAW}/4"] = (end(four),)
    held[f"{LAW}/4a"] = (begin(replace(four, norm_id=f"{LAW}/4a")),)
    return library


def compare(library: Library, first: date = FLOOR, last: date = STAND) -> LawComparison:
    return compare_law(library, library.store.statutes[LAW], first, last)


def test_each_provision_is_what_its_two_texts_make_of_it(library: Library) -> None:
    found = {change.norm.number: change for change in compare(library).changes}

    assert {number: change.kind for number, change in found.items()} == {
        "1": "new",
        "2": "repealed",
        "4a": "renumbered",
        "8": "changed",
    }
    assert found["4a"].was is not None
    assert found["4a"].was.number == "4"
    for change in found.values():
        assert (change.days.first_seen, change.days.valid_from) == (STAND, None)
    assert found["8"].days.not_seen_before == FLOOR


def test_the_same_words_of_several_provisions_are_no_renumbering(library: Library) -> None:
    store = library.store
    assert isinstance(store, InventedStore)
    store.fassungen[f"{LAW}/7"] = (replace(store.fassungen[f"{LAW}/4a"][0], norm_id=f"{LAW}/7"),)

    kinds = {change.norm.number: change.kind for change in compare(library).changes}

    assert (kinds["4"], kinds["4a"], kinds["7"]) == ("repealed", "new", "new")


def test_what_takes_the_place_of_a_renumbered_provision_is_changed(library: Library) -> None:
    store = library.store
    assert isinstance(store, InventedStore)
    (old,) = store.fassungen[f"{LAW}/4"]
    other = begin(replace(store.fassungen[f"{LAW}/8"][0], norm_id=f"{LAW}/4", in_force_until=None))
    store.fassungen[f"{LAW}/4"] = (old, other)

    kinds = {change.norm.number: change.kind for change in compare(library).changes}

    # the words that § 8 had stand in § 4 now, and § 8 has others
    assert (kinds["4"], kinds["4a"], kinds["8"]) == ("renumbered", "renumbered", "changed")


def test_on_one_day_and_before_the_next_look_nothing_is_other(library: Library) -> None:
    assert compare(library, STAND, STAND).changes == []
    assert compare(library, FLOOR, STAND - DAY).changes == []


def test_days_between_two_looks_are_told(library: Library) -> None:
    within = FLOOR + DAY

    assert (compare(library).perhaps_before, compare(library).perhaps_more) == (0, 0)
    assert compare(library, within).perhaps_before == 4 - 2  # of two no look without them is known
    assert compare(library, FLOOR, within).perhaps_more == 3  # § 4 among them, which is gone then


def test_what_came_with_a_day_in_force_says_so(library: Library) -> None:
    store = library.store
    assert isinstance(store, InventedStore)
    before, after = store.fassungen[f"{LAW}/8"]
    store.fassungen[f"{LAW}/8"] = (before, replace(after, date_precision=DatePrecision.EXACT))

    (days,) = (change.days for change in compare(library).changes if change.norm.number == "8")

    assert (days.valid_from, days.first_seen) == (STAND, None)


@given(
    st.lists(
        st.one_of(
            st.sampled_from([date.min, FLOOR - DAY, FLOOR, FLOOR + DAY, STAND - DAY, STAND]),
            st.dates(),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_day_after_the_last_text_is_other_than_that_text(days: list[date]) -> None:
    library = build_changed()
    for first in days:
        of_the_last = [(each.norm, each.kind) for each in compare(library, first, STAND).changes]
        for last in (date.max - DAY, date.max):
            found = compare(library, first, last)
            assert [(each.norm, each.kind) for each in found.changes] == (
                of_the_last if first < STAND else []
            )
            assert found.perhaps_more == 0


@pytest.mark.parametrize("before", [None, "Anderes", "Begriffe"])
@pytest.mark.parametrize("after", [None, "Begriffe"])
def test_a_heading_that_came_went_or_became_another_is_a_change(
    library: Library, before: str | None, after: str | None
) -> None:
    store = library.store
    assert isinstance(store, InventedStore)
    place = next(at for at, norm in enumerate(store.norms) if norm.norm_id == f"{LAW}/anlage-1")
    store.norms[place] = replace(store.norms[place], title=after)
    (same,) = store.fassungen[f"{LAW}/anlage-1"]
    old = replace(end(same), headings=Headings(before))
    store.fassungen[f"{LAW}/anlage-1"] = (old, begin(same))

    kinds = {change.norm.number: change.kind for change in compare(library).changes}

    assert kinds.get("anlage-1") == (None if before == after else "changed")
