"""An authorization server on a real database, with its own clock, called through ASGI."""

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from sqlalchemy import insert
from starlette.applications import Starlette
from starlette.types import ASGIApp

from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.accounts.oauth.grants import Grant
from fundstelle.oauth import build_routes
from fundstelle.oauth.authorize import Pending
from fundstelle.oauth.document_fetch import DocumentFetch
from fundstelle.oauth.pkce import derive_challenge
from fundstelle.oauth.server import AuthorizationServer
from fundstelle.oauth.throttles import Throttles
from tests.integration.services.databases import Database, SqliteDatabase

BASE = "https://law.test"
VERIFIER = "v" * 43
LOOPBACK = "http://127.0.0.1/callback"
ADDRESS = "203.0.113.5"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Unlimited(Throttles):
    def take(self, action: str, address: str) -> float | None:
        del action, address
        return None

    look = take


@dataclass(frozen=True)
class Somebody:
    id: str = "user_1"


@dataclass
class Http:
    """Calls an ASGI application, one request at a time, and keeps its cookies."""

    app: ASGIApp
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    address: str = ADDRESS

    def __call__(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(self.address, 50_000))
            async with httpx.AsyncClient(
                transport=transport, base_url=BASE, cookies=self.cookies
            ) as client:
                response = await client.request(method, path, **options)
                self.cookies = client.cookies
                return response

        return asyncio.run(ask())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self("POST", path, **options)


class OAuth:
    """The server, somebody who decides, and the steps of a client."""

    def __init__(
        self,
        folder: Path,
        fetch: DocumentFetch | None = None,
        throttles: Throttles | None = None,
        clock: Clock | None = None,
        database: Database | None = None,
    ) -> None:
        self.clock = clock or Clock()
        self.folder = folder
        self.database = database or SqliteDatabase()
        self.store = self.database.open(folder)
        self.events: list[tuple[str, str, str]] = []
        self.server = AuthorizationServer(
            self.store,
            BASE,
            lambda: nullcontext(self._audit),
            fetch=fetch,
            throttles=throttles or Unlimited(),
            later=lambda _delay, _task: None,
            clock=self.clock,
        )
        # Time passes by the test's clock, the rate of refreshes by the processor's: no limit here.
        self.server._refresh_tokens._rate = TokenBuckets(0, 1)
        self.http = Http(Starlette(routes=[*build_routes(self.server)]))

    def open_again(self) -> "OAuth":
        """Another server process on the same database."""
        return OAuth(self.folder, clock=self.clock, database=self.database)

    def _audit(self, event: str, actor: str, object: str = "", **details: object) -> None:  # noqa: A002 the log's word
        del details
        self.events.append((event, actor, object))

    def add_person(self, user_id: str = "user_1", role: str = "member") -> None:
        with self.store.write() as connection:
            connection.execute(
                insert(users).values(
                    id=user_id,
                    email=f"{user_id}@example.org",
                    name="Anna Muster",
                    role=role,
                    password="none that could be shown",
                    created=datetime.now(UTC),
                )
            )

    def register(self, **metadata: Any) -> dict[str, Any]:
        response = self.http.post("/oauth/register", json={"redirect_uris": [LOOPBACK], **metadata})
        assert response.status_code == 201, response.text
        registered: dict[str, Any] = response.json()
        return registered

    def ask(self, client_id: str, /, **changes: str | None) -> dict[str, str]:
        """The parameters of a good authorization request, changed; ``None`` leaves one out."""
        parameters: Mapping[str, str | None] = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": LOOPBACK,
            "code_challenge": derive_challenge(VERIFIER),
            "code_challenge_method": "S256",
            "state": "s-1",
            "scope": "legal:read offline_access",
            "resource": f"{BASE}/mcp",
            **changes,
        }
        return {name: value for name, value in parameters.items() if value is not None}

    def authorize(self, client_id: str, /, **changes: str | None) -> str:
        """A code that somebody has allowed."""
        pending = self.server.begin(self.ask(client_id, **changes).items())
        assert isinstance(pending, Pending), pending
        return read_query(self.server.decide(pending.secret, Somebody(), allowed=True))["code"]

    def redeem(self, client_id: str, code: str, /, **changes: str | None) -> httpx.Response:
        form: Mapping[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": client_id,
            "redirect_uri": LOOPBACK,
            "code_verifier": VERIFIER,
            "resource": f"{BASE}/mcp",
            **changes,
        }
        return self.send({name: value for name, value in form.items() if value is not None})

    def refresh(self, client_id: str, token: str, **changes: str) -> httpx.Response:
        return self.send(
            {
                "grant_type": "refresh_token",
                "refresh_token": token,
                "client_id": client_id,
                **changes,
            }
        )

    def send(self, form: Mapping[str, str], **options: Any) -> httpx.Response:
        return self.http.post("/oauth/token", data=form, **options)

    def sign_in(self, client_id: str, /, **changes: str | None) -> dict[str, Any]:
        """The tokens of a client that did everything right."""
        response = self.redeem(client_id, self.authorize(client_id, **changes))
        assert response.status_code == 200, response.text
        tokens: dict[str, Any] = response.json()
        return tokens

    def is_good(self, tokens: Mapping[str, Any]) -> bool:
        return self.server.verify(tokens["access_token"]) is not None

    def get_grant(self) -> Grant:
        """The one grant there is."""
        (grant,) = self.server.grants.list()
        return grant


def read_query(address: str) -> dict[str, str]:
    query = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert all(len(values) == 1 for values in query.values())
    return {name: values[0] for name, values in query.items()}
