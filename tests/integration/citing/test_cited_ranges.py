"""A range or a norm that stands for several: who names a unit comes before who only covers it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.decisions import CitingOrder, CitingRequest
from fundstelle.corpus.sqlite import (
    SqliteBuild,
    SqliteCorpusStore,
    SqliteCorpusWriter,
    SqliteDecisions,
)
from fundstelle.ingest.graph.citing import CitingFinder, DecisionResolver
from fundstelle.ingest.graph.resolving import Resolver
from tests.unit.corpus.decision_values import make_decision, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

NUMBERS = ["1", "2", "2a", "3", "4", "7"]
COVERS = make_decision("BGH", "I ZR 1/24", date(2024, 1, 1))  # newest, highest court
LISTS = make_decision("OLG Hamm", "2 U 2/20", date(2020, 1, 1))
NAMES = make_decision("OLG Hamm", "3 U 3/19", date(2019, 1, 1))
SHARED = make_decision("OLG Celle", "4 U 4/18", date(2018, 1, 1))
TEXTS = {
    COVERS: "Nach §§ 1 bis 3 MusterG und § 7 Abs. 1 bis 3 MusterG.",
    LISTS: "Nach §§ 1, 2 MusterG und § 7 Abs. 1, 2 MusterG.",
    NAMES: "Nach §§ 2 bis 4 MusterG, zuletzt § 2a MusterG.",
    SHARED: "Nach § 5 Abs. 1 MusterG.",
}


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> SqliteDecisions:
    path: Path = tmp_path_factory.mktemp("ranges") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norms = [make_norm(number, place) for place, number in enumerate(NUMBERS)]
    norms[4] = replace(norms[4], number_end="6", label="§§ 4 bis 6")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")]) for norm in norms])
    for decision in sorted(TEXTS, key=lambda one: one.decision_id):
        writer.add_decision(encode_decision(decision, make_text(decision, TEXTS[decision])))
    writer.index()
    writer.commit()
    store = SqliteBuild(path, immutable=False)
    held = store.decisions
    names = LawNames.build(store.statutes.values())
    finder = CitingFinder(names, Resolver(store), DecisionResolver(held))
    for number, _, text in held.iter_texts(0, len(TEXTS) - 1):
        citings = finder.find(number, text)
        writer.add_citings(citings.rows)
        writer.add_ranged(citings.ranged)
    store.close()
    writer.finish()
    return SqliteDecisions(SqliteCorpusStore(path))


def ask(
    decisions: SqliteDecisions, number: str, path: str = "", *, named: bool = False
) -> list[tuple[str, bool]]:
    """The decisions that cite it by their first docket, and whether only a range covers it."""
    request = CitingRequest(f"de/musterg/{number}", path, named=named)
    found, total = decisions.list_citing(request)
    assert total == len(found)
    return [(one.decision.dockets[0], one.first.ranged) for one in found]


@pytest.mark.parametrize(
    ("number", "path", "found"),
    [
        # a list and the ends of a range name it, however old; what lies between comes behind
        ("2", "", [("2 U 2/20", False), ("3 U 3/19", False), ("I ZR 1/24", True)]),
        ("2a", "", [("3 U 3/19", False), ("I ZR 1/24", True)]),
        ("1", "", [("I ZR 1/24", False), ("2 U 2/20", False)]),
        ("3", "", [("I ZR 1/24", False), ("3 U 3/19", True)]),
        # Absätze as well
        ("7", "abs=2", [("2 U 2/20", False), ("I ZR 1/24", True)]),
        ("7", "abs=3", [("I ZR 1/24", False)]),
        # § 5 is no other section of the norm that stands for both
        ("4", "§=5", [("4 U 4/18", False)]),
        ("4", "§=5/abs=1", [("4 U 4/18", False)]),
        ("4", "§=6", []),
    ],
)
def test_who_names_it_comes_first_and_is_alone_when_asked(
    decisions: SqliteDecisions, number: str, path: str, found: list[tuple[str, bool]]
) -> None:
    assert ask(decisions, number, path) == found
    named = [(docket, ranged) for docket, ranged in found if not ranged]
    assert ask(decisions, number, path, named=True) == named


def test_the_order_by_weight_keeps_ranges_behind(decisions: SqliteDecisions) -> None:
    request = CitingRequest("de/musterg/2", order=CitingOrder.RELEVANCE)
    found, _ = decisions.list_citing(request)
    assert [one.decision.dockets[0] for one in found][-1] == "I ZR 1/24"


def test_both_ways_to_count_say_the_same(decisions: SqliteDecisions) -> None:
    for number in ("1", "2", "2a", "3", "7"):
        for named in (False, True):
            request = CitingRequest(f"de/musterg/{number}", named=named)
            assert decisions._count_citing(request) == decisions.list_citing(request)
