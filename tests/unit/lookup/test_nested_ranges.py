"""Ranges of sections below an Artikel: every one of them is given, and each end is judged."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Fassung, Norm
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LABELS = ("Art 1", "Art 2", "Art 2/1", "Art 2/2", "Art 2/3", "Art 2/4", "Art 3")


@pytest.fixture
def library() -> Library:
    """Of an EinführMG with sections below its second Artikel."""
    statute = build_statute("EinführMG", "Einführungsmustergesetz")
    contents: list[tuple[Norm, Sequence[Fassung]]] = []
    for label in LABELS:
        norm = build_norm(statute, label)
        contents.append((norm, [build_fassung(norm, "{abs 1|(1) Leim ist zäh.}")]))
    store = InventedStore([statute], contents)
    return replace(build_library(), store=store, names=LawNames.build(store.statutes.values()))


def ask(library: Library, written: str) -> list[str]:
    outcomes = resolve(library, written, TODAY).outcomes
    return [
        one.norm.number if isinstance(one, ProvisionHit) else type(one).__name__ for one in outcomes
    ]


def test_a_range_gives_each_of_its_sections(library: Library) -> None:
    assert ask(library, "Art. 2 §§ 2 bis 4 EinführMG") == ["2/2", "2/3", "2/4"]
    assert ask(library, "Art. 2 § 1 und § 3 EinführMG") == ["2/1", "2/3"]
    assert ask(library, "Art. 2 § 1 f. EinführMG") == ["2/1", "2/2"]


def test_an_end_that_is_not_there_is_said(library: Library) -> None:
    [*held, missing] = resolve(library, "Art. 2 §§ 3 bis 9 EinführMG", TODAY).outcomes
    assert [one.norm.number for one in held if isinstance(one, ProvisionHit)] == ["2/3", "2/4"]
    assert isinstance(missing, Miss)
    assert "Art. 2 § 9 EinführMG" in missing.reason
