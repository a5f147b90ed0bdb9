"""Refusals that are written before there is a request to answer (RFC 9457 problem details)."""

from collections.abc import Sequence
from http import HTTPStatus

import orjson

RETRY_AFTER_S = 5

_TITLES = {
    HTTPStatus.BAD_REQUEST: "this is not HTTP/1.1",
    HTTPStatus.REQUEST_TIMEOUT: "the request did not arrive in time",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "the body is larger than {limit} bytes",
    HTTPStatus.REQUEST_URI_TOO_LONG: "the address is too long",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "no Content-Encoding is read: send the body as it is",
    HTTPStatus.NOT_IMPLEMENTED: "no Transfer-Encoding but chunked is read",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "there are too many headers, or too long ones",
    HTTPStatus.SERVICE_UNAVAILABLE: "too many connections; try again in a moment",
}


def encode_refusal(status: int, body_bytes: int, headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A whole answer that ends its connection.

    Args:
        status: one of those above.
        body_bytes: the limit of bodies, which one of them names.
        headers: that every answer carries.
    """
    known = HTTPStatus(status)
    title = _TITLES[known].format(limit=body_bytes)
    body = orjson.dumps({"type": "about:blank", "title": title, "status": status})
    lines = [b"HTTP/1.1 %d %s" % (status, known.phrase.encode())]
    lines += [name + b": " + value for name, value in headers]
    lines += [
        b"content-type: application/problem+json",
        b"content-length: %d" % len(body),
        b"connection: close",
    ]
    if known is HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
        lines.append(b"accept-encoding: identity")
    if known is HTTPStatus.SERVICE_UNAVAILABLE:
        lines.append(b"retry-after: %d" % RETRY_AFTER_S)
    return b"\r\n".join((*lines, b"", body))
