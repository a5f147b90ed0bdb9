"""Keys that clients publish: read anew where they have changed, and not for everybody who asks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from fundstelle.net.client import NoAnswer
from fundstelle.oauth.client_keys import FAILURE_PAUSE_S, LONGEST_AGE_S, PAUSE_S
from fundstelle.oauth.document_fetch import METADATA, NoPlace, Sort
from tests.integration.sites.oauth_server import BASE, OAuth

ID = "https://app.example.com/oauth/client.json"
KEYS = "https://keys.example.com/jwks.json"
REDIRECT = "https://app.example.com/cb"
METADATA_OF_CLIENT: dict[str, object] = {
    "client_id": ID,
    "redirect_uris": [REDIRECT],
    "token_endpoint_auth_method": "private_key_jwt",
}


def make_key(kid: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": kid})


@dataclass
class Host:
    """Publishes a client's document and its keys: apart, or within the document."""

    is_apart: bool = True
    keys: list[ECKey] = field(default_factory=lambda: [make_key("one")])
    problem: Exception | None = None
    body: bytes | None = None  # instead of the keys
    asked: list[str] = field(default_factory=list)

    def fetch(self, url: str, _sender: str, _sort: Sort = METADATA) -> tuple[bytes, str]:
        self.asked.append(url)
        if self.problem is not None:
            raise self.problem
        keys = {"keys": [key.as_dict(private=False) for key in self.keys]}
        if url == KEYS:
            return self.body or orjson.dumps(keys), ""
        where = {"jwks_uri": KEYS} if self.is_apart else {"jwks": keys}
        return orjson.dumps({**METADATA_OF_CLIENT, **where}), ""


@dataclass
class Signs:
    """The client, which somebody has allowed."""

    oauth: OAuth
    host: Host
    count: int = 0

    def send(self, key: ECKey) -> httpx.Response:
        self.count += 1
        now = int(self.oauth.clock.now)
        claims = {"iss": ID, "sub": ID, "aud": BASE, "exp": now + 60, "jti": str(self.count)}
        form = {
            "grant_type": "refresh_token",
            "refresh_token": "x",
            "client_assertion": jwt.encode({"alg": "ES256", "kid": key.kid}, claims, key),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        }
        return self.oauth.send(form)

    def is_known(self, key: ECKey) -> bool:
        """Whether the key shows who it is; of its token is known that it is none."""
        answer = self.send(key)
        shown = (answer.status_code, answer.json()["error"])
        assert shown in {(400, "invalid_grant"), (401, "invalid_client")}, shown
        return answer.status_code == 400


@pytest.fixture(params=[True, False], ids=["apart", "within"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Signs]:
    host = Host(request.param)
    oauth = OAuth(tmp_path, host)  # type: ignore[arg-type]
    oauth.add_person()
    oauth.authorize(ID, redirect_uri=REDIRECT)
    client = Signs(oauth, host)
    assert client.is_known(host.keys[0])
    host.asked.clear()
    yield client
    oauth.store.close()


def test_a_new_key_is_known_with_its_first_assertion(client: Signs) -> None:
    old, new = client.host.keys[0], make_key("two")
    client.oauth.clock.now += PAUSE_S
    client.host.keys = [new]
    assert client.is_known(new)
    assert not client.is_known(old)
    assert len(client.host.asked) == 1


def test_so_is_one_that_bears_the_name_of_the_one_before(client: Signs) -> None:
    client.oauth.clock.now += PAUSE_S
    client.host.keys = [make_key("one")]
    assert client.is_known(client.host.keys[0])


def test_a_key_that_was_taken_out_is_refused_after_ten_minutes(client: Signs) -> None:
    stolen = client.host.keys[0]
    client.host.keys = [make_key("two")]
    client.oauth.clock.now += LONGEST_AGE_S - 1
    assert client.is_known(stolen)
    client.oauth.clock.now += 1
    assert not client.is_known(stolen)
    client.host.keys = []
    client.oauth.clock.now += LONGEST_AGE_S
    assert not client.is_known(stolen)
    assert LONGEST_AGE_S == 600


def test_a_key_that_is_not_there_is_asked_for_once_a_minute(client: Signs) -> None:
    forged = make_key("forged")
    client.oauth.clock.now += PAUSE_S
    for _ in range(5):
        assert not client.is_known(forged)
    assert len(client.host.asked) == 1
    client.oauth.clock.now += PAUSE_S
    assert not client.is_known(forged)
    assert len(client.host.asked) == 2


@pytest.mark.parametrize("age_s", [PAUSE_S, LONGEST_AGE_S, 90_000])
def test_keys_that_cannot_be_had_cost_no_tokens(client: Signs, age_s: int) -> None:
    """Neither those of a client that has just changed them, nor those that are read anew anyway."""
    new = make_key("two")
    client.host.keys = [new]
    client.oauth.clock.now += age_s
    for client.host.problem in (NoAnswer("away"), NoPlace("too many")):
        answer = client.send(new)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        assert answer.json()["error"] == "temporarily_unavailable"
        client.oauth.clock.now += FAILURE_PAUSE_S
    client.host.problem = None
    assert client.is_known(new)


def test_a_host_that_gives_no_answer_is_left_alone_for_a_moment(client: Signs) -> None:
    forged = make_key("forged")
    client.oauth.clock.now += PAUSE_S
    client.host.problem = NoAnswer("away")
    assert [client.send(forged).status_code for _ in range(5)] == [503] * 5
    assert client.is_known(client.host.keys[0]), "it is known by what was read before"
    assert len(client.host.asked) == 1
    client.oauth.clock.now += FAILURE_PAUSE_S
    client.host.problem = None
    assert not client.is_known(forged)


def test_a_sender_without_a_place_keeps_none_from_asking(client: Signs) -> None:
    new = make_key("two")
    client.host.keys = [new]
    client.oauth.clock.now += PAUSE_S
    client.host.problem = NoPlace("too many")
    assert client.send(make_key("forged")).status_code == 503
    client.host.problem = None
    assert client.is_known(new)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"error": "busy"}', b'{"keys": {}}'])
def test_what_is_no_set_of_keys_takes_the_place_of_none(tmp_path: Path, body: bytes) -> None:
    host = Host()
    oauth = OAuth(tmp_path, host)  # type: ignore[arg-type]
    oauth.add_person()
    oauth.authorize(ID, redirect_uri=REDIRECT)
    client = Signs(oauth, host)
    assert client.is_known(host.keys[0])
    oauth.clock.now += PAUSE_S
    host.body = body
    assert client.send(make_key("two")).status_code == 503
    assert client.is_known(host.keys[0])
    oauth.store.close()


def test_keys_that_may_not_be_fetched_are_no_keys(tmp_path: Path) -> None:
    """A client that is told to come again would do so for ever."""
    oauth = OAuth(tmp_path, fetch=None)
    signs: dict[str, Any] = oauth.register(
        token_endpoint_auth_method="private_key_jwt", jwks_uri=KEYS
    )
    claims = {"iss": signs["client_id"], "sub": signs["client_id"]}
    form = {
        "grant_type": "refresh_token",
        "refresh_token": "x",
        "client_assertion": jwt.encode({"alg": "ES256"}, claims, make_key("one")),
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }
    assert oauth.send(form).status_code == 401
    oauth.store.close()
