"""The official Python SDK: low-level server, stateless, JSON answers, on uvicorn.

It lists our definitions and calls our handlers; only the protocol is the SDK's.
Usage: ``python -m benches.speed.peers.python_sdk EXHIBIT PORT [--table]``; ``FUNDSTELLE_DATA``
names the corpus. With ``--table`` calls are answered from the exhibit instead.
"""

import json
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import uvicorn
from mcp import types
from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server

from fundstelle.bootstrap.library import open_library
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext

Answer = Callable[[str, dict[str, Any]], types.CallToolResult]


def from_table(exhibit: dict[str, Any]) -> Answer:
    table = {
        (call["tool"], json.dumps(call["arguments"])): types.CallToolResult.model_validate(
            call["result"]
        )
        for call in exhibit["calls"]
    }
    return lambda name, arguments: table[name, json.dumps(arguments)]


def from_handlers() -> Answer:
    settings = Settings.from_env(os.environ)
    library = open_library(settings)
    registry = build_registry(library, today=date.today, base_url=settings.base_url)
    tools = {tool.name: tool for tool in registry.tools}
    context = CallContext(request_id="bench", principal_id="bench")

    def answer(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        result = tools[name].call(arguments, context)
        assert result.structured is not None
        text = {"type": "text", "text": result.structured.decode("utf-8")}
        return types.CallToolResult.model_validate(
            {
                "content": [text, *result.blocks],
                "structuredContent": orjson.loads(result.structured),
                "isError": result.is_error,
            }
        )

    return answer


def make_server(exhibit: dict[str, Any], answer: Answer) -> Server[Any]:
    listed = types.ListToolsResult.model_validate({"tools": exhibit["tools"]})

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return answer(params.name, params.arguments or {})

    return Server(
        "python-sdk",
        version="2.3.0",
        instructions=exhibit["instructions"],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def main() -> None:
    exhibit = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answer = from_table(exhibit) if "--table" in sys.argv else from_handlers()
    app = make_server(exhibit, answer).streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(sys.argv[2]),
        log_level="warning",
        access_log=False,
    )


if __name__ == "__main__":
    main()
