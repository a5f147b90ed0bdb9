"""Fetching client documents: from public addresses alone, little, soon, and never by surprise."""

import itertools
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from joserfc import jwt
from joserfc.jwk import OctKey

from fundstelle.oauth import guarded_fetch
from fundstelle.oauth.authorize import Pending, Problem
from fundstelle.oauth.guarded_fetch import (
    MOST_AT_ONCE,
    MOST_OF_SENDER,
    TIMEOUT_S,
    FetchRefused,
    GuardedFetch,
)
from tests.integration.oauth_server import Clock, OAuth, Somebody

HOST = "app.example.com"
ID = f"https://{HOST}/oauth/client.json"
REDIRECT = "https://app.example.com/cb"
PUBLIC = "93.184.215.14"
DOCUMENT: dict[str, object] = {
    "client_id": ID,
    "client_name": "App",
    "redirect_uris": [REDIRECT],
    "token_endpoint_auth_method": "none",
}


@dataclass
class Publisher:
    """A TLS server on loopback that says what it is told to say, and counts who comes."""

    context: ssl.SSLContext
    answer: bytes = b""
    drip_s: float = 0.0
    sent: int = 0
    asked: list[bytes] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def say(
        self,
        body: bytes,
        status: str = "200 OK",
        kind: str = "application/json",
        *headers: str,
    ) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
        self.answer = "\r\n".join([*lines, *headers, "", ""]).encode() + body

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                with (
                    suppress(OSError),
                    self.context.wrap_socket(connection, server_side=True) as secure,
                ):
                    self.asked.append(secure.recv(4096))
                    self._send(secure)

    def _send(self, secure: ssl.SSLSocket) -> None:
        if not self.drip_s:
            secure.sendall(self.answer)
            return
        for byte in self.answer:
            if self.stop.wait(self.drip_s):
                return
            secure.sendall(bytes([byte]))
            self.sent += 1

    def close(self) -> None:
        self.stop.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)


@dataclass
class Network:
    """What names lead to, and where connections went."""

    publisher: Publisher
    answers: list[Sequence[str]] = field(default_factory=lambda: [[PUBLIC]])
    resolved: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)

    def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def connect(self, address: str, port: int, timeout_s: float) -> socket.socket:
        self.connected.append((address, port))
        return socket.create_connection(self.publisher.socket.getsockname(), timeout_s)


def _make_certificate(folder: Path, host: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _make_certificate(tmp_path_factory.mktemp("tls"), HOST)


@pytest.fixture
def network(certificate: Path) -> Iterator[Network]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    publisher = Publisher(context)
    publisher.say(orjson.dumps(DOCUMENT))
    yield Network(publisher)
    publisher.close()


@pytest.fixture
def oauth(tmp_path: Path, certificate: Path, network: Network) -> Iterator[OAuth]:
    trust = ssl.create_default_context(cafile=str(certificate))
    fetch = GuardedFetch(network.resolve, network.connect, trust)
    oauth = OAuth(tmp_path, fetch)
    oauth.add_person()
    yield oauth
    oauth.store.close()


def _ask(oauth: OAuth, client_id: str = ID) -> Pending | Problem:
    return oauth.server.begin(oauth.ask(client_id, redirect_uri=REDIRECT).items())


REFUSED = Problem("invalid_client", "the client is unknown")


def test_an_unknown_document_is_fetched_and_vouched_for_by_its_host(
    oauth: OAuth, network: Network
) -> None:
    pending = _ask(oauth)
    assert isinstance(pending, Pending)
    assert (pending.host, pending.client.name, pending.is_verified) == (HOST, "App", False)
    assert network.connected == [(PUBLIC, 443)]
    assert network.publisher.asked[0].startswith(b"GET /oauth/client.json HTTP/1.1\r\n")
    assert b"\r\nHost: app.example.com\r\n" in network.publisher.asked[0]
    assert oauth.server.clients.list() == ()


@pytest.mark.parametrize(
    ("cache_control", "until_s"),
    [
        ("", 86_400),
        ("max-age=3600", 3_600),
        ("public, max-age=9999999", 86_400),
        ("no-store", 86_400),
    ],
)
def test_a_document_is_kept_for_a_day_at_most(
    oauth: OAuth, network: Network, cache_control: str, until_s: int
) -> None:
    network.publisher.say(
        orjson.dumps(DOCUMENT), "200 OK", "application/json", f"Cache-Control: {cache_control}"
    )
    _ask(oauth)
    oauth.clock.now += until_s - 1
    assert isinstance(_ask(oauth), Pending)
    assert len(network.resolved) == 1
    oauth.clock.now += 1
    assert isinstance(_ask(oauth), Pending)
    assert len(network.resolved) == 2


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.7"],
        ["172.20.1.1"],
        ["192.168.0.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["::1"],
        ["::"],
        ["fe80::1"],
        ["fd00::1"],
        ["::ffff:127.0.0.1"],
        ["::ffff:192.168.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["224.0.0.1"],
        [PUBLIC, "127.0.0.1"],
        ["127.0.0.1", PUBLIC],
        [],
        ["no address"],
    ],
)
def test_a_name_that_leads_elsewhere_is_not_fetched(
    oauth: OAuth, network: Network, addresses: list[str]
) -> None:
    network.answers = [addresses]
    assert _ask(oauth) == REFUSED
    assert network.connected == []
    assert network.publisher.asked == []


def test_a_name_that_changes_its_mind_is_asked_once(oauth: OAuth, network: Network) -> None:
    network.answers = [[PUBLIC], ["127.0.0.1"]]
    assert isinstance(_ask(oauth), Pending)
    assert network.resolved == [HOST]
    assert network.connected == [(PUBLIC, 443)]


def test_a_name_that_does_not_resolve_is_refused() -> None:
    def fail(host: str) -> Sequence[str]:
        raise socket.gaierror(-2, host)

    with pytest.raises(FetchRefused):
        GuardedFetch(fail).fetch(ID, "")


_DRIFT = orjson.dumps({**DOCUMENT, "client_id": "https://app.example.com/other.json"})


_JSON = "application/json"


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (b"", ("302 Found", _JSON, "Location: https://127.0.0.1/x")),
        (b"", ("301 Moved", _JSON, "Location: https://app.example.com/new.json")),
        (orjson.dumps(DOCUMENT), ("201 Created", _JSON)),
        (orjson.dumps(DOCUMENT), ("403 Forbidden", _JSON)),
        (orjson.dumps(DOCUMENT), ("500 Broken", _JSON)),
        (orjson.dumps(DOCUMENT), ("200 OK", "text/html")),
        (orjson.dumps(DOCUMENT), ("200 OK", "application/octet-stream")),
        (orjson.dumps(DOCUMENT) + b" " * 5_120, ("200 OK", _JSON)),
        (_DRIFT, ("200 OK", _JSON)),
        (b"<html>", ("200 OK", _JSON)),
        (b"", ("200 OK", _JSON, "X: " + "y" * 40_000)),
    ],
)
def test_an_answer_that_is_no_small_document_is_refused(
    oauth: OAuth, network: Network, body: bytes, head: tuple[str, ...]
) -> None:
    network.publisher.say(body, *head)
    assert _ask(oauth) == REFUSED
    assert network.connected == [(PUBLIC, 443)]
    assert len(network.publisher.asked) == 1


def test_a_failure_is_not_remembered_as_an_answer(oauth: OAuth, network: Network) -> None:
    network.publisher.say(b"", "503 Busy")
    assert _ask(oauth) == REFUSED
    network.publisher.say(orjson.dumps(DOCUMENT))
    assert isinstance(_ask(oauth), Pending)


def test_an_answer_that_drips_is_cut_off(
    oauth: OAuth, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_fetch, "TIMEOUT_S", 0.3)
    network.publisher.drip_s = 0.02
    assert _ask(oauth) == REFUSED
    assert 0 < network.publisher.sent < len(network.publisher.answer) / 2


def test_a_name_that_is_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_fetch, "TIMEOUT_S", 0.1)
    release = threading.Event()

    def wait(_host: str) -> Sequence[str]:
        release.wait(10)
        return [PUBLIC]

    def never(_address: str, _port: int, _timeout_s: float) -> socket.socket:
        raise AssertionError

    with pytest.raises(FetchRefused):
        GuardedFetch(wait, never).fetch(ID, "")
    release.set()


def test_three_seconds_and_five_kilobytes_are_the_limits() -> None:
    assert (guarded_fetch.TIMEOUT_S, guarded_fetch.MOST_BYTES) == (3.0, 5 * 1024)


def test_a_certificate_of_another_host_is_refused(tmp_path: Path, network: Network) -> None:
    other = _make_certificate(tmp_path, "other.example.com")
    network.publisher.context.load_cert_chain(other)
    trust = ssl.create_default_context(cafile=str(other))
    with pytest.raises(FetchRefused):
        GuardedFetch(network.resolve, network.connect, trust).fetch(ID, "")
    assert network.publisher.asked == []


@pytest.mark.parametrize(
    "url", ["http://app.example.com/x", "https://app.example.com:8443/x", "https:///x", "file:///x"]
)
def test_only_https_on_its_own_port_is_fetched(network: Network, url: str) -> None:
    with pytest.raises(FetchRefused):
        GuardedFetch(network.resolve, network.connect).fetch(url, "")
    assert (network.resolved, network.connected) == ([], [])


def test_the_environment_names_no_proxy(
    oauth: OAuth, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert isinstance(_ask(oauth), Pending)
    assert network.connected == [(PUBLIC, 443)]


def test_a_form_does_not_make_us_fetch_for_a_client_nobody_allowed(
    oauth: OAuth, network: Network
) -> None:
    response = oauth.redeem(ID, "x", redirect_uri=REDIRECT)
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
    assert network.resolved == []


def test_a_publisher_that_is_away_costs_a_client_no_tokens(oauth: OAuth, network: Network) -> None:
    code = oauth.authorize(ID, redirect_uri=REDIRECT)
    tokens = oauth.redeem(ID, code, redirect_uri=REDIRECT).json()
    network.publisher.say(b"", "503 Busy")
    oauth.clock.now += 86_400
    response = oauth.refresh(ID, tokens["refresh_token"])
    assert (response.status_code, response.headers["retry-after"]) == (503, "30")
    network.publisher.say(orjson.dumps(DOCUMENT))
    assert oauth.refresh(ID, tokens["refresh_token"]).status_code == 200


def test_fetching_can_be_switched_off(tmp_path: Path) -> None:
    oauth = OAuth(tmp_path, fetch=None, clock=Clock())
    assert _ask(oauth) == REFUSED
    metadata = oauth.http.get("/.well-known/oauth-authorization-server").json()
    assert metadata["client_id_metadata_document_supported"] is True
    oauth.store.close()


@dataclass
class Away:
    """Fetches nothing, and keeps for whom it was asked."""

    body: bytes | None = None
    senders: list[str] = field(default_factory=list)

    def fetch(self, url: str, sender: str) -> tuple[bytes, str]:
        self.senders.append(sender)
        if self.body is None or url != ID:
            raise FetchRefused("away")
        return self.body, "max-age=0"


def test_whatever_is_fetched_counts_for_the_network_that_is_the_cause(tmp_path: Path) -> None:
    """Keys of a client that signs, and documents that are not kept, as well."""
    away = Away()
    oauth = OAuth(tmp_path, fetch=away)  # type: ignore[arg-type]
    oauth.add_person()
    signs = oauth.register(
        token_endpoint_auth_method="private_key_jwt", jwks_uri="https://slow.example/jwks.json"
    )
    claims = {"iss": signs["client_id"], "sub": signs["client_id"]}
    form = {
        "grant_type": "authorization_code",
        "client_assertion": jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("s" * 32)),
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }
    oauth.http.address = "192.0.2.7"
    assert oauth.http.post("/oauth/token", data=form).status_code == 401
    assert away.senders == ["192.0.2.7"]

    away.body, away.senders = orjson.dumps(DOCUMENT), []
    asked = oauth.ask(ID, redirect_uri=REDIRECT).items()
    pending = oauth.server.begin(asked, "192.0.2.8")
    assert isinstance(pending, Pending)
    oauth.clock.now += 400  # nothing is kept that long
    assert oauth.server.find_pending(pending.secret, "192.0.2.9") is not None
    oauth.clock.now += 400
    oauth.server.decide(pending.secret, Somebody(), "192.0.2.10", allowed=False)
    assert set(away.senders) == {"192.0.2.8", "192.0.2.9", "192.0.2.10"}
    oauth.store.close()


def test_one_sender_whose_hosts_do_not_answer_keeps_no_other_client_waiting() -> None:
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def hang(host: str) -> Sequence[str]:
        begun.release()
        if host.startswith("slow"):
            assert go_on.wait(30)
        return ()

    fetch = GuardedFetch(resolve=hang)

    def ask(host: str, sender: str) -> str:
        with pytest.raises(FetchRefused) as refused:
            fetch.fetch(f"https://{host}.example/c.json", sender)
        return str(refused.value)

    threads = [
        threading.Thread(target=ask, args=(f"slow{number}", "192.0.2.1"))
        for number in range(MOST_OF_SENDER)
    ]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert begun.acquire(timeout=30)
    assert "too many fetches" in ask("slow", "192.0.2.1")
    for sender in ("192.0.2.2", ""):
        assert "not public" in ask("good", sender)
    go_on.set()
    for thread in threads:
        thread.join()
    assert "not public" in ask("good", "192.0.2.1")


def test_a_name_that_is_still_asked_for_keeps_the_place_of_its_fetch() -> None:
    go_on = threading.Event()

    def hang(host: str) -> Sequence[str]:
        if host.startswith("slow"):
            assert go_on.wait(60)
        return ()

    moments = itertools.cycle((0.0, TIMEOUT_S - 0.001))  # all time but a moment
    fetch = GuardedFetch(resolve=hang, clock=lambda: next(moments))

    def ask(host: str, sender: str) -> str:
        with pytest.raises(FetchRefused) as refused:
            fetch.fetch(f"https://{host}.example/c.json", sender)
        return str(refused.value)

    try:
        for _ in range(MOST_OF_SENDER):
            assert "not resolved in time" in ask("slow", "192.0.2.1")
        assert "too many fetches" in ask("slow", "192.0.2.1")
        for number in range(2, MOST_AT_ONCE // MOST_OF_SENDER + 1):
            for _ in range(MOST_OF_SENDER):
                assert "not resolved in time" in ask("slow", f"192.0.2.{number}")
        assert "too many fetches" in ask("good", "")
    finally:
        go_on.set()
    fetch._resolvers.shutdown(wait=True)
    assert fetch._senders == []
