"""What stands around a provision is given as a lookup of it would give it."""

from dataclasses import replace
from datetime import date
from typing import Any

from fundstelle.lookup.library import Library
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library
from tests.unit.tools.calling import call

BEFORE = date(2020, 1, 1)
BETWEEN = date(2026, 1, 10)


def build_older() -> Library:
    """MusterG, unchanged since 2010; a note says that § 2 came in July 2023."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    law = replace(store.statutes["de/musterg"], last_change=date(2010, 1, 1))
    store.statutes = {**store.statutes, law.statute_id: law}
    (held,) = store.fassungen["de/musterg/2"]
    noted = replace(held, notes=("(+++ § 2: IdF d. Art. 1 G v. 1.6.2023 mWv 1.7.2023 +++)",))
    store.fassungen["de/musterg/2"] = (noted,)
    return library


def find_row(rows: list[dict[str, Any]], citation: str) -> dict[str, Any]:
    (found,) = (row for row in rows if row["citation"] == citation)
    return found


def test_a_neighbour_that_the_corpus_cannot_speak_for_is_named_alone() -> None:
    library = build_older()
    asked = {"as_of": BEFORE.isoformat()}

    alone = call(library, "legal_lookup", citation="§ 2 MusterG", **asked)
    answer = call(library, "legal_get_context", norm_id="§ 1 MusterG", **asked)
    row = find_row(answer["after"], "§ 2 MusterG")

    assert alone["status"] == "outside_coverage"
    assert "content" not in row
    assert "status" not in row
    assert (
        f"The corpus cannot say what § 2 MusterG, § 3 MusterG was on {BEFORE}."
        in (answer["warnings"])
    )
    assert not any("max_chars" in warning for warning in answer["warnings"])


def test_that_a_day_is_between_two_looks_is_said_of_a_neighbour() -> None:
    library = build_library()
    asked = {"as_of": BETWEEN.isoformat()}

    alone = call(library, "legal_lookup", citation="§ 8 MusterG", **asked)
    around = call(library, "legal_get_context", norm_id="Anlage 1 MusterG", before=1, **asked)

    (gap,) = (warning for warning in alone["warnings"] if FLOOR.isoformat() in warning)
    assert STAND.isoformat() in gap
    assert find_row(around["before"], "§ 8 MusterG")["content"] == "Leim klebt kalt."
    assert f"§ 8 MusterG: {gap}" in around["warnings"]
