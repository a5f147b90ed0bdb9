"""OAuth as clients use it: found, registered, allowed, refreshed, given back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from fundstelle.accounts.oauth.authorizations import Asked, Authorizations
from fundstelle.accounts.oauth.clients import Client
from fundstelle.accounts.oauth.grants import MOST_OF_A_PERSON, Grants
from fundstelle.accounts.people.people import People
from fundstelle.oauth.authorize import Pending
from fundstelle.oauth.client_documents import load_built_in
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.sites.oauth_server import BASE, LOOPBACK, OAuth, Somebody, read_query

_RESOURCE = (
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource",
)
_SERVER = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
)


@pytest.fixture
def oauth(tmp_path: Path, database: Database) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, database=database)
    oauth.add_person()
    yield oauth
    oauth.store.close()


@only_on_sqlite
@pytest.mark.parametrize("path", _RESOURCE)
def test_the_resource_is_described_at_both_addresses(oauth: OAuth, path: str) -> None:
    response = oauth.http.get(path)
    assert response.status_code == 200
    assert response.json()["resource"] == f"{BASE}/mcp"
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["cache-control"] == "public, max-age=300"


@only_on_sqlite
def test_a_token_is_for_the_address_that_was_asked_for(oauth: OAuth) -> None:
    path = "/mcp/chatgpt"
    described = oauth.http.get(f"/.well-known/oauth-protected-resource{path}").json()
    resource = f"{BASE}{path}"
    assert described["resource"] == resource
    client_id = oauth.register()["client_id"]
    code = oauth.authorize(client_id, resource=resource)
    assert oauth.redeem(client_id, code).json()["error"] == "invalid_target"
    tokens = oauth.redeem(client_id, code, resource=None).json()
    keys = KeySet.import_key_set(oauth.http.get("/oauth/jwks.json").json())
    assert jwt.decode(tokens["access_token"], keys).claims["aud"] == resource
    assert oauth.is_good(tokens)
    for named in ({"resource": resource}, {}, {}):
        tokens = oauth.refresh(client_id, tokens["refresh_token"], **named).json()
        assert jwt.decode(tokens["access_token"], keys).claims["aud"] == resource
        assert oauth.is_good(tokens)


@only_on_sqlite
@pytest.mark.parametrize("path", _SERVER)
def test_the_server_is_described_wherever_clients_look(oauth: OAuth, path: str) -> None:
    response = oauth.http.get(path, headers={"Host": "evil.example"})
    assert response.status_code == 200
    assert response.json()["issuer"] == BASE
    assert response.headers["access-control-allow-origin"] == "*"


@only_on_sqlite
@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/",
        "/.well-known/x",
        "/.well-known/oauth-authorization-server/other",
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/jwks.json",
    ],
)
def test_any_other_well_known_address_is_404(oauth: OAuth, path: str) -> None:
    response = oauth.http.get(path)
    assert response.status_code == 404
    assert response.headers["access-control-allow-origin"] == "*"


@only_on_sqlite
@pytest.mark.parametrize(
    "path", [*_RESOURCE, *_SERVER, "/oauth/token", "/oauth/register", "/oauth/revoke"]
)
def test_browsers_may_call_it_without_credentials(oauth: OAuth, path: str) -> None:
    response = oauth.http("OPTIONS", path, headers={"Origin": "https://inspector.example"})
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers


def test_discovery_leads_from_the_resource_to_the_keys(oauth: OAuth) -> None:
    issuer = oauth.http.get(_RESOURCE[0]).json()["authorization_servers"][0]
    described = oauth.http.get(_SERVER[0]).json()
    assert described["issuer"] == issuer
    (key,) = oauth.http.get(described["jwks_uri"]).json()["keys"]
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("EC", "P-256", "ES256", "sig")
    assert "d" not in key


def test_a_token_says_what_rfc_9068_asks_for(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    keys = KeySet.import_key_set(oauth.http.get("/oauth/jwks.json").json())
    decoded = jwt.decode(tokens["access_token"], keys, algorithms=["ES256"])
    assert decoded.header["typ"] == "at+jwt"
    now = int(oauth.clock.now)
    expected = {
        "iss": BASE,
        "aud": f"{BASE}/mcp",
        "sub": "user_1",
        "client_id": client_id,
        "scope": "legal:read",
        "iat": now,
        "exp": now + 900,
        "gid": oauth.get_grant().id,
    }
    assert {name: decoded.claims[name] for name in expected} == expected
    assert len(decoded.claims["jti"]) == 22
    assert tokens["token_type"] == "Bearer"
    assert tokens["expires_in"] == 900
    assert tokens["scope"] == "legal:read offline_access"


def test_a_token_stands_for_its_person(oauth: OAuth) -> None:
    tokens = oauth.sign_in(oauth.register(client_name="My App")["client_id"])
    principal = oauth.server.verify(tokens["access_token"])
    assert principal is not None
    assert (principal.seat, principal.name) == ("user_1", "My App")
    assert principal.key_id == oauth.get_grant().id


def test_a_token_lives_15_minutes_and_30_seconds_of_leeway(oauth: OAuth) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    oauth.clock.now += 929
    assert oauth.is_good(tokens)
    oauth.clock.now += 1
    assert not oauth.is_good(tokens)


def test_refreshing_goes_on_for_a_year_and_no_longer(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    for _ in range(7):
        oauth.clock.now += 52 * 86_400
        response = oauth.refresh(client_id, tokens["refresh_token"])
        assert response.status_code == 200
        tokens = response.json()
        assert oauth.is_good(tokens)
    oauth.clock.now += 2 * 86_400
    assert oauth.refresh(client_id, tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert not oauth.is_good(tokens)


def test_an_unused_refresh_token_ends_after_60_days(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    oauth.clock.now += 60 * 86_400
    assert oauth.refresh(client_id, tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_every_answer_to_the_client_carries_state_and_issuer(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    state = "x" * 4096
    for allowed in (True, False):
        pending = oauth.server.begin(oauth.ask(client_id, state=state).items())
        assert isinstance(pending, Pending)
        query = read_query(oauth.server.decide(pending.secret, Somebody(), allowed=allowed))
        assert query["state"] == state
        assert query["iss"] == BASE
        assert ("code" in query) is allowed
        assert query.get("error") == (None if allowed else "access_denied")


@only_on_sqlite
def test_a_request_without_state_scope_and_resource_is_good(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    pending = oauth.server.begin(
        oauth.ask(client_id, state=None, scope=None, resource=None, prompt="consent").items()
    )
    assert isinstance(pending, Pending)
    answer = oauth.server.decide(pending.secret, Somebody(), allowed=True)
    assert "state" not in read_query(answer)
    response = oauth.redeem(client_id, read_query(answer)["code"], resource=None)
    assert response.json()["scope"] == "legal:read"


@only_on_sqlite
def test_the_resource_may_be_named_twice_and_with_a_slash(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    pairs = [*oauth.ask(client_id).items(), ("resource", f"{BASE}/mcp")]
    assert isinstance(oauth.server.begin(pairs), Pending)
    asked = oauth.ask(client_id, resource="HTTPS://LAW.test/mcp/")
    assert isinstance(oauth.server.begin(asked.items()), Pending)


@only_on_sqlite
def test_a_program_may_listen_on_any_port(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    uri = "http://127.0.0.1:51234/callback"
    code = oauth.authorize(client_id, redirect_uri=uri)
    assert oauth.redeem(client_id, code, redirect_uri=uri).status_code == 200


@pytest.mark.parametrize("kind", ["refresh_token", "access_token"])
def test_a_public_client_may_give_its_tokens_back(oauth: OAuth, kind: str) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    form = {"token": tokens[kind], "client_id": client_id, "token_type_hint": "nonsense"}
    response = oauth.http.post("/oauth/revoke", data=form)
    assert (response.status_code, response.content) == (200, b"")
    assert not oauth.is_good(tokens)
    assert oauth.refresh(client_id, tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert oauth.get_grant().reason == "client"
    assert oauth.http.post("/oauth/revoke", data=form).status_code == 200
    assert [event for event, _, _ in oauth.events].count("grant_revoked") == 1


def test_revoking_a_grant_ends_its_tokens_with_the_next_request(oauth: OAuth) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.is_good(tokens)
    oauth.server.grants.revoke(oauth.get_grant().id, "person")
    assert not oauth.is_good(tokens)


def test_a_disabled_person_has_no_tokens(oauth: OAuth) -> None:
    oauth.add_person("user_2", "admin")
    tokens = oauth.sign_in(oauth.register()["client_id"])
    People(oauth.store, oauth.clock).disable("user_1")
    assert not oauth.is_good(tokens)


def test_of_many_grants_the_one_used_longest_ago_makes_room(oauth: OAuth) -> None:
    asked = Authorizations(oauth.store, oauth.clock)
    grants = Grants(oauth.store, oauth.clock)
    wanted = Asked("client", LOOPBACK, None, "x" * 43, "law", f"{BASE}/mcp")

    def allow() -> tuple[str, tuple[str, ...]]:
        oauth.clock.now += 1
        given = asked.allow(asked.begin(wanted), wanted, "user_1", "App", "law.test")
        assert given is not None
        code, grant_id, displaced = given
        assert asked.redeem(code, grant_id)
        return grant_id, displaced

    given = [allow() for _ in range(MOST_OF_A_PERSON)]
    assert not any(displaced for _, displaced in given)
    grants.write_last_use({given[0][0]: oauth.clock.now})
    newest, displaced = allow()
    assert displaced == (given[1][0],)
    live = [grant.id for grant in grants.list_live("user_1")]
    assert len(live) == MOST_OF_A_PERSON
    assert {newest, given[0][0]} <= set(live)
    ended = grants.find(given[1][0])
    assert ended is not None
    assert (ended.is_live, ended.reason) == (False, "displaced")


def test_a_grant_nobody_redeemed_is_not_live(oauth: OAuth) -> None:
    oauth.authorize(oauth.register()["client_id"])
    oauth.clock.now += 61
    assert not oauth.get_grant().is_live


def test_last_use_is_noted_and_written_later(oauth: OAuth) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    oauth.clock.now += 300
    oauth.is_good(tokens)
    oauth.server.close()
    used = oauth.get_grant().last_used
    assert used is not None
    assert used.timestamp() == oauth.clock.now


# --- recorded registrations

_RECORDED: dict[str, tuple[dict[str, Any], str]] = {
    "Claude": (
        {
            "client_name": "Claude",
            "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "scope": "legal:read offline_access",
        },
        "https://claude.ai/api/mcp/auth_callback",
    ),
    "ChatGPT": (
        {
            "client_name": "ChatGPT",
            "redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"],
            "grant_types": [
                "authorization_code",
                "refresh_token",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
            ],
            "response_types": ["code"],
            "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
            "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
        },
        "https://chatgpt.com/connector_platform_oauth_redirect",
    ),
    "ChatGPT with a key": (
        {
            "client_name": "ChatGPT",
            "redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"],
            "token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_signing_alg": "RS256",
            "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
        },
        "https://chatgpt.com/connector_platform_oauth_redirect",
    ),
    "VS Code": (
        {
            "client_name": "Visual Studio Code",
            "client_uri": "https://code.visualstudio.com",
            "redirect_uris": [
                "https://insiders.vscode.dev/redirect",
                "https://vscode.dev/redirect",
                "http://127.0.0.1/",
                "http://127.0.0.1:33418/",
            ],
            "grant_types": [
                "authorization_code",
                "refresh_token",
                "urn:ietf:params:oauth:grant-type:device_code",
            ],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        },
        "http://127.0.0.1:50123/",
    ),
    "Cursor": (
        {
            "client_name": "Cursor",
            "redirect_uris": [
                "http://localhost:8787/callback",
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
            ],
            "token_endpoint_auth_method": "none",
        },
        "cursor://anysphere.cursor-mcp/oauth/callback",
    ),
    "Copilot Studio": (
        {
            "client_name": "law-connector",
            "redirect_uris": [
                "https://global.consent.azure-apim.net/redirect/crd5f-5flaw-5f7a0b1c"
            ],
            "token_endpoint_auth_method": "client_secret_post",
            "grant_types": ["authorization_code", "refresh_token"],
        },
        "https://global.consent.azure-apim.net/redirect/crd5f-5flaw-5f7a0b1c",
    ),
    "Python SDK": (
        {"client_name": "demo", "redirect_uris": ["http://localhost:3030/callback"]},
        "http://localhost:3030/callback",
    ),
}


@pytest.mark.parametrize("name", _RECORDED)
def test_a_recorded_registration_reaches_consent(oauth: OAuth, name: str) -> None:
    metadata, redirect_uri = _RECORDED[name]
    response = oauth.http.post("/oauth/register", json=metadata)
    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    answer = response.json()
    assert answer["redirect_uris"] == metadata["redirect_uris"]
    assert answer["grant_types"] == ["authorization_code", "refresh_token"]
    echoed = {"client_name", "client_uri", "application_type", "jwks_uri"} & metadata.keys()
    assert {key: answer[key] for key in echoed} == {key: metadata[key] for key in echoed}
    has_secret = "secret" in metadata.get("token_endpoint_auth_method", "none")
    assert ("client_secret" in answer) is has_secret
    assert answer.get("client_secret_expires_at") == (0 if has_secret else None)
    pending = oauth.server.begin(
        oauth.ask(answer["client_id"], redirect_uri=redirect_uri).items(),
    )
    assert isinstance(pending, Pending)
    assert pending.client.name == metadata["client_name"]
    assert not pending.is_verified


def test_a_registration_without_a_method_is_public(oauth: OAuth) -> None:
    answer = oauth.register()
    assert answer["token_endpoint_auth_method"] == "none"
    assert answer["client_id_issued_at"] == int(oauth.clock.now)


@only_on_sqlite
@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/cb"}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"https://a.example/{n}" for n in range(11)]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb#x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://u@a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [LOOPBACK, 17]}, "invalid_redirect_uri"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"grant_types": ["refresh_token"]}, "invalid_client_metadata"),
        ({"grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "tls_client_auth"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": ["none"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"client_name": "\0"}, "invalid_client_metadata"),
        ({"jwks": {"keys": [{"kty": "oct", "k": "AQAB"}]}}, "invalid_client_metadata"),
        (
            {"jwks": {"keys": [1, {"kty": "RSA", "n": "AQAB", "e": "AQAB", "d": "AQAB"}]}},
            "invalid_client_metadata",
        ),
    ],
)
def test_a_bad_registration_is_refused(oauth: OAuth, metadata: dict[str, Any], error: str) -> None:
    response = oauth.http.post("/oauth/register", json={"redirect_uris": [LOOPBACK], **metadata})
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert oauth.server.clients.list() == ()


@only_on_sqlite
@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"null"])
def test_what_is_no_registration_is_refused(oauth: OAuth, body: bytes) -> None:
    response = oauth.http.post("/oauth/register", content=body)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


@only_on_sqlite
def test_metadata_too_deep_to_be_kept_are_the_senders_fault(oauth: OAuth) -> None:
    """The database is not to blame: its state is told in alerts."""
    deep = '{"redirect_uris":["https://a.example/cb"],"x":' + "[" * 300 + "]" * 300 + "}"
    response = oauth.http.post("/oauth/register", content=deep)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")
    assert oauth.store.state.writable


@only_on_sqlite
def test_a_registration_is_at_most_16_kilobytes(oauth: OAuth) -> None:
    response = oauth.http.post("/oauth/register", content=b" " * (16 * 1024 + 1))
    assert response.status_code == 413


def test_registrations_nobody_uses_are_deleted(oauth: OAuth) -> None:
    unused, used = oauth.register()["client_id"], oauth.register()["client_id"]
    oauth.sign_in(used)
    oauth.clock.now += 24 * 3600 + 1
    oauth.register()
    found: list[Client | None] = [oauth.server.clients.find(one) for one in (unused, used)]
    assert [one is not None for one in found] == [False, True]


def test_a_secret_is_not_stored(oauth: OAuth, tmp_path: Path) -> None:
    registered = oauth.register(token_endpoint_auth_method="client_secret_basic")
    tokens = None
    for form, auth in (
        ({"client_id": registered["client_id"]}, None),
        ({}, (registered["client_id"], registered["client_secret"])),
    ):
        code = oauth.authorize(registered["client_id"])
        base = {"grant_type": "authorization_code", "code": code, "code_verifier": "v" * 43}
        response = oauth.send({**base, **form}, auth=auth)
        assert response.status_code == (200 if auth else 401)
        tokens = response.json() if auth else None
    assert tokens is not None
    oauth.store.close()
    stored = oauth.database.dump(tmp_path)
    for secret in (
        registered["client_secret"],
        tokens["refresh_token"],
        tokens["access_token"],
        code,
    ):
        assert secret.encode() not in stored


@only_on_sqlite
@pytest.mark.parametrize("client_id", load_built_in())
def test_a_built_in_client_needs_no_registration_and_no_network(
    oauth: OAuth, client_id: str
) -> None:
    client = load_built_in()[client_id]
    for redirect_uri in client.redirect_uris:
        pending = oauth.server.begin(oauth.ask(client_id, redirect_uri=redirect_uri).items())
        assert isinstance(pending, Pending)
        assert pending.is_verified
        assert pending.host == client_id.split("/")[2]
        answer = oauth.server.decide(pending.secret, Somebody(), allowed=True)
        response = oauth.redeem(client_id, read_query(answer)["code"], redirect_uri=redirect_uri)
        assert response.status_code == 200
    assert oauth.server.clients.list() == ()
