"""Access tokens: signed by ES256, for our resources alone, 15 minutes (RFC 9068)."""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError
from joserfc.jwk import ECKey, GuestProtocol

from fundstelle.accounts.keys.format import random_text
from fundstelle.accounts.oauth.public_keys import MALFORMED
from fundstelle.accounts.oauth.signing_keys import ALGORITHM, SigningKeys

TYPE = "at+jwt"
LIFE_S = 900
LEEWAY_S = 30
_MOST_CHARS = 4096
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Verified:
    """What a token with a good signature says; ``expires`` in seconds since the epoch."""

    grant_id: str
    client_id: str
    kid: str
    expires: float


class AccessTokens:
    """Signs tokens and verifies them; whether their grant still lives is not asked here.

    Args:
        signing_keys: what they are signed with.
        issuer: of the tokens.
        resources: they may be for, the usual first.
        life_s: how long they are good, 10 to 60 minutes.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        signing_keys: SigningKeys,
        issuer: str,
        resources: Sequence[str],
        life_s: int = LIFE_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._keys = signing_keys
        self._issuer = issuer
        self._resources = resources
        self.life_s = life_s
        self._clock = clock
        self._remembered: OrderedDict[bytes, Verified] = OrderedDict()
        self._lock = threading.Lock()

    def sign(
        self,
        grant_id: str,
        user_id: str,
        client_id: str,
        scope: str,
        *,
        resource: str | None = None,
    ) -> str:
        """A new token of a grant; for the usual resource, if none is named."""
        key = self._keys.get_active()
        now = int(self._clock())
        claims: dict[str, Any] = {
            "iss": self._issuer,
            "aud": resource or self._resources[0],
            "sub": user_id,
            "client_id": client_id,
            "scope": scope,
            "iat": now,
            "exp": now + self.life_s,
            "jti": random_text(22),
            "gid": grant_id,
        }
        header = {"alg": ALGORITHM, "typ": TYPE, "kid": key.thumbprint()}
        return jwt.encode(header, claims, key, algorithms=[ALGORITHM])

    def verify(self, token: str) -> Verified | None:
        """What the token says, if it is ours, for us, and not expired."""
        if len(token) > _MOST_CHARS or token.count(".") != 2 or not token.isascii():
            return None
        digest = hashlib.sha256(token.encode()).digest()
        verified = self._remembered.get(digest)
        if verified is None:
            verified = self._check(token)
            if verified is None:
                return None
            self._remember(digest, verified)
        if verified.expires + LEEWAY_S <= self._clock():
            return None
        # A signature that was good stays good only as long as its key is held.
        return verified if self._keys.find(verified.kid) is not None else None

    def _check(self, token: str) -> Verified | None:
        try:
            decoded = jwt.decode(token, self._find_key, algorithms=[ALGORITHM])
        except MALFORMED:
            return None
        claims = decoded.claims
        if decoded.header.get("typ") not in {TYPE, f"application/{TYPE}"}:
            return None
        if claims.get("iss") != self._issuer or claims.get("aud") not in self._resources:
            return None
        grant_id, client_id = claims.get("gid"), claims.get("client_id")
        expires = claims.get("exp")
        if not isinstance(grant_id, str) or not isinstance(client_id, str):
            return None
        if isinstance(expires, bool) or not isinstance(expires, int | float):
            return None
        return Verified(grant_id, client_id, str(decoded.header["kid"]), expires)

    def _find_key(self, token: GuestProtocol) -> ECKey:
        kid = token.headers().get("kid")
        key = self._keys.find(kid) if isinstance(kid, str) else None
        if key is None:
            raise InvalidKeyIdError
        return key

    def _remember(self, digest: bytes, verified: Verified) -> None:
        with self._lock:
            self._remembered[digest] = verified
            if len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.popitem(last=False)
