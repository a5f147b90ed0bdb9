"""What the answers say where a decision is older than the text held of what it cites."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.ingest.graph.citing import CitingFinder, DecisionResolver
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.tools import find_citing_decisions, get_context, lookup
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.stand_in import LinesEngine
from tests.unit.corpus.decision_values import make_decision, make_text
from tests.unit.corpus.values import MANIFEST, STATUTE, make_fassung, make_norm

TODAY = date(2026, 5, 1)
CHANGED = date(2026, 4, 29)
OLD_LAW = make_decision("BGH", "VI ZR 9/99", date(1999, 3, 2))
OLD_TEXT = make_decision("OLG Hamm", "6 U 7/21", date(2021, 5, 2))
HELD_DAY = make_decision("OLG Hamm", "6 U 9/25", date(2025, 1, 1))
NEW = make_decision("OLG Hamm", "6 U 8/26", date(2026, 4, 30))
UNDATED = make_decision("LG Bonn", "1 O 1/20", date(2020, 1, 1), issued_on=None)
REASONS = {
    OLD_LAW.decision_id: "Das MusterG gilt: § 1 MusterG und § 3 MusterG.",
    OLD_TEXT.decision_id: "Das folgt aus § 1 MusterG, § 2 MusterG und § 3 MusterG.",
    HELD_DAY.decision_id: "Das folgt aus § 2 MusterG.",
    NEW.decision_id: "Das folgt aus § 2 MusterG.",
    UNDATED.decision_id: "Das folgt aus § 2 und § 3 MusterG.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """MusterG of 2020: § 1 of unknown beginning, § 2 changed in 2026, § 3 repealed."""
    folder: Path = tmp_path_factory.mktemp("days")
    writer = SqliteCorpusWriter(folder / "corpus.sqlite")
    first, second = make_norm("1", 0), make_norm("2", 1)
    third = replace(make_norm("3", 2), status=NormStatus.REPEALED)
    older = replace(make_fassung(second.norm_id, "Alt."), in_force_until=CHANGED)
    newer = replace(
        make_fassung(second.norm_id, "Neu.", CHANGED),
        in_force_from=CHANGED,
        date_precision=DatePrecision.FIRST_SEEN,
    )
    gone = replace(make_fassung(third.norm_id, ""), status=NormStatus.REPEALED)
    texts = [
        (first, [make_fassung(first.norm_id, "Eins.")]),
        (second, [older, newer]),
        (third, [gone]),
    ]
    writer.add_statute(STATUTE, texts)
    for each in sorted(
        (OLD_LAW, OLD_TEXT, HELD_DAY, NEW, UNDATED), key=lambda one: one.decision_id
    ):
        writer.add_decision(encode_decision(each, make_text(each, REASONS[each.decision_id])))
    writer.index()
    writer.commit()
    _add_graph(folder / "corpus.sqlite", writer)
    writer.finish()
    store = SqliteBuild(folder / "corpus.sqlite", replace(MANIFEST, stand=CHANGED))
    LinesEngine().build((), folder)
    names = LawNames.build(store.statutes.values())
    yield Library(store, LinesEngine().open(folder), names, store.decisions, sources=SOURCES)
    store.close()


def _add_graph(path: Path, writer: SqliteCorpusWriter) -> None:
    store = SqliteBuild(path, immutable=False)
    held = store.decisions
    names = LawNames.build(store.statutes.values())
    finder = CitingFinder(names, Resolver(store), DecisionResolver(held))
    rows = [row for n, _, text in held.iter_texts(0, 4) for row in finder.find(n, text).rows]
    store.close()
    writer.add_citings(rows)


def ask(library: Library, module: Any, **arguments: Any) -> dict[str, Any]:
    tool = module.build_tool(library, lambda: TODAY)
    called = tool.call(arguments, CallContext("request", "principal"))
    answer: dict[str, Any] = orjson.loads(called.structured)
    Draft202012Validator(dict(tool.output_schema)).validate(answer)
    return answer


@pytest.mark.parametrize(
    ("cited", "total", "said"),
    [
        (
            "§ 3 MusterG",
            3,
            [
                "§ 3 MusterG is repealed today.",
                "older decisions shown here (1) cite an earlier law",
                "that of the days of older decisions shown here (1) is not held",
            ],
        ),
        (
            "§ 1 MusterG",
            2,
            [
                "older decisions shown here (1) cite an earlier law",
                "The text of § 1 MusterG is known from 2025-01-01 on; that of the days of older",
            ],
        ),
        (
            "§ 2 MusterG",
            4,
            [
                "(1) than today; as_of the day of the decision gives the text of that day: 2025-01",
                "known from 2025-01-01 on; that of the days of older decisions shown here (1) is",
            ],
        ),
        ("MusterG", 1, ["MusterG is a law of 2020-01-01; older decisions shown here (1) cite"]),
    ],
)
def test_decisions_older_than_the_text_held_are_told_apart(
    library: Library, cited: str, total: int, said: list[str]
) -> None:
    answer = ask(library, find_citing_decisions, cited_norm=cited)

    assert answer["total"] == total
    warnings = answer["warnings"]
    assert len(warnings) == len(said)
    assert all(part in warning for part, warning in zip(said, warnings, strict=True))


def test_only_the_decisions_of_the_page_are_spoken_of(library: Library) -> None:
    answer = ask(library, find_citing_decisions, cited_norm="§ 2 MusterG", limit=1)

    (row,) = answer["decisions"]
    assert "30.04.2026" in row["citation"]
    assert answer["warnings"] == []


@pytest.mark.parametrize(
    ("decision_id", "said"),
    [
        (
            OLD_LAW.decision_id,
            [
                "Repealed today, so not the text that the court applied: § 3 MusterG.",
                "Enacted only after this decision of 1999-03-02, which cites an earlier law of",
            ],
        ),
        (
            OLD_TEXT.decision_id,
            [
                "Repealed today, so not the text that the court applied: § 3 MusterG.",
                "Changed since this decision, and the text of 2021-05-02 is not held: § 2 MusterG.",
                "The links lead to texts known from 2025-01-01 on; those of 2021-05-02 are not",
            ],
        ),
        (
            HELD_DAY.decision_id,
            ["Changed since this decision (as_of 2025-01-01 gives the text of its day): § 2"],
        ),
        (NEW.decision_id, []),
        (
            UNDATED.decision_id,
            ["Repealed today, so not the text that the court applied: § 3 MusterG."],
        ),
    ],
)
def test_what_a_decision_cites_is_marked_where_its_text_is_another_today(
    library: Library, decision_id: str, said: list[str]
) -> None:
    answer = ask(library, get_context, norm_id=decision_id, include=["references_out"])

    warnings = answer["warnings"]
    assert len(warnings) == len(said)
    assert all(one.startswith(begins) for one, begins in zip(warnings, said, strict=True))


def test_nothing_is_said_of_citations_that_were_not_asked_for(library: Library) -> None:
    answer = ask(library, get_context, norm_id=OLD_LAW.decision_id, include=["parents"])

    assert answer["warnings"] == []


def test_a_repealed_section_leads_to_the_decisions_of_its_time(library: Library) -> None:
    answer = ask(library, lookup, citation="§ 3 MusterG")

    assert (answer["found"], answer["status"]) == (False, "repealed")
    assert answer["next_step"].endswith("that cite it in a text of their time: 3.")
    assert answer["hint"] == {
        "tool": "legal_find_citing_decisions",
        "arguments": {"cited_norm": "de/musterg/3"},
    }
