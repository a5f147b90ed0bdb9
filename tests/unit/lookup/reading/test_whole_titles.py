"""The whole title of a law, though it cites provisions of another."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    STAND,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

NOTICE = build_statute("GrenzVtrBek", "Bekanntmachung über den Grenzvertrag")
PLAN = build_statute("RaumV", "Verordnung über die Ordnung des Raums")
TITLED = [
    build_statute(
        "GrenzVtr",
        "Vertrag über die Grenze (Anlage zur Bekanntmachung über den Grenzvertrag)",
    ),
    build_statute(
        "RaumPl", "Plan des Raums (Anlage 2 zu § 1 der Verordnung über die Ordnung des Raums)"
    ),
    build_statute("RaumAnlB", "Anlage B zur Verordnung über die Ordnung des Raums"),
    build_statute(
        "RaumBek",
        "Bekanntmachung nach § 1 Abs. 2 und § 3 der Verordnung über die Ordnung des Raums",
    ),
]
SHARED = [
    build_statute(name, "Anordnung über die Bestimmung der Stelle nach § 1 der RaumV")
    for name in ("RaumAnO 1", "RaumAnO 2")
]


@pytest.fixture(scope="module")
def library() -> Library:
    laws = [NOTICE, PLAN, *TITLED, *SHARED]
    section = build_norm(PLAN, "§ 1")
    store = InventedStore(laws, [(section, [build_fassung(section, "{abs 1|(1) Raum.}")])])
    return Library(store, InventedIndex(store), LawNames.build(laws), sources=SOURCES)


@pytest.mark.parametrize("number", range(len(TITLED)))
def test_a_whole_title_is_the_law_whatever_it_cites(library: Library, number: int) -> None:
    law = TITLED[number]
    for written in (law.title, f" {law.title} ", law.title.replace("(", "[").replace(")", "]")):
        [hit] = resolve(library, written, STAND).outcomes
        assert isinstance(hit, LawHit), written
        assert hit.statute is law


def test_a_title_that_several_laws_bear_is_of_none(library: Library) -> None:
    [outcome] = resolve(library, SHARED[0].title, TODAY).outcomes
    assert isinstance(outcome, Miss)


def test_what_is_cited_within_a_title_is_read_without_it(library: Library) -> None:
    [hit] = resolve(library, "§ 1 der Verordnung über die Ordnung des Raums", TODAY).outcomes
    assert isinstance(hit, ProvisionHit)
    [miss] = resolve(library, "Anlage zur Bekanntmachung über den Grenzvertrag", TODAY).outcomes
    assert isinstance(miss, Miss)
