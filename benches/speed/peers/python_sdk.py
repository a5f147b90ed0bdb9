"""The official Python SDK: low-level server, stateless, JSON answers, on uvicorn.

It lists our definitions and calls our handlers; only the protocol is the SDK's.
Usage: ``python -m benches.speed.peers.python_sdk EXHIBIT PORT``; ``FUNDSTELLE_DATA`` names the
corpus. Without handlers (``--table``) calls are answered from the exhibit.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from mcp import types
from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server

Answer = Callable[[str, dict[str, Any]], types.CallToolResult]


def from_table(exhibit: dict[str, Any]) -> Answer:
    table = {
        (call["tool"], json.dumps(call["arguments"])): types.CallToolResult.model_validate(
            call["result"]
        )
        for call in exhibit["calls"]
    }
    return lambda name, arguments: table[name, json.dumps(arguments)]


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
    answer = from_table(exhibit)
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
