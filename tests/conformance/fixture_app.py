"""The engine and the web edge of the product around the suite's fixtures, for one known caller.

The suite cannot send credentials, so the authenticator is replaced and a key is put into requests
that bring none; everything else is what ships.
"""

from pathlib import Path

from fundstelle.accounts.keys.api_keys import Principal
from fundstelle.accounts.limits.quotas import Allowance
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.web.app import Application
from fundstelle.web.messages import AsgiApp, Receive, Scope, Send
from fundstelle.web.request_log import RequestLog
from tests.conformance.fixture_registry import build_registry

KEY = "the-only-key"
PRINCIPAL = Principal(key_id="key_fixture", name="fixture", rate_per_minute=None)


class OneKey:
    """Knows one key."""

    def recall(self, presented: str) -> Principal | None:
        return PRINCIPAL if presented == KEY else None

    async def ask(self, presented: str) -> Principal | None:
        return self.recall(presented)

    def keep_fresh(self, now: float) -> None:
        """Nothing changes."""

    def close(self) -> None:
        """Nothing to write."""


class NoLimit:
    """Allows every call."""

    def take(self, _principal: Principal, _calls: int = 1) -> Allowance:
        return Allowance()

    def begin(self, _principal: Principal) -> None:
        """Nothing to wait for."""

    def give_back(self, _principal: Principal, _allowance: Allowance, _calls: int) -> None:
        """None was counted."""


def build_settings() -> Settings:
    return Settings.from_env({"FUNDSTELLE_DATA": str(Path("nowhere"))})


def create_app() -> AsgiApp:
    """The application for uvicorn; every request is the known caller's."""
    engines = iter([Engine(build_registry())])
    application = Application(
        engine_source=lambda: next(engines, None),
        authenticator=OneKey(),
        quota=NoLimit(),
        settings=build_settings(),
        log=RequestLog(),
    )

    async def with_key(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            credential = (b"authorization", b"Bearer " + KEY.encode())
            scope = {**scope, "headers": [*scope["headers"], credential]}
        await application(scope, receive, send)

    return with_key
