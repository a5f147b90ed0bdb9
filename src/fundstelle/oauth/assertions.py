"""Clients that authenticate by a signed assertion, ``private_key_jwt`` (RFC 7523 §3)."""

import math
from collections.abc import Callable, Collection
from typing import Any, TypeGuard

import orjson
from joserfc import jws, jwt

from fundstelle.accounts.oauth.clients import Client
from fundstelle.accounts.oauth.public_keys import MALFORMED
from fundstelle.accounts.oauth.used_assertions import UsedAssertions
from fundstelle.errors import Busy
from fundstelle.oauth.client_keys import ClientKeys
from fundstelle.oauth.documents import ASSERTION_ALGORITHMS
from fundstelle.oauth.errors import OAuthError

TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
LONGEST_LIFE_S = 3600
_LEEWAY_S = 30
_MOST_CHARS = 8192


def read_subject(assertion: str) -> str | None:
    """The client that an assertion speaks of, before anything in it is believed."""
    if len(assertion) > _MOST_CHARS:
        return None
    try:
        claims = orjson.loads(jws.extract_compact(assertion.encode()).payload or b"")
    except MALFORMED:
        return None
    subject = claims.get("sub") if isinstance(claims, dict) else None
    return subject if isinstance(subject, str) else None


class Assertions:
    """Checks assertions; each is good once.

    Args:
        keys: of clients.
        audiences: what an assertion may be made for: the issuer, the token endpoint.
        used: remembers those that were taken.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        keys: ClientKeys,
        audiences: Collection[str],
        used: UsedAssertions,
        clock: Callable[[], float],
    ) -> None:
        self._keys = keys
        self._audiences = frozenset(audiences)
        self._used = used
        self._clock = clock

    def is_good(self, client: Client, assertion: str, sender: str) -> bool:
        """Whether the client's own key signed it, for us, a moment ago and for the first time.

        Args:
            client: who is said to have signed it.
            assertion: the token.
            sender: the network that it comes from, for whose sake the keys may be fetched.

        Raises:
            OAuthError: 503, its keys cannot be had; 429, it has signed too many of late.
        """
        if len(assertion) > _MOST_CHARS:
            return False
        claims = self._read_claims(client, assertion, sender)
        if claims is None:
            return False
        if claims.get("iss") != client.id or claims.get("sub") != client.id:
            return False
        return self._is_for_us(claims.get("aud")) and self._is_fresh(client.id, claims)

    def _read_claims(self, client: Client, assertion: str, sender: str) -> dict[str, Any] | None:
        """What a key of the client has signed; ``None`` if none has."""
        for keys in self._keys.list(client, sender):
            try:
                return jwt.decode(assertion, keys, algorithms=list(ASSERTION_ALGORITHMS)).claims
            except MALFORMED:
                continue
        return None

    def _is_for_us(self, audience: object) -> bool:
        """Whether it is for nobody else, who could show it here (draft-ietf-oauth-rfc7523bis)."""
        named = audience if isinstance(audience, list) else [audience]
        return bool(named) and all(isinstance(a, str) and a in self._audiences for a in named)

    def _is_fresh(self, client_id: str, claims: dict[str, Any]) -> bool:
        now = self._clock()
        expires, begins, name = claims.get("exp"), claims.get("nbf", 0), claims.get("jti")
        made = claims.get("iat", 0)
        if not (_is_time(expires) and _is_time(begins) and _is_time(made)):
            return False
        if not isinstance(name, str):
            return False
        if (
            not now - _LEEWAY_S < expires < now + LONGEST_LIFE_S
            or max(begins, made) > now + _LEEWAY_S
        ):
            return False
        try:
            return self._used.use(client_id, name, expires + _LEEWAY_S)
        except Busy as error:
            wait_s = error.retry_after_s
            raise OAuthError("slow_down", str(error), 429, retry_after_s=wait_s) from None


def _is_time(value: object) -> TypeGuard[float]:
    """Whether it is a number of seconds; Python's parser takes ``NaN`` and ``Infinity``, too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or math.isfinite(value)
