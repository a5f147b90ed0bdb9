"""A build is an index of its own: made beside the live one, pointed to, dropped after a grace."""

import time
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest

from fundstelle.errors import CorpusError, DamagedBuild, SearchUnavailable
from fundstelle.search.engines.opensearch import engine as engines
from fundstelle.search.engines.opensearch import indexes
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import OpenSearchEngine, list_names
from fundstelle.search.engines.opensearch.frequencies import FrequencyCounter
from fundstelle.search.engines.opensearch.storage import OpenSearchStorage
from fundstelle.search.engines.stages.texts import Described
from fundstelle.search.index import SearchRequest
from fundstelle.search.ranking.priors import write_priors
from tests.integration.search.test_search_index import DOCUMENTS, number
from tests.scale.search.nodes import Nodes


@pytest.fixture
def engine(started: Nodes, request: pytest.FixtureRequest) -> OpenSearchEngine:
    prefix = "".join(filter(str.isalnum, request.node.name.lower()))[:40]
    return OpenSearchEngine(ClusterAddress.parse(f"{started.address}/?prefix={prefix}"))


def build(engine: OpenSearchEngine, folder: Path) -> Path:
    folder.mkdir()
    engine.build(number(DOCUMENTS), folder)
    write_priors(array("f", [1.0] * len(DOCUMENTS)), folder)
    return folder


def list_held(engine: OpenSearchEngine) -> set[str]:
    return set(engine.cluster.work("GET", f"/{engine.cluster.address.prefix}-*/_alias"))


def list_pointed(engine: OpenSearchEngine) -> list[str]:
    return list(engine.cluster.work("GET", f"/_alias/{engine.cluster.address.prefix}-live"))


def test_the_alias_leads_to_the_live_build_and_no_request_sees_two(
    engine: OpenSearchEngine, tmp_path: Path
) -> None:
    first, second = build(engine, tmp_path / "a"), build(engine, tmp_path / "b")
    assert engine.settle(first, [first, second]) == []
    assert list_pointed(engine) == list_names(first)
    opened = engine.open(first)
    engine.settle(second, [first, second])
    assert list_pointed(engine) == list_names(second)
    assert opened.search(SearchRequest("Drachen")).hits
    assert list_held(engine) == {*list_names(first), *list_names(second)}


def test_what_no_build_names_is_dropped_after_a_grace(
    engine: OpenSearchEngine, tmp_path: Path
) -> None:
    first, second = build(engine, tmp_path / "a"), build(engine, tmp_path / "b")
    assert engine.settle(second, [second]) == []
    assert list_held(engine) == {*list_names(first), *list_names(second)}
    (name,) = list_names(first)
    assert engine.settle(second, [second], grace_s=0) == [f"dropped the index {name}"]
    assert list_held(engine) == set(list_names(second))


def test_what_a_server_names_is_not_dropped_by_a_machine_that_has_no_build_of_it(
    engine: OpenSearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = build(engine, tmp_path / "a"), build(engine, tmp_path / "b")
    opened, now = engine.open(first), time.time()
    monkeypatch.setattr(engines, "time", SimpleNamespace(time=lambda: now))
    for _ in range(3):
        now += indexes.GRACE_S
        engine.keep([first])
        assert engine.settle(second, [second]) == []
        assert opened.search(SearchRequest("Drachen")).hits
    now += indexes.GRACE_S
    (name,) = list_names(first)
    assert engine.settle(second, [second]) == [f"dropped the index {name}"]


def test_an_index_that_is_gone_is_no_miss(engine: OpenSearchEngine, tmp_path: Path) -> None:
    folder = build(engine, tmp_path / "a")
    opened = engine.open(folder)
    engine.settle(None, [], grace_s=0)
    with pytest.raises(SearchUnavailable, match="does not hold the index"):
        opened.search(SearchRequest("Drachen"))


def test_nobody_writes_into_an_index_that_is_finished(
    engine: OpenSearchEngine, tmp_path: Path
) -> None:
    (name,) = list_names(build(engine, tmp_path / "a"))
    with pytest.raises(SearchUnavailable, match="403"):
        engine.cluster.work("PUT", f"/{name}/_doc/0", {"ordinal": 1})


def test_an_index_that_lacks_a_text_is_refused(engine: OpenSearchEngine) -> None:
    name = indexes.create(engine.cluster, "texts")
    counter = FrequencyCounter()
    counter.add("drach", searchable=True)
    with pytest.raises(CorpusError, match="0 of 1"):
        indexes.finish(engine.cluster, name, counter)


def test_an_index_that_finds_otherwise_than_was_counted_is_refused(
    engine: OpenSearchEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FrequencyCounter, "add", miscount)
    texts = [Described(place, searchable=True, terms="drach hort") for place in range(30)]
    with pytest.raises(CorpusError, match="does not find what was written"):
        OpenSearchStorage(engine.cluster).write_texts(texts, folder)


def miscount(self: FrequencyCounter, _terms: str = "", *_: object, searchable: bool) -> None:
    self.texts += 1
    self.worded += 1
    self.searchable += searchable
    self._terms["drach"] = 1


def test_a_build_of_the_embedded_engine_is_not_opened_as_one_of_a_cluster(
    engine: OpenSearchEngine, folder: Path
) -> None:
    with pytest.raises(CorpusError):
        engine.open(folder)


def test_a_file_beside_the_index_that_was_cut_is_damage(
    engine: OpenSearchEngine, tmp_path: Path
) -> None:
    folder = build(engine, tmp_path / "a")
    (folder / "frequencies" / "hashes.npy").write_bytes(b"")
    with pytest.raises(DamagedBuild):
        engine.open(folder)
