"""The firm's own identity provider: OpenID Connect Core 1.0, the part of the relying party.

Authorization code with PKCE, ``state`` and ``nonce``; the answer comes by query. Of the provider
only its issuer is configured; the rest is read from its discovery document, over https alone
(plain http for a provider on this machine).
"""

import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote, urlencode

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OKPKey, RSAKey

from fundstelle.accounts.oauth.public_keys import MALFORMED, import_public_keys
from fundstelle.accounts.people.provider_documents import ProviderDocuments
from fundstelle.accounts.secrets import create_secret
from fundstelle.errors import Denied, SourceError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
DISCOVERY = "/.well-known/openid-configuration"

_LEEWAY_S = 60
_DOCUMENT_AGE_S = 3_600
_KEYS_AGE_S = 3_600
_KEYS_PAUSE_S = 60  # between two questions for a key that is not there
_FRESH_S = 600
_PAUSE_S = 5  # after a document that could not be had
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class IdentityRefused(Denied):
    """The provider did not show who somebody is. ``reason`` is one word, for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the identity provider's answer cannot be used ({reason})")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """What the session keeps while somebody is at the provider."""

    state: str
    nonce: str
    verifier: str
    fresh: bool  # the provider shall ask who they are, even if it knows

    def to_data(self) -> dict[str, Any]:
        """As JSON, for the session."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ProvenIdentity:
    """What a verified ID token says. ``email`` is a claim; only a verified one is more."""

    issuer: str
    subject: str
    email: str
    is_email_verified: bool
    name: str
    groups: frozenset[str] = frozenset()  # the claim ``groups``, as the provider names them


class IdentityProvider:
    """One provider, as seen by one client.

    Args:
        issuer: exactly as the provider calls itself.
        client_id: ours, at the provider.
        client_secret: ours; ``None`` for a public client.
        redirect_uri: where it sends people back.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str | None,
        redirect_uri: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._redirect_uri = redirect_uri
        self._clock = clock
        self._http = ProviderDocuments(issuer)
        self._document: Mapping[str, Any] = {}
        self._document_until = 0.0
        self._problem: SourceError | None = None  # with the last reading, if that failed
        self._problem_until = 0.0
        self._reading = threading.Lock()
        self._keys = KeySet([])
        self._keys_read = 0.0

    def begin(self, *, fresh: bool = False) -> tuple[str, SignInRequest]:
        """The address to send somebody to, and what to keep meanwhile.

        Raises:
            SourceError: the provider cannot be reached, or its document cannot be used.
        """
        document = self._discover()
        question = SignInRequest(create_secret(), create_secret(), create_secret(), fresh)
        digest = hashlib.sha256(question.verifier.encode()).digest()
        parameters = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._redirect_uri,
            "scope": "openid email profile",
            "state": question.state,
            "nonce": question.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        if fresh:
            parameters |= {"prompt": "login", "max_age": "0"}
        address = str(document["authorization_endpoint"])
        separator = "&" if "?" in address else "?"
        return f"{address}{separator}{urlencode(parameters)}", question

    def finish(self, question: SignInRequest, answer: Mapping[str, str]) -> ProvenIdentity:
        """Who the provider says it is.

        Args:
            question: what was kept.
            answer: the query of the address somebody came back to.

        Raises:
            IdentityRefused: the answer is not one to this question, or its token is not good.
            SourceError: the provider cannot be reached.
        """
        if not hmac.compare_digest(answer.get("state", "").encode(), question.state.encode()):
            raise IdentityRefused("state")
        if answer.get("iss", self.issuer) != self.issuer:
            raise IdentityRefused("issuer")  # RFC 9207
        code = answer.get("code", "")
        if answer.get("error") or not code:
            raise IdentityRefused("denied")
        document = self._discover()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": question.verifier,
        }
        headers = self._authenticate(document, form)
        tokens = self._http.post(str(document["token_endpoint"]), form, headers)
        token = tokens.get("id_token")
        if not isinstance(token, str):
            raise IdentityRefused("exchange")
        return self._read(self._verify(token, question), question)

    def _authenticate(self, document: Mapping[str, Any], form: dict[str, str]) -> dict[str, str]:
        """How we show who we are: Basic, or by form where the provider knows nothing else."""
        if self._client_secret is None:
            form["client_id"] = self._client_id
            return {}
        methods = document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if "client_secret_basic" not in methods and "client_secret_post" in methods:
            form |= {"client_id": self._client_id, "client_secret": self._client_secret}
            return {}
        pair = f"{quote(self._client_id, safe='')}:{quote(self._client_secret, safe='')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}

    def _verify(self, token: str, question: SignInRequest) -> dict[str, Any]:
        """The claims of an ID token (OpenID Connect Core 1.0, 3.1.3.7).

        Raises:
            IdentityRefused: it is not for us, not from there, not of now, or not signed.
        """
        registry = jwt.JWTClaimsRegistry(
            now=int(self._clock()),
            leeway=_LEEWAY_S,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": question.nonce},
        )
        try:
            read = jwt.decode(token, self._find_key, algorithms=list(ALGORITHMS))
            registry.validate(read.claims)
        except MALFORMED as error:
            raise IdentityRefused(f"token: {type(error).__name__}") from None
        claims = read.claims
        audience = claims["aud"]
        party = claims.get("azp")
        if party is not None and party != self._client_id:
            raise IdentityRefused("token: azp")
        if isinstance(audience, list) and len(audience) > 1 and party is None:
            raise IdentityRefused("token: azp")
        return claims

    def _read(self, claims: Mapping[str, Any], question: SignInRequest) -> ProvenIdentity:
        subject = claims["sub"]
        # OpenID Connect Core 2: at most 255 ASCII characters; what no database keeps is none.
        if not isinstance(subject, str) or not 0 < len(subject) <= 255 or not _is_kept(subject):
            raise IdentityRefused("token: sub")
        if question.fresh:
            shown = claims.get("auth_time")
            if not isinstance(shown, (int, float)) or isinstance(shown, bool):
                raise IdentityRefused("token: auth_time")
            # Written so that NaN, which Python's parser takes, is not lately.
            if not -_LEEWAY_S <= self._clock() - shown <= _FRESH_S:
                raise IdentityRefused("token: auth_time")
        texts = {
            name: value if isinstance(value := claims.get(name), str) and _is_kept(value) else ""
            for name in ("email", "name", "preferred_username")
        }
        return ProvenIdentity(
            issuer=self.issuer,
            subject=subject,
            email=texts["email"],
            is_email_verified=claims.get("email_verified") is True,
            name=texts["name"] or texts["preferred_username"],
            groups=_read_groups(claims.get("groups")),
        )

    def _discover(self) -> Mapping[str, Any]:
        """The discovery document (OpenID Connect Discovery 1.0, 4), read once an hour.

        A provider that does not answer is asked by one at a time, and left alone for a moment: to
        wait for it together, or one after the other, helps nobody.
        """
        if (held := self._get_document()) is not None:
            return held
        with self._reading:
            if (held := self._get_document()) is not None:
                return held
            try:
                self._document = self._read_document()
            except SourceError as problem:
                self._problem, self._problem_until = problem, self._clock() + _PAUSE_S
                raise
            self._document_until = self._clock() + _DOCUMENT_AGE_S
            return self._document

    def _get_document(self) -> Mapping[str, Any] | None:
        now = self._clock()
        if 0 <= self._document_until - now <= _DOCUMENT_AGE_S:
            return self._document
        if self._problem is not None and 0 <= self._problem_until - now <= _PAUSE_S:
            raise SourceError(str(self._problem))
        return None

    def _read_document(self) -> Mapping[str, Any]:
        document = self._http.get(self.issuer.rstrip("/") + DISCOVERY)
        if document.get("issuer") != self.issuer:
            raise self._http.problem("calls itself by another issuer")
        for name in _ENDPOINTS:
            self._http.check(document.get(name))
        return document

    def _find_key(self, token: Any) -> RSAKey | ECKey | OKPKey:
        """The provider's key for a token; its keys are read anew when they have rotated.

        Raises:
            IdentityRefused: there is none.
        """
        kid = token.headers().get("kid")
        age = self._clock() - self._keys_read
        if not 0 <= age <= _KEYS_AGE_S or (self._pick(kid) is None and age >= _KEYS_PAUSE_S):
            self._read_keys()
        key = self._pick(kid)
        if key is None:
            raise IdentityRefused("token: key")
        return key

    def _pick(self, kid: object) -> RSAKey | ECKey | OKPKey | None:
        keys = [key for key in self._keys.keys if kid is None or key.kid == kid]
        # Without an id a token names its key only where there is one alone.
        key = keys[0] if len(keys) == 1 else None
        return key if isinstance(key, (RSAKey, ECKey, OKPKey)) else None

    def _read_keys(self) -> None:
        published = self._http.get(str(self._discover()["jwks_uri"]))
        self._keys = KeySet([*import_public_keys(published)])
        self._keys_read = self._clock()


def _read_groups(claimed: object) -> frozenset[str]:
    """The names in the claim; whatever is none is passed over."""
    listed = claimed if isinstance(claimed, list) else [claimed]
    return frozenset(one for one in listed if isinstance(one, str))


def _is_kept(text: str) -> bool:
    """Whether every database keeps it: no half of a character pair, no NUL."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)
