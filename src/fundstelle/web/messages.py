"""ASGI in and out: headers, bodies, answers. Source: ASGI 3.0, "HTTP Connection Scope"."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
RawHeaders = Sequence[tuple[bytes, bytes]]


class BodyTooLarge(Exception):
    """The body exceeds the limit."""


class BodyIncomplete(Exception):
    """The client went away, or was given up, before all of the body had arrived."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that may be answered; ``cors`` are headers of every answer to it."""

    scope: Scope
    headers: dict[bytes, bytes]
    receive: Receive
    send: Send
    cors: list[tuple[bytes, bytes]]


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


def index_headers(raw: RawHeaders) -> dict[bytes, bytes]:
    """The headers by name; one that was sent twice is joined by a comma (RFC 9110 §5.3)."""
    headers = dict(raw)
    if len(headers) == len(raw):
        return headers
    values: dict[bytes, list[bytes]] = {}
    for name, value in raw:
        values.setdefault(name, []).append(value)
    return {name: b", ".join(each) for name, each in values.items()}


def find_host(raw: RawHeaders) -> bytes:
    """The ``Host``; empty without one, and where it was sent more than once."""
    found = [value for name, value in raw if name == b"host"]
    return found[0] if len(found) == 1 else b""


async def read_body(receive: Receive, declared: bytes | None, limit_bytes: int) -> bytes:
    """The whole body. How long it may take is the connection's business (``web.wire``).

    Raises:
        BodyTooLarge: it is declared or turns out larger than the limit.
        BodyIncomplete: the client went away.
    """
    if declared is not None and declared.isdigit() and int(declared[:20]) > limit_bytes:
        raise BodyTooLarge
    event = await receive()
    if event.get("more_body"):
        return await _join(event, receive, limit_bytes)
    if event["type"] == "http.disconnect":
        raise BodyIncomplete
    body: bytes = event.get("body", b"")
    if len(body) > limit_bytes:
        raise BodyTooLarge
    return body


async def _join(event: Event, receive: Receive, limit_bytes: int) -> bytes:
    body = bytearray(event.get("body", b""))
    while event.get("more_body") and len(body) <= limit_bytes:
        event = await receive()
        body += event.get("body", b"")
    if len(body) > limit_bytes:
        raise BodyTooLarge
    if event["type"] == "http.disconnect":
        raise BodyIncomplete
    return bytes(body)


def is_disconnect(waiting: "asyncio.Future[Event]") -> bool:
    """Whether a ``receive`` that was begun has told that the client is gone; it is ended here."""
    if not waiting.done():
        waiting.cancel()
        return False
    if waiting.cancelled() or waiting.exception() is not None:
        return False
    return bool(waiting.result()["type"] == "http.disconnect")


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
