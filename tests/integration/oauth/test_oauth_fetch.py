"""Fetching client documents: from public addresses alone, little, soon, and never by surprise."""

import itertools
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from fundstelle.net.client import GuardedClient, NoAnswer
from fundstelle.oauth.authorize import Pending, Problem
from fundstelle.oauth.document_fetch import (
    KEY_SET,
    METADATA,
    MOST_AT_ONCE,
    MOST_OF_SENDER,
    TIMEOUT_S,
    DocumentFetch,
    Sort,
)
from tests.integration.services.tls_publisher import PUBLIC, Network, make_certificate, publishing
from tests.integration.sites.oauth_server import Clock, OAuth, Somebody

HOST = "app.example.com"
ID = f"https://{HOST}/oauth/client.json"
REDIRECT = "https://app.example.com/cb"
DOCUMENT: dict[str, object] = {
    "client_id": ID,
    "client_name": "App",
    "redirect_uris": [REDIRECT],
    "token_endpoint_auth_method": "none",
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"), HOST)


@pytest.fixture
def network(certificate: Path) -> Iterator[Network]:
    with publishing(certificate) as network:
        network.publisher.say(orjson.dumps(DOCUMENT))
        yield network


def open_fetch(network: Network, certificate: Path, seconds: float = TIMEOUT_S) -> DocumentFetch:
    trust = ssl.create_default_context(cafile=certificate)
    return DocumentFetch(
        GuardedClient(seconds, METADATA.most_bytes, network.resolve, network, trust)
    )


@pytest.fixture
def oauth(tmp_path: Path, certificate: Path, network: Network) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, open_fetch(network, certificate))
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

    with pytest.raises(NoAnswer):
        DocumentFetch(GuardedClient(3, 9, fail)).fetch(ID, "")


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


def test_a_document_that_cannot_be_used_is_not_kept(oauth: OAuth, network: Network) -> None:
    code = oauth.authorize(ID, redirect_uri=REDIRECT)
    tokens = oauth.redeem(ID, code, redirect_uri=REDIRECT).json()
    oauth.clock.now += 86_400
    network.publisher.say(b"{}")
    assert oauth.refresh(ID, tokens["refresh_token"]).status_code == 503
    network.publisher.say(orjson.dumps(DOCUMENT))
    assert oauth.refresh(ID, tokens["refresh_token"]).status_code == 200


def test_an_answer_that_drips_is_cut_off(network: Network, certificate: Path) -> None:
    network.publisher.drip_s = 0.02
    with pytest.raises(NoAnswer):
        open_fetch(network, certificate, seconds=0.3).fetch(ID, "")
    assert 0 < network.publisher.sent < len(network.publisher.answer) / 2


def test_a_name_that_is_slow_is_given_up(network: Network) -> None:
    release = threading.Event()

    def wait(_host: str) -> Sequence[str]:
        release.wait(10)
        return [PUBLIC]

    with pytest.raises(NoAnswer, match="not resolved in time"):
        DocumentFetch(GuardedClient(0.1, 9, wait, network)).fetch(ID, "")
    release.set()
    assert network.connected == []


def test_three_seconds_and_five_kilobytes_are_the_limits() -> None:
    assert (TIMEOUT_S, METADATA.most_bytes) == (3.0, 5 * 1024)
    assert KEY_SET.most_bytes == 64 * 1024


@pytest.mark.parametrize("kind", ["application/json", "application/jwk-set+json; charset=utf-8"])
def test_a_set_of_keys_with_their_certificates_is_read(
    network: Network, certificate: Path, kind: str
) -> None:
    """Three RSA keys, each with two certificates."""
    keys = [{"kty": "RSA", "n": "n" * 683, "x5c": ["c" * 2_000] * 2}] * 3
    network.publisher.say(orjson.dumps({"keys": keys}), "200 OK", kind)
    fetch = open_fetch(network, certificate)
    body, _ = fetch.fetch(ID, "", KEY_SET)
    assert orjson.loads(body) == {"keys": keys}
    with pytest.raises(NoAnswer):
        fetch.fetch(ID, "")
    network.publisher.say(body + b" " * KEY_SET.most_bytes, "200 OK", kind)
    with pytest.raises(NoAnswer, match="too large"):
        fetch.fetch(ID, "", KEY_SET)


def test_a_certificate_of_another_host_is_refused(tmp_path: Path, network: Network) -> None:
    other = make_certificate(tmp_path, "other.example.com")
    network.publisher.context.load_cert_chain(other)
    with pytest.raises(NoAnswer, match="certificate"):
        open_fetch(network, other).fetch(ID, "")
    assert network.publisher.asked == []


@pytest.mark.parametrize(
    "url", ["http://app.example.com/x", "https://app.example.com:8443/x", "https:///x", "file:///x"]
)
def test_only_https_on_its_own_port_is_fetched(oauth: OAuth, network: Network, url: str) -> None:
    assert _ask(oauth, url) == REFUSED
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

    def fetch(self, url: str, sender: str, _sort: Sort = METADATA) -> tuple[bytes, str]:
        self.senders.append(sender)
        if self.body is None or url != ID:
            raise NoAnswer("away")
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
    assert oauth.http.post("/oauth/token", data=form).status_code == 503
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

    fetch = DocumentFetch(GuardedClient(TIMEOUT_S, METADATA.most_bytes, hang))

    def ask(host: str, sender: str) -> str:
        with pytest.raises(NoAnswer) as refused:
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
        assert "may not be asked" in ask("good", sender)
    go_on.set()
    for thread in threads:
        thread.join()
    assert "may not be asked" in ask("good", "192.0.2.1")


def test_a_name_that_is_still_asked_for_keeps_the_place_of_its_fetch() -> None:
    go_on = threading.Event()

    def hang(host: str) -> Sequence[str]:
        if host.startswith("slow"):
            assert go_on.wait(60)
        return ()

    moments = itertools.cycle((0.0, TIMEOUT_S - 0.001))  # all time but a moment
    client = GuardedClient(TIMEOUT_S, METADATA.most_bytes, hang, clock=lambda: next(moments))
    fetch = DocumentFetch(client)

    def ask(host: str, sender: str) -> str:
        with pytest.raises(NoAnswer) as refused:
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
    client._resolvers.shutdown(wait=True)
    assert not fetch._places._held
