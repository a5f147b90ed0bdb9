"""Which era a request belongs to, and what the modern one demands of it.

Source: MCP 2026-07-28 "Base protocol" (request metadata), "Streamable HTTP" (standard headers).
"""

from collections.abc import Container

from fundstelle.mcp import headers as http
from fundstelle.mcp.errors import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    ProtocolError,
)
from fundstelle.mcp.headers import Headers
from fundstelle.mcp.jsonrpc import Message
from fundstelle.mcp.versions import BATCHES, LEGACY, MODERN, SUPPORTED, WITHOUT_HEADER

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Which parameter of a method stands in the header ``Mcp-Name``."""


def is_modern(message: Message) -> bool:
    """Whether a request carries modern metadata; its headers do not decide."""
    meta = message.params.get("_meta")
    return isinstance(meta, dict) and VERSION_KEY in meta


def choose_legacy_version(headers: Headers) -> str:
    """The version of a request without modern metadata.

    Raises:
        ProtocolError: the header names the modern version, or none that we know.
    """
    header = headers.get(http.VERSION)
    if header is None:
        return WITHOUT_HEADER
    version = header.decode("latin-1").strip()
    if version in LEGACY:
        return version
    if version == MODERN:
        raise ProtocolError(INVALID_PARAMS, f"params._meta must hold {VERSION_KEY}")
    raise _unsupported(version)


def names_batches(headers: Headers) -> bool:
    """Whether the header, or its absence, means the one revision that knows batches."""
    return headers.get(http.VERSION, WITHOUT_HEADER.encode()).strip() == BATCHES.encode()


def check_modern(message: Message, headers: Headers, methods: Container[str]) -> None:
    """The modern ladder, step by step.

    Raises:
        ProtocolError: the first step that fails.
    """
    meta = message.params["_meta"]
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"{VERSION_KEY} must be a string")
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise ProtocolError(INVALID_PARAMS, f"params._meta must hold {CAPABILITIES_KEY}")
    _check_header(headers, http.VERSION, version)
    if version not in SUPPORTED:
        raise _unsupported(version)
    _check_header(headers, http.METHOD, message.method)
    named_by = NAMED_BY.get(message.method)
    if named_by is not None:
        _check_name(headers, message.params.get(named_by))
    if message.method not in methods:
        raise ProtocolError(METHOD_NOT_FOUND, "there is no such method in this revision")


def acknowledge_subscription(request_id: bytes, meta: bytes) -> bytes:
    """The whole event stream of ``subscriptions/listen``: nothing to notify of, so it ends."""
    subscription = b'"' + SUBSCRIPTION_KEY.encode() + b'":' + request_id
    acknowledged = (
        b'{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",'
        b'"params":{"notifications":{},"_meta":{' + subscription + b"}}}"
    )
    result = (
        b'{"jsonrpc":"2.0","id":' + request_id + b',"result":{"resultType":"complete","_meta":{'
        + subscription + b"," + meta[1:] + b"}}"
    )  # fmt: skip
    return b"".join(b"event: message\ndata: " + data + b"\n\n" for data in (acknowledged, result))


def _check_header(headers: Headers, name: bytes, expected: str) -> None:
    given = headers.get(name)
    if given is None or given.strip(b" \t") != expected.encode():
        raise ProtocolError(
            HEADER_MISMATCH, f"header {name.decode()} must be sent once and equal the body's value"
        )


def _check_name(headers: Headers, expected: object) -> None:
    given = headers.get(http.NAME)
    name = http.decode_name(given) if given is not None else None
    if name is None or name != expected:
        raise ProtocolError(
            HEADER_MISMATCH, "header mcp-name must be sent once and equal the body's value"
        )


def _unsupported(version: str) -> ProtocolError:
    data = {"supported": list(SUPPORTED), "requested": version[:100]}
    return ProtocolError(UNSUPPORTED_VERSION, "this protocol version is not served", data)
