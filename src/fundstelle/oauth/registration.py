"""Dynamic client registration (RFC 7591): open, for public and confidential clients."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from fundstelle.accounts.oauth.clients import Clients
from fundstelle.accounts.oauth.public_keys import holds_private_key
from fundstelle.accounts.oauth.redirect_uris import MOST_REDIRECT_URIS
from fundstelle.errors import InvalidArgument
from fundstelle.oauth.client_documents import clean_name
from fundstelle.oauth.documents import AUTH_METHODS, GRANT_TYPES, SCOPES
from fundstelle.oauth.errors import OAuthError
from fundstelle.oauth.redirects import find_host

MOST_BYTES = 16 * 1024
_NUL = b"\\u0000"  # no database of ours stores it
_OURS = ("client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at")


def register(body: bytes, clients: Clients) -> dict[str, Any]:
    """Register a client: the answer, which echoes what it sent and says what became of it.

    Raises:
        OAuthError: ``invalid_redirect_uri`` or ``invalid_client_metadata``.
    """
    sent = _read(body)
    uris = sent.get("redirect_uris")
    if not isinstance(uris, list) or not 1 <= len(uris) <= MOST_REDIRECT_URIS:
        raise OAuthError("invalid_redirect_uri", f"1 to {MOST_REDIRECT_URIS} redirect_uris")
    document = {
        **{name: value for name, value in sent.items() if name not in _OURS},
        "grant_types": _choose(sent, "grant_types", GRANT_TYPES),
        "response_types": _choose(sent, "response_types", ("code",)),
        "token_endpoint_auth_method": _choose_method(sent),
        "scope": _choose_scope(sent),
    }
    if holds_private_key(sent.get("jwks")):
        raise _refuse("jwks holds a private key")
    if "authorization_code" not in document["grant_types"]:
        raise _refuse("grant_types must contain authorization_code")
    name = clean_name(sent.get("client_name")) or find_host(str(uris[0]))
    try:
        client, secret = clients.register(
            name, uris, document["token_endpoint_auth_method"], document
        )
    except InvalidArgument as error:
        raise OAuthError("invalid_redirect_uri", error.message) from None
    assert client.created is not None
    answer = {
        **document,
        "client_id": client.id,
        "client_id_issued_at": int(client.created.timestamp()),
    }
    if secret is not None:
        answer |= {"client_secret": secret, "client_secret_expires_at": 0}  # 0 = never
    return answer


def _refuse(description: str) -> OAuthError:
    return OAuthError("invalid_client_metadata", description)


def _read(body: bytes) -> Mapping[str, Any]:
    if len(body) > MOST_BYTES:
        raise OAuthError("invalid_client_metadata", f"at most {MOST_BYTES} bytes", 413)
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise _refuse("the body is not JSON") from None
    if not isinstance(sent, dict) or _NUL in body:
        raise _refuse("the body is not a JSON object of texts")
    try:
        orjson.dumps(sent)  # as it will be kept and echoed: fewer levels are written than read
    except orjson.JSONEncodeError:
        raise _refuse("the body is nested too deeply") from None
    return sent


def _choose(sent: Mapping[str, Any], name: str, known: Sequence[str]) -> list[str]:
    """What we know of what was asked; all of it if nothing was."""
    asked = sent.get(name)
    if asked is None:
        return list(known)
    if not isinstance(asked, list):
        raise _refuse(f"{name} must be an array")
    chosen = [one for one in known if one in asked]
    if not chosen:
        raise _refuse(f"{name} must contain one of {', '.join(known)}")
    return chosen


def _choose_method(sent: Mapping[str, Any]) -> str:
    """One method, from a name or a list of names; without either, none (public client)."""
    asked = sent.get("token_endpoint_auth_method")
    listed = sent.get("token_endpoint_auth_methods_supported")
    if asked is None and isinstance(listed, list) and listed:
        asked = next((method for method in AUTH_METHODS if method in listed), listed[0])
    if asked is None:
        return "none"
    if asked not in AUTH_METHODS:
        raise _refuse(f"token_endpoint_auth_method must be one of {', '.join(AUTH_METHODS)}")
    if asked == "private_key_jwt" and not isinstance(
        sent.get("jwks") or sent.get("jwks_uri"), dict | str
    ):
        raise _refuse("private_key_jwt needs jwks or jwks_uri")
    return str(asked)


def _choose_scope(sent: Mapping[str, Any]) -> str:
    asked = sent.get("scope")
    words = asked.split() if isinstance(asked, str) else []
    return " ".join(scope for scope in SCOPES if not words or scope in words) or SCOPES[0]
