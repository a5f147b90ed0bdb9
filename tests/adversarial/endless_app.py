"""Serves tools that do not end, or take long: ``python -m tests.adversarial.endless_app PORT``."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import cast

import uvicorn

from fundstelle.mcp.budget import Budget
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools.spec import (
    Prompt,
    PromptArgument,
    Registry,
    ResourceContents,
    ResourceTemplate,
    Tool,
    ToolResult,
)
from fundstelle.web.app import Application
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.protocol import BoundedProtocol
from tests.adversarial.endless import loop, match, recurse, swallow, swallow_everything
from tests.protocol.client import FewCalls, KnownKey

BUSY_S = 0.25
BUDGET_S = 0.4  # less than what ships, to be done sooner
PREFIX = "x://"


def work() -> None:
    end = time.thread_time() + BUSY_S
    while time.thread_time() < end:
        pass


ENDLESS: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (loop, match, swallow, swallow_everything, recurse)
}


def _build_tool(name: str, work: Callable[[], None]) -> Tool:
    def answer(*_: object) -> ToolResult:
        work()
        return ToolResult(blocks=({"type": "text", "text": name},))

    schema = {"type": "object", "properties": {"citation": {"type": "string"}}}
    return Tool(name, name, name, schema, None, answer)


def _read(uri: str, _context: object) -> ResourceContents:
    loop()
    return ResourceContents(uri, "text/plain", text="never")


def _complete(*_: object) -> None:
    loop()


def _get(*_: object) -> list[dict[str, object]]:
    loop()
    return []


def build_registry() -> Registry:
    tools = {**ENDLESS, "work": work, "rest": lambda: None}
    return Registry(
        "t",
        "T",
        "0",
        "Ask.",
        tuple(_build_tool(name, each) for name, each in tools.items()),
        (),
        (ResourceTemplate(PREFIX + "{y}", PREFIX, "x", "X", "X.", "text/plain", _read),),
        (Prompt("p", "P", "P.", (PromptArgument("question", "Q."),), _get),),
        _complete,
        "one",
    )


def build_app() -> Application:
    engines = [Engine(build_registry(), budget=Budget(BUDGET_S))]
    return Application(
        engine_source=lambda: engines.pop() if engines else None,
        authenticator=KnownKey(),
        quota=FewCalls(1_000_000),
        settings=Settings.from_env(os.environ),
    )


def main() -> None:
    limits = Limits(connections=100, body_bytes=100_000)
    uvicorn.run(
        build_app(),
        port=int(sys.argv[1]),
        loop="uvloop",
        http=cast("type[asyncio.Protocol]", partial(BoundedProtocol, limits)),
        ws="none",
        log_level="warning",
    )


if __name__ == "__main__":
    main()
