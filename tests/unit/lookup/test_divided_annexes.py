"""Annexes that are held under more than their number are not denied by that number alone."""

from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
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

LAW = build_statute("TeilMG", "Gesetz mit geteilten Anlagen")
LABELS = (
    *("Anlage I Kap I A I", "Anlage I Kap I A II", "Anlage I Kap II", "Anlage II Kap I"),
    *("Anlage 3 Teil 1", "Anlage 3 Teil 2", "Anlage 4a", "Anlage 4b", "Anlage 5a", "Anlage 6.1"),
    *("Anlage 7 zum Anhang", "Anlage 8", "Anhang 8 zu Anlage 1", "Anhang 8 zu Anlage 2"),
    *("Anlage 9 Teil 1", "Anlagen 10 bis 12i, 14 und 15", "Anlage XXA", "Anlage XXB"),
)


def _annex(label: str) -> Norm:
    number = label.casefold().replace(" ", "-").replace(",", "")
    return replace(
        build_norm(LAW, "Anlage 1"),
        norm_id=f"{LAW.statute_id}/{number}",
        number=number,
        kind=NormKind.ANNEX,
        label=label,
        citation=f"{label} {LAW.abbreviation}",
    )


def _build() -> Library:
    held = [(build_norm(LAW, "§ 1"), "Holz."), *((_annex(each), "Leim.") for each in LABELS)]
    store = InventedStore([LAW], [(norm, [build_fassung(norm, text)]) for norm, text in held])
    return Library(store, InventedIndex(store), LawNames.build([LAW]))


LIBRARY = _build()


def ask(written: str) -> Outcome:
    [outcome] = resolve(LIBRARY, written, STAND).outcomes
    return outcome


@pytest.mark.parametrize(
    ("written", "first", "count"),
    [
        ("Anlage I TeilMG", "Anlage I Kap I A I TeilMG", 3),
        ("Anlage 2 TeilMG", "Anlage II Kap I TeilMG", 1),
        ("Anlage I Kapitel I Sachgebiet A TeilMG", "Anlage I Kap I A I TeilMG", 2),
        ("Anlage 3 TeilMG", "Anlage 3 Teil 1 TeilMG", 2),
        ("Anlage 3 Nr. 1 TeilMG", "Anlage 3 Teil 1 TeilMG", 2),
        ("Anlage 4 TeilMG", "Anlage 4a TeilMG", 2),
        ("Anlage 6 TeilMG", "Anlage 6.1 TeilMG", 1),
        ("Anlage 9 TeilMG", "Anlage 9 Teil 1 TeilMG", 1),
        ("Anlage XX TeilMG", "Anlage XXA TeilMG", 2),
        ("Anlage 12 TeilMG", "Anlagen 10 bis 12i, 14 und 15 TeilMG", 1),
        ("Anlage 14 TeilMG", "Anlagen 10 bis 12i, 14 und 15 TeilMG", 1),
        ("Anhang 8 TeilMG", "Anlage 8 TeilMG", 3),
    ],
)
def test_what_can_be_meant_is_suggested(written: str, first: str, count: int) -> None:
    miss = ask(written)
    assert isinstance(miss, Miss)
    assert miss.status == "ambiguous"
    assert miss.suggestions[0].citation == first
    assert len(miss.suggestions) == count


@pytest.mark.parametrize(
    "written", ["Anlage 5 TeilMG", "Anlage 13 TeilMG", "Anlage 4c TeilMG", "Anlage V TeilMG"]
)
def test_what_nothing_goes_by_is_denied(written: str) -> None:
    miss = ask(written)
    assert isinstance(miss, Miss)
    assert miss.status == "norm_does_not_exist"


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("Anlage 7 TeilMG", "Anlage 7 zum Anhang TeilMG"),
        ("Anlage 8 TeilMG", "Anlage 8 TeilMG"),
        ("Anhang 8 zu Anlage 2 TeilMG", "Anhang 8 zu Anlage 2 TeilMG"),
        ("Anlage 3 Teil 2 TeilMG", "Anlage 3 Teil 2 TeilMG"),
        ("Anlage I Kapitel I Sachgebiet A Abschnitt II TeilMG", "Anlage I Kap I A II TeilMG"),
    ],
)
def test_what_is_called_so_or_says_only_what_it_belongs_to_is_found(
    written: str, citation: str
) -> None:
    hit = ask(written)
    assert isinstance(hit, ProvisionHit)
    assert hit.citation == citation
