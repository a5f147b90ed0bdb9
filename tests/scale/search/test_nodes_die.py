"""What becomes of searches while nodes die, hang, and come back."""

import signal
import threading
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.errors import SearchUnavailable
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import ClusterIndex, OpenSearchEngine
from fundstelle.search.index import SearchRequest, SearchResult
from fundstelle.search.ranking.priors import write_priors
from tests.integration.search import test_search_ranking as ranking
from tests.scale.search.nodes import Nodes, wait_until

QUERIES = [f"{thing} {deed}" for thing in ranking.THINGS[:6] for deed in ranking.DEEDS[:3]]
UNHURRIED_S = 60.0  # where the claim is that nothing fails, not how fast
AWAY = "away"


@pytest.fixture(scope="module")
def folder(started: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    started.heal()
    (folder := tmp_path_factory.mktemp("die") / "index").mkdir()
    engine = OpenSearchEngine(ClusterAddress.parse(f"{started.address}/?prefix=die"))
    engine.build(ranking.DOCUMENTS, folder)
    write_priors(array("f", [1.0] * ranking.NORMS), folder)
    engine.learn(ranking.build_sentences(300), folder)
    return folder


def open_index(nodes: Nodes, folder: Path, timeout_s: float) -> ClusterIndex:
    address = ClusterAddress.parse(f"{nodes.address}/?prefix=die")
    opened = OpenSearchEngine(replace(address, timeout_s=timeout_s)).open(folder)
    wait_until(lambda: ask(opened, QUERIES[0]) is not None)
    return opened


@pytest.fixture
def index(nodes: Nodes, folder: Path) -> Iterator[ClusterIndex]:
    opened = open_index(nodes, folder, 1.5)
    yield opened
    opened.close()


@pytest.fixture
def unhurried(nodes: Nodes, folder: Path) -> Iterator[ClusterIndex]:
    opened = open_index(nodes, folder, UNHURRIED_S)
    yield opened
    opened.close()


def ask(index: ClusterIndex, query: str) -> SearchResult | None:
    """The answer, ``None`` where the search says that it is away."""
    try:
        return index.search(SearchRequest(query, limit=10))
    except SearchUnavailable:
        return None


class Load:
    """Four that ask one question after the other until it is enough, and what they were told."""

    def __init__(self, index: ClusterIndex) -> None:
        self._index = index
        self.right = {query: index.search(SearchRequest(query, limit=10)) for query in QUERIES}
        self.told: Counter[str] = Counter()
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(one,)) for one in range(4)]

    def _run(self, first: int) -> None:
        place = first
        while not self._enough.is_set():
            query = QUERIES[place % len(QUERIES)]
            place += 1
            try:
                answer = ask(self._index, query)
            except BaseException as error:  # noqa: BLE001 -- whatever it is, it is no answer
                self.told[type(error).__name__] += 1
                continue
            if answer is None:
                self.told[AWAY] += 1
            else:
                self.told["right" if is_same(answer, self.right[query]) else "wrong"] += 1

    @contextmanager
    def running(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._enough.set()
            for thread in self._threads:
                thread.join()

    def wait_for(self, what: str, more: int) -> None:
        wanted = self.told[what] + more
        wait_until(lambda: self.told[what] >= wanted)


def is_same(one: SearchResult, other: SearchResult) -> bool:
    return [hit.ordinal for hit in one.hits] == [hit.ordinal for hit in other.hits] and (
        one.total == other.total
    )


def test_a_node_that_is_killed_fails_no_search(nodes: Nodes, unhurried: ClusterIndex) -> None:
    load = Load(unhurried)
    with load.running():
        load.wait_for("right", 20)
        nodes.nodes[1].send(signal.SIGKILL)
        load.wait_for("right", 60)
    assert set(load.told) == {"right"}


def test_with_two_of_three_killed_nothing_is_wrong_and_it_comes_back(
    nodes: Nodes, unhurried: ClusterIndex
) -> None:
    """The last node holds all of the index and may go on; if it does not, that is said."""
    load = Load(unhurried)
    with load.running():
        load.wait_for("right", 20)
        nodes.nodes[0].send(signal.SIGKILL)
        nodes.nodes[1].send(signal.SIGKILL)
        before = load.told.total()
        wait_until(lambda: load.told.total() >= before + 40)
        nodes.heal()
        load.wait_for("right", 40)
    assert set(load.told) <= {"right", AWAY}


def test_with_all_killed_it_says_at_once_that_it_is_away(nodes: Nodes, index: ClusterIndex) -> None:
    for node in nodes.nodes:
        node.send(signal.SIGKILL)
    assert [ask(index, query) for query in QUERIES] == [None] * len(QUERIES)
    nodes.heal()
    wait_until(lambda: ask(index, QUERIES[0]) is not None)


def test_nodes_that_hang_are_given_up(nodes: Nodes, index: ClusterIndex) -> None:
    for node in nodes.nodes:
        node.send(signal.SIGSTOP)
    before = index.cluster.round_trips
    assert [ask(index, query) for query in QUERIES] == [None] * len(QUERIES)
    # once it is known to be away, nobody waits: most have not asked at all
    assert index.cluster.round_trips - before < len(QUERIES)
    nodes.heal()
    wait_until(lambda: ask(index, QUERIES[0]) is not None)


def test_a_node_that_hangs_is_passed_over(nodes: Nodes, folder: Path) -> None:
    index = open_index(nodes, folder, 8.0)
    right = index.search(SearchRequest(QUERIES[0], limit=10))
    nodes.nodes[2].send(signal.SIGSTOP)
    answers = [ask(index, QUERIES[0]) for _ in range(6)]
    nodes.nodes[2].send(signal.SIGCONT)
    told = [answer for answer in answers if answer is not None]
    assert told
    assert all(is_same(answer, right) for answer in told)


def test_an_index_is_opened_while_the_cluster_is_away(nodes: Nodes, folder: Path) -> None:
    address = ClusterAddress.parse("opensearch://127.0.0.1:9/?prefix=die")
    opened = OpenSearchEngine(address).open(folder)
    with pytest.raises(SearchUnavailable):
        opened.search(SearchRequest(QUERIES[0]))
    assert nodes.nodes[0].is_running
