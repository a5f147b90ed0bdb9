"""The credential of a request: where it may stand, and what is refused.

Source: RFC 6750 §2.1 and §3; MCP "Authorization". Keys in the query string are refused: they end up
in logs and histories.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

SCOPE = "legal:read"

_LONGEST_QUERY = 1_024
_QUERY_NAMES = frozenset({"access_token", "api_key", "key", "token"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP status and the ``WWW-Authenticate`` challenge that goes with it, if one does."""

    status: int
    title: str
    challenge: bytes


@dataclass(frozen=True, slots=True)
class Challenges:
    """The challenges of one server.

    ``resource_metadata`` is the address of the RFC 9728 document; without one it is left out.
    """

    missing: Refusal
    invalid: Refusal
    malformed: Refusal


def build_challenges(resource_metadata: str | None = None) -> Challenges:
    """The challenges, encoded once."""
    where = f'resource_metadata="{resource_metadata}", ' if resource_metadata else ""
    basis = f'Bearer {where}scope="{SCOPE}"'
    invalid = 'error="invalid_token", error_description="The key is unknown, expired or revoked"'
    malformed = (
        'Bearer error="invalid_request", error_description="Send one credential, as '
        'Authorization: Bearer KEY or as X-API-Key, never in the address"'
    )
    return Challenges(
        missing=Refusal(401, "credentials are missing", basis.encode()),
        invalid=Refusal(401, "credentials are not valid", f"{basis}, {invalid}".encode()),
        malformed=Refusal(400, "credentials are malformed", malformed.encode()),
    )


def read_credential(
    headers: Mapping[bytes, bytes], query: bytes, challenges: Challenges
) -> str | Refusal:
    """The presented credential, or the refusal if there is none that can be used."""
    if query and _has_credential(query):
        return challenges.malformed
    authorization = headers.get(b"authorization")
    api_key = headers.get(b"x-api-key")
    if api_key is not None:
        if authorization is not None:
            return challenges.malformed
        # one platform's form sends what the user typed, so the scheme may stand before the key
        credential = api_key[7:].strip() if api_key[:7].lower() == b"bearer " else api_key.strip()
    elif authorization is None:
        return challenges.missing
    else:
        scheme, _, token = authorization.partition(b" ")
        if scheme != b"Bearer" and scheme.lower() != b"bearer":
            return challenges.missing
        credential = token.strip(b" ")
    if not credential or b" " in credential or b"," in credential:
        return challenges.malformed
    return credential.decode("latin-1")


def _has_credential(query: bytes) -> bool:
    """Whether there is one; in an address longer than any that is needed here there may be."""
    if len(query) > _LONGEST_QUERY:
        return True
    names = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return any(name.lower() in _QUERY_NAMES for name, _ in names)
