"""The HTTP headers that the protocol reads.

Names are lower-case bytes; a header sent twice arrives joined by a comma, so that it can match
nothing.
Source: MCP 2026-07-28, "Streamable HTTP": request metadata headers.
"""

import base64
import binascii
from collections.abc import Mapping
from functools import lru_cache

Headers = Mapping[bytes, bytes]

VERSION = b"mcp-protocol-version"
METHOD = b"mcp-method"
NAME = b"mcp-name"

_ENCODED_START, _ENCODED_END = "=?base64?", "?="


def is_json(content_type: bytes | None) -> bool:
    """Whether a body is declared as JSON; parameters such as charset are allowed."""
    if content_type == b"application/json":
        return True
    return content_type is not None and (
        content_type.split(b";", 1)[0].strip().lower() == b"application/json"
    )


_MOST_ENTRIES = 32
_MOST_PARAMETERS = 8


@lru_cache(maxsize=128)  # a client sends the same header with every request
def accepts(accept: bytes | None, subtype: bytes) -> bool:
    """Whether JSON (or, for ``event-stream``, SSE) may be sent; no header allows all.

    Of a list its first 32 entries count, and of an entry its first 8 parameters.
    """
    if accept is None:
        return True
    kind = b"text" if subtype == b"event-stream" else b"application"
    allowed = {b"*/*", kind + b"/*", kind + b"/" + subtype}
    for part in accept.split(b",", _MOST_ENTRIES)[:_MOST_ENTRIES]:
        pieces = part.split(b";", _MOST_PARAMETERS)[:_MOST_PARAMETERS]
        media, *parameters = (item.strip().lower() for item in pieces)
        if media in allowed and not any(p in {b"q=0", b"q=0.0", b"q=0.00"} for p in parameters):
            return True
    return False


def decode_name(value: bytes) -> str | None:
    """The text of ``Mcp-Name``; what cannot be decoded gives ``None`` and matches nothing."""
    try:
        text = value.strip(b" \t").decode("ascii")
    except UnicodeDecodeError:
        return None
    if not (text.startswith(_ENCODED_START) and text.endswith(_ENCODED_END)):
        return text
    inner = text[len(_ENCODED_START) : -len(_ENCODED_END)]
    try:
        return base64.b64decode(inner, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
