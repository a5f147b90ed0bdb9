"""The one annex of an EU act, which bears no number, cited by the act's name or by its number."""

from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    STAND,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

TEXT = "{nr 1|1. Muster sind\n{buchst a|a) blau,}\n{buchst b|b) rund.}}\n{nr 2|2. Proben sind rot.}"


def build_act() -> Library:
    act = replace(
        build_statute("Klausel-RL", "Richtlinie über Muster"),
        statute_id="eu/31993L0013",
        source_type="eurlex",
    )
    annex = replace(
        build_norm(act, "Anlage 1"),
        norm_id="eu/31993L0013/annex",
        number="annex",
        label="ANNEX",
        citation="Anhang Klausel-RL",
    )
    store = InventedStore([act], [(annex, [build_fassung(annex, TEXT)])])
    return Library(store, InventedIndex(store), LawNames.build([act]), sources=SOURCES)


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("Anhang der Richtlinie 93/13/EWG", "Anhang Klausel-RL"),
        ("Anhang I RL 93/13/EWG", "Anhang Klausel-RL"),
        ("Anhang Nr. 2 RL 93/13/EWG", "Anhang Nr. 2 Klausel-RL"),
        ("Anhang Nr. 1 Buchst. a RL 93/13/EWG", "Anhang Nr. 1 Buchst. a Klausel-RL"),
        ("Nr. 1 Buchst. b des Anhangs der RL 93/13/EWG", "Anhang Nr. 1 Buchst. b Klausel-RL"),
    ],
)
def test_it_is_found_and_a_number_is_a_part_of_it(written: str, citation: str) -> None:
    (found,) = resolve(build_act(), written, STAND).outcomes

    assert isinstance(found, ProvisionHit)
    assert found.citation == citation


def test_another_annex_is_still_denied() -> None:
    (found,) = resolve(build_act(), "Anhang II RL 93/13/EWG", STAND).outcomes

    assert isinstance(found, Miss)
    assert found.status == "norm_does_not_exist"
