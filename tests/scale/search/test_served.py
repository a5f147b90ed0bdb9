"""A server whose searches go to the cluster, seen by a client, while all nodes die."""

import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.corpus import builds
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.sources import demonstration
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import OpenSearchEngine, list_names
from tests.e2e.server import run_fundstelle, running
from tests.integration.corpora.building import build
from tests.scale.search.nodes import Nodes, wait_until


@pytest.fixture(scope="module")
def address(started: Nodes) -> str:
    started.heal()
    return f"{started.address}/?prefix=served"


@pytest.fixture(scope="module")
def data(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("served") / "data"
    build(data, read_demonstration(), engine=OpenSearchEngine(ClusterAddress.parse(address)))
    return data


def read_demonstration() -> list[Dated | Collection]:
    return [*demonstration.open_snapshots(), demonstration.open_decisions()]


class Client:
    def __init__(self, port: int, key: str) -> None:
        self._url, self._key = f"http://127.0.0.1:{port}/mcp", key

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer, or the error that it carries."""
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"authorization": f"Bearer {self._key}", "content-type": "application/json"}
        headers["accept"] = "application/json, text/event-stream"
        request = urllib.request.Request(self._url, orjson.dumps(body), headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            result = orjson.loads(response.read())["result"]
        if result.get("isError"):
            return dict(orjson.loads(result["content"][0]["text"]))
        return dict(orjson.loads(result["content"][0]["text"]))


@pytest.fixture
def client(data: Path, address: str) -> Iterator[Client]:
    key = run_fundstelle(data, "keys", "create", "scale", "--rate", "unlimited").strip()
    with running(data, search=address, embedder="off") as port:
        yield Client(port, key)


def test_what_needs_no_search_is_answered_while_all_nodes_are_dead(
    nodes: Nodes, client: Client
) -> None:
    wait_until(lambda: bool(client.call("legal_search", query="Drachen halten").get("hits")))
    found = client.call("legal_search", query="Drachen halten")
    norm = found["hits"][0]["norm_id"]
    before = client.call("legal_lookup", citation=norm)
    for node in nodes.nodes:
        node.send(signal.SIGKILL)
    for _ in range(5):
        error = client.call("legal_search", query="Drachen halten")["error"]
        assert (error["code"], error["retryable"]) == ("SOURCE_UNAVAILABLE", True)
    assert client.call("legal_lookup", citation=norm) == before
    assert client.call("legal_find_citing_decisions", cited_norm=norm)["total"] >= 0
    checked = client.call("legal_lookup", citation=norm, quote="Kein Wort davon steht dort")
    assert checked["quote_check"]["status"] == "not_found"
    assert checked["warnings"]
    nodes.heal()
    wait_until(lambda: client.call("legal_search", query="Drachen halten") == found)


def test_commands_keep_the_alias_and_the_indexes_in_order(
    nodes: Nodes, data: Path, address: str
) -> None:
    engine = OpenSearchEngine(ClusterAddress.parse(address))
    release = builds.get_live(data)
    assert release is not None
    index = builds.get_folder(data, release) / builds.INDEX
    names = list_names(index)
    assert nodes.nodes[0].is_running
    engine.cluster.work(
        "POST",
        "/_aliases",
        {"actions": [{"remove": {"index": "served-*", "alias": "served-live"}}]},
    )
    run_fundstelle(data, "corpus", "activate", release, search=address)
    (pointed,) = engine.cluster.work("GET", "/_alias/served-live")
    assert pointed in names
    run_fundstelle(data, "corpus", "prune", search=address)
    held = set(engine.cluster.work("GET", "/served-*/_alias"))
    assert held == set(names)


def test_a_cluster_that_lost_a_build_is_given_it_again(data: Path, address: str) -> None:
    engine = OpenSearchEngine(ClusterAddress.parse(address))
    engine.settle(None, [], grace_s=0)
    manifest = build(data, read_demonstration(), engine=engine)
    index = builds.get_folder(data, manifest.release) / builds.INDEX
    engine.verify(index)
    assert list_names(index)
