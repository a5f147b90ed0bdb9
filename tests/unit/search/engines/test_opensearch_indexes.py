"""An index stays as long as a build names it, in whichever data folder that lies."""

import json
from pathlib import Path
from typing import Any

import pytest

from fundstelle.errors import SearchUnavailable
from fundstelle.search.engines.opensearch import engine as engines
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Cluster, Gone
from fundstelle.search.engines.opensearch.engine import OpenSearchEngine
from fundstelle.search.engines.opensearch.indexes import GRACE_S, create

DAY_S = 86_400
NEW, OLD = "fundstelle-index-20300102-bb", "fundstelle-index-20300101-aa"
ADDRESS = ClusterAddress.parse("opensearch://127.0.0.1:9")


class Held(Cluster):
    """A cluster that holds indexes, of which it knows no more than what is said on them."""

    def __init__(self) -> None:
        super().__init__(ADDRESS)
        self.said: dict[str, dict[str, Any]] = {}
        self.writes = 0

    def work(self, method: str, path: str, body: Any = None, **_more: Any) -> Any:
        name, _, what = path.strip("/").partition("/")
        if method == "GET" and not name.startswith("_"):
            return self._list(what)
        if method == "PUT":
            self.writes += 1
            self.said[name] = (body if what else body["mappings"]).get("_meta", {})
        elif method == "DELETE":
            if name not in self.said:
                raise Gone(name)
            del self.said[name]
        return {}

    def _list(self, what: str) -> dict[str, Any]:
        if not self.said:
            raise Gone
        if what == "_alias":
            return {name: {} for name in self.said}
        return {name: {"mappings": {"_meta": one}} for name, one in self.said.items() if one}


class Clock:
    now = 1_900_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(engines, "time", made)
    return made


@pytest.fixture
def cluster() -> Held:
    return Held()


def make_engine(cluster: Held) -> OpenSearchEngine:
    """That of one machine."""
    made = OpenSearchEngine(ADDRESS)
    made._cluster = cluster
    return made


def name_index(folder: Path, index: str) -> Path:
    """A build's folder of an index, as far as its name is asked for."""
    (folder / "frequencies").mkdir(parents=True)
    (folder / "frequencies" / "facts.json").write_text(json.dumps({"index": index}))
    return folder


def test_what_servers_have_a_build_of_is_not_dropped_by_a_machine_that_has_none(
    tmp_path: Path, cluster: Held, clock: Clock
) -> None:
    builder, server = make_engine(cluster), make_engine(cluster)
    old, new = name_index(tmp_path / "a", OLD), name_index(tmp_path / "b", NEW)
    cluster.said = {OLD: {}, NEW: {}}
    builder.settle(None, [old, new])
    for _ in range(30 * 24):  # a month in which the builder has pruned the old one
        clock.now += 3_600
        server.keep([old])
        assert builder.settle(None, [new]) == []
    clock.now += GRACE_S - DAY_S / 2 - 1  # and the servers have not been there since
    assert builder.settle(None, [new]) == []
    clock.now += DAY_S
    assert builder.settle(None, [new]) == [f"dropped the index {OLD}"]
    assert set(cluster.said) == {NEW}


def test_what_is_named_again_has_its_whole_grace_again(
    tmp_path: Path, cluster: Held, clock: Clock
) -> None:
    engine, old = make_engine(cluster), name_index(tmp_path / "a", OLD)
    cluster.said = {OLD: {}}
    engine.settle(None, [])
    clock.now += GRACE_S - 1
    assert engine.settle(None, [old]) == []
    clock.now += GRACE_S - 1
    assert engine.settle(None, []) == []
    clock.now += 1
    assert engine.settle(None, []) == [f"dropped the index {OLD}"]


def test_an_index_that_is_being_written_is_nobodys_to_drop(
    cluster: Held, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.search.engines.opensearch.indexes.time", clock)
    name = create(cluster, "index")
    for _ in range(2):  # 'corpus activate' takes no lock
        assert make_engine(cluster).settle(None, []) == []
        clock.now += DAY_S
    assert set(cluster.said) == {name}


@pytest.mark.parametrize(
    "said", [{}, {"unnamed_since": 5.0}, {"named_at": "x"}, {"named_at": 4_000_000_000.0}]
)
def test_a_mark_that_says_nothing_is_written_and_the_grace_begins(
    cluster: Held, clock: Clock, said: dict[str, Any]
) -> None:
    cluster.said = {OLD: said}
    assert make_engine(cluster).settle(None, []) == []
    assert cluster.said == {OLD: {"named_at": clock.now}}
    clock.now += GRACE_S
    assert make_engine(cluster).settle(None, []) == [f"dropped the index {OLD}"]


def test_many_servers_write_a_mark_twice_a_day(tmp_path: Path, cluster: Held, clock: Clock) -> None:
    old = name_index(tmp_path / "a", OLD)
    cluster.said = {OLD: {}}
    for _ in range(10 * 24):
        clock.now += 3_600
        for _server in range(5):
            make_engine(cluster).keep([old])
    assert cluster.writes == 20


def test_a_damaged_build_keeps_no_other_from_being_named(
    tmp_path: Path, cluster: Held, clock: Clock
) -> None:
    damaged, old = name_index(tmp_path / "a", NEW), name_index(tmp_path / "b", OLD)
    (damaged / "frequencies" / "facts.json").write_bytes(b"{")
    cluster.said = {OLD: {}}
    make_engine(cluster).keep([damaged, old])
    assert cluster.said == {OLD: {"named_at": clock.now}}


def test_a_server_that_may_not_write_is_told_so(
    tmp_path: Path, cluster: Held, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    del clock
    engine, old = make_engine(cluster), name_index(tmp_path / "a", OLD)
    cluster.said = {OLD: {}}
    answer = cluster.work

    def refuse(method: str, path: str, body: Any = None, **more: Any) -> Any:
        if method != "GET":
            raise SearchUnavailable("status 403")
        return answer(method, path, body, **more)

    monkeypatch.setattr(cluster, "work", refuse)
    with pytest.raises(SearchUnavailable, match="403"):
        engine.keep([old])
