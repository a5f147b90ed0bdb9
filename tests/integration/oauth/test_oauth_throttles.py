"""Strangers ask only so often: 429 with ``Retry-After``, by address and in total."""

from pathlib import Path

import pytest

from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.limiter import Limit
from fundstelle.accounts.oauth.authorizations import Asked, Authorizations
from fundstelle.accounts.oauth.clients import Clients
from fundstelle.oauth import throttles
from fundstelle.oauth.errors import OAuthError
from fundstelle.oauth.throttles import Throttles
from tests.integration.services.databases import Database
from tests.integration.sites.oauth_server import LOOPBACK, OAuth


def build_limits(network: int, site: int) -> tuple[Limit, Limit]:
    """Two in a minute."""
    return Limit("network", network, 60), Limit("site", site, 60)


@pytest.fixture
def oauth(tmp_path: Path) -> OAuth:
    oauth = OAuth(tmp_path, throttles=Throttles())
    oauth.add_person()
    return oauth


def test_an_address_registers_ten_clients_an_hour(oauth: OAuth) -> None:
    for _ in range(10):
        oauth.register()
    response = oauth.http.post("/oauth/register", json={"redirect_uris": [LOOPBACK]})
    assert response.status_code == 429
    assert 1 <= int(response.headers["retry-after"]) <= 3600
    oauth.http.address = "203.0.113.6"
    oauth.register()
    oauth.store.close()


def test_a_network_of_ipv6_is_one_address() -> None:
    throttle = Throttles()
    waits = [throttle.take("register", f"2001:db8::{n:x}") for n in range(11)]
    assert [wait is None for wait in waits] == [True] * 10 + [False]
    assert throttle.take("register", "2001:db8:0:1::1") is None


def test_a_site_has_a_limit_and_all_addresses_together_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(throttles.LIMITS, "register", build_limits(10, 20))
    throttle = Throttles()
    waits = [throttle.take("register", f"203.0.113.{n}") for n in range(21)]
    assert [wait is None for wait in waits] == [True] * 20 + [False]
    assert {throttle.take("register", f"198.51.{n}.1") for n in range(250)} == {None}


def test_two_processes_count_registrations_together(tmp_path: Path, database: Database) -> None:
    stores = [database.open(tmp_path) for _ in range(2)]
    processes = [Throttles(rare=Throttle(store)) for store in stores]
    waits = [processes[n % 2].take("register", "203.0.113.7") for n in range(12)]
    assert [wait is None for wait in waits] == [True] * 10 + [False] * 2
    assert processes[0].take("register", "2001:db8::1") is None
    assert processes[1].take("authorize", "203.0.113.7") is None
    for store in stores:
        store.close()


def test_registrations_nobody_uses_give_way_to_new_ones(oauth: OAuth) -> None:
    clients = Clients(oauth.store, oauth.clock, most_unused=5)
    ids = []
    for number in range(8):
        oauth.clock.now += 1
        ids.append(clients.register(f"{number}", [LOOPBACK], "none", {})[0].id)
        if number == 0:
            oauth.sign_in(ids[0])
    kept = [client.id for client in clients.list()]
    assert kept == [*reversed(ids[3:]), ids[0]]


def test_requests_nobody_decides_give_way_to_new_ones(oauth: OAuth) -> None:
    pending = Authorizations(oauth.store, oauth.clock, most_pending=50)
    asked = Asked("client_x", LOOPBACK, None, "c" * 43, "legal:read", "https://law.test/mcp")
    secrets = []
    for _ in range(200):
        oauth.clock.now += 0.001
        secrets.append(pending.begin(asked))
    assert pending.find(secrets[-1]) is not None
    assert sum(pending.find(secret) is not None for secret in secrets) == 50


def test_failures_at_the_token_endpoint_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttles.LIMITS, "token", build_limits(3, 100))
    oauth = OAuth(tmp_path, throttles=Throttles())
    oauth.add_person()
    client_id = oauth.register()["client_id"]
    for _ in range(5):
        oauth.sign_in(client_id)
    statuses = [oauth.redeem(client_id, "x").status_code for _ in range(4)]
    assert statuses == [400, 400, 400, 429]
    response = oauth.redeem("client_gone", "x")
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) >= 1
    oauth.store.close()


def test_requests_for_authorization_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttles.LIMITS, "authorize", build_limits(2, 100))
    oauth = OAuth(tmp_path, throttles=Throttles())
    asked = oauth.ask(oauth.register()["client_id"])
    oauth.server.begin(asked.items(), "203.0.113.5")
    oauth.server.begin(asked.items(), "203.0.113.5")
    with pytest.raises(OAuthError) as caught:
        oauth.server.begin(asked.items(), "203.0.113.5")
    assert (caught.value.status, caught.value.retry_after_s is not None) == (429, True)
    oauth.store.close()


def test_a_shared_counter_that_cannot_be_reached_limits_by_this_process_alone() -> None:
    throttles = Throttles(Counters("redis://127.0.0.1:1/0"))
    taken = [throttles.take("register", "203.0.113.7") for _ in range(11)]
    assert taken[:10] == [None] * 10
    assert taken[10] is not None
