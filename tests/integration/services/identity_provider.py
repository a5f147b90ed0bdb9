"""A small OpenID provider on loopback: discovery, keys, authorization, token. It can be bent."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from joserfc import jws
from joserfc.jwk import ECKey, RSAKey

CLIENT_ID = "fundstelle at firm"
CLIENT_SECRET = "s+cret/%"
TOKEN_TTL_S = 300


def _make_key(algorithm: str) -> RSAKey | ECKey:
    kid = secrets.token_hex(4)
    if algorithm.startswith("ES"):
        return ECKey.generate_key("P-256", {"kid": kid, "use": "sig", "alg": algorithm})
    return RSAKey.generate_key(2048, {"kid": kid, "use": "sig"})


@dataclass
class Provider:
    """The provider, who it knows, and what it does wrong."""

    clock: Callable[[], float]
    address: str = ""
    algorithm: str = "RS256"
    person: dict[str, Any] = field(
        default_factory=lambda: {
            "sub": "248289761001",
            "email": "Eva@Kanzlei.example",
            "email_verified": True,
            "name": "Eva Beck",
        }
    )
    claims: dict[str, Any] = field(default_factory=dict)  # put over the right ones; None = left out
    document: dict[str, Any] = field(default_factory=dict)  # the same, of discovery
    bend_token: Callable[[str, "Provider"], str] = field(default=lambda token, _: token)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    # unknown kinds, a key for encryption and a shared secret stand beside the real ones
    extra_keys: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"kty": "FUTURE", "kid": "f"},
            {"kty": "oct", "kid": "o", "k": "AAAA"},
            {"kty": "EC", "kid": "broken"},
        ]
    )

    def __post_init__(self) -> None:
        self.key = _make_key(self.algorithm)

    def rotate(self) -> None:
        self.key = _make_key(self.algorithm)

    @property
    def issuer(self) -> str:
        return f"{self.address}/realms/firm"

    def discover(self) -> dict[str, Any]:
        right = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.address}/authorize?realm=firm",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/jwks",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }
        return {key: v for key, v in (right | self.document).items() if v is not None}

    def list_keys(self) -> dict[str, Any]:
        return {"keys": [*self.extra_keys, self.key.as_dict(private=False)]}

    def approve(self, address: str) -> str:
        """The person signs in: the query that the browser brings back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return f"code={code}&state={asked['state']}"

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self.codes.pop(form.get("code", ""), None)
        if not self._knows(form, authorization):
            return 401, {"error": "invalid_client"}
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != challenge:
            return 400, {"error": "invalid_grant"}
        if asked["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        token = self.bend_token(self.sign(self.describe(asked["nonce"])), self)
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": token}

    def _knows(self, form: dict[str, str], authorization: str) -> bool:
        methods = self.document.get("token_endpoint_auth_methods_supported")
        if methods == ["client_secret_post"]:
            pair = (form.get("client_id"), form.get("client_secret"))
            return not authorization and pair == (CLIENT_ID, CLIENT_SECRET)
        name, _, secret = base64.b64decode(authorization[6:]).decode().partition(":")
        is_known = (unquote(name), unquote(secret)) == (CLIENT_ID, CLIENT_SECRET)
        return is_known and "client_secret" not in form

    def describe(self, nonce: str) -> dict[str, Any]:
        now = int(self.clock())
        right = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "nonce": nonce,
            "auth_time": now,
            "iat": now,
            "exp": now + TOKEN_TTL_S,
            **self.person,
        }
        return {key: value for key, value in (right | self.claims).items() if value is not None}

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        head = {"alg": self.algorithm, "kid": self.key.kid, **header}
        head = {name: value for name, value in head.items() if value is not None}
        algorithms = [self.algorithm]
        return jws.serialize_compact(head, json.dumps(claims), self.key, algorithms=algorithms)


def read_claims(token: str) -> dict[str, Any]:
    """The claims of a token, unchecked."""
    part = token.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=="))
    return claims


def sign_with_nothing(token: str, _: Provider) -> str:
    """``alg: none``."""
    head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


def sign_with_public_key(token: str, provider: Provider) -> str:
    """HS256 with the public key as the shared secret."""
    # by hand: the library refuses to
    head = json.dumps({"alg": "HS256", "kid": provider.key.kid}).encode()
    signed = f"{base64.urlsafe_b64encode(head).rstrip(b'=').decode()}.{token.split('.')[1]}"
    secret = provider.key.as_pem(private=False)
    signature = base64.urlsafe_b64encode(hmac.digest(secret, signed.encode(), "sha256"))
    return f"{signed}.{signature.rstrip(b'=').decode()}"


def sign_with_other_key(token: str, provider: Provider) -> str:
    """A key of somebody else's under the id of the provider's."""
    kid, claims = provider.key.kid, read_claims(token)
    other = Provider(provider.clock, provider.address, provider.algorithm)
    return other.sign(claims, kid=kid)


def sign_with_unknown_key(token: str, provider: Provider) -> str:
    """A key that nobody has published."""
    return Provider(provider.clock, provider.address, provider.algorithm).sign(read_claims(token))


def change_signed(token: str, _: Provider) -> str:
    """Another person, under the signature of the first."""
    head, __, signature = token.split(".")
    claims = json.dumps({**read_claims(token), "sub": "somebody else"}).encode()
    return f"{head}.{base64.urlsafe_b64encode(claims).rstrip(b'=').decode()}.{signature}"


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        self.provider.asked.append(self.path)
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", f"{self.provider.address}/jwks")
            self.end_headers()
            return
        pages: dict[str, Callable[[], object]] = {
            "/realms/firm/.well-known/openid-configuration": self.provider.discover,
            "/jwks": self.provider.list_keys,
            "/endless": lambda: {"keys": ["x" * 1024] * 1024},
            "/list": list,
        }
        page = pages.get(self.path)
        self.answer(200 if page else 404, page() if page else {})

    def do_POST(self) -> None:
        self.provider.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.answer(*self.provider.exchange(form, self.headers.get("Authorization", "")))

    def answer(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 the base class's name
        del format, arguments


@contextmanager
def start_provider(clock: Callable[[], float], algorithm: str = "RS256") -> Iterator[Provider]:
    """A provider that listens on loopback for as long as the block lasts."""
    provider = Provider(clock, algorithm=algorithm)
    handler = type("Handler", (_Handler,), {"provider": provider})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        provider.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
