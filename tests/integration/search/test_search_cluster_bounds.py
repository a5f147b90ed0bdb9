"""What a node of a search cluster answers has a deadline and a size, however it comes."""

import gzip
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest

from fundstelle.errors import SearchUnavailable
from fundstelle.search.engines.opensearch import bounded
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Cluster
from tests.integration.services.authority import Authority
from tests.integration.services.tls_publisher import Publisher

LEFT_S = 0.5
MOST = 10_000


class InTheClear:
    """In place of TLS."""

    def wrap_socket(self, connection: socket.socket, **_: bool) -> socket.socket:
        return connection


@pytest.fixture(params=["plain", "encrypted"])
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Publisher, Cluster]]:
    """One node, and the cluster of it."""
    if request.param == "plain":
        context, scheme, more = cast("ssl.SSLContext", InTheClear()), "opensearch", ""
    else:
        authority = Authority(tmp_path, "authority")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.sign("good"))
        scheme, more = "opensearchs", f"?ca={quote(str(authority.file))}"
    publisher = Publisher(context)
    port = publisher.socket.getsockname()[1]
    cluster = Cluster(ClusterAddress.parse(f"{scheme}://127.0.0.1:{port}/{more}"))
    yield publisher, cluster
    cluster.close()
    publisher.close()


def test_an_answer_is_read_whole(node: tuple[Publisher, Cluster]) -> None:
    publisher, cluster = node
    publisher.say(b'{"a": 1}')
    assert [cluster.ask("GET", "/", left_s=5.0) for _ in range(2)] == [{"a": 1}] * 2
    publisher.say(b'{"a": 2}', "200 OK", "application/json", "Connection: close")
    assert cluster.ask("GET", "/", left_s=5.0) == {"a": 2}


@pytest.mark.parametrize("where", ["headers", "body"])
def test_nobody_waits_for_an_answer_that_drips_in(
    node: tuple[Publisher, Cluster], where: str
) -> None:
    publisher, cluster = node
    publisher.say(b" " * 1_000)
    if where == "headers":
        publisher.answer = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000
    publisher.drip_s = LEFT_S / 10
    with pytest.raises(SearchUnavailable):
        cluster.ask("GET", "/", left_s=LEFT_S)
    assert 0 < publisher.sent < len(publisher.answer) / 2


@pytest.mark.parametrize("ends", ["Content-Length", "Connection: close"])
def test_no_answer_is_longer_than_answers_are(
    node: tuple[Publisher, Cluster], monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(bounded, "MOST_BYTES", MOST)
    publisher, cluster = node
    publisher.say(b'"' + b"x" * 2 * MOST + b'"')
    if ends != "Content-Length":
        publisher.answer = b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 2 * MOST + b"{}"
    with pytest.raises(SearchUnavailable):
        cluster.ask("GET", "/", left_s=5.0)


def test_nothing_is_unpacked(node: tuple[Publisher, Cluster]) -> None:
    publisher, cluster = node
    publisher.say(gzip.compress(b"{}"), "200 OK", "application/json", "Content-Encoding: gzip")
    with pytest.raises(SearchUnavailable):
        cluster.ask("GET", "/", left_s=5.0)
