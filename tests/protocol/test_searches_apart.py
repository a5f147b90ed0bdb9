"""Searches that wait for a cluster: nobody waits behind them, and their failure is a tool's."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from fundstelle.errors import SearchUnavailable
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools.spec import CallContext, Registry, Tool, ToolResult
from fundstelle.web.app import Application
from tests.protocol.client import KEY, FewCalls, KnownKey, Lines, legacy, send

SCHEMA = {"type": "object", "properties": {}}


def answer(*_: object) -> ToolResult:
    return ToolResult(blocks=({"type": "text", "text": "hello"},))


def serve(search: Any, *, calls: int = 1_000, closed: Any = None) -> Application:
    slow = Tool("slow", "Slow", "Searches.", SCHEMA, None, search, searching=("query",))
    quick = Tool("quick", "Quick", "Does not.", SCHEMA, None, answer)
    registry = Registry("t", "T", "0", "Ask.", (slow, quick), (), (), (), lambda *_: None, "one")
    engines = [Engine(registry, closed, waits=True)]
    app = Application(
        engine_source=lambda: engines.pop(0) if engines else None,
        authenticator=KnownKey(),
        quota=FewCalls(calls),
        settings=Settings.from_env({}),
        log=Lines(),
    )
    app.refresh()
    return app


def write_call(name: str, **arguments: Any) -> bytes:
    return orjson.dumps(legacy("tools/call", {"name": name, "arguments": arguments}))


async def post(app: Application, body: bytes) -> bytes:
    headers = {"host": "127.0.0.1:8000", "authorization": f"Bearer {KEY}"}
    headers |= {"content-type": "application/json", "accept": "application/json"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def take(event: Any) -> None:
        sent.append(event)

    await app(scope, receive, take)
    return b"".join(event.get("body", b"") for event in sent)


def test_a_lookup_is_answered_while_a_search_waits() -> None:
    looked_up = threading.Event()

    def search(_arguments: Mapping[str, Any], _context: CallContext) -> ToolResult:
        assert looked_up.wait(30), "the lookup waited behind the search"
        return answer()

    app = serve(search)

    async def both() -> list[bytes]:
        waiting = asyncio.create_task(post(app, write_call("slow", query="Drache")))
        await asyncio.sleep(0)
        quick = await post(app, write_call("quick"))
        looked_up.set()
        return [quick, await waiting]

    for body in asyncio.run(both()):
        assert "hello" in body.decode()


def test_a_cluster_that_is_away_is_an_error_to_try_again() -> None:
    def search(*_: object) -> ToolResult:
        raise SearchUnavailable("ConnectionTimeout")

    answered = send(serve(search), write_call("slow", query="Drache")).json["result"]
    assert answered["isError"]
    error = orjson.loads(answered["content"][0]["text"])["error"]
    assert (error["code"], error["retryable"]) == ("SOURCE_UNAVAILABLE", True)
    assert error["retry_after_s"] >= 1


def test_calls_that_search_are_counted_like_all() -> None:
    app = serve(answer, calls=1)
    assert send(app, write_call("slow", query="Drache")).status == 200
    assert send(app, write_call("slow", query="Drache")).status == 429


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        (write_call("slow", query="Drache"), True),
        (write_call("slow", query=""), False),
        (write_call("slow"), False),
        (write_call("quick", query="Drache"), False),
        (b"[" + write_call("quick") + b"," + write_call("slow", query="Drache") + b"]", True),
        (b"{", False),
        (b'{"method":"tools/call","params":[]}', False),
        (b'{"method":"tools/call","params":{"name":[],"arguments":{"query":1}}}', False),
        (b"[1]", False),
    ],
)
def test_only_calls_that_search_are_answered_apart(body: bytes, *, waits: bool) -> None:
    slow = Tool("slow", "Slow", "Searches.", SCHEMA, None, answer, searching=("query",))
    registry = Registry("t", "T", "0", "Ask.", (slow,), (), (), (), lambda *_: None, "one")
    assert Engine(registry, waits=True).waits(body) == waits
    assert not Engine(registry).waits(body)
