"""The decisions of a build over a real SQLite file."""

from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.decisions import CitingOrder, CitingRequest
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter, SqliteDecisions, audit
from fundstelle.law.courts import get_rank
from tests.unit.corpus.decision_values import DECISION, make_decision, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

OLDER = make_decision("LG Musterstadt", "2 O 3/20", date(2020, 5, 2))
NEWER = make_decision("OLG Musterstadt", "VI ZR 1/21", date(2023, 1, 9))
ALL = sorted((DECISION, OLDER, NEWER), key=lambda decision: decision.decision_id)
NUMBERS = {decision.decision_id: number for number, decision in enumerate(ALL)}
NORM, LAW = 0, -1


def cite(
    citing: str, cited: int | None, path: str = "", decision: int | None = None
) -> tuple[object, ...]:
    kind = "decision" if decision is not None else "norm"
    return (NUMBERS[citing], kind, cited, decision, path, "§ 1 MusterG", 4, 15, "1", 0, 20, 0)


@pytest.fixture
def decisions(tmp_path: Path) -> SqliteDecisions:
    path = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norm = make_norm("1")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")])])
    for decision in ALL:
        writer.add_decision(encode_decision(decision, make_text(decision, "Eins.", "Zwei.")))
    writer.index()
    writer.add_citings(
        sorted(
            [
                cite(DECISION.decision_id, NORM, "abs=1"),
                cite(DECISION.decision_id, NORM, "abs=1/satz=2"),
                cite(DECISION.decision_id, NORM, "abs=10"),
                cite(OLDER.decision_id, NORM, "abs=10/nr=3/buchst=a"),
                cite(OLDER.decision_id, LAW),
                cite(NEWER.decision_id, None, decision=NUMBERS[DECISION.decision_id]),
                cite(NEWER.decision_id, NORM, "abs=1"),
                cite(NEWER.decision_id, None),
            ],
            key=lambda row: row[0] or 0,
        )
    )
    writer.finish()
    return SqliteDecisions(SqliteCorpusStore(path))


def test_every_decision_is_read_as_it_was_written(decisions: SqliteDecisions) -> None:
    assert decisions.count() == 3
    assert decisions.get_by_ordinal([2, 0, 1, 9]) == [ALL[2], ALL[0], ALL[1]]
    for decision in ALL:
        assert decisions.find(decision.decision_id) == decision
        assert decisions.find_text(decision.decision_id) == make_text(decision, "Eins.", "Zwei.")


def test_an_ecli_is_found_without_regard_to_case(decisions: SqliteDecisions) -> None:
    assert decisions.find(DECISION.decision_id.lower()) == DECISION
    text = decisions.find_text(DECISION.decision_id.lower())
    assert text is not None
    assert text.decision_id == DECISION.decision_id


@pytest.mark.parametrize("written", ["VI ZR 1/21", "vi zr 1/21", "VI ZR 1.21", "VIZR 1/21"])
def test_decisions_under_one_docket_stay_apart(decisions: SqliteDecisions, written: str) -> None:
    assert decisions.list_by_docket(written) == [NEWER, DECISION]


def test_what_is_not_there_gives_nothing(decisions: SqliteDecisions) -> None:
    assert decisions.find("ECLI:DE:BGH:1999:x") is None
    assert decisions.find("VI ZR 1/21") is None, "a docket is no id"
    assert decisions.find_text("de/none") is None
    assert decisions.list_citations("de/none") == []
    assert decisions.list_citing(CitingRequest("de/none/1")) == ([], 0)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (CitingRequest("de/musterg/1"), [NEWER, DECISION, OLDER]),
        (CitingRequest("de/musterg"), [OLDER]),
        (CitingRequest("de/musterg/1", path="abs=1"), [NEWER, DECISION]),
        (CitingRequest("de/musterg/1", path="abs=1/satz=2"), [DECISION]),
        (CitingRequest("de/musterg/1", path="abs=10/satz=1/nr=3"), [OLDER]),
        (CitingRequest("de/musterg/1", court="BGH"), [DECISION]),
        (CitingRequest("de/musterg/1", day_from=date(2022, 3, 15)), [NEWER, DECISION]),
        (CitingRequest("de/musterg/1", day_to=date(2022, 3, 14)), [OLDER]),
        (CitingRequest("de/musterg/1", decision_type="beschluss"), []),
        (CitingRequest("de/musterg/1", limit=1, offset=1), [DECISION]),
        (
            CitingRequest("de/musterg/1", order=CitingOrder.RELEVANCE),
            [DECISION, NEWER, OLDER],
        ),
        (CitingRequest(DECISION.decision_id), [NEWER]),
    ],
)
def test_citing_decisions_obey_every_condition(
    decisions: SqliteDecisions, request_: CitingRequest, expected: list[object]
) -> None:
    found, total = decisions.list_citing(request_)
    assert [one.decision for one in found] == expected
    assert total == (3 if request_.limit == 1 else len(expected))
    assert all(one.first.citing_id == one.decision.decision_id for one in found)


def test_what_a_decision_cites_keeps_its_place(decisions: SqliteDecisions) -> None:
    first, second, unresolved = decisions.list_citations(NEWER.decision_id)
    assert first.cited_id == DECISION.decision_id
    assert (second.cited_id, second.cited_path, second.passage) == ("de/musterg/1", "abs=1", "1")
    assert unresolved.cited_id is None
    assert unresolved.cited_text == "§ 1 MusterG"
    assert decisions.list_citing_ordinals("de/musterg/1") == [0, 1, 2]


def test_coverage_counts_courts_and_years(decisions: SqliteDecisions) -> None:
    assert decisions.count_by_court() == {
        "BGH": {2022: 1},
        "LG Musterstadt": {2020: 1},
        "OLG Musterstadt": {2023: 1},
    }


def test_decisions_count_and_hash_with_the_build(decisions: SqliteDecisions) -> None:
    store = decisions._store
    counts = audit.count(store)
    assert (counts["decisions"], counts["citings"]) == (3, 8)
    assert audit.check(store) == []
    assert len(audit.hash_content(store)) == 64


def test_higher_courts_rank_before_lower_ones() -> None:
    courts = ["AG Musterstadt", "LG Musterstadt", "KG", "BPatG", "BGH", "BVerfG"]
    levels = [get_rank(court) for court in courts]
    assert levels == sorted(levels, reverse=True)
    assert get_rank("Schiedsgericht") > get_rank("AG Musterstadt")


def test_a_decision_is_found_by_what_is_printed_and_by_the_core_of_its_docket(
    tmp_path: Path,
) -> None:
    order = make_decision("BAG", "8 AZR 209/21 (B)", date(2022, 7, 1))
    writer = SqliteCorpusWriter(tmp_path / "cores.sqlite")
    norm = make_norm("1")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")])])
    writer.add_decision(encode_decision(order, make_text(order, "Eins.")))
    writer.index()
    writer.finish()
    held = SqliteDecisions(SqliteCorpusStore(tmp_path / "cores.sqlite"))

    assert held.list_by_core("8 AZR 209/21") == [order]
    assert held.list_by_docket("8 AZR 209/21") == []
    assert held.list_printed(order.citation.upper()) == [order]
    assert held.list_printed("8 AZR 209/21") == []
