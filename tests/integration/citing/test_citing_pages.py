"""Pages of citing decisions: the same as by reading every citation, at the cost of a page."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.corpus.decisions import CitingOrder, CitingRequest
from fundstelle.corpus.sqlite import SqliteDecisions, citers
from tests.integration.citing.citing_store import CITED, COURTS, FIRST_DAY, build_store

FEW, MANY = 300, 2_400

DAYS = st.none() | st.integers(-10, 320).map(lambda days: FIRST_DAY + timedelta(days=days))
REQUESTS = st.builds(
    CitingRequest,
    st.sampled_from([CITED, "de/musterg", "de/none"]),
    path=st.sampled_from(["", "abs=1", "ABS=1", "abs=1/satz=2/nr=3", "abs=1/satz=9/nr=3", "abs=2"]),
    court=st.none() | st.sampled_from([*COURTS, "AG Nirgendwo"]),
    decision_type=st.none() | st.sampled_from(["urteil", "beschluss"]),
    jurisdiction=st.none() | st.sampled_from(["de", "eu"]),
    day_from=DAYS,
    day_to=DAYS,
    order=st.sampled_from(CitingOrder),
    limit=st.integers(0, 30),
    offset=st.integers(0, FEW + 10),
)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> SqliteDecisions:
    return build_store(tmp_path_factory.mktemp("few") / "corpus.sqlite", FEW)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> SqliteDecisions:
    return build_store(tmp_path_factory.mktemp("many") / "corpus.sqlite", MANY)


@settings(max_examples=150, deadline=None)
@given(request_=REQUESTS)
def test_a_page_is_what_reading_every_citation_gives(
    few: SqliteDecisions, request_: CitingRequest
) -> None:
    assert few.list_citing(request_) == few._count_citing(request_)


def count_steps(decisions: SqliteDecisions, request_: CitingRequest) -> int:
    """Hundreds of instructions of SQLite's machine."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    decisions.list_citing(request_)  # what is read once is read now
    connection = decisions._store.connection
    connection.set_progress_handler(step, 100)
    decisions.list_citing(request_)
    connection.set_progress_handler(None, 0)
    return steps


@pytest.mark.parametrize("order", CitingOrder)
@pytest.mark.parametrize("path", ["", "abs=1"])
def test_a_page_costs_the_same_wherever_it_is_and_however_many_there_are(
    few: SqliteDecisions, many: SqliteDecisions, order: CitingOrder, path: str
) -> None:
    first = CitingRequest(CITED, path, order=order, limit=10)
    far = CitingRequest(CITED, path, order=order, limit=10, offset=MANY // 2)
    assert len(many.list_citing(far)[0]) == 10
    # Reading each of those that cite it would take some ten instructions a decision.
    for decisions, request_ in ((few, first), (many, first), (many, far)):
        assert count_steps(decisions, request_) * 100 < MANY


@pytest.mark.parametrize("order", CitingOrder)
def test_a_filter_walks_one_index_and_sorts_nothing_but_the_page(
    many: SqliteDecisions, order: CitingOrder
) -> None:
    ask: Callable[..., CitingRequest] = lambda **more: CitingRequest(  # noqa: E731 short for six
        CITED, order=order, day_from=FIRST_DAY, **more
    )
    plain = count_steps(many, ask())
    assert count_steps(many, ask(offset=MANY - 20)) <= 3 * plain
    connection = many._store.connection
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    many.list_citing(ask(court="BGH", offset=100))
    connection.set_trace_callback(None)
    walks = [sql for sql in asked if "citers" in sql and "LIMIT" in sql]
    assert walks
    for sql in walks:
        inner = sql[sql.index("IN (") + 4 : sql.rindex(")")]
        plan = " ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + inner))
        assert "TEMP B-TREE" not in plan
        assert "SEARCH citers" in plan


def test_a_build_of_before_is_still_answered_from(few: SqliteDecisions) -> None:
    old = SqliteDecisions(few._store)
    old.__dict__["_has_citers"] = False
    request_ = CitingRequest(CITED, court="BGH", limit=7, offset=3)
    assert old.list_citing(request_) == few.list_citing(request_)


def test_a_path_that_two_units_answer_for_is_counted_by_its_citations(few: SqliteDecisions) -> None:
    connection = few._store.connection
    assert citers.find_unit(connection, 0, None, "abs=1/satz=2/nr=3", named=False) is None
    assert citers.find_unit(connection, 0, None, "abs=1", named=False) is not None
