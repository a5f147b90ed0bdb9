"""Asking a cluster that is played: what is asked together, what is refused, who waits."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

import orjson
import pytest

from fundstelle.errors import SearchUnavailable
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Breaker, Cluster, Gone
from fundstelle.search.engines.opensearch.session import Session
from fundstelle.search.engines.opensearch.texts import K1, B, adapt

WHOLE = {
    "status": 200,
    "timed_out": False,
    "_shards": {"total": 1, "successful": 1, "failed": 0},
    "hits": {"total": {"value": 0}},
}


class Played:
    """Answers each search with the number of the search, or what ``spoil`` makes of it."""

    def __init__(self, spoil: Callable[[dict[str, Any]], object] = lambda answer: answer) -> None:
        self.address = ClusterAddress.parse("opensearch://127.0.0.1:9")
        self.breaker = Breaker()
        self.asked: list[list[Mapping[str, Any]]] = []
        self._spoil = spoil

    def ask(self, _method: str, _path: str, body: bytes, **_: object) -> dict[str, Any]:
        lines = [orjson.loads(line) for line in body.splitlines()]
        self.asked.append(lines[1::2])
        return {"responses": [self._spoil({**WHOLE}) for _ in lines[1::2]]}


def open_session(played: Played) -> Session:
    return Session(cast("Cluster", played))


def test_what_was_announced_is_asked_with_the_next_question_and_once() -> None:
    played = Played()
    session = open_session(played)
    with session.begin():
        session.announce("texts", {"size": 1})
        session.announce("texts", {"size": 1})
        session.announce("sentences", {"size": 2})
        session.ask("texts", {"size": 3})
        session.ask("texts", {"size": 1})
        session.ask("sentences", {"size": 2})
    assert played.asked == [[{"size": 3}, {"size": 1}, {"size": 2}]]


def test_one_search_knows_nothing_of_the_one_before() -> None:
    played = Played()
    session = open_session(played)
    for _ in range(2):
        with session.begin():
            session.ask("texts", {"size": 1})
    assert len(played.asked) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"timed_out": True},
        {"_shards": {"total": 2, "successful": 1, "failed": 1}},
        {"_shards": {"total": 2, "successful": 1, "failed": 0}},
        {"_shards": {}},
        {"status": 503, "error": {"type": "search_phase_execution_exception"}},
        {"status": 404},
        {"status": None},
    ],
    ids=str,
)
def test_an_answer_that_is_not_whole_is_none(wrong: dict[str, Any]) -> None:
    session = open_session(Played(lambda answer: answer | wrong))
    with session.begin(), pytest.raises(SearchUnavailable):
        session.ask("texts", {"size": 1})


def test_an_index_that_is_gone_is_no_miss() -> None:
    def vanish(_: object) -> object:
        raise Gone("texts")

    session = open_session(Played(vanish))
    with session.begin(), pytest.raises(SearchUnavailable, match="does not hold"):
        session.ask("texts", {"size": 1})


def test_another_search_goes_on_while_one_waits_for_the_cluster() -> None:
    """The first waits until the second was answered, which it could not be if both waited."""
    second = threading.Event()
    asked = iter([lambda: second.wait(30), second.set])

    def answer(whole: dict[str, Any]) -> object:
        next(asked)()
        return whole

    session = open_session(Played(answer))
    begun = threading.Event()

    def search() -> None:
        with session.begin():
            begun.set()
            session.ask("texts", {"size": 1})

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        begun.clear()
        thread.start()
        assert begun.wait(30)
    for thread in threads:
        thread.join(30)
    assert second.is_set()
    assert not any(thread.is_alive() for thread in threads)


def test_nobody_waits_for_a_cluster_that_is_known_to_be_away() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    assert breaker.admit()
    breaker.note_failure("refused")
    assert breaker.admit(), "one failure may be one node's"
    breaker.note_failure("refused")
    assert not breaker.admit()
    now[0] = 1.5
    assert [breaker.admit() for _ in range(3)] == [True, False, False]
    breaker.note_answer()
    assert breaker.admit()


def test_it_is_said_once_that_the_cluster_is_away_and_that_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    breaker = Breaker()
    for _ in range(5):
        breaker.note_failure("ConnectionTimeout")
    breaker.note_answer()
    assert [record.levelno for record in caplog.records] == [logging.ERROR, logging.WARNING]


def test_a_search_is_refused_at_once_while_the_cluster_is_away() -> None:
    played = Played()
    for _ in range(2):
        played.breaker.note_failure("refused")
    with pytest.raises(SearchUnavailable), open_session(played).begin():
        pytest.fail("it was let through")


def test_nothing_of_a_request_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    cluster = Cluster(ClusterAddress.parse("opensearch://user:geheim@127.0.0.1:9"))
    with pytest.raises(SearchUnavailable):
        cluster.ask("POST", "/_msearch", b'{"query":"Mandant"}\n', left_s=1.0)
    cluster.close()
    assert "geheim" not in caplog.text
    assert "Mandant" not in caplog.text


@pytest.mark.parametrize(("texts", "worded"), [(100, 100), (133, 118), (10, 1), (5, 0)])
def test_lucene_weighs_lengths_as_the_embedded_engine_does(texts: int, worded: int) -> None:
    k1, b = adapt(texts, worded)
    assert k1 * (1 - b) == pytest.approx(K1 * (1 - B))
    assert k1 * b * max(worded, 1) == pytest.approx(K1 * B * texts)  # averages are tokens / texts
    assert 0 <= b <= 1
