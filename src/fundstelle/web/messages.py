"""ASGI in and out: headers, bodies, answers. Source: ASGI 3.0, "HTTP Connection Scope"."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

import orjson

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
RawHeaders = Sequence[tuple[bytes, bytes]]

BODY_TIMEOUT_S = 15.0


class BodyTooLarge(Exception):
    """The body exceeds the limit."""


class BodyTooSlow(Exception):
    """The body did not arrive in time, or the client went away."""


def index_headers(raw: RawHeaders) -> dict[bytes, bytes]:
    """The headers by name; one that was sent twice is joined by a comma (RFC 9110 §5.3)."""
    headers: dict[bytes, bytes] = {}
    for name, value in raw:
        if name in headers:
            headers[name] += b", " + value
        else:
            headers[name] = value
    return headers


async def read_body(receive: Receive, declared: bytes | None, limit_bytes: int) -> bytes:
    """The whole body.

    Raises:
        BodyTooLarge: it is declared or turns out larger than ``limit_bytes``.
        BodyTooSlow: it took longer than ``BODY_TIMEOUT_S``, or ended early.
    """
    if declared is not None and declared.isdigit() and int(declared[:20]) > limit_bytes:
        raise BodyTooLarge
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            event = await receive()
            body: bytes = event.get("body", b"")
            while event.get("more_body"):
                if len(body) > limit_bytes:
                    raise BodyTooLarge
                event = await receive()
                body += event.get("body", b"")
    except TimeoutError:
        raise BodyTooSlow from None
    if event["type"] == "http.disconnect":
        raise BodyTooSlow
    if len(body) > limit_bytes:
        raise BodyTooLarge
    return body


async def send_answer(
    send: Send,
    status: int,
    body: bytes,
    content_type: bytes,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    """One complete answer."""
    headers = [
        (b"content-type", content_type),
        (b"content-length", b"%d" % len(body)),
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_problem(
    send: Send,
    status: int,
    title: str,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    """An error of the web edge as RFC 9457 problem details."""
    body = orjson.dumps({"type": "about:blank", "title": title, "status": status})
    await send_answer(send, status, body, b"application/problem+json", more)
