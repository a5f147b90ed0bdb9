"""From a written citation to the norms of a build."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fundstelle.citations.find import find
from fundstelle.corpus import builds
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.ingest.build import workers
from fundstelle.ingest.graph import citing, references
from fundstelle.ingest.graph.asked import READ_ANEW
from fundstelle.ingest.graph.resolving import Resolver, get_number
from fundstelle.ingest.sources.files import patience
from fundstelle.law.citations import FoundCitation, NormCitation, PathStep, write_path
from fundstelle.law.norms import NormKind
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

NUMBERS = ["1", "2", "2a", "3", "4", "229/5", "229/6", "art-7"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SqliteBuild:
    path: Path = tmp_path_factory.mktemp("references") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norms = [make_norm(number, place) for place, number in enumerate(NUMBERS)]
    norms[4] = replace(norms[4], number_end="6")
    norms.append(replace(make_norm("anlage-1", 8), kind=NormKind.ANNEX))
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "")]) for norm in norms])
    writer.index()
    writer.finish()
    return SqliteBuild(path)


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
    store: SqliteBuild, citation: NormCitation, found: list[str | None]
) -> None:
    ordinals = Resolver(store).resolve(citation)
    numbers = [None if n is None else store.get_norms_by_ordinal([n])[0].number for n in ordinals]
    assert numbers == found


def test_a_range_of_sections_below_an_artikel_ends_at_its_last(store: SqliteBuild) -> None:
    cited = replace(cite("229", "Art"), path=(PathStep("§", "5", "6"), PathStep("abs", "1")))
    units = Resolver(store).resolve_units(cited)
    held = store.get_norms_by_ordinal([unit.ordinal for unit in units if unit.ordinal])
    paths = [unit.path for unit in units]
    assert [norm.number for norm in held] == ["229/5", "229/6"]
    assert paths == ["", "abs=1"]


def test_a_law_alone_resolves_to_the_statute(store: SqliteBuild) -> None:
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


def test_what_takes_too_long_to_read_for_citations_is_kept_without_them(
    invented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a text does that a citation makes slow: the others are read as ever."""

    def find_slowly(text: str, *others: Any, **more: Any) -> list[FoundCitation]:
        while text.startswith(first_words):
            pass
        return find(text, *others, **more)

    release = builds.get_live(invented)
    assert release is not None
    database = builds.get_folder(invented, release) / builds.DATABASE
    with closing(SqliteBuild(database)) as reader:
        texts = {
            ordinal: (norm.norm_id, fassung.text)
            for ordinal, norm, fassung in reader.iter_between(0, reader.count_norms() - 1)
        }
        decision, text = next(
            (decision, text.text) for _, decision, text in reader.decisions.iter_texts(0, 0)
        )
    whole = workers.find_references(database, 0, len(texts) - 1)
    assert whole[1] == []
    slow = whole[0][0][0]
    monkeypatch.setattr(patience, "MOST_S", 0.2)
    monkeypatch.setattr(references, "find", find_slowly)
    monkeypatch.setattr(citing, "find", find_slowly)
    first_words = texts[slow][1]
    edges, endless, _ = workers.find_references(database, 0, len(texts) - 1)
    assert endless == [texts[slow][0]]
    assert edges == [edge for edge in whole[0] if edge[0] != slow]
    first_words = text
    ((found,), endless) = workers.find_citings(database, [0])
    assert endless == [decision.decision_id]
    assert ([*found.rows, *found.places], [*found.asked]) == ([], [READ_ANEW])
    workers._graph.clear()
    workers._finders.clear()


def test_of_a_reference_no_more_is_kept_than_anybody_writes(
    invented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chain of thousands is one text, and each of its members would keep it whole."""

    def find_long(text: str, *others: Any, **more: Any) -> list[FoundCitation]:
        return [replace(one, text=one.text * 1_000) for one in find(text, *others, **more)]

    monkeypatch.setattr(references, "find", find_long)
    monkeypatch.setattr(citing, "find", find_long)
    release = builds.get_live(invented)
    assert release is not None
    database = builds.get_folder(invented, release) / builds.DATABASE
    edges, *_ = workers.find_references(database, 0, 50)
    ((citings, *_), _) = workers.find_citings(database, [0])
    assert {len(edge[3]) for edge in edges} == {references.MOST_CHARS}
    assert {len(str(row[5])) for row in citings.rows} == {references.MOST_CHARS}
    workers._graph.clear()
    workers._finders.clear()
