"""Clients that authenticate by a signed assertion, ``private_key_jwt`` (RFC 7523 §3)."""

import threading
from collections.abc import Callable, Collection
from typing import Any

import orjson
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from fundstelle.accounts.clients import Client
from fundstelle.oauth.client_documents import ClientDocuments
from fundstelle.oauth.documents import ASSERTION_ALGORITHMS

TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
LONGEST_LIFE_S = 3600
_LEEWAY_S = 30
_MOST_CHARS = 8192
_MOST_REMEMBERED = 10_000


def read_subject(assertion: str) -> str | None:
    """The client that an assertion speaks of, before anything in it is believed."""
    if len(assertion) > _MOST_CHARS:
        return None
    try:
        claims = orjson.loads(jws.extract_compact(assertion.encode()).payload or b"")
    except (JoseError, ValueError):
        return None
    subject = claims.get("sub") if isinstance(claims, dict) else None
    return subject if isinstance(subject, str) else None


class Assertions:
    """Checks assertions; each is good once.

    Args:
        documents: fetch the keys of clients.
        audiences: what an assertion may be made for: the issuer, the token endpoint.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        documents: ClientDocuments,
        audiences: Collection[str],
        clock: Callable[[], float],
    ) -> None:
        self._documents = documents
        self._audiences = frozenset(audiences)
        self._clock = clock
        self._seen: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def is_good(self, client: Client, assertion: str) -> bool:
        """Whether the client's own key signed it, for us, a moment ago and for the first time."""
        keys = self._find_keys(client)
        if keys is None or len(assertion) > _MOST_CHARS:
            return False
        try:
            claims = jwt.decode(assertion, keys, algorithms=list(ASSERTION_ALGORITHMS)).claims
        except (JoseError, ValueError):
            return False
        if claims.get("iss") != client.id or claims.get("sub") != client.id:
            return False
        return self._is_for_us(claims.get("aud")) and self._is_fresh(client.id, claims)

    def _find_keys(self, client: Client) -> KeySet | None:
        given: Any = client.document.get("jwks")
        try:
            if not isinstance(given, dict):
                given = orjson.loads(self._documents.fetch_keys(client) or b"")
            return KeySet.import_key_set(given)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            return None  # whatever a stranger may have put there

    def _is_for_us(self, audience: object) -> bool:
        named = audience if isinstance(audience, list) else [audience]
        return any(isinstance(one, str) and one in self._audiences for one in named)

    def _is_fresh(self, client_id: str, claims: dict[str, Any]) -> bool:
        now = self._clock()
        expires, begins, name = claims.get("exp"), claims.get("nbf", 0), claims.get("jti")
        if not isinstance(expires, int | float) or not isinstance(begins, int | float):
            return False
        if not now - _LEEWAY_S < expires < now + LONGEST_LIFE_S or begins > now + _LEEWAY_S:
            return False
        if not isinstance(name, str):
            return False
        with self._lock:
            if len(self._seen) >= _MOST_REMEMBERED:
                self._seen = {key: end for key, end in self._seen.items() if end > now}
            if (client_id, name) in self._seen or len(self._seen) >= _MOST_REMEMBERED:
                return False
            self._seen[client_id, name] = expires + _LEEWAY_S
        return True
