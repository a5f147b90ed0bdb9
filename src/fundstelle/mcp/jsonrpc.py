"""One JSON-RPC 2.0 message: reading it, and checking its shape.

Source: JSON-RPC 2.0 §4; MCP "Base protocol" (an id is a string or an integer, never null).
"""

from dataclasses import dataclass
from typing import Any

import orjson

from fundstelle.mcp.errors import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, ProtocolError

_DEEPEST = 200
"""Levels of a message: more than any has, fewer than any encoder or recursion takes."""

MOST_CONTAINERS = 2_000
"""Arrays and objects of a body: a full batch has some hundred. A megabyte of ``[]`` is so many that
to build and to walk them would hold the server up."""


@dataclass(slots=True)
class Message:
    """A message of the right shape. ``id`` is encoded JSON; ``None`` for a notification."""

    method: str
    params: dict[str, Any]
    id: bytes | None


class MalformedMessage(Exception):
    """The message is not a request, with the id it carried if that could be read."""

    def __init__(self, error: ProtocolError, request_id: bytes | None) -> None:
        super().__init__(error.message)
        self.error = error
        self.request_id = request_id


def decode(body: bytes) -> Any:
    """The JSON of a body.

    Raises:
        ProtocolError: it is not UTF-8 JSON, holds numbers beyond a double, more than
            ``MOST_CONTAINERS`` arrays and objects, or is nested deeper than ``_DEEPEST``.
    """
    if (
        len(body) > MOST_CONTAINERS
        and _count_brackets(body) > MOST_CONTAINERS
        and _count_brackets(_leave_out_texts(body)) > MOST_CONTAINERS
    ):
        title = f"the body holds more than {MOST_CONTAINERS:,} arrays and objects"
        raise ProtocolError(PARSE_ERROR, title)
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise ProtocolError(PARSE_ERROR, "the body is not valid UTF-8 JSON") from None
    # what is short, or has few brackets, needs no closer look
    if len(body) > 2 * _DEEPEST and _count_brackets(body) > _DEEPEST:
        _check_depth(value)
    return value


def _count_brackets(body: bytes) -> int:
    return body.count(b"[") + body.count(b"{")


def _leave_out_texts(body: bytes) -> bytes:
    """What stands between the texts of a JSON document: right up to the first error in it."""
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(plain.split(b'"')[::2])


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            child
            for each in level
            if isinstance(each, (dict, list))
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
    raise ProtocolError(PARSE_ERROR, f"the body is nested deeper than {_DEEPEST} levels")


def is_response(value: Any) -> bool:
    """Whether this is a client's answer to a request (we never send any)."""
    return (
        isinstance(value, dict)
        and "method" not in value
        and ("result" in value or "error" in value)
    )


def read_message(value: Any) -> Message:
    """The message in a decoded value.

    Raises:
        MalformedMessage: it is not a JSON-RPC request or notification.
    """
    if not isinstance(value, dict):
        raise _refuse(INVALID_REQUEST, "a message must be a JSON object", None)
    request_id = _encode_id(value.get("id"))
    if value.get("jsonrpc") != "2.0":
        raise _refuse(INVALID_REQUEST, 'jsonrpc must be "2.0"', request_id)
    method = value.get("method")
    if not isinstance(method, str):
        raise _refuse(INVALID_REQUEST, "method must be a string", request_id)
    params = value.get("params", _NO_PARAMS)
    if not isinstance(params, dict):
        raise _refuse(INVALID_PARAMS, "params must be an object", request_id)
    if "id" in value and request_id is None:
        raise _refuse(INVALID_REQUEST, "id must be a string or an integer", None)
    return Message(method, params, request_id)


_NO_PARAMS: dict[str, Any] = {}


def _encode_id(value: object) -> bytes | None:
    # bool is an int in Python, and an integer beyond 64 bits has become a float in the decoder
    if type(value) is int or type(value) is str:
        return orjson.dumps(value)
    return None


def _refuse(code: int, message: str, request_id: bytes | None) -> MalformedMessage:
    return MalformedMessage(ProtocolError(code, message), request_id)
