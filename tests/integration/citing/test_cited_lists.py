"""A list is read with the index alike by who looks it up and by the graph of citations."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.norms import NormKind
from tests.unit.corpus.values import STATUTE, make_norm
from tests.unit.lookup.invented import build_fassung

NUMBERS = ["5", "5a", "5b", "5f", "5g", "6", "7", "8", "9"]
ACT = "eu/32029L0013"
TWO = "{abs 1|(1) Ein Hammer ist frei.}\n{abs 2|(2) Eine Säge auch.}"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteBuild]:
    path: Path = tmp_path_factory.mktemp("lists") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norms = [make_norm(number, place) for place, number in enumerate(NUMBERS)]
    writer.add_statute(STATUTE, [(norm, [build_fassung(norm, TWO)]) for norm in norms])
    act = replace(
        STATUTE, statute_id=ACT, slug="32029L0013", jurisdiction="eu", source_type="eurlex"
    )
    texts = {"1": TWO, "2": "{uabs 1|Ein Hammer ist frei.}\n{uabs 2|Eine Säge auch.}"}
    articles = [
        replace(make_norm(number, place, ACT), norm_id=f"{ACT}/art_{number}", kind=NormKind.ARTICLE)
        for place, number in enumerate(texts)
    ]
    held = [(one, [build_fassung(one, texts[one.number])]) for one in articles]
    writer.add_statute(act, held)
    writer.index()
    writer.commit()
    store = SqliteBuild(path, immutable=False)
    yield store
    store.close()
    writer.finish()


def read(build: SqliteBuild, text: str, law: str | None = None) -> list[str]:
    """The sections that the graph gets from a text, with the part below them."""
    resolver = Resolver(build)
    names = LawNames.build(build.statutes.values())
    ids = dict(build.iter_ids())
    units = []
    for found in find(text, names, law):
        for target in found.targets:
            assert isinstance(target, NormCitation | EuCitation)
            for unit in resolver.resolve_units(target):
                number = ids[unit.ordinal].rpartition("/")[2] if unit.ordinal is not None else "-"
                units.append(f"{number} {unit.path}".strip())
    return units


@pytest.mark.parametrize(
    ("written", "units"),
    [
        ("§§ 5g, 5f MusterG", ["5g", "5f"]),
        ("§§ 5f und 5g MusterG", ["5f", "5g"]),
        ("§§ 5f bis 5g MusterG", ["5f", "5g"]),
        ("§§ 5f Abs. 2, 7 MusterG", ["5f abs=2", "7"]),
        ("§§ 7f MusterG", ["7", "8"]),
        ("§§ 5f. MusterG", ["5", "5a"]),
    ],
)
def test_a_letter_leads_to_its_section(build: SqliteBuild, written: str, units: list[str]) -> None:
    assert read(build, f"Nach {written} gilt das nicht.") == units
    own = written.removesuffix(" MusterG")
    assert read(build, f"Nach {own} gilt das nicht.", "MusterG") == units


@pytest.mark.parametrize(
    ("written", "units"),
    [
        ("§§ 9 Abs. 1, 2, 5 MusterG", ["9 abs=1", "9 abs=2", "5"]),
        ("§§ 9 Abs. 1, 5 bis 5b MusterG", ["9 abs=1", "5", "5a", "5b"]),
        ("§§ 9 Abs. 1, 5f MusterG", ["9 abs=1", "5f"]),
        ("§§ 8 Abs. 1, 9 MusterG", ["8 abs=1", "9"]),
        ("§ 9 Abs. 1, 5 MusterG", ["9 abs=1", "9 abs=5"]),
    ],
)
def test_a_bare_number_leads_to_what_there_is_of_it(
    build: SqliteBuild, written: str, units: list[str]
) -> None:
    assert read(build, f"Nach {written} gilt das nicht.") == units
    own = written.removesuffix(" MusterG")
    assert read(build, f"Nach {own} gilt das nicht.", "MusterG") == units


@pytest.mark.parametrize(
    ("written", "units"),
    [
        ("Art. 1 Abs. 2 RL (EU) 2029/13", ["art_1 abs=2"]),
        ("Art. 2 Abs. 2 RL (EU) 2029/13", ["art_2 uabs=2"]),
        ("Art. 2 UAbs. 2 RL (EU) 2029/13", ["art_2 uabs=2"]),
        ("Art. 2 Abs. 1 und 2 RL (EU) 2029/13", ["art_2 uabs=1", "art_2 uabs=2"]),
    ],
)
def test_paragraphs_without_numbers_are_counted(
    build: SqliteBuild, written: str, units: list[str]
) -> None:
    assert read(build, f"Nach {written} gilt das nicht.") == units
