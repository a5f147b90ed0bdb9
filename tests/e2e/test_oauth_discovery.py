"""Discovery from each start that clients try, over the wire."""

import json
import re

import pytest

from tests.e2e.portal import Portal

pytestmark = pytest.mark.e2e

RESOURCE = ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource")
SERVER = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_mcp_without_a_credential_points_to_the_metadata(portal: Portal, method: str) -> None:
    body = b"{}" if method == "POST" else None
    status, headers, _ = portal.ask("/mcp", body, method, Content_Type="application/json")
    assert status == 401
    challenge = headers["WWW-Authenticate"]
    assert challenge.startswith("Bearer ")
    assert 'scope="legal:read"' in challenge
    assert "error=" not in challenge
    pointed = re.search(r'resource_metadata="([^"]+)"', challenge)
    assert pointed
    assert pointed[1] == portal.url + RESOURCE[0]


def test_a_bad_token_is_called_one(portal: Portal) -> None:
    status, headers, _ = portal.ask("/mcp", b"{}", Authorization="Bearer a.b.c")
    assert status == 401
    assert 'error="invalid_token"' in headers["WWW-Authenticate"]


@pytest.mark.parametrize("start", RESOURCE)
def test_the_resource_names_itself_as_it_is_pasted(portal: Portal, start: str) -> None:
    status, headers, body = portal.ask(start)
    assert status == 200
    assert headers["Access-Control-Allow-Origin"] == "*"
    found = json.loads(body)
    assert found["resource"] == portal.mcp
    assert found["authorization_servers"] == [portal.url]
    assert found["scopes_supported"] == ["legal:read"]


@pytest.mark.parametrize("start", SERVER)
def test_every_address_that_the_server_names_is_there(portal: Portal, start: str) -> None:
    status, headers, body = portal.ask(start)
    assert status == 200
    assert headers["Access-Control-Allow-Origin"] == "*"
    found = json.loads(body)
    assert found["issuer"] == portal.url
    assert "none" in found["token_endpoint_auth_methods_supported"]
    assert found["client_id_metadata_document_supported"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert portal.ask(found["jwks_uri"].removeprefix(portal.url))[0] == 200
    for name in ("token_endpoint", "registration_endpoint", "revocation_endpoint"):
        status, _, answer = portal.ask(found[name].removeprefix(portal.url), b"")
        assert status in {400, 401}
        assert "error" in json.loads(answer)


@pytest.mark.parametrize(
    "path", ["/.well-known/openid-federation", "/.well-known/oauth-protected-resource/other"]
)
def test_other_well_known_addresses_are_404(portal: Portal, path: str) -> None:
    assert portal.ask(path)[0] == 404


def test_no_document_follows_the_host_that_was_asked_for(portal: Portal) -> None:
    status, _, body = portal.ask(RESOURCE[0], Host="evil.example")
    assert status != 200 or "evil.example" not in body
