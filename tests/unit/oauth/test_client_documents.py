"""Client documents: which ids are addresses, what a document must hold, the built-in copies."""

import orjson
import pytest

from fundstelle.errors import InvalidArgument
from fundstelle.oauth.client_documents import (
    ClientDocuments,
    clean_name,
    is_document_address,
    load_built_in,
    read_document,
)

ID = "https://app.example.com/oauth/client.json"
GOOD: dict[str, object] = {
    "client_id": ID,
    "client_name": "App",
    "redirect_uris": ["https://app.example.com/cb"],
}


@pytest.mark.parametrize("address", [ID, "https://a-b.example/x", "https://a.b.example/x/y%20z"])
def test_these_are_addresses_of_documents(address: str) -> None:
    assert is_document_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://app.example.com/client.json",
        "https://app.example.com",
        "https://app.example.com/",
        "https://app.example.com/c?x=1",
        "https://app.example.com/c#x",
        "https://user@app.example.com/c",
        "https://app.example.com:443/c",
        "https://app.example.com:8443/c",
        "https://127.0.0.1/c",
        "https://[::1]/c",
        "https://2130706433/c",
        "https://0x7f.1/c",
        "https://localhost/c",
        "https://APP.example.com/c",
        "https://app.example.com/a/../c",
        "https://app.example.com/a/%2e%2e/c",
        "https://app.example.com/./c",
        "https://app.example.com\\@evil.example/c",
        "https://app.example.com/c\r\nX: y",
        "https://äpp.example.com/c",
        "https://app.example.com/" + "c" * 500,
        "HTTPS://app.example.com/c",
    ],
)
def test_these_are_not(address: str) -> None:
    assert not is_document_address(address)
    assert ClientDocuments().find(address, "") is None


@pytest.mark.parametrize(
    ("change", "methods"),
    [
        ({}, ("none",)),
        ({"token_endpoint_auth_method": "none"}, ("none",)),
        ({"token_endpoint_auth_method": "private_key_jwt"}, ("private_key_jwt",)),
        (
            {"token_endpoint_auth_methods_supported": ["private_key_jwt", "none"]},
            ("none", "private_key_jwt"),
        ),
    ],
)
def test_both_spellings_of_methods_are_read(
    change: dict[str, object], methods: tuple[str, ...]
) -> None:
    assert read_document(ID, orjson.dumps({**GOOD, **change})).auth_methods == methods


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": ID + "x"},
        {"client_id": None},
        {"redirect_uris": []},
        {"redirect_uris": "https://app.example.com/cb"},
        {"redirect_uris": ["http://app.example.com/cb"]},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"token_endpoint_auth_method": "client_secret_jwt"},
        {"token_endpoint_auth_methods_supported": ["client_secret_basic"]},
        {"grant_types": None},
        {"grant_types": 7},
        {"client_secret": "x"},
        {"client_secret_expires_at": 0},
        {"jwks": {"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "d": "AQAB"}]}},
    ],
)
def test_these_documents_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument):
        read_document(ID, orjson.dumps({**GOOD, **change}))


@pytest.mark.parametrize("body", [b"", b"[]", b"<html>", b"null", b'{"client_id": NaN}'])
def test_what_is_no_document_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidArgument):
        read_document(ID, body)


def test_the_well_known_clients_are_built_in() -> None:
    hosts = {client_id.split("/")[2] for client_id in load_built_in()}
    assert hosts == {"claude.ai", "chatgpt.com", "vscode.dev", "zed.dev", "opencode.ai"}
    assert len(load_built_in()) == 7


@pytest.mark.parametrize("client_id", load_built_in())
def test_a_built_in_client_is_found_without_a_network(client_id: str) -> None:
    documents = ClientDocuments(fetch=None)
    assert documents.is_at_hand(client_id)
    assert documents.find(client_id, "") == load_built_in()[client_id]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  My\tApp\n ", "My App"),
        ("evil\u202eppa", "evil ppa"),
        ("x" * 300, "x" * 100),
        (None, ""),
        (17, ""),
    ],
)
def test_a_name_is_shown_without_tricks(name: object, shown: str) -> None:
    assert clean_name(name) == shown
