"""Of two days that are compared, each is read as a lookup of it would be."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup.library import Library
from tests.unit.lookup.dating.test_application import ENTRY
from tests.unit.lookup.dating.test_application import build as build_act
from tests.unit.lookup.dating.test_commencement import DAY, OWN, build
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library
from tests.unit.tools.calling import call

BEFORE = DAY - timedelta(days=1)
DURING = date(2026, 1, 10)


def build_commenced() -> Library:
    """GrundMG is in force from 2026 on; a look showed its texts before that."""
    library = build(OWN)
    store = library.store
    assert isinstance(store, InventedStore)
    for number in "12":
        (held,) = store.fassungen[f"de/grundmg/{number}"]
        store.fassungen[f"de/grundmg/{number}"] = (replace(held, in_force_from=None),)
    return library


def compare(library: Library, norm_id: str, as_of: date, other: date) -> dict[str, Any]:
    days = {"as_of": as_of.isoformat(), "compare_to": other.isoformat()}
    return call(library, "legal_get_context", norm_id=norm_id, include=["versions"], **days)


def test_before_its_commencement_a_law_has_no_text_to_compare_with() -> None:
    answer = compare(build_commenced(), "de/grundmg/1", STAND, BEFORE)

    assert [change["kind"] for change in answer["diff"]["changes"]] == ["added"]
    said = f"compare_to: Art. 1 GrundMG is not yet in force on {BEFORE}; it begins on {DAY}."
    assert said in answer["warnings"]


def test_before_its_entry_into_force_an_act_has_none_either() -> None:
    library = build_act(DatePrecision.TEXT)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/musterg/4"]
    store.fassungen["de/musterg/4"] = (replace(held, in_force_from=None),)

    answer = compare(library, "de/musterg/4", STAND, ENTRY - timedelta(days=1))

    assert {change["kind"] for change in answer["diff"]["changes"]} == {"added"}
    assert any("is not yet in force on" in warning for warning in answer["warnings"])


def test_that_a_text_may_have_been_there_before_it_was_seen_is_said() -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/musterg/4"]
    seen = replace(held, in_force_from=STAND, date_precision=DatePrecision.FIRST_SEEN)
    store.fassungen["de/musterg/4"] = (seen,)

    answer = compare(library, "de/musterg/4", STAND, DURING)

    assert {change["kind"] for change in answer["diff"]["changes"]} == {"added"}
    (said,) = (warning for warning in answer["warnings"] if warning.startswith("compare_to: "))
    assert f"was first seen at its publisher on {STAND}" in said
    assert f"whether it was in force on {DURING} is not known here" in said


def list_statuses(library: Library, law: str, on: date) -> dict[str, str]:
    answer = call(library, "legal_get_toc", law_abbreviation=law, as_of=on.isoformat())
    return {row["norm_id"]: row.get("status", "in_force") for row in answer["toc"]}


def test_contents_say_that_a_law_is_not_yet_in_force() -> None:
    library = build_commenced()

    assert set(list_statuses(library, "de/grundmg", BEFORE).values()) == {"not_yet_in_force"}
    assert set(list_statuses(library, "de/grundmg", DAY).values()) == {"in_force"}


def test_contents_say_what_is_in_force_though_a_look_showed_it_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = build(OWN)
    unseen = [
        replace(norm, status=NormStatus.NOT_SEEN) for norm in library.store.list_norms("de/grundmg")
    ]
    monkeypatch.setattr(library.store, "list_norms_on", lambda _law, _on: unseen)

    assert set(list_statuses(library, "de/grundmg", DAY).values()) == {"in_force"}


def test_contents_of_an_act_are_not_in_force_before_its_entry() -> None:
    library = build_act(DatePrecision.TEXT)
    before = ENTRY - timedelta(days=1)

    assert set(list_statuses(library, "de/musterg", before).values()) == {"not_yet_in_force"}


@pytest.mark.parametrize(("on", "status"), [(BEFORE, "not_yet_in_force"), (DAY, "in_force")])
def test_hits_of_a_search_say_so_too(on: date, status: str) -> None:
    answer = call(build_commenced(), "legal_search", query="unantastbar", as_of=on.isoformat())

    (row,) = answer["hits"]
    assert row["norm_id"] == "de/grundmg/1"
    assert row.get("status", "in_force") == status


def test_a_hit_of_a_law_that_was_first_looked_at_later_is_said_to_be_that() -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    law = replace(store.statutes["de/grundmg"], first_look=STAND)
    store.statutes = {**store.statutes, law.statute_id: law}

    def search(on: date) -> list[str]:
        asked = {"query": "unantastbar", "as_of": on.isoformat()}
        warnings: list[str] = call(library, "legal_search", **asked)["warnings"]
        return [one for one in warnings if "cannot say what Art. 1 GrundMG was on" in one]

    assert len(search(STAND - timedelta(days=1))) == 1
    assert search(STAND) == []


def test_what_changed_in_a_law_begins_with_its_commencement() -> None:
    days = {"as_of": STAND.isoformat(), "compare_to": BEFORE.isoformat()}
    answer = call(build_commenced(), "legal_get_toc", law_abbreviation="de/grundmg", **days)

    assert answer["changes"] == {"new": 2}
    assert {row["valid_from"] for row in answer["toc"]} == {DAY.isoformat()}


def test_what_changed_in_an_act_begins_with_its_entry_into_force() -> None:
    library = build_act(DatePrecision.TEXT)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/musterg/4"]
    store.fassungen["de/musterg/4"] = (replace(held, in_force_from=None),)
    days = {"as_of": ENTRY.isoformat(), "compare_to": (ENTRY - timedelta(days=1)).isoformat()}
    answer = call(library, "legal_get_toc", law_abbreviation="de/musterg", **days)

    assert "de/musterg/4" in {row["norm_id"] for row in answer["toc"] if row["change"] == "new"}


def test_what_ended_is_repealed_and_not_new_on_the_day_of_commencement() -> None:
    library = build_commenced()
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/grundmg/1"]
    store.fassungen["de/grundmg/1"] = (replace(held, in_force_until=STAND),)
    days = {"as_of": STAND.isoformat(), "compare_to": DAY.isoformat()}
    answer = call(library, "legal_get_toc", law_abbreviation="de/grundmg", **days)

    (row,) = answer["toc"]
    assert row["change"] == "repealed"
    assert "valid_from" not in row


@pytest.mark.parametrize("as_of", [FLOOR, STAND])
def test_a_day_compared_with_itself_has_no_difference(as_of: date) -> None:
    answer = compare(build_library(), "de/musterg/4", as_of, as_of)

    assert answer["diff"]["changes"] == []
    assert answer["warnings"] == []
