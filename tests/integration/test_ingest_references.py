"""From a written citation to the norms of a build."""

from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter
from fundstelle.ingest.graph.references import Resolver, get_number
from fundstelle.law.citations import NormCitation, PathStep, write_path
from fundstelle.law.norms import NormKind
from tests.integration.building import Heard, build
from tests.integration.laws import write_law
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

NUMBERS = ["1", "2", "2a", "3", "4", "229/5", "art-7"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SqliteCorpusStore:
    path: Path = tmp_path_factory.mktemp("references") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norms = [make_norm(number, place) for place, number in enumerate(NUMBERS)]
    norms[4] = replace(norms[4], number_end="6")
    norms.append(replace(make_norm("anlage-1", 7), kind=NormKind.ANNEX))
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "")]) for norm in norms])
    writer.index()
    writer.finish()
    return SqliteCorpusStore(path)


def cite(number: str | None, unit: str | None = "§", law: str | None = "MusterG") -> NormCitation:
    return NormCitation(law, unit, number)


@pytest.mark.parametrize(
    ("citation", "found"),
    [
        (cite("2a"), ["2a"]),
        (cite("2a", law="musterg"), ["2a"]),
        (cite("5"), ["4"]),  # §§ 4 bis 6 is one norm
        (cite("9"), [None]),
        (cite("1", law="FremdG"), [None]),
        (cite("1", law=None), [None]),
        (cite("1", "Anlage"), ["anlage-1"]),
        (cite("7", "Art"), ["art-7"]),
        (replace(cite("2"), number_end="3"), ["2", "2a", "3"]),
        (replace(cite("2"), number_end="99"), ["2", "2a", "3", "4"]),
        (replace(cite("2"), follow="f"), ["2", "2a"]),
        (replace(cite("2"), follow="ff"), ["2"]),
        (replace(cite("229", "Art"), path=(PathStep("§", "5"),)), ["229/5"]),
    ],
)
def test_citations_resolve_to_norms(
    store: SqliteCorpusStore, citation: NormCitation, found: list[str | None]
) -> None:
    ordinals = Resolver(store).resolve(citation)
    numbers = [None if n is None else store.get_norms_by_ordinal([n])[0].number for n in ordinals]
    assert numbers == found


def test_a_law_alone_resolves_to_the_statute(store: SqliteCorpusStore) -> None:
    assert Resolver(store).resolve(NormCitation("MusterG")) == [-1]


@pytest.mark.parametrize(
    ("citation", "number"),
    [
        (cite("823"), "823"),
        (cite("1", "Art"), "1"),
        (cite("2", "Anlage"), "anlage-2"),
        (cite(None, "Präambel"), "praeambel"),
        (replace(cite("229", "Art"), path=(PathStep("§", "5"), PathStep("abs", "1"))), "229/5"),
    ],
)
def test_the_number_of_a_citation_is_that_of_its_norm(citation: NormCitation, number: str) -> None:
    assert get_number(citation) == number


def test_the_path_below_the_section_leaves_the_section_out() -> None:
    path = (PathStep("§", "5"), PathStep("abs", "1"), PathStep("satz", "2", "3"))
    assert write_path(path) == "abs=1/satz=2"


def test_a_norm_with_references_without_end_keeps_the_first_and_gives_none_to_the_next(
    tmp_path: Path,
) -> None:
    sections = {f"§ {number}": "Kein Verweis." for number in range(1, 34)}
    sections["§ 32"] = "§§ 1 bis 30 und Text. " * 700
    source = tmp_path / "gii-2025-01-01"
    write_law(source / "laws", "grossg", 1, sections, name="GrossG")
    heard = Heard()
    build(tmp_path / "data", source, heard=heard)
    store = builds.open_active(tmp_path / "data")
    assert len(store.list_references_from("de/grossg/32")) == 20_000
    assert store.list_references_from("de/grossg/33") == []
    assert any("de/grossg/32 refers to more than 20,000" in note for note in heard.notes)
