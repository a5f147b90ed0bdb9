"""Annexes that are cited with the section they belong to."""

from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

LAW = build_statute("BauMG", "Baumustergesetz")


def _annex(number: str, title: str, norm_id: str) -> Norm:
    return replace(
        build_norm(LAW, f"Anlage {number}".strip(), title),
        norm_id=f"de/baumg/{norm_id}",
        number=norm_id,
        kind=NormKind.ANNEX,
        label=f"Anlage {number}".strip(),
        citation=f"Anlage {number} BauMG".replace("  ", " "),
    )


def _build() -> Library:
    held = [
        *((build_norm(LAW, f"§ {number}"), "{abs 1|(1) Es hält.}") for number in range(1, 10)),
        (_annex("1", "(zu § 3 Abs. 1, den §§ 5 bis 7 und § 9) Nägel", "anlage-1"), "{nr 1|1. a}"),
        (_annex("2", "Schrauben", "anlage-2"), "1. lange"),
        (_annex("3", "", "anlage-3"), "(zu § 4)\n1. lange"),
        (_annex("", "(zu § 1) Hobel", "anlage"), "Hobel"),
        (_annex("", "(zu § 2) Feile", "anlage~2"), "Feile"),
    ]
    contents = [(norm, [build_fassung(norm, text)]) for norm, text in held]
    store = InventedStore([LAW], contents)
    names = LawNames.build(store.statutes.values())
    return Library(store, InventedIndex(store), names)


LIBRARY = _build()


@pytest.mark.parametrize(
    ("written", "verdict", "told"),
    [
        ("Anlage 1 BauMG", "ok", "anlage-1"),
        ("Anlage 1 zum BauMG", "ok", "anlage-1"),
        ("Anlage 1 zu § 3 BauMG", "ok", "anlage-1"),
        ("Anlage 1 zu § 3 Abs. 1 BauMG", "ok", "anlage-1"),
        ("Anlage 1 (zu § 3 Abs. 1) BauMG", "ok", "anlage-1"),
        ("Anlage 1 (zu § 3 Abs. 1 und § 9) BauMG", "ok", "anlage-1"),
        ("Anlage 1 zu § 6 des BauMG", "ok", "anlage-1"),
        ("Anlage 1 Nr. 1 zu § 9 BauMG", "ok", "anlage-1"),
        ("Anlage 1 zu § 3 Abs. 1 BauMG Nr. 1", "ok", "anlage-1"),
        ("Anl. 1 zu § 3 I BauMG, Nr. 1", "ok", "anlage-1"),
        ("Anlage 1 zu § 99 BauMG", "wrong", "§ 99 BauMG does not exist"),
        ("Anlage 1 zu § 3 Abs. 2 BauMG", "wrong", "§ 3 Abs. 2 BauMG does not exist"),
        ("Anlage 1 zu § 4 BauMG", "unclear", "no annex 'zu § 4'"),
        ("Nr. 1 der Anlage 1 zu § 4 BauMG", "unclear", "no annex 'zu § 4'"),
        ("Anlage 2 zu § 8 BauMG", "ok", "anlage-2"),  # its heading names none
        ("Anlage 2 zu § 99 BauMG", "wrong", "§ 99 BauMG does not exist"),
        ("Anlage 3 zu § 4 BauMG", "ok", "anlage-3"),  # named at the head of its text
        ("Anlage 3 zu § 3 BauMG", "unclear", "no annex 'zu § 3'"),
        ("Anlage zu § 1 BauMG", "ok", "anlage"),
        ("Anlage zu § 2 BauMG", "ok", "anlage~2"),  # of two annexes without a number that one
        ("Anlage zu § 3 BauMG", "unclear", "no annex 'zu § 3'"),
    ],
)
def test_the_section_that_an_annex_is_cited_with_is_compared(
    written: str, verdict: str, told: str
) -> None:
    resolution = resolve(LIBRARY, written, TODAY)
    found = judge(LIBRARY, resolution)

    assert found.verdict == verdict, found.why
    if verdict == "ok":
        assert found.norm_id == f"de/baumg/{told}"
    else:
        [miss] = resolution.misses
        assert told in found.why
        assert told in miss.reason


NUMBERED = build_statute("DachMG", "Dachmustergesetz")


def _build_numbered() -> Library:
    def annex(number: str, title: str) -> Norm:
        return replace(
            build_norm(NUMBERED, f"Anlage {number}", title),
            norm_id=f"de/dachmg/anlage-{number}",
            number=f"anlage-{number}",
            kind=NormKind.ANNEX,
            label=f"Anlage {number}",
            citation=f"Anlage {number} DachMG",
        )

    held = [
        *((build_norm(NUMBERED, f"§ {number}"), "{abs 1|(1) Es hält.}") for number in range(1, 9)),
        (annex("1", "(zu § 3) Ziegel"), "Ziegel"),
        (annex("2", "(zu § 4) Schiefer"), "Schiefer"),
        (annex("3", "(zu § 5) Reet"), "Reet"),
        (annex("4", "(zu § 5) Schindeln"), "Schindeln"),
    ]
    contents = [(norm, [build_fassung(norm, text)]) for norm, text in held]
    store = InventedStore([NUMBERED], contents)
    return Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Anlage zu § 4 DachMG", "de/dachmg/anlage-2"),
        ("Anlage (zu § 4) DachMG", "de/dachmg/anlage-2"),
        ("Anl. zu § 3 des DachMG", "de/dachmg/anlage-1"),
        ("Anlage zu § 5 DachMG", "norm_does_not_exist"),  # of two none is chosen
        ("Anlage zu § 8 DachMG", "norm_does_not_exist"),
        ("Anlage 2 (zu § 4) DachMG", "de/dachmg/anlage-2"),
        ("Anlage 2 (zu § 99) DachMG", "norm_does_not_exist"),
        ("Anlage zu § 99 DachMG", "norm_does_not_exist"),
    ],
)
def test_of_numbered_annexes_the_only_one_of_a_section_is_meant(written: str, told: str) -> None:
    (outcome,) = resolve(_build_numbered(), written, TODAY).outcomes

    assert isinstance(outcome, ProvisionHit | Miss)
    assert told == (outcome.norm.norm_id if isinstance(outcome, ProvisionHit) else outcome.status)


def test_of_a_range_that_goes_too_far_the_end_is_denied() -> None:
    (outcome,) = resolve(_build_numbered(), "Anlagen 3 bis 99 DachMG", TODAY).outcomes

    assert isinstance(outcome, Miss)
    assert outcome.reason.startswith("Anlage 99 DachMG does not exist")
