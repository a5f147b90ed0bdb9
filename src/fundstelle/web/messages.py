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


class BodyReader:
    """Reads bodies, and gives up on those that take longer than ``BODY_TIMEOUT_S``.

    ``sweep`` is called about once a second. A timer of its own for every request would cost more
    than reading the body does.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._begun: dict[asyncio.Task[Any], float] = {}
        self._given_up: set[asyncio.Task[Any]] = set()

    async def read(
        self, receive: Receive, declared: bytes | None, loop: asyncio.AbstractEventLoop
    ) -> bytes:
        """The whole body.

        Raises:
            BodyTooLarge: it is declared or turns out larger than the limit.
            BodyTooSlow: it took too long, or ended early.
        """
        limit = self._limit_bytes
        if declared is not None and declared.isdigit() and int(declared[:20]) > limit:
            raise BodyTooLarge
        task = asyncio.current_task(loop)
        assert task is not None
        self._begun[task] = loop.time()
        try:
            event = await receive()
            body: bytes = event.get("body", b"")
            while event.get("more_body") and len(body) <= limit:
                event = await receive()
                body += event.get("body", b"")
        except asyncio.CancelledError:
            if task not in self._given_up:
                raise
            self._given_up.discard(task)
            task.uncancel()
            raise BodyTooSlow from None
        finally:
            del self._begun[task]
        if len(body) > limit:
            raise BodyTooLarge
        if event["type"] == "http.disconnect":
            raise BodyTooSlow
        return body

    def sweep(self, now: float) -> None:
        """Give up on bodies that were begun too long before ``now`` (the loop's clock, seconds)."""
        for task, begun in self._begun.items():
            if now - begun > BODY_TIMEOUT_S and task not in self._given_up:
                self._given_up.add(task)
                task.cancel()


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
