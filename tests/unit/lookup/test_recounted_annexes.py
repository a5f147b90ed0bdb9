"""Annexes of EU acts that count in Roman, cited in Arabic: what is there is not denied."""

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


def build_act(*numbers: str) -> Library:
    act = replace(
        build_statute("Muster-RL", "Richtlinie über Muster"),
        statute_id="eu/31993L0013",
        source_type="eurlex",
    )
    norms = []
    for number in numbers:
        annex = replace(
            build_norm(act, "Anlage 1"),
            norm_id=f"eu/31993L0013/annex_{number.lower()}",
            number=f"annex_{number.lower()}",
            label=f"ANNEX {number}",
            citation=f"Anhang {number} Muster-RL",
        )
        norms.append((annex, [build_fassung(annex, "{nr 1|1. Muster}\n{nr 2|2. Proben}")]))
    store = InventedStore([act], norms)
    return Library(store, InventedIndex(store), LawNames.build([act]), sources=SOURCES)


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("Anhang 1 RL 93/13/EWG", "Anhang I Muster-RL"),
        ("Anhang 4 Nr. 2 der Richtlinie 93/13/EWG", "Anhang IV Nr. 2 Muster-RL"),
        ("Annex 2 of Directive 93/13/EEC", "Anhang II Muster-RL"),
        ("Anhang 2a RL 93/13/EWG", "Anhang IIa Muster-RL"),
    ],
)
def test_an_arabic_number_means_the_roman_one_and_says_so(written: str, citation: str) -> None:
    found = resolve(build_act("I", "II", "IIa", "III", "IV"), written, STAND)
    (hit,) = found.outcomes
    assert isinstance(hit, ProvisionHit)
    assert hit.citation == citation
    assert any("was read as" in note for note in found.normalised)


def test_a_number_beyond_the_last_is_still_denied() -> None:
    found = resolve(build_act("I", "II"), "Anhang 3 RL 93/13/EWG", STAND)
    (miss,) = found.outcomes
    assert isinstance(miss, Miss)
    assert not found.normalised


def test_letters_are_not_counted() -> None:
    """The ninth of A to I is no first one."""
    (miss,) = resolve(build_act("A", "I"), "Anhang 1 RL 93/13/EWG", STAND).outcomes
    assert isinstance(miss, Miss)


@pytest.mark.parametrize("written", ["Anhang I RL 93/13/EWG", "Anhang 1 RL 93/13/EWG"])
def test_an_annex_of_that_number_comes_before_one_without(written: str) -> None:
    library = build_act("I", "II")
    act = library.store.statutes["eu/31993L0013"]
    bare = replace(
        build_norm(act, "Anlage 1"),
        norm_id="eu/31993L0013/annex",
        number="annex",
        label="ANNEX -I",
        citation="Anhang Muster-RL",
    )
    assert isinstance(library.store, InventedStore)
    norms = [
        (norm, [build_fassung(norm, "Text")]) for norm in library.store.list_norms(act.statute_id)
    ]
    store = InventedStore([act], [*norms, (bare, [build_fassung(bare, "Gebühren")])])
    (hit,) = resolve(replace(library, store=store), written, STAND).outcomes
    assert isinstance(hit, ProvisionHit)
    assert hit.citation == "Anhang I Muster-RL"
