"""One request of each kind on the wire, in the two eras of the protocol."""

import json
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LEGACY = "2025-11-25"
MODERN = "2026-07-28"

_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Call:
    """``tools/list`` (without a tool) or ``tools/call``."""

    tool: str = ""
    arguments: Mapping[str, Any] | None = None

    @property
    def method(self) -> str:
        return "tools/call" if self.tool else "tools/list"

    def body(self, revision: str) -> str:
        params: dict[str, Any] = {}
        if self.tool:
            params |= {"name": self.tool, "arguments": self.arguments}
        if revision == MODERN:
            params["_meta"] = _META
        message = {"jsonrpc": "2.0", "id": 1, "method": self.method, "params": params}
        return json.dumps(message, ensure_ascii=False)

    def headers(self, revision: str) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": revision,
        }
        if revision == MODERN:
            headers["Mcp-Method"] = self.method
            if self.tool:
                headers["Mcp-Name"] = self.tool
        return headers


def ask(url: str, call: Call, revision: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """The result of one request.

    Raises:
        RuntimeError: the answer is an error.
    """
    request = urllib.request.Request(
        url,
        data=call.body(revision).encode("utf-8"),
        headers={**call.headers(revision), **headers},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        message = json.load(response)
    if "result" not in message:
        raise RuntimeError(f"{url} answered {message}")
    result: dict[str, Any] = message["result"]
    return result
