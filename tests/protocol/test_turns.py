"""Who waits for a turn while others work long: counted in turns of the loop, not in seconds."""

import asyncio
from typing import Any

import orjson
import pytest

from tests.protocol.client import KEY, build_app, legacy


async def _ask(app: Any, body: bytes, done: list[str], name: str) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            done.append(name)

    headers = {"host": "localhost", "authorization": f"Bearer {KEY}"}
    headers["content-type"] = "application/json"
    raw = [(key.encode(), value.encode()) for key, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": raw}
    await app(scope, receive, send)


def test_a_large_body_waits_for_its_turn_and_a_small_one_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fundstelle.web.app._LARGE_BYTES", 1_000)
    done: list[str] = []

    async def run() -> None:
        app = build_app()
        turns = app._turns
        await turns.take("another")
        large = orjson.dumps(legacy("ping", {"a": "x" * 2_000}))
        waiting = asyncio.create_task(_ask(app, large, done, "large"))
        await _ask(app, orjson.dumps(legacy("ping")), done, "small")
        await asyncio.sleep(0)
        assert done == ["small"]
        await turns.rest(0.0, has_turn=True)
        await waiting
        assert done == ["small", "large"]

    asyncio.run(run())
