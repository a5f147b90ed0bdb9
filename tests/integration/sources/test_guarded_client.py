"""Asking other servers: where that leads, how long it takes, and how much is read."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from fundstelle.accounts.people.provider_documents import ProviderDocuments
from fundstelle.errors import SourceError
from fundstelle.net.client import CONFIGURED, LOOPBACK, PUBLIC, GuardedClient, NoAnswer, Reach
from tests.integration.services.tls_publisher import PUBLIC as ADDRESS
from tests.integration.services.tls_publisher import Network, make_certificate, publishing

HOST = "keys.example"
URL = f"https://{HOST}/jwks"

Open = Callable[..., GuardedClient]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"), HOST)


@pytest.fixture
def network(certificate: Path) -> Iterator[Network]:
    with publishing(certificate) as network:
        network.publisher.say(b'{"keys": []}')
        yield network


@pytest.fixture
def client(network: Network, certificate: Path) -> GuardedClient:
    trust = ssl.create_default_context(cafile=certificate)
    return GuardedClient(5, 1_000, network.resolve, network, trust)


def test_the_names_of_a_provider_are_resolved_once_and_lead_nowhere_else(
    network: Network, client: GuardedClient
) -> None:
    """A name that leads elsewhere the second time it is asked (DNS rebinding)."""
    documents = ProviderDocuments("https://id.firm.example", client)
    network.answers = [[ADDRESS], ["127.0.0.1"]]
    assert documents.get(f"https://{HOST}:8443/jwks?x=1") == {"keys": []}
    assert network.resolved == [HOST]
    assert network.connected == [(ADDRESS, 8443)]
    [asked] = network.publisher.asked
    assert asked.startswith(b"GET /jwks?x=1 HTTP/1.1\r\n")
    assert b"\r\nHost: keys.example:8443\r\n" in asked
    for _ in range(2):
        with pytest.raises(SourceError):
            documents.get(URL)
        with pytest.raises(SourceError):
            documents.post(URL, {}, {})
        with pytest.raises(SourceError):
            documents.check(URL)
    assert network.connected == [(ADDRESS, 8443)]


@pytest.mark.parametrize("address", ["10.0.0.7", "fd00::7", "127.0.0.1", ADDRESS])
def test_the_issuer_itself_may_stand_inside_the_firm(
    network: Network, client: GuardedClient, address: str
) -> None:
    network.answers = [[address]]
    documents = ProviderDocuments(f"https://{HOST}/realms/firm", client)
    documents.check(URL)
    assert documents.post(URL, {"a": "ä&"}, {"X-Who": "we"}) == {"keys": []}
    assert network.connected == [(address, 443)]
    [asked] = network.publisher.asked
    assert asked.startswith(b"POST /jwks HTTP/1.1\r\n")
    assert b"\r\nX-Who: we\r\n" in asked
    assert asked.endswith(b"\r\nContent-Length: 11\r\n\r\na=%C3%A4%26")


def test_the_name_is_kept_for_tls(network: Network, client: GuardedClient) -> None:
    named: list[str | None] = []
    network.publisher.context.sni_callback = lambda _socket, name, _context: named.append(name)
    client.ask(URL, PUBLIC, headers={})
    assert named == [HOST]


def test_a_certificate_of_another_name_is_refused(network: Network, client: GuardedClient) -> None:
    with pytest.raises(NoAnswer, match="certificate"):
        client.ask("https://other.example/", CONFIGURED, headers={})
    assert network.publisher.asked == []


@pytest.mark.parametrize(
    ("url", "reach", "addresses"),
    [
        (URL, PUBLIC, ["10.0.0.7"]),
        (URL, PUBLIC, [ADDRESS, "10.0.0.7"]),
        (URL, PUBLIC, []),
        (URL, CONFIGURED, ["keys.example"]),
        (URL, LOOPBACK, [ADDRESS]),
        ("http://localhost/", LOOPBACK, [ADDRESS]),
        ("http://localhost/", LOOPBACK, ["127.0.0.1", "10.0.0.7"]),
        ("http://keys.example/", PUBLIC, [ADDRESS]),
        ("http://keys.example/", CONFIGURED, [ADDRESS]),
        ("ftp://keys.example/", LOOPBACK, ["127.0.0.1"]),
    ],
)
def test_nobody_is_asked_whom_the_reach_leaves_out(
    network: Network, client: GuardedClient, url: str, reach: Reach, addresses: list[str]
) -> None:
    network.answers = [addresses]
    with pytest.raises(NoAnswer):
        client.check(url, reach)
    with pytest.raises(NoAnswer):
        client.ask(url, reach, headers={})
    assert network.connected == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "keys.example",
        "https://",
        "https://[",
        "https://keys.example:99999/",
        "https://somebody@keys.example/",
        "https://:@keys.example/",
        "https://keys.example\\@other.example/",
        "https://keys.example/#part",
        "https://keys.example/a b",
        "https://keys.example/a\r\nX: y",
        "https://keys.\texample/",
        "https://schlüssel.example/",
    ],
)
def test_a_url_that_can_be_read_in_two_ways_is_not_asked(
    network: Network, client: GuardedClient, url: str
) -> None:
    with pytest.raises(NoAnswer):
        client.ask(url, PUBLIC, headers={})
    assert network.resolved == []


def test_headers_cannot_be_ended_early(network: Network, client: GuardedClient) -> None:
    with pytest.raises(NoAnswer):
        client.ask(URL, PUBLIC, headers={"X-Who": "we\r\nX-Else: they"})
    assert network.publisher.asked in ([], [b""])


def test_redirects_are_answers_like_others(network: Network, client: GuardedClient) -> None:
    network.publisher.say(b"", "302 Found", "text/plain", "Location: https://127.0.0.1/")
    answer = client.ask(URL, PUBLIC, headers={})
    assert (answer.status, answer.headers["location"]) == (302, "https://127.0.0.1/")
    assert len(network.connected) == 1


def test_where_nobody_listens_the_next_address_is_tried(
    network: Network, client: GuardedClient
) -> None:
    network.answers, network.deaf = [["2606:4700::1111", ADDRESS]], {"2606:4700::1111"}
    assert client.ask(URL, PUBLIC, headers={}).status == 200
    assert network.connected == [("2606:4700::1111", 443), (ADDRESS, 443)]
    network.deaf = {"2606:4700::1111", ADDRESS}
    with pytest.raises(NoAnswer, match="ConnectError"):
        client.ask(URL, PUBLIC, headers={})


@pytest.mark.parametrize(("size", "is_read"), [(1_000, True), (1_001, False), (100_000, False)])
@pytest.mark.parametrize("is_chunked", [True, False])
def test_an_answer_has_so_many_bytes_at_most(
    network: Network, client: GuardedClient, size: int, *, is_read: bool, is_chunked: bool
) -> None:
    network.publisher.say(b"x" * size)
    if is_chunked:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunk = b"8;a=b\r\n" + b"y" * 8 + b"\r\n"
        rest = b"%x\r\n%b\r\n0\r\n\r\n" % (size % 8 or 8, b"y" * (size % 8 or 8))
        network.publisher.answer = head + chunk * ((size - 1) // 8) + rest
    if is_read:
        assert len(client.ask(URL, PUBLIC, headers={}).body) == size
    else:
        with pytest.raises(NoAnswer, match="too large"):
            client.ask(URL, PUBLIC, headers={})


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", b"?\r\n"]
)
def test_half_an_answer_is_none(network: Network, client: GuardedClient, answer: bytes) -> None:
    network.publisher.answer = answer
    with pytest.raises(NoAnswer):
        client.ask(URL, PUBLIC, headers={})


def test_a_head_that_drips_is_cut_off_however_steadily(network: Network, certificate: Path) -> None:
    trust = ssl.create_default_context(cafile=certificate)
    client = GuardedClient(0.3, 1_000, network.resolve, network, trust)
    network.publisher.answer = b"HTTP/1.1 100 Go on\r\n\r\n" * 1_000
    network.publisher.drip_s = 0.005
    with pytest.raises(NoAnswer):
        client.ask(URL, PUBLIC, headers={})
    assert 0 < network.publisher.sent < 1_000


def test_who_does_not_read_what_is_sent_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        with pytest.raises(NoAnswer):
            GuardedClient(0.3, 9).ask(url, LOOPBACK, headers={}, body=b"x" * 2**25)


def test_whose_exchange_is_over_is_told_once_and_not_before(network: Network) -> None:
    go_on = threading.Event()
    over: list[str] = []

    def wait(_host: str) -> list[str]:
        assert go_on.wait(60)
        return []

    client = GuardedClient(0.05, 9, wait, network)
    for url in (URL, "no url"):
        with pytest.raises(NoAnswer):
            client.ask(url, PUBLIC, headers={}, when_over=lambda url=url: over.append(url))  # type: ignore[misc]
    assert over == ["no url"]
    go_on.set()
    client._resolvers.shutdown(wait=True)
    assert over == ["no url", URL]


def test_the_environment_names_no_proxy(
    network: Network, client: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    client.ask(URL, PUBLIC, headers={})
    plain = replace(CONFIGURED, plain=True)
    with pytest.raises(NoAnswer):  # it speaks TLS
        client.ask(f"http://{HOST}/", plain, headers={})
    assert network.connected == [(ADDRESS, 443), (ADDRESS, 80)]
    assert orjson.loads(client.ask(URL, PUBLIC, headers={}).body) == {"keys": []}
