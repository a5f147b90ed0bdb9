"""What must be refused, with which error, and what becomes of the grant."""

import base64
import hmac
import itertools
import json
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

from fundstelle.accounts.oauth import used_assertions
from fundstelle.accounts.oauth.refresh_tokens import MOST_SIBLINGS, RefreshTokens
from fundstelle.errors import NotFound
from fundstelle.oauth import assertions
from fundstelle.oauth.authorize import Pending, Problem
from fundstelle.oauth.pkce import derive_challenge
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.sites.oauth_server import BASE, LOOPBACK, OAuth, Somebody, read_query

OTHER_VERIFIER = "w" * 43


@pytest.fixture
def oauth(tmp_path: Path, database: Database) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, database=database)
    oauth.add_person()
    yield oauth
    oauth.store.close()


# --- the authorization endpoint: to the client, or on a page


@only_on_sqlite
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"code_challenge": "a" * 42}, "invalid_request"),
        ({"response_type": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"resource": BASE}, "invalid_target"),
        ({"resource": ""}, "invalid_target"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"state": "x" * 4097}, "invalid_request"),
        ({"state": "a\0b"}, "invalid_request"),
    ],
)
def test_a_bad_request_goes_back_to_the_client(
    oauth: OAuth, change: dict[str, str | None], error: str
) -> None:
    asked = oauth.ask(oauth.register()["client_id"], **change)
    problem = oauth.server.begin(asked.items())
    assert isinstance(problem, Problem)
    assert problem.redirect is not None
    assert problem.redirect.startswith(f"{LOOPBACK}?")
    query = read_query(problem.redirect)
    assert (query["error"], query["iss"]) == (error, BASE)
    assert query.get("state") == (None if "state" in change else "s-1")


@only_on_sqlite
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"client_id": "client_unknown"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"client_id": "x" * 501}, "invalid_client"),
        ({"client_id": "a\0b"}, "invalid_client"),
        ({"client_id": "https://unknown.example/client.json"}, "invalid_client"),
        ({"redirect_uri": None}, "invalid_redirect_uri"),
        ({"redirect_uri": "https://evil.example/cb"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://127.0.0.1/callback/../x"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://127.0.0.1/callback#x"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://localhost/callback"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://127.0.0.1@evil.example/callback"}, "invalid_redirect_uri"),
    ],
)
def test_nobody_is_sent_to_an_address_that_is_not_registered(
    oauth: OAuth, change: dict[str, str | None], error: str
) -> None:
    asked = oauth.ask(oauth.register()["client_id"], **change)
    problem = oauth.server.begin(asked.items())
    assert isinstance(problem, Problem)
    assert (problem.error, problem.redirect) == (error, None)


@only_on_sqlite
@pytest.mark.parametrize("name", ["state", "code_challenge", "scope", "response_type"])
def test_a_repeated_parameter_is_refused(oauth: OAuth, name: str) -> None:
    asked = oauth.ask(oauth.register()["client_id"])
    problem = oauth.server.begin([*asked.items(), (name, asked[name])])
    assert isinstance(problem, Problem)
    assert problem.error == "invalid_request"
    assert problem.redirect is not None


@only_on_sqlite
@pytest.mark.parametrize("name", ["client_id", "redirect_uri"])
def test_a_repeated_address_is_refused_on_a_page(oauth: OAuth, name: str) -> None:
    asked = oauth.ask(oauth.register()["client_id"])
    problem = oauth.server.begin([*asked.items(), (name, asked[name])])
    assert problem == Problem("invalid_request", "a parameter is repeated")


# --- the token endpoint: code


@dataclass
class Code:
    """A code that was allowed, and the client it is for."""

    oauth: OAuth
    client_id: str
    code: str

    def redeem(self, **changes: str | None) -> Any:
        return self.oauth.redeem(self.client_id, self.code, **changes)


@pytest.fixture
def code(oauth: OAuth) -> Code:
    client_id = oauth.register()["client_id"]
    return Code(oauth, client_id, oauth.authorize(client_id))


@only_on_sqlite
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": ""}, "invalid_request"),
        ({"code_verifier": OTHER_VERIFIER}, "invalid_grant"),
        ({"code_verifier": derive_challenge("v" * 43)}, "invalid_grant"),
        ({"redirect_uri": "http://127.0.0.1:1/callback"}, "invalid_grant"),
        ({"redirect_uri": "https://evil.example/cb"}, "invalid_grant"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"code": "x" * 43}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"grant_type": None}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"}, "unsupported_grant_type"),
    ],
)
def test_a_bad_exchange_gives_nothing_and_costs_nothing(
    code: Code, change: dict[str, str | None], error: str
) -> None:
    response = code.redeem(**change)
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["access-control-allow-origin"] == "*"
    assert code.oauth.get_grant().revoked is None
    assert code.redeem().status_code == 200


def test_a_code_of_another_client_is_refused(code: Code) -> None:
    other = code.oauth.register()["client_id"]
    response = code.oauth.redeem(other, code.code)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
    assert code.oauth.get_grant().revoked is None
    assert code.redeem().status_code == 200


def test_a_code_that_comes_twice_ends_the_grant(code: Code) -> None:
    tokens = code.redeem().json()
    response = code.redeem()
    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
    assert code.oauth.get_grant().reason == "code_reuse"
    assert not code.oauth.is_good(tokens)
    again = code.oauth.refresh(code.client_id, tokens["refresh_token"])
    assert again.json()["error"] == "invalid_grant"
    assert "code_reused" in [event for event, _, _ in code.oauth.events]


def test_a_code_is_good_for_a_minute(code: Code) -> None:
    code.oauth.clock.now += 60
    assert code.redeem().json()["error"] == "invalid_grant"


def test_an_unknown_client_is_told_so(oauth: OAuth) -> None:
    response = oauth.redeem("client_gone", "x")
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


def test_a_revoked_client_is_told_so(code: Code) -> None:
    code.oauth.server.clients.revoke(code.client_id)
    response = code.redeem()
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


@only_on_sqlite
@pytest.mark.parametrize(
    "options",
    [
        {"json": {"grant_type": "authorization_code"}},
        {"content": b"grant_type=x", "headers": {"Content-Type": "text/plain"}},
        {"content": b"%", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {
            "content": b"grant_type=refresh_token&grant_type=refresh_token",
            "headers": {"Content-Type": "application/x-www-form-urlencoded"},
        },
        {"params": {"grant_type": "refresh_token"}},
    ],
)
def test_what_is_no_form_is_refused(oauth: OAuth, options: dict[str, Any]) -> None:
    response = oauth.http.post("/oauth/token", **options)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")


# --- the token endpoint: refresh


def test_nobody_refreshes_without_end(oauth: OAuth) -> None:
    oauth.server._refresh_tokens = RefreshTokens(oauth.store, oauth.clock)
    oauth.server._tokens._refresh_tokens = oauth.server._refresh_tokens
    client_id = oauth.register()["client_id"]
    token = oauth.sign_in(client_id)["refresh_token"]
    for _ in range(500):
        answer = oauth.refresh(client_id, token)
        if answer.status_code != 200:
            break
        token = answer.json()["refresh_token"]
    assert (answer.status_code, answer.json()["error"]) == (429, "slow_down")
    assert int(answer.headers["retry-after"]) > 0
    assert oauth.get_grant().is_live, "the token is good as before"


def test_an_old_refresh_token_ends_the_grant(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    first = oauth.sign_in(client_id)
    second = oauth.refresh(client_id, first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    oauth.clock.now += 31
    response = oauth.refresh(client_id, first["refresh_token"])
    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
    assert oauth.get_grant().reason == "refresh_reuse"
    assert not oauth.is_good(second)
    assert oauth.refresh(client_id, second["refresh_token"]).json()["error"] == "invalid_grant"
    assert "refresh_reused" in [event for event, _, _ in oauth.events]


def test_parallel_refreshes_all_live_until_one_goes_on(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    first = oauth.sign_in(client_id)
    siblings = [oauth.refresh(client_id, first["refresh_token"]).json() for _ in range(2)]
    oauth.clock.now += 30
    siblings.append(oauth.refresh(client_id, first["refresh_token"]).json())
    assert all(oauth.is_good(one) for one in siblings)
    assert len({one["refresh_token"] for one in siblings}) == 3
    oauth.clock.now += 60
    after = oauth.refresh(client_id, siblings[1]["refresh_token"])
    assert after.status_code == 200
    assert oauth.refresh(client_id, after.json()["refresh_token"]).status_code == 200


@pytest.mark.parametrize("first_branch", [0, 1])
@pytest.mark.parametrize("later_s", [0, 1, 900])
def test_the_use_of_a_branch_that_was_left_ends_the_grant(
    oauth: OAuth, first_branch: int, later_s: int
) -> None:
    client_id = oauth.register()["client_id"]
    first = oauth.sign_in(client_id)
    branches = [oauth.refresh(client_id, first["refresh_token"]).json() for _ in range(2)]
    oauth.clock.now += 31
    went_on = oauth.refresh(client_id, branches[first_branch]["refresh_token"])
    assert went_on.status_code == 200
    oauth.clock.now += later_s
    left = oauth.refresh(client_id, branches[1 - first_branch]["refresh_token"])
    assert left.json()["error"] == "invalid_grant"
    assert oauth.get_grant().reason == "refresh_reuse"
    assert not oauth.is_good(went_on.json())
    assert oauth.refresh(client_id, went_on.json()["refresh_token"]).status_code == 400
    assert [event for event, _, _ in oauth.events].count("refresh_reused") == 1


def test_a_branch_within_the_grace_cannot_hide_deeper_down(oauth: OAuth) -> None:
    """Two that refresh at the same moments part ways as soon as one of them is late."""
    client_id = oauth.register()["client_id"]
    root = oauth.sign_in(client_id)["refresh_token"]
    lines = [oauth.refresh(client_id, root).json()["refresh_token"] for _ in range(2)]
    for _ in range(3):
        answers = [oauth.refresh(client_id, one) for one in lines]
        assert [one.status_code for one in answers] == [200, 200]
        lines = [one.json()["refresh_token"] for one in answers]
    oauth.clock.now += 31
    assert oauth.refresh(client_id, lines[0]).status_code == 200
    assert oauth.refresh(client_id, lines[1]).status_code == 400
    assert oauth.get_grant().reason == "refresh_reuse"


def test_a_lost_answer_may_be_asked_for_again_and_its_branch_dies(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    token = oauth.sign_in(client_id)["refresh_token"]
    for _ in range(3):
        oauth.clock.now += 900
        oauth.refresh(client_id, token)  # nobody got the answer
        oauth.clock.now += 29
        token = oauth.refresh(client_id, token).json()["refresh_token"]
    assert oauth.get_grant().revoked is None


def test_repeating_a_token_does_not_prolong_its_grace(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    token = oauth.sign_in(client_id)["refresh_token"]
    statuses = []
    for _ in range(3):
        statuses.append(oauth.refresh(client_id, token).status_code)
        oauth.clock.now += 20
    assert statuses == [200, 200, 400]


def test_a_token_has_so_many_siblings_and_no_more(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    token = oauth.sign_in(client_id)["refresh_token"]
    statuses = [oauth.refresh(client_id, token).status_code for _ in range(MOST_SIBLINGS + 2)]
    assert statuses == [*[200] * MOST_SIBLINGS, 400, 400]
    assert oauth.get_grant().revoked is None


def test_two_servers_asked_for_two_branches_at_once_let_one_go_on(oauth: OAuth) -> None:
    second = oauth.open_again()
    client_id = oauth.register()["client_id"]
    for _ in range(5):
        root = oauth.sign_in(client_id)["refresh_token"]
        branches = [oauth.refresh(client_id, root).json()["refresh_token"] for _ in range(2)]
        oauth.clock.now += 31
        barrier = Barrier(2)

        def send(server: OAuth, token: str, barrier: Barrier = barrier) -> int:
            barrier.wait(10)
            return server.refresh(client_id, token).status_code

        with ThreadPoolExecutor(2) as pool:
            statuses = list(pool.map(send, (oauth, second), branches))
        assert sorted(statuses) == [200, 400]
    assert {grant.reason for grant in oauth.server.grants.list()} == {"refresh_reuse"}
    second.store.close()


@pytest.mark.parametrize("what", ["refresh", "code"])
def test_two_servers_asked_at_once_agree(oauth: OAuth, what: str) -> None:
    second = oauth.open_again()
    client_id = oauth.register()["client_id"]
    for _ in range(10):
        secret = oauth.authorize(client_id)
        if what == "refresh":
            secret = oauth.redeem(client_id, secret).json()["refresh_token"]
        barrier = Barrier(2)

        def send(
            server: OAuth, secret: str = secret, barrier: Barrier = barrier
        ) -> tuple[int, dict[str, Any]]:
            barrier.wait(10)
            send = server.refresh if what == "refresh" else server.redeem
            response = send(client_id, secret)
            return response.status_code, response.json()

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(send, (oauth, second)))
        if what == "refresh":
            assert [status for status, _ in answers] == [200, 200]
            assert all(oauth.is_good(tokens) for _, tokens in answers)
        else:
            assert sorted(status for status, _ in answers) == [200, 400]
            assert not any(oauth.is_good(tokens) for status, tokens in answers if status == 200)
    second.store.close()


def test_only_the_token_before_the_newest_is_graced(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    first = oauth.sign_in(client_id)
    second = oauth.refresh(client_id, first["refresh_token"]).json()
    oauth.refresh(client_id, second["refresh_token"])
    assert oauth.refresh(client_id, first["refresh_token"]).json()["error"] == "invalid_grant"
    assert oauth.get_grant().reason == "refresh_reuse"


def test_a_refresh_token_of_another_client_is_refused(oauth: OAuth) -> None:
    client_id, other = oauth.register()["client_id"], oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    response = oauth.refresh(other, tokens["refresh_token"])
    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
    assert oauth.refresh(client_id, tokens["refresh_token"]).status_code == 200


@only_on_sqlite
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"scope": "legal:write"}, "invalid_scope"),
        ({"refresh_token": "x"}, "invalid_grant"),
        ({"refresh_token": ""}, "invalid_request"),
    ],
)
def test_a_bad_refresh_gives_nothing_and_costs_nothing(
    oauth: OAuth, change: dict[str, str], error: str
) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    form = {
        "grant_type": "refresh_token",
        "refresh_token": tokens["refresh_token"],
        "client_id": client_id,
    }
    response = oauth.send({**form, **change})
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert oauth.send(form).status_code == 200


def test_a_client_that_wants_no_refresh_tokens_gets_none(oauth: OAuth) -> None:
    client_id = oauth.register(grant_types=["authorization_code"])["client_id"]
    assert "refresh_token" not in oauth.sign_in(client_id)
    assert oauth.refresh(client_id, "x").json()["error"] == "unauthorized_client"


def test_a_token_of_another_client_cannot_be_given_back(oauth: OAuth) -> None:
    client_id, other = oauth.register()["client_id"], oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    form = {"token": tokens["refresh_token"], "client_id": other}
    response = oauth.http.post("/oauth/revoke", data=form)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
    assert oauth.is_good(tokens)


# --- clients that must show who they are


def _basic(client_id: str, secret: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode()}


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_confidential_client_shows_its_secret_in_either_place(oauth: OAuth, method: str) -> None:
    client = oauth.register(token_endpoint_auth_method=method)
    client_id, secret = client["client_id"], client["client_secret"]
    assert (
        oauth.redeem(client_id, oauth.authorize(client_id), client_secret=secret).status_code == 200
    )
    form = {
        "grant_type": "authorization_code",
        "code": oauth.authorize(client_id),
        "code_verifier": "v" * 43,
    }
    assert oauth.send(form, headers=_basic(client_id, secret)).status_code == 200


def test_a_client_that_an_admin_made_signs_in(oauth: OAuth) -> None:
    client_id, secret = oauth.server.clients.create_confidential("Connector", [])
    problem = oauth.server.begin(oauth.ask(client_id).items())
    assert isinstance(problem, Problem)
    oauth.server.clients.set_redirects(client_id, [LOOPBACK])
    code = oauth.authorize(client_id)
    assert oauth.redeem(client_id, code).status_code == 401
    assert oauth.redeem(client_id, code, client_secret=secret).status_code == 200


@only_on_sqlite
@pytest.mark.parametrize(
    ("form", "headers", "status", "error"),
    [
        ({"client_id": "ID"}, {}, 401, "invalid_client"),
        ({"client_id": "ID", "client_secret": "wrong"}, {}, 401, "invalid_client"),
        ({"client_id": "ID", "client_secret": ""}, {}, 401, "invalid_client"),
        ({}, {"Authorization": "BASIC-wrong"}, 401, "invalid_client"),
        ({}, {"Authorization": "Basic !!!"}, 401, "invalid_client"),
        ({}, {"Authorization": "Basic YQ=="}, 401, "invalid_client"),
        ({}, {"Authorization": "Bearer x"}, 401, "invalid_client"),
        ({"client_secret": "SECRET"}, {"Authorization": "BASIC"}, 400, "invalid_request"),
        ({"client_id": "client_other"}, {"Authorization": "BASIC"}, 400, "invalid_request"),
        ({}, {}, 401, "invalid_client"),
    ],
)
def test_who_does_not_show_it_gets_nothing(
    oauth: OAuth, form: dict[str, str], headers: dict[str, str], status: int, error: str
) -> None:
    client = oauth.register(token_endpoint_auth_method="client_secret_basic")
    good = _basic(client["client_id"], client["client_secret"])["Authorization"]
    wrong = _basic(client["client_id"], "wrong")["Authorization"]
    names = {"ID": client["client_id"], "SECRET": client["client_secret"]}
    names |= {"BASIC": good, "BASIC-wrong": wrong}
    sent = {
        "grant_type": "authorization_code",
        "code": oauth.authorize(client["client_id"]),
        "code_verifier": "v" * 43,
        **{key: names.get(value, value) for key, value in form.items()},
    }
    filled = {key: names.get(value, value) for key, value in headers.items()}
    response = oauth.send(sent, headers=filled)
    assert (response.status_code, response.json()["error"]) == (status, error)
    if status == 401 and headers:
        assert response.headers["www-authenticate"].startswith("Basic ")
    assert oauth.get_grant().last_used is None


def test_a_public_client_has_no_secret_to_show(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    response = oauth.redeem(client_id, oauth.authorize(client_id), client_secret="x")
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


# --- clients that sign


@dataclass
class Signer:
    """A client that authenticates by ``private_key_jwt``."""

    oauth: OAuth
    client_id: str
    key: ECKey

    def sign(self, key: Any = None, alg: str = "ES256", **changes: Any) -> str:
        claims = {
            "iss": self.client_id,
            "sub": self.client_id,
            "aud": BASE,
            "exp": int(self.oauth.clock.now) + 60,
            "jti": "one",
            **changes,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": alg, "kid": "k1"}, kept, key or self.key, algorithms=[alg])

    def send(self, assertion: str | None, **changes: str) -> Any:
        form = {
            "grant_type": "authorization_code",
            "code": self.oauth.authorize(self.client_id),
            "code_verifier": "v" * 43,
        }
        if assertion is None:
            form["client_id"] = self.client_id
        else:
            form["client_assertion"] = assertion
            form["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        return self.oauth.send({**form, **changes})


@pytest.fixture
def signer(oauth: OAuth) -> Signer:
    key = ECKey.generate_key("P-256", {"kid": "k1"})
    jwks = {"keys": [key.as_dict(private=False)]}
    client = oauth.register(token_endpoint_auth_method="private_key_jwt", jwks=jwks)
    return Signer(oauth, client["client_id"], key)


@only_on_sqlite
@pytest.mark.parametrize(
    "audience", [BASE, f"{BASE}/oauth/token", [BASE], [f"{BASE}/oauth/token", BASE]]
)
def test_a_client_that_signs_is_known_by_its_key(signer: Signer, audience: object) -> None:
    assert signer.send(signer.sign(aud=audience)).status_code == 200


@only_on_sqlite
@pytest.mark.parametrize(
    "change",
    [
        {"aud": "https://other.example"},
        {"aud": None},
        {"aud": []},
        {"aud": [BASE, "https://other.example"]},  # who could show it here
        {"aud": [BASE, None]},
        {"iat": 1_900_000_000},
        {"iat": "now"},
        {"iss": "client_other"},
        {"exp": 0},
        {"exp": None},
        {"exp": 1_900_000_000},
        {"nbf": 1_900_000_000},
        {"jti": None},
    ],
)
def test_an_assertion_that_says_something_else_is_refused(
    signer: Signer, change: dict[str, Any]
) -> None:
    response = signer.send(signer.sign(**change))
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


@only_on_sqlite
def test_an_assertion_is_good_once(signer: Signer) -> None:
    assertion = signer.sign()
    assert signer.send(assertion).status_code == 200
    assert signer.send(assertion).json()["error"] == "invalid_client"
    assert signer.send(signer.sign(jti="two")).status_code == 200


def test_an_assertion_is_taken_by_one_of_two_servers(signer: Signer) -> None:
    second = signer.oauth.open_again()
    for number in range(3):
        assertion = signer.sign(jti=f"race-{number}")
        form = {
            "grant_type": "refresh_token",
            "refresh_token": "x",
            "client_assertion": assertion,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        }
        barrier = Barrier(2)

        def send(server: OAuth, form: dict[str, str] = form, barrier: Barrier = barrier) -> str:
            barrier.wait(10)
            return str(server.send(form).json()["error"])

        with ThreadPoolExecutor(2) as pool:
            said = sorted(pool.map(send, (signer.oauth, second)))
        assert said == ["invalid_client", "invalid_grant"], "one of them knew who it was"
    second.store.close()


@only_on_sqlite
def test_a_client_fills_no_table_with_assertions(
    signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(used_assertions, "MOST_OF_A_CLIENT", 3)
    monkeypatch.setattr(used_assertions, "MOST_OF_A_GRANT", 0)
    said = [signer.send(signer.sign(jti=f"{number}")).status_code for number in range(4)]
    assert said == [200, 200, 200, 429]
    answer = signer.send(signer.sign(jti="one more"))
    assert (answer.json()["error"], answer.headers["retry-after"]) == ("slow_down", "60")
    assert signer.send(signer.sign(jti="0")).status_code == 429, "it is not known who it is"
    signer.oauth.clock.now += 91
    assert signer.send(signer.sign(jti="later")).status_code == 200


@only_on_sqlite
def test_a_client_that_all_share_has_room_for_each_of_them(
    signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(used_assertions, "MOST_OF_A_CLIENT", 2)
    monkeypatch.setattr(used_assertions, "MOST_OF_A_GRANT", 2)
    names = map(str, itertools.count())

    def count_until_refused() -> int:
        form = {"grant_type": "refresh_token", "refresh_token": "x"}
        for shown in range(100):
            form["client_assertion"] = signer.sign(jti=next(names))
            form["client_assertion_type"] = assertions.TYPE
            answer = signer.oauth.send(form)
            if answer.status_code != 400:
                assert answer.json()["error"] == "slow_down"
                return shown
        raise AssertionError

    for _ in range(3):  # people who allow it
        assert signer.send(signer.sign(jti=next(names))).status_code == 200
    assert 3 + count_until_refused() == 2 + 3 * 2
    signer.oauth.server.grants.revoke(signer.oauth.server.grants.list()[0].id, "person")
    signer.oauth.clock.now += 91
    assert count_until_refused() == 2 + 2 * 2


@only_on_sqlite
@pytest.mark.parametrize(
    "claims",
    [
        {"nbf": math.nan},
        {"exp": math.nan},
        {"exp": math.inf},
        {"exp": True},
        {"exp": 10**4000},
        {"nbf": 10**4000},
        {"exp": "9999-12-31"},
        {"jti": ["one"]},
        {"jti": {}},
    ],
)
def test_odd_claims_are_refused_and_break_nothing(signer: Signer, claims: dict[str, Any]) -> None:
    assert signer.send(signer.sign(**claims)).json()["error"] == "invalid_client"


@only_on_sqlite
def test_a_name_of_any_characters_is_good_once(signer: Signer) -> None:
    for name in ("", "\0", "x" * 4000):
        said = [signer.send(signer.sign(jti=name)).status_code for _ in range(2)]
        assert said == [200, 401]


_ODD_HEADERS = tuple(
    base64.urlsafe_b64encode(header).rstrip(b"=").decode()
    for header in (
        b'{"alg":1}',
        b'{"alg":"ES256","kid":[]}',
        b'{"alg":"ES256","crit":["b64"],"b64":false}',
        b'{"alg":"ES256","crit":1}',
        b'{"alg":"ES256","jwk":{}}',
        b'{"alg":["ES256"]}',
        b"[]",
        b"1",
        b"null",
        b"NaN",
        b'"\\ud800"',
    )
)
_DEEP = base64.urlsafe_b64encode(b'{"alg":"ES256","kid":"k1","x":' + b"[" * 5_000).decode()
_CRITICAL = base64.urlsafe_b64encode(b'{"alg":"ES256","crit":5}').decode()
_LONG = base64.urlsafe_b64encode(b'{"alg":"ES256","exp":' + b"9" * 5_000 + b"}").decode()


@only_on_sqlite
@pytest.mark.parametrize(
    "part", [_DEEP, _LONG, _DEEP[:3_000], _LONG[:3_000], _CRITICAL, "W10", "MQ", "bnVsbA"]
)
def test_malformed_tokens_are_refused_wherever_they_are_read(signer: Signer, part: str) -> None:
    for token in (f"{part}.e30.x", f"eyJhbGciOiJFUzI1NiJ9.{part}.x", f"{part}.{part}.{part}"):
        assert signer.send(token).status_code in {400, 401}
        assert signer.oauth.server.verify(token) is None
        form = {"token": token, "client_id": signer.oauth.register()["client_id"]}
        assert signer.oauth.http.post("/oauth/revoke", data=form).status_code == 200


@only_on_sqlite
def test_an_assertion_by_another_key_or_none_is_refused(signer: Signer) -> None:
    other = ECKey.generate_key("P-256", {"kid": "k1"})
    public = OctKey.import_key(json.dumps(signer.key.as_dict(private=False)))
    for assertion in (signer.sign(other), signer.sign(public, "HS256"), None, "x.y.z"):
        assert signer.send(assertion).json()["error"] == "invalid_client"


@only_on_sqlite
def test_an_assertion_names_its_own_client(signer: Signer) -> None:
    response = signer.send(signer.sign(), client_id="client_other")
    assert response.json()["error"] == "invalid_client"


@only_on_sqlite
def test_an_assertion_comes_alone(signer: Signer) -> None:
    response = signer.send(signer.sign(), client_secret="x")
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")


# --- access tokens that are not ours


def _b64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _our_key(oauth: OAuth) -> ECKey:
    return oauth.server.signing_keys.get_active()


def _claims(oauth: OAuth, token: str) -> dict[str, Any]:
    return dict(jwt.decode(token, _our_key(oauth), algorithms=["ES256"]).claims)


def _resign(oauth: OAuth, token: str, header: dict[str, Any], claims: dict[str, Any]) -> str:
    """As if our own key had signed something else."""
    key = _our_key(oauth)
    full = {"alg": "ES256", "typ": "at+jwt", "kid": key.thumbprint(), **header}
    said = {**_claims(oauth, token), **claims}
    return jwt.encode(
        {name: value for name, value in full.items() if value is not None},
        {name: value for name, value in said.items() if value is not None},
        key,
        algorithms=["ES256"],
        default_type=None,
    )


def _unsigned(oauth: OAuth, token: str) -> str:
    kid = _our_key(oauth).thumbprint()
    header = {"alg": "none", "typ": "at+jwt", "kid": kid}
    return f"{_b64(header)}.{_b64(_claims(oauth, token))}."


def _signed_with_our_public_key(oauth: OAuth, token: str) -> str:
    """By hand: no library would do it."""
    key = _our_key(oauth)
    header = {"alg": "HS256", "typ": "at+jwt", "kid": key.thumbprint()}
    signed = f"{_b64(header)}.{_b64(_claims(oauth, token))}"
    signature = hmac.digest(key.as_pem(private=False), signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _signed_by_a_stranger(oauth: OAuth, token: str) -> str:
    stranger = ECKey.generate_key("P-256")
    header = {"alg": "ES256", "typ": "at+jwt", "kid": _our_key(oauth).thumbprint()}
    return jwt.encode(header, _claims(oauth, token), stranger, algorithms=["ES256"])


def _brings_its_own_key(oauth: OAuth, token: str) -> str:
    stranger = ECKey.generate_key("P-256")
    header = {
        "alg": "ES256",
        "typ": "at+jwt",
        "kid": stranger.thumbprint(),
        "jwk": stranger.as_dict(private=False),
    }
    return jwt.encode(header, _claims(oauth, token), stranger, algorithms=["ES256"])


def _changed(oauth: OAuth, token: str) -> str:
    header, _, signature = token.split(".")
    return f"{header}.{_b64({**_claims(oauth, token), 'gid': 'grant_other'})}.{signature}"


_FORGED: dict[str, Callable[[OAuth, str], str]] = {
    "alg none": _unsigned,
    "HS256 with our public key": _signed_with_our_public_key,
    "another key under our id": _signed_by_a_stranger,
    "its own key in the header": _brings_its_own_key,
    "changed claims": _changed,
    "no typ": lambda oauth, token: _resign(oauth, token, {"typ": None}, {}),
    "typ JWT": lambda oauth, token: _resign(oauth, token, {"typ": "JWT"}, {}),
    "no kid": lambda oauth, token: _resign(oauth, token, {"kid": None}, {}),
    "foreign aud": lambda oauth, token: _resign(oauth, token, {}, {"aud": "https://x.example/mcp"}),
    "aud without path": lambda oauth, token: _resign(oauth, token, {}, {"aud": BASE}),
    "no aud": lambda oauth, token: _resign(oauth, token, {}, {"aud": None}),
    "foreign iss": lambda oauth, token: _resign(oauth, token, {}, {"iss": "https://x.example"}),
    "no exp": lambda oauth, token: _resign(oauth, token, {}, {"exp": None}),
    "exp in words": lambda oauth, token: _resign(oauth, token, {}, {"exp": "never"}),
    "no grant": lambda oauth, token: _resign(oauth, token, {}, {"gid": None}),
    "unknown grant": lambda oauth, token: _resign(oauth, token, {}, {"gid": "grant_x"}),
    "cut off": lambda _oauth, token: token[:-1],
    "a part too many": lambda _oauth, token: token + ".x",
    "not ASCII": lambda _oauth, token: token[:-1] + "ä",
    "nothing": lambda _oauth, _token: "",
    "dots": lambda _oauth, _token: "..",
    "very long": lambda _oauth, token: token + "A" * 10_000,
}


@only_on_sqlite
@pytest.mark.parametrize("forgery", _FORGED)
def test_no_other_token_is_taken(oauth: OAuth, forgery: str) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.server.verify(_FORGED[forgery](oauth, tokens["access_token"])) is None
    assert oauth.is_good(tokens)


@only_on_sqlite
def test_a_token_signed_anew_by_our_key_would_be_taken(oauth: OAuth) -> None:
    token = oauth.sign_in(oauth.register()["client_id"])["access_token"]
    assert oauth.server.verify(_resign(oauth, token, {}, {})) is not None


@only_on_sqlite
def test_a_refresh_token_is_no_access_token(oauth: OAuth) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.server.verify(tokens["refresh_token"]) is None


# --- deciding


def test_a_request_is_decided_once(oauth: OAuth) -> None:
    pending = oauth.server.begin(oauth.ask(oauth.register()["client_id"]).items())
    assert isinstance(pending, Pending)
    oauth.server.decide(pending.secret, Somebody(), allowed=False)
    for allowed in (True, False):
        with pytest.raises(NotFound):
            oauth.server.decide(pending.secret, Somebody(), allowed=allowed)
    assert oauth.server.grants.list() == ()
    assert oauth.server.find_pending(pending.secret) is None


def test_a_request_waits_for_15_minutes(oauth: OAuth) -> None:
    pending = oauth.server.begin(oauth.ask(oauth.register()["client_id"]).items())
    assert isinstance(pending, Pending)
    oauth.clock.now += 15 * 60
    assert oauth.server.find_pending(pending.secret) is None
