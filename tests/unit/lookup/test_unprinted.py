"""A number that the publisher passes over is not denied: it does not say what stood there."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

REST = build_statute("RestVerf", "Die Verfassung von gestern")  # of which some Artikel still apply
GAPPED = build_statute("LückenG", "Lückengesetz")


@pytest.fixture(scope="module")
def library() -> Library:
    labels = {REST: ("Art 109", "Art 136", "Art 141"), GAPPED: ("§ 1", "§ 2 und 3", "§ 9")}
    norms = [build_norm(law, label) for law, held in labels.items() for label in held]
    held = [(norm, [build_fassung(norm, "Das gilt.")]) for norm in norms]
    store = InventedStore([REST, GAPPED], held)
    return Library(store, InventedIndex(store), LawNames.build([REST, GAPPED]))


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ("Art. 48 RestVerf", "not_held"),
        ("Art. 110 RestVerf", "not_held"),
        ("Art. 181 RestVerf", "not_held"),
        ("Art. 136 RestVerf", "ok"),
        ("§ 5 LückenG", "not_held"),
        ("§ 5a LückenG", "wrong"),
        ("§ 10 LückenG", "wrong"),
        ("§ 9 LückenG", "ok"),
    ],
)
def test_a_number_that_is_passed_over_is_not_held(
    library: Library, written: str, verdict: str
) -> None:
    assert judge(library, resolve(library, written, TODAY)).verdict == verdict


def test_what_stands_around_is_named(library: Library) -> None:
    [miss] = resolve(library, "§ 5 LückenG", TODAY).misses

    assert [each.citation for each in miss.suggestions] == ["§ 2 und 3 LückenG", "§ 9 LückenG"]
    assert tell(miss.reason, "de").language == "de"
