"""JSON-RPC errors, and how Fundstelle's own errors become answers.

Codes: JSON-RPC 2.0 §5.1; MCP 2026-07-28 for -32020 to -32022; MCP up to 2025-11-25 for -32002.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from fundstelle.errors import FundstelleError, InvalidInput, SearchUnavailable, SourceError
from fundstelle.tools.spec import ToolResult

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002  # legacy only
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022

_MODERN_STATUS = {METHOD_NOT_FOUND: 404, INTERNAL_ERROR: 200}


class ProtocolError(Exception):
    """An error of the protocol, not of a tool.

    ``data`` goes into the error's ``data``. Raised by handlers, translated once by the engine.
    """

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def encode(self, request_id: bytes | None) -> bytes:
        """The JSON-RPC error; without ``id`` where the request's could not be read."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        id_part = b'"id":' + request_id + b"," if request_id is not None else b""
        return b'{"jsonrpc":"2.0",' + id_part + b'"error":' + orjson.dumps(error) + b"}"


def modern_status(code: int) -> int:
    """The HTTP status of an error in the modern era."""
    return _MODERN_STATUS.get(code, 400)


def refuse_call(error: FundstelleError, request_id: str) -> ToolResult:
    """A tool's deliberate error as a result a model can act on (``isError``)."""
    body: dict[str, Any] = {"code": "INTERNAL", "message": str(error)}
    retry_after_s = 0  # 0: the same call will fail again
    if isinstance(error, InvalidInput):
        body["code"] = error.code
        if error.field is not None:
            body["field"] = error.field
        if error.allowed_values:
            body["allowed_values"] = list(error.allowed_values)
        if error.example is not None:
            body["example"] = error.example
    elif isinstance(error, SourceError):
        body["code"] = "SOURCE_UNAVAILABLE"
        retry_after_s = 30
    elif isinstance(error, SearchUnavailable):
        body["code"] = "SOURCE_UNAVAILABLE"
        retry_after_s = 2
    body["retryable"] = bool(retry_after_s)
    if retry_after_s:
        body["retry_after_s"] = retry_after_s
    body["request_id"] = request_id
    text = orjson.dumps({"error": body}).decode()
    return ToolResult(
        blocks=({"type": "text", "text": text},), is_error=True, error_code=body["code"]
    )
