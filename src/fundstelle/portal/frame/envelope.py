"""What every answer of the site has: its headers, and an end, whatever happens inside."""

import logging
import traceback
from collections.abc import Callable
from pathlib import PurePath

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fundstelle.portal.frame.addresses import MOST_CHARS
from fundstelle.portal.frame.cookies import keep_ours

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_UNLESS_SET = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_HSTS = "max-age=31536000"
_MOST_QUERY_BYTES = 16_384  # a request for authorization with its longest state, encoded
_FRAMES = 3  # of a failure that are logged

_log = logging.getLogger(__name__)


class Headers:
    """Headers that every answer carries; what does not say otherwise is kept by no cache."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._always = {**_ALWAYS, **({"Strict-Transport-Security": _HSTS} if secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._always)
                for name, value in _UNLESS_SET.items():
                    headers.setdefault(name, value)
                if "set-cookie" in headers:  # whatever a page says: a cookie is one person's
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, send_with)


class Foreseen:
    """Refuses what no page of ours is asked, and answers for what failed.

    A failure is logged in one line by its kind and place. Its words are not: they may be the
    reader's.

    Args:
        app: what answers.
        refuse: a page for a request, by its status and text.
    """

    def __init__(self, app: ASGIApp, *, refuse: Callable[[Request, int, str], Response]) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        scope["headers"] = keep_ours(scope["headers"])
        status = judge_address(scope["path"], scope["query_string"])
        if status is not None:
            await self._refuse(Request(scope), status, "problem.address")(scope, receive, send)
            return
        begun = False

        async def note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, note)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 -- whatever it is, the reader gets an answer
            _log.error("a page failed: %s", describe(error))
            if not begun:
                refusal = self._refuse(Request(scope), 500, "problem.other")
                await refusal(scope, receive, send)


def judge_address(path: str, query: bytes) -> int | None:
    """The status with which an address is refused that no page can have, else ``None``."""
    if len(path) > MOST_CHARS or len(query) > _MOST_QUERY_BYTES:
        return 414
    return 400 if "\0" in path or b"%00" in query or b"\0" in query else None


def describe(error: BaseException) -> str:
    """Kind and place of a failure: ``KeyError at reader.py:12 < public.py:80``."""
    frames = traceback.extract_tb(error.__traceback__)[: -_FRAMES - 1 : -1]
    places = " < ".join(f"{PurePath(one.filename).name}:{one.lineno}" for one in frames)
    return f"{type(error).__name__} at {places}"
