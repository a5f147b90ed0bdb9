"""The metadata documents say what clients look for, and nothing that does not work."""

from fundstelle.oauth import documents

BASE = "https://law.example.com"


def test_the_resource_is_the_string_people_paste() -> None:
    document = documents.describe_resource(BASE)
    assert document["resource"] == "https://law.example.com/mcp"
    assert document["authorization_servers"] == [BASE]
    assert document["scopes_supported"] == ["legal:read"]
    assert document["bearer_methods_supported"] == ["header"]


def test_the_server_says_what_clients_choose_by() -> None:
    document = documents.describe_server(BASE)
    assert document["issuer"] == BASE
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["client_id_metadata_document_supported"] is True
    assert document["authorization_response_iss_parameter_supported"] is True
    assert document["scopes_supported"] == ["legal:read", "offline_access"]
    assert document["response_types_supported"] == ["code"]
    assert document["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert set(document["token_endpoint_auth_methods_supported"]) == {
        "none",
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
    }
    assert "none" not in document["token_endpoint_auth_signing_alg_values_supported"]


def test_every_endpoint_is_on_the_issuer() -> None:
    document = documents.describe_server(BASE)
    names = [name for name in document if name.endswith(("_endpoint", "_uri"))]
    assert len(names) == 5
    assert all(document[name].startswith(f"{BASE}/oauth/") for name in names)
