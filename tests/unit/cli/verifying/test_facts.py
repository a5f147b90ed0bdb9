"""Which days of a text fit which fields of an answer."""

from dataclasses import replace
from typing import Any

import pytest

from fundstelle.cli.verifying.facts import list_facts, say_what
from tests.unit.cli.verifying.proving import LEAF

EXACT = replace(LEAF, precision="exact", ends=None)


def show(**provenance: Any) -> dict[str, Any]:
    return {"norm_id": LEAF.id, "citation": LEAF.citation, "provenance": provenance}


def name_wrong(unit: dict[str, Any], leaf: Any) -> list[str]:
    return [name for name, _ in list_facts(unit, leaf).wrong]


def test_a_day_in_force_is_the_first_day_where_that_is_exact() -> None:
    assert name_wrong(show(valid_from="2026-01-01"), EXACT) == []
    assert name_wrong(show(valid_from="2026-01-02"), EXACT) == ["provenance.valid_from"]
    assert say_what(EXACT) == "§ 5 MusterG, in force from 2026-01-01, as of 2026-02-01"


def test_a_day_that_the_law_itself_names_is_in_no_leaf() -> None:
    unit = show(valid_from="1999-01-01", date_basis="text")
    facts = list_facts(unit, EXACT)
    assert facts.wrong == ()
    assert {"provenance.valid_from", "provenance.date_basis"} <= set(facts.uncovered)


def test_an_act_of_the_union_may_say_its_own_day_or_that_of_the_look() -> None:
    act = replace(LEAF, look="2026-04-01")
    for day in ("2026-02-01", "2026-04-01"):
        assert name_wrong(show(version_date=day), act) == []
    assert name_wrong(show(version_date="2026-03-01"), act) == ["provenance.version_date"]


@pytest.mark.parametrize(
    "status", ["void", "partly_void", "incompatible", "partly_incompatible", "removed"]
)
def test_what_a_note_means_is_named_as_not_covered(status: str) -> None:
    facts = list_facts({**show(), "status": status}, LEAF)
    assert (facts.wrong, "status" in facts.uncovered) == ((), True)


@pytest.mark.parametrize(
    ("written", "fits"),
    [
        ("§ 5 MusterG", True),
        ("§ 5 Abs. 1 Satz 2 MusterG", True),
        ("§ 5 MusterG, Anlage", True),
        ("§ 55 MusterG", False),
        ("§ 5", False),
        ("Art. 5 MusterG", False),
        ("§ 4, § 5 MusterG", False),
    ],
)
def test_a_citation_is_that_of_the_text_or_of_a_part(written: str, fits: bool) -> None:
    assert ("citation" not in name_wrong({**show(), "citation": written}, LEAF)) is fits
