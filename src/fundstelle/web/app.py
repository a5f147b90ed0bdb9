"""The ASGI application: credentials, limits, the engine, the request log. No framework objects."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import orjson
from starlette.requests import ClientDisconnect

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.keys.api_keys import Principal
from fundstelle.errors import AccountsError, AccountsUnavailable
from fundstelle.mcp.engine import EVENT_STREAM, Engine, Reply
from fundstelle.net.networks import find_neighbourhood
from fundstelle.oauth.documents import CHATGPT_PATH, RESOURCE_PATH
from fundstelle.settings import Settings
from fundstelle.web import metrics
from fundstelle.web.bearer import Refusal
from fundstelle.web.call_records import Recorder
from fundstelle.web.entrance import Authenticator, Entrance, get_address, list_headers
from fundstelle.web.following import Follower
from fundstelle.web.health import Surroundings
from fundstelle.web.messages import (
    AsgiApp,
    Asked,
    BodyIncomplete,
    BodyTooLarge,
    ClientGone,
    Receive,
    Scope,
    Send,
    find_host,
    index_headers,
    is_disconnect,
    read_body,
    send_answer,
    send_problem,
)
from fundstelle.web.origins import ALLOWED_HEADERS, EXPOSED_HEADERS, HostGuard
from fundstelle.web.request_log import RequestLog
from fundstelle.web.telling import Teller
from fundstelle.web.waiting.apart import Apart
from fundstelle.web.waiting.meter import Meter, Quota
from fundstelle.web.waiting.turns import COUNTED_S, LONG_S, Crowded, Turns
from fundstelle.web.waiting.unread import Unread

if TYPE_CHECKING:  # an extra
    from fundstelle.web.tracing import Tracing

_NOBODY_THERE = 499  # as servers write it into their logs; no answer has it
_ADMITTED_S = 1.0  # a request that takes longer to arrive or to begin is admitted again
_LARGE_BYTES = 8_192  # to read such a body takes a turn, whatever it asks

_log = logging.getLogger("fundstelle.web")


class Application:
    """One worker's ASGI application.

    Args:
        engine_source: gives a new engine when another build has been made live, else ``None``.
        authenticator: who presents a key.
        quota: how often a seat may call.
        settings: hosts, origins, limits.
        records: what is kept of tool calls; without it nothing is.
        site: answers everything else: the portal, the authorization server, the public pages.
        log: where the request lines go.
        surroundings: what readiness and metrics tell beside the build.
        tracing: where spans of requests go; without it there are none.
    """

    def __init__(  # noqa: PLR0913 -- the parts of a server, each named
        self,
        *,
        engine_source: Callable[[], Engine | None],
        authenticator: Authenticator,
        quota: Quota,
        settings: Settings,
        records: Recorder | None = None,
        site: AsgiApp | None = None,
        log: RequestLog | None = None,
        surroundings: Surroundings | None = None,
        tracing: "Tracing | None" = None,
    ) -> None:
        self._complaints = Complaints(_log)
        self._quota = quota
        self._limit_bytes = settings.max_body_bytes
        self._guard = HostGuard(settings.base_url, settings.allowed_hosts, settings.allowed_origins)
        self._turns = Turns()
        self._apart = Apart()
        self._unread = Unread()
        self._wrong_host = f"this host is not served here; use {settings.base_url}"
        described = f"{settings.base_url}/.well-known/oauth-protected-resource"
        self._entrance = Entrance(authenticator, described if site else None)
        log = log or RequestLog()
        self._teller = Teller(log, records, tracing)
        ending = (self._apart, records, authenticator, tracing)
        endings = [one.close for one in ending if one is not None]
        self._follower = Follower(
            engine_source,
            log,
            sweeps=[authenticator.keep_fresh, self._unread.sweep],
            endings=endings,
            surroundings=surroundings,
            drain=self._apart.drain,
        )
        self._routes: dict[str, AsgiApp] = {
            RESOURCE_PATH: self._serve_mcp,
            CHATGPT_PATH: self._serve_mcp,
            "/healthz": self._serve_health,
            "/readyz": self._serve_readiness,
            "/metrics": self._serve_metrics,
        }
        self._site = site or _answer_nothing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection scope."""
        if scope["type"] == "lifespan":
            await self._follower.live(receive, send)
            return
        if scope["type"] != "http":
            return
        route = self._routes.get(scope["path"], self._serve_site)
        await route(scope, receive, send)

    def refresh(self) -> None:
        """Take over a build that has been made live; one that cannot be opened is left alone."""
        self._follower.refresh()

    async def _serve_site(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._guard.allows_host(find_host(scope["headers"])):
            await self._refuse(send, 421, self._wrong_host)
            return
        with contextlib.suppress(ClientDisconnect):  # nobody is left to be told
            await self._site(scope, receive, send)
        network = f"network:{find_neighbourhood(get_address(scope))}"
        self._unread.note(network, scope)
        self._unread.make_room(network)

    async def _serve_mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = index_headers(scope["headers"])
        if not self._guard.allows_host(headers.get(b"host", b"")):
            await self._refuse(send, 421, self._wrong_host)
            return
        cors: list[tuple[bytes, bytes]] = []
        origin = headers.get(b"origin")
        if origin is not None:
            if not self._guard.allows_origin(origin):
                await self._refuse(send, 403, "this origin is not allowed")
                return
            cors = [
                (b"access-control-allow-origin", origin),
                (b"access-control-expose-headers", EXPOSED_HEADERS),
                (b"vary", b"Origin"),
            ]
        if scope["method"] == "OPTIONS":
            await self._answer_preflight(send, cors)
            return
        asked = Asked(scope, headers, receive, send, cors)
        principal = await self._admit(asked)
        if principal is None:
            return
        if scope["method"] != "POST":
            await self._refuse(send, 405, "use POST", [(b"allow", b"POST"), *cors])
        else:
            await self._answer_post(asked, principal)

    async def _answer_post(self, asked: Asked, principal: Principal) -> None:
        send, cors = asked.send, asked.cors
        admitted = time.monotonic()
        body = await self._read(asked)
        if body is None:
            return
        if self._follower.engine is None:
            await self._refuse(send, 503, "no corpus is loaded", [(b"retry-after", b"5"), *cors])
            return
        await Meter(self._quota, principal).begin()  # no turn is held for that
        try:
            has_turn = await self._take_turn(asked, body, principal)
        except Crowded as crowded:
            await self._refuse(send, 429, str(crowded), [(b"retry-after", b"1"), *cors])
            return
        except ClientGone:
            self._teller.tell_refusal(_NOBODY_THERE)
            return
        if time.monotonic() - admitted > _ADMITTED_S:
            # a body comes, a turn is had long after the head; keys end in between
            again = await self._admit(asked, has_turn=has_turn)
            if again is None:
                return
            principal = again
        meter = Meter(self._quota, principal)
        engine = _choose(self._follower.engine, asked, principal)
        ask = self._ask_apart if engine.waits(body) else self._ask
        reply = await ask(engine, asked, body, meter, has_turn=has_turn)
        more = [*meter.build_headers(), *cors]
        if reply.retry_after_s is not None:
            await send_problem(send, 429, "too many calls", more)
            return
        if reply.content_type is EVENT_STREAM:
            more += [(b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]
        await send_answer(send, reply.status, reply.body, reply.content_type, more)
        self._unread.note(_name_seat(principal), asked.scope)

    async def _read(self, asked: Asked) -> bytes | None:
        """The body; ``None`` if there is none to answer, which is said then."""
        length = asked.headers.get(b"content-length")
        close = (b"connection", b"close")
        try:
            return await read_body(asked.receive, length, self._limit_bytes)
        except BodyTooLarge:
            title = f"the body is larger than {self._limit_bytes} bytes"
            await self._refuse(asked.send, 413, title, [close, *asked.cors])
        except BodyIncomplete:
            await self._refuse(asked.send, 408, "the body did not arrive", [close])
        return None

    async def _admit(self, asked: Asked, *, has_turn: bool = False) -> Principal | None:
        """Who asks; ``None`` if nobody may, which is said then, and a turn that was had is over.

        The turn ends before that is sent: who does not read it would hold it.
        """
        principal: Principal | Refusal | AccountsError | None = None
        try:
            principal = await self._entrance.identify(asked.scope, asked.headers)
        except AccountsError as error:
            principal = error
        finally:
            if has_turn and not isinstance(principal, Principal):
                await self._turns.rest(0.0, has_turn=True)
        if isinstance(principal, AccountsError):
            await self._refuse_for_now(asked.send, principal, asked.cors)
            return None
        if isinstance(principal, Refusal):
            more = [*list_headers(principal), *asked.cors]
            await self._refuse(asked.send, principal.status, principal.title, more)
            return None
        return principal

    async def _take_turn(self, asked: Asked, body: bytes, principal: Principal) -> bool:
        """Wait for a turn where others work long and this takes work, too.

        Raises:
            Crowded: too much of this seat is waiting, or lies unread.
            ClientGone: nobody waits for the answer any more.
        """
        engine = self._follower.engine
        if engine is None:
            return False
        seat = _name_seat(principal)
        takes = len(body) > _LARGE_BYTES or (
            self._turns.is_long()
            and _choose(engine, asked, principal).must_work(asked.headers, body)
        )
        is_gone = False
        if takes:
            gone = asyncio.ensure_future(asked.receive())
            try:
                await self._turns.take(seat, len(body))
            finally:
                is_gone = is_disconnect(gone)
        is_unread = self._unread.is_too_much(seat)  # now, since others' turns came before
        if takes and (is_gone or is_unread):
            await self._turns.rest(0.0, has_turn=True)
        if is_gone:
            raise ClientGone
        if is_unread:
            raise Crowded("too much lies unread: read the answers to the calls that were sent")
        return takes

    async def _ask(
        self,
        engine: Engine,
        asked: Asked,
        body: bytes,
        meter: Meter,
        *,
        has_turn: bool,
    ) -> Reply:
        """Ask the engine; a long answer lets the loop turn before the next one begins."""
        principal = meter.principal
        begin = time.perf_counter()
        try:
            context = self._teller.begin(principal)
            reply = engine.handle(asked.headers, body, context, meter.charge)
            took_s = time.perf_counter() - begin
            self._teller.tell(asked, principal, context, engine, reply, took_s)
        finally:
            took_s = time.perf_counter() - begin
            if has_turn or took_s >= COUNTED_S:
                await self._turns.rest(took_s, has_turn=has_turn)
        return reply

    async def _ask_apart(
        self,
        engine: Engine,
        asked: Asked,
        body: bytes,
        meter: Meter,
        *,
        has_turn: bool,
    ) -> Reply:
        """The same where the answer may wait for another server: nobody waits behind it."""
        if has_turn:
            await self._turns.rest(0.0, has_turn=True)
        principal = meter.principal
        begin = time.perf_counter()
        context = self._teller.begin(principal)
        apart = engine.get_apart()
        try:
            reply = await self._apart.answer(
                lambda charge: apart.handle(asked.headers, body, context, charge),
                meter.charge,
                _name_seat(principal),
            )
        except Crowded:
            reply = Reply(429, retry_after_s=1.0, error_code="429")
        took_s = time.perf_counter() - begin
        self._teller.tell(asked, principal, context, engine, reply, took_s)
        return reply

    async def _refuse_for_now(
        self, send: Send, error: AccountsError, cors: list[tuple[bytes, bytes]]
    ) -> None:
        """Nobody is told that a credential is wrong while that cannot be known."""
        if not isinstance(error, AccountsUnavailable):  # that the store says itself
            self._complaints.add(error.code, f"keys cannot be checked: {error}")
        more = [(b"retry-after", b"5"), *cors]
        await self._refuse(send, 503, "keys cannot be checked now", more)

    async def _refuse(
        self, send: Send, status: int, title: str, more: list[tuple[bytes, bytes]] | None = None
    ) -> None:
        """An answer before the engine was asked; logged without a key."""
        self._teller.tell_refusal(status)
        await send_problem(send, status, title, more or [])

    async def _answer_preflight(self, send: Send, cors: list[tuple[bytes, bytes]]) -> None:
        more = [
            (b"access-control-allow-methods", b"POST"),
            (b"access-control-allow-headers", ALLOWED_HEADERS),
            (b"access-control-max-age", b"600"),
            *cors,
        ]
        headers = [(b"content-length", b"0"), *more]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _serve_health(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send_answer(send, 200, b'{"status":"ok"}', b"application/json")

    async def _serve_readiness(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        engine = self._follower.engine
        if engine is None:
            await send_problem(send, 503, "no corpus is loaded; run 'fundstelle ingest'")
            return
        body = orjson.dumps(self._follower.health.describe(engine.release))
        await send_answer(send, 200, body, b"application/json")

    async def _serve_metrics(self, scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            headers = index_headers(scope["headers"])
            principal = await self._entrance.identify(scope, headers)
        except AccountsError as error:
            await self._refuse_for_now(send, error, [])
            return
        if isinstance(principal, Refusal):
            more = list_headers(principal)
            await send_problem(send, principal.status, principal.title, more)
            return
        try:
            await self._turns.take(_name_seat(principal))  # it takes milliseconds
        except Crowded:
            await send_problem(send, 429, "too many calls at once", [(b"retry-after", b"1")])
            return
        try:
            page = metrics.render()
        finally:  # the loop turns, or all who ask at once would be answered before anybody else
            await self._turns.rest(LONG_S, has_turn=True)
        await send_answer(send, 200, page, metrics.CONTENT_TYPE)


def _choose(engine: Engine, asked: Asked, principal: Principal) -> Engine:
    """The engine of the address that was asked, and of what the key reaches."""
    if not principal.reach.decisions:
        engine = engine.get_limited()
    return (engine.aside or engine) if asked.scope["path"] == CHATGPT_PATH else engine


def _name_seat(principal: Principal) -> str:
    return principal.seat or principal.key_id


async def _answer_nothing(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send_problem(send, 404, "there is nothing at this address; MCP is at POST /mcp")
