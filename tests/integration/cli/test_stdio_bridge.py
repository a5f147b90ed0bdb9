"""The bridge to a server: over TLS that holds, and what is said where something does not."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.errors import InvalidInput
from fundstelle.mcp.stdio.bridge import Bridge, read_url
from fundstelle.mcp.stdio.lines import Asked, Conversation
from fundstelle.net.client import GuardedClient
from tests.integration.services.tls_publisher import Network, make_certificate, publishing
from tests.protocol.client import legacy

HOST = "recht.example"
KEY = "sk-legal-" + "A" * 46
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"), HOST)


@pytest.fixture
def network(certificate: Path) -> Iterator[Network]:
    with publishing(certificate) as network:
        network.publisher.say(ANSWER)
        yield network


def read(message: object) -> Asked:
    return Conversation().read(json.dumps(message).encode())


def open_bridge(
    network: Network, trusted: Path | None, url: str = f"https://{HOST}/mcp", most: int = 9_999
) -> Bridge:
    trust = ssl.create_default_context(cafile=trusted)
    return Bridge(url, KEY, GuardedClient(5, most, network.resolve, network, trust))


def refuse(bridge: Bridge) -> str:
    (line,) = bridge.ask(read(legacy("ping")))
    error = json.loads(line)
    assert error["id"] == 1
    assert KEY not in line.decode()
    message: str = error["error"]["message"]
    return message


def test_key_and_message_go_to_the_server_as_they_are(network: Network, certificate: Path) -> None:
    assert open_bridge(network, certificate).ask(read(legacy("ping"))) == [ANSWER]
    (asked,) = network.publisher.asked
    head, _, body = asked.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /mcp HTTP/1.1\r\n")
    assert f"Authorization: Bearer {KEY}".encode() in head
    assert json.loads(body) == legacy("ping")


def test_nothing_is_sent_where_the_certificate_does_not_hold(network: Network) -> None:
    assert "certificate" in refuse(open_bridge(network, None))
    assert not any(KEY.encode() in asked for asked in network.publisher.asked)


@pytest.mark.parametrize("address", ["93.184.215.14", "10.0.0.7"])
def test_a_key_leaves_this_machine_by_https_alone(network: Network, address: str) -> None:
    network.answers = [[address]]
    assert "use https://" in refuse(open_bridge(network, None, f"http://{HOST}/mcp"))
    assert not network.connected


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (("302 Found", "text/html", b""), "leads elsewhere"),
        (("401 Unauthorized", "application/problem+json", b"{}"), "unknown, expired or revoked"),
        (("404 Not Found", "text/html", b"<p>"), "ends in /mcp"),
        (("429 Too Many Requests", "application/problem+json", b"{}"), "too many calls"),
        (("502 Bad Gateway", "text/html", b"<p>"), "HTTP 502"),
        (("503 Service Unavailable", "application/problem+json", b"{}"), "in a few seconds"),
        (("200 OK", "text/html", b"<p>Anmeldung</p>"), "no MCP server"),
        (("200 OK", "application/json", b"[]"), "no MCP server"),
    ],
)
def test_what_is_no_answer_becomes_an_error_that_says_what_to_do(
    network: Network, certificate: Path, answer: tuple[str, str, bytes], says: str
) -> None:
    status, kind, body = answer
    network.publisher.say(body, status, kind)
    assert says in refuse(open_bridge(network, certificate))


def test_a_refusal_of_the_protocol_is_passed_on(network: Network, certificate: Path) -> None:
    refusal = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"not served"}}'
    network.publisher.say(refusal, "400 Bad Request")
    assert open_bridge(network, certificate).ask(read(legacy("ping"))) == [refusal]


def test_an_answer_without_end_is_given_up(network: Network, certificate: Path) -> None:
    network.publisher.say(b" " * 100_000)
    assert "does not answer" in refuse(open_bridge(network, certificate, most=10))


def test_a_notification_gets_no_answer_even_where_it_fails(network: Network) -> None:
    notified = read({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert open_bridge(network, None).ask(notified) == []


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        ("https://recht.example", "https://recht.example/mcp"),
        ("https://Recht.example:8443/", "https://recht.example:8443/mcp"),
        (" https://recht.example/mcp/ ", "https://recht.example/mcp"),
        ("http://127.0.0.1:8000/mcp/chatgpt", "http://127.0.0.1:8000/mcp/chatgpt"),
    ],
)
def test_an_address_may_lack_its_path(given: str, read_as: str) -> None:
    assert read_url(given) == read_as


@pytest.mark.parametrize("given", ["", "recht.example", "ftp://x", "https://x:y", "https://a@b"])
def test_what_is_no_address_of_a_server_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput, match="such as https://"):
        read_url(given)


def test_a_key_in_the_address_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(InvalidInput, match="FUNDSTELLE_KEY"):
        read_url(f"https://recht.example/mcp?key={KEY}")
