"""Drives the ASGI application in this process: one request in, one answer out."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import orjson

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.accounts.limits.quotas import Allowance, Quotas
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from fundstelle.web.request_log import RequestLog
from fundstelle.web.tracing import Tracing
from tests.unit.tools.fakes import build_library

KEY = "sk-legal-test"
PRINCIPAL = Principal(key_id="key_test", name="test", rate_per_minute=None)
MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    @property
    def error_code(self) -> int:
        code: int = self.json["error"]["code"]
        return code


class KnownKey:
    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        return PRINCIPAL if presented == KEY else Recall.ASK

    async def ask(self, presented: str) -> Principal | None:
        assert presented != KEY
        return None

    def keep_fresh(self, now: float) -> None:
        """Nothing changes."""

    def close(self) -> None:
        """Nothing to write."""


class FewCalls:
    """Allows so many calls, then asks to wait 2.5 seconds."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def take(self, principal: Principal, calls: int = 1) -> Allowance:
        assert principal.key_id == "key_test"
        if calls > self.left:
            return Allowance(allowed=False, retry_after_s=2.5)
        self.left -= calls
        return Allowance()

    def begin(self, _principal: Principal) -> None:
        """Nothing to wait for."""

    def give_back(self, _principal: Principal, _allowance: Allowance, calls: int) -> None:
        self.left += calls


class Lines(RequestLog):
    """Keeps what would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, object]] = []

    def write(self, line: dict[str, object]) -> None:
        self.lines.append(line)


def build_app(
    calls: int = 1_000_000,
    log: RequestLog | None = None,
    keys: KnownKey | None = None,
    tracing: Tracing | None = None,
    quotas: Quotas | None = None,
) -> Application:
    """The real tools over invented law, behind the real edge."""
    registry = build_registry(build_library(), today=lambda: date(2030, 1, 1), base_url="")
    engines = [Engine(registry)]
    app = Application(
        engine_source=lambda: engines.pop() if engines else None,
        authenticator=keys or KnownKey(),
        quota=quotas or FewCalls(calls),
        settings=Settings.from_env({"FUNDSTELLE_MAX_BODY_BYTES": "4096"}),
        log=log or Lines(),
        tracing=tracing,
    )
    app.refresh()
    return app


def send(
    app: Application,
    body: bytes | object = b"",
    headers: Mapping[str, str] | None = None,
    *,
    method: str = "POST",
    path: str = "/mcp",
    query: bytes = b"",
    more: Sequence[tuple[str, str]] = (),
    parts: int = 1,
) -> Answer:
    """One request; ``headers`` replace the usual ones, an empty value leaves one out."""
    data = body if isinstance(body, bytes) else orjson.dumps(body)
    usual = {
        "host": "127.0.0.1:8000",
        "authorization": f"Bearer {KEY}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        **(headers or {}),
    }
    raw = [(k, v) for k, v in usual.items() if v] + list(more)
    size = max(1, -(-len(data) // parts))
    chunks = [data[i : i + size] for i in range(0, len(data), size)] or [b""]
    events: list[dict[str, Any]] = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, start=1)
    ]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return events.pop(0)

    async def take(event: Any) -> None:
        sent.append(event)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query,
        "headers": [(k.encode(), v.encode("latin-1")) for k, v in raw],
    }
    asyncio.run(_run(app, scope, receive, take))
    start, *rest = sent
    return Answer(
        start["status"],
        {k.decode(): v.decode() for k, v in start["headers"]},
        b"".join(event.get("body", b"") for event in rest),
    )


async def _run(app: Application, scope: Any, receive: Any, take: Any) -> None:
    await app(scope, receive, take)


def legacy(method: str, params: object = None, request_id: object = 1) -> dict[str, object]:
    message: dict[str, object] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def send_modern(
    app: Application, method: str, headers: Mapping[str, str] | None = None, **params: Any
) -> Answer:
    """A modern request with the headers it needs."""
    name = params.get("name") or params.get("uri")
    usual = {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
    if name:
        usual["mcp-name"] = str(name)
    message = legacy(method, {**params, "_meta": MODERN_META})
    return send(app, message, {**usual, **(headers or {})})
