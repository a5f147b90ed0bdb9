from datetime import date
from typing import Any

import pytest

from fundstelle.law.norms import StandNote
from fundstelle.tools.answers.laws import find_last_change
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
        ({"jurisdiction": "eu"}, []),
        ({"source_type": "gii", "limit": 1, "offset": 1}, ["HonigV 99"]),
        ({"offset": 99}, []),
    ],
)
def test_filters_name_and_order_the_laws(arguments: dict[str, Any], names: list[str]) -> None:
    assert list_names(**arguments) == names


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
