"""The texts of two days side by side, each as a lookup of its day has it."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.lookup.library import Library
from fundstelle.portal.public.choosing import choose_text
from fundstelle.portal.times import Synopsis, compare_texts
from tests.unit.lookup.dating.test_commencement import DAY, OWN, build
from tests.unit.lookup.invented import STAND, InventedStore, build_library

BEFORE = DAY - timedelta(days=1)


@pytest.fixture
def library() -> Library:
    """GrundMG is in force from 2026 on; a look showed its texts before that."""
    library = build(OWN)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/grundmg/1"]
    store.fassungen["de/grundmg/1"] = (replace(held, in_force_from=None),)
    return library


def compare(library: Library, norm_id: str, first: date, last: date) -> Synopsis | None:
    norm = library.store.find_norm(norm_id)
    assert norm is not None
    return compare_texts(library, library.store.statutes[norm.statute_id], norm, (first, last))


def test_before_its_commencement_a_law_has_no_text(library: Library) -> None:
    found = compare(library, "de/grundmg/1", BEFORE, STAND)

    assert found is not None
    before, after = found.texts
    assert before is None
    assert after is not None
    assert found.total > 0
    norm = library.store.find_norm("de/grundmg/1")
    assert norm is not None
    law = library.store.statutes["de/grundmg"]
    assert choose_text(library, law, norm, BEFORE, STAND).fassung is None
    for on in (DAY, None):
        assert choose_text(library, law, norm, on, STAND).fassung == after


def test_what_was_in_force_before_a_look_showed_it_is_not_new_with_that_look() -> None:
    found = compare(build(OWN), "de/grundmg/1", DAY, STAND)

    assert found is not None
    assert None not in found.texts
    assert found.rows == []


def test_a_day_that_the_corpus_cannot_speak_for_is_not_compared_with() -> None:
    assert compare(build_library(), "de/musterg/4", date(1999, 1, 1), STAND) is None
