from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from fundstelle.errors import InvalidArgument
from fundstelle.law.norms import DatePrecision, StandNote
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.laws import find_last_change
from tests.unit.lookup import invented
from tests.unit.lookup.invented import STAND
from tests.unit.tools.calling import call
from tests.unit.tools.fakes import build_library, build_statute

LIBRARY = build_library()


def list_names(**arguments: Any) -> list[str]:
    laws = call(LIBRARY, "legal_list_laws", **arguments)["laws"]
    return [law["abbreviation"] for law in laws]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({}, ["AltWzG", "HonigV 99", "WzLeihG"]),
        ({"search": "honig"}, ["HonigV 99"]),
        ({"search": "werkzeug"}, ["WzLeihG", "AltWzG"]),
        ({"search": "wzleihg"}, ["WzLeihG"]),
        ({"search": "Gesetz Leih"}, ["WzLeihG"]),
        ({"search": "Zahnrad"}, []),
        ({"changed_since": "2024-04-03"}, ["WzLeihG"]),
        ({"changed_since": "2024-04-04"}, []),
        ({"changed_until": "2024-04-03"}, ["WzLeihG", "AltWzG", "HonigV 99"]),
        ({"changed_until": "2024-04-02"}, ["AltWzG", "HonigV 99"]),
        ({"changed_since": "2024-04-03", "changed_until": "2024-04-03"}, ["WzLeihG"]),
        ({"jurisdiction": "eu"}, []),
        ({"source_type": "gii", "limit": 1, "offset": 1}, ["HonigV 99"]),
        ({"offset": 99}, []),
    ],
)
def test_filters_name_and_order_the_laws(arguments: dict[str, Any], names: list[str]) -> None:
    assert list_names(**arguments) == names


@pytest.mark.parametrize("narrowed", [{}, {"search": "Zahnrad"}, {"jurisdiction": "eu"}])
def test_a_period_that_ends_before_it_begins_is_refused(narrowed: dict[str, str]) -> None:
    period = {"changed_since": "2024-04-04", "changed_until": "2024-04-03"}

    with pytest.raises(InvalidArgument, match="must not be after") as refused:
        call(LIBRARY, "legal_list_laws", **period, **narrowed)

    assert refused.value.field == "changed_since"


def test_a_page_says_where_the_next_begins() -> None:
    first = call(LIBRARY, "legal_list_laws", limit=2)

    assert (first["count"], first["total"], first["has_more"]) == (2, 3, True)
    assert first["next_offset"] == 2
    assert not call(LIBRARY, "legal_list_laws", limit=2, offset=2)["has_more"]


def test_a_row_carries_stand_and_last_change() -> None:
    (law,) = call(LIBRARY, "legal_list_laws", search="WzLeihG")["laws"]

    assert law["norm_id"] == "de/wzleihg"
    assert law["version_date"] == "2025-03-31"
    assert law["last_change"] == {"date": "2024-04-03", "kind": "amended"}
    assert law["status"] == "in_force"


def test_a_law_that_has_left_the_table_of_contents_says_so() -> None:
    (law,) = call(LIBRARY, "legal_list_laws", search="AltWzG")["laws"]

    assert law["status"] == "removed"


@pytest.mark.parametrize(
    ("kind", "text", "day", "change"),
    [
        ("Stand", "Zuletzt geändert durch Art. 8 G v. 20.7.2022 I 1174", "2022-07-20", "amended"),
        ("Neuf", "Neugefasst durch Bek. v. 30.6.2015 I 1095", "2015-06-30", "republished"),
        ("Hinweis", "Änderung durch Art. 1 G v. 5.12.2024 I Nr. 400", "2024-12-05", "amended"),
        ("Aufh", "V aufgeh. durch Art. 14 G v. 28.2.2025 I Nr. 69", "1998-05-04", "issued"),
        ("Stand", "Geändert durch Art. 2 V v. 31.2.2020 I 5", "1998-05-04", "issued"),
    ],
)
def test_the_last_change_is_read_from_the_stand_notes(
    kind: str, text: str, day: str, change: str
) -> None:
    found = find_last_change(build_statute("X", "X", [StandNote(kind, text)]))

    assert found is not None
    assert (found.day, found.kind) == (date.fromisoformat(day), change)


def build_changed() -> Library:
    """§ 8 MusterG was another text, and GrundMG not there, on the first look."""
    library = invented.build_library()
    store = library.store
    assert isinstance(store, invented.InventedStore)
    (held,) = store.fassungen["de/grundmg/1"]
    begun = replace(held, in_force_from=STAND, date_precision=DatePrecision.FIRST_SEEN)
    store.fassungen["de/grundmg/1"] = (begun,)
    new = replace(store.statutes["de/grundmg"], first_look=STAND)
    store.statutes = {**store.statutes, "de/grundmg": new}
    return library


def list_changed(library: Library, **arguments: Any) -> dict[str, dict[str, Any]]:
    laws = call(library, "legal_list_laws", **arguments)["laws"]
    return {law["abbreviation"]: law["changed"] for law in laws}


@pytest.mark.parametrize(
    "period",
    [
        {"changed_since": "2026-04-29"},
        {"changed_since": "2025-04-01", "changed_until": "2026-04-29"},
    ],
)
def test_what_was_seen_in_a_period_is_named_by_its_numbers(period: dict[str, str]) -> None:
    assert list_changed(build_changed(), **period) == {
        "MusterG": {"seen": "2026-04-29", "sections": ["8"]},
        "GrundMG": {"seen": "2026-04-29", "is_new": True},
    }


def test_outside_the_period_nothing_was_seen() -> None:
    asked = {"changed_since": "2025-04-01", "changed_until": "2026-04-28"}
    assert list_changed(build_changed(), **asked) == {}


def test_the_newest_change_comes_first_whether_seen_or_made() -> None:
    library = build_changed()
    store = library.store
    assert isinstance(store, invented.InventedStore)
    made = replace(store.statutes["de/altmg"], issued_on=date(2026, 4, 30))
    store.statutes = {**store.statutes, "de/altmg": made}

    laws = call(library, "legal_list_laws", changed_since="2001-02-03")["laws"]

    newest = ["AltMG", "GrundMG", "MusterG", "SGB IV", "SGB V"]
    assert [law["abbreviation"] for law in laws] == newest


def test_what_changed_in_the_first_law_is_the_next_call() -> None:
    answer = call(build_changed(), "legal_list_laws", changed_since="2025-04-02", offset=1)

    assert answer["hint"] == {
        "tool": "legal_get_toc",
        "arguments": {"law_abbreviation": "de/musterg", "compare_to": "2025-04-01"},
    }


@pytest.mark.parametrize(("most", "answered"), [("concise", 12), ("detailed", 100)])
def test_of_many_provisions_the_first_are_named_and_all_counted(most: str, answered: int) -> None:
    library = invented.build_library()
    store = library.store
    assert isinstance(store, invented.InventedStore)
    law = store.statutes["de/musterg"]
    for number in range(100, 220):
        norm = invented.build_norm(law, f"§ {number}")
        begun = replace(
            invented.build_fassung(norm, "Neu."),
            in_force_from=STAND,
            date_precision=DatePrecision.FIRST_SEEN,
        )
        store.norms.append(norm)
        store.fassungen[norm.norm_id] = (begun,)

    asked = {"changed_since": "2026-01-01", "response_format": most}
    changed = list_changed(library, **asked)["MusterG"]

    assert (len(changed["sections"]), changed["count"]) == (answered, 121)


@pytest.mark.parametrize(
    ("since", "until", "warned"),
    [("2025-04-01", "2026-04-29", 0), ("2025-03-31", None, 1), ("2026-01-01", "2026-04-30", 1)],
)
def test_a_period_that_was_not_looked_at_as_a_whole_is_warned_of(
    since: str, until: str | None, warned: int
) -> None:
    asked = {"changed_since": since} | ({"changed_until": until} if until else {})
    assert len(call(build_changed(), "legal_list_laws", **asked)["warnings"]) == warned


@pytest.mark.parametrize("until", ["9999-12-30", "9999-12-31"])
def test_the_comparison_of_a_period_ends_with_it(until: str) -> None:
    asked = {"changed_since": "2025-04-01", "changed_until": until, "offset": 1}
    answer = call(build_changed(), "legal_list_laws", **asked)
    assert answer["hint"]["arguments"]["as_of"] == until
