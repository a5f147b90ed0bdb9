"""uvicorn's HTTP/1.1 with limits: heads and bodies are refused while they are parsed.

Source: RFC 9112; RFC 9110 §15.5.9 (408), §15.5.14 (413), §15.5.15 (414), §15.6.4 (503); RFC 6585 §5
(431).
"""

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from fundstelle.web import metrics, unread
from fundstelle.web.wire import limits as most
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.peers import Group
from fundstelle.web.wire.refusals import encode_refusal
from fundstelle.web.wire.sweeper import find_sweeper

HEALTH = b"/healthz"

# What a connection waits for. Plain numbers: they are compared several times a request.
_HEAD: Final = 0
_BODY: Final = 1
_ANSWER: Final = 2
_NEXT: Final = 3
_CLOSE: Final = 4


class _Refused(Exception):
    """Stops the parser; the protocol knows with which status."""


class _Wire:
    """A transport as uvicorn uses it, whose ``close`` lets the client read what was written.

    What is written to one that has ended goes nowhere: uvloop would raise, and uvicorn log it.
    """

    def __init__(self, transport: asyncio.Transport, protocol: "BoundedProtocol") -> None:
        # the transport's own methods: nothing stands between uvicorn and what it calls often
        self._write = transport.write
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.get_extra_info = transport.get_extra_info
        self.close = protocol.close_gently

    def write(self, data: bytes) -> None:
        """Write, if the client is still there."""
        if not self.is_closing():
            self._write(data)


class BoundedProtocol(HttpToolsProtocol):
    """One connection.

    Args:
        limits: what the operator set.
        config: of uvicorn, like the others.
        server_state: what the connections of a process share.
        app_state: what the application keeps.
    """

    def __init__(
        self,
        limits: Limits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._sweeper = find_sweeper(server_state)
        self._phase = _HEAD
        self.since = self._sweeper.now
        self._received = 0  # bytes of this message before the slice that is being parsed
        self._body_bytes = 0
        self._pieces = 0  # more of the body than there are slices of bytes, so far
        self._trailers = 0
        self._status = 0  # with which the parser was stopped
        self._is_surplus = False
        self._groups: tuple[Group, ...] = ()
        self._unread = 0  # bytes of answers that lay unread when they last became fewer
        self._unread_since = 0
        self._is_held = False  # the next request waits until this answer is read

    # -- connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there; the one too many may still ask for the health."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass of it
        super().connection_made(cast("asyncio.Transport", _Wire(self._transport, self)))
        self._extensions: dict[str, dict[object, object]] = {
            unread.EXTENSION: {"count": self._transport.get_write_buffer_size}
        }
        _keep_unsent_here(self._transport)
        self._sweeper.start(self.loop)
        if self.client is not None:
            self._groups = self._limits.trusted.find_groups(self.client[0])
            self._sweeper.peers.enter(self._groups)
        if self._is_full() or self._find_crowded():
            self._is_surplus = True
            self._sweeper.note_surplus(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, whoever ended it."""
        self._phase = _CLOSE
        self._sweeper.surplus.pop(self, None)
        self._sweeper.peers.leave(self._groups)
        self._groups = ()
        # what is left has nothing to wait for, and objects in a cycle stay longer than they should
        self.transport.close = self._transport.close  # type: ignore[method-assign]
        super().connection_lost(exc)

    def abort(self) -> None:
        """End it at once."""
        self._sweeper.surplus.pop(self, None)
        self._transport.abort()

    def shutdown(self) -> None:
        """The server ends: answers under way are finished, nothing else is waited for."""
        if self.cycle is None or self.cycle.response_complete:
            self._transport.close()
        else:
            self.cycle.keep_alive = False

    def close_gently(self) -> None:
        """End it; a client that is still sending may first read why.

        To close with unread bytes is to reset, and a reset takes the answer away (RFC 9112 §9.6).
        """
        if self._phase == _CLOSE:
            return
        is_sending = self._phase == _BODY or (self._phase == _HEAD and self._received)
        self._wait_for(_CLOSE)
        self._received = 0
        if is_sending and not self._transport.is_closing():
            if self._is_surplus:  # refused as it may be, it is still there
                self._sweeper.note_surplus(self)
            self.flow.resume_reading()
            with suppress(OSError, RuntimeError):
                self._transport.write_eof()
                return
        self._transport.close()

    # -- bytes in

    def data_received(self, data: bytes) -> None:
        """Parse, a bounded slice at a time."""
        if self._phase == _CLOSE:
            self._received += len(data)
            if self._received > most.LINGER_BYTES:
                self.abort()
        elif len(data) <= most.HEAD_BYTES:
            self._parse(data)
        else:
            view = memoryview(data)
            for begin in range(0, len(data), most.HEAD_BYTES):
                self._parse(view[begin : begin + most.HEAD_BYTES])
                if self._phase == _CLOSE:
                    return

    def _parse(self, data: bytes | memoryview) -> None:
        if self._phase == _NEXT:  # a slow head begins with its first byte, not with its end
            self._wait_for(_HEAD)
            self._received = 0
        self._pieces -= 1
        try:
            self._feed(data)
        except httptools.HttpParserError:
            self._refuse(self._status or 400)
            return
        self._received += len(data)
        # a message may have begun within this slice, so that one slice is not counted
        if self._phase == _HEAD:
            if self._received > 2 * most.HEAD_BYTES:
                self._refuse(431)
        elif self._received > self._limits.raw_bytes + most.HEAD_BYTES:
            self._refuse(413)

    def _feed(self, data: bytes | memoryview) -> None:
        """Feed the parser, and whenever it wants to change the protocol, another one."""
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = self._begin_again() + data[upgrade.args[0] :]
            else:
                return

    def _begin_again(self) -> bytes:
        """A new parser, and the head for it, without the wish to change the protocol.

        Nothing is offered to change to, so the wish is as if it were not there (RFC 9110 §7.8).
        The parser takes what follows such a head for another protocol's: a body would be read as
        the next request.
        """
        method, version = self.parser.get_method(), self.parser.get_http_version().encode()
        lines = [b"%s %s HTTP/%s" % (method, self.url, version)]
        lines += [b"%s: %s" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
        return b"\r\n".join((*lines, b"", b""))

    def on_message_begin(self) -> None:
        """A request begins."""
        if self._phase != _HEAD:  # behind another, in the same slice
            self._wait_for(_HEAD)
            self._received = 0
        self._body_bytes = self._pieces = self._trailers = 0
        super().on_message_begin()
        self.scope["extensions"] = self._extensions

    def on_url(self, url: bytes) -> None:
        """A piece of the address."""
        self.url += url
        if len(self.url) > most.URL_BYTES:
            self._stop(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header; a trailer is none (RFC 9110 §6.5.1), and comes when the request is read."""
        if self._phase != _HEAD:
            self._trailers += 1
            if self._trailers > most.HEADERS:
                self._stop(431)
            return
        if len(self.headers) >= most.HEADERS:
            self._stop(431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there: the request may be answered."""
        # a head that lies in one slice cannot be longer than one
        if self._received and self._measure_head() > most.HEAD_BYTES:
            self._stop(431)
        if self.url.count(b"&") >= most.QUERY_FIELDS:  # to read them takes time, on every path
            self._stop(414)
        if len(self.url) > most.PATH_BYTES and b"?" not in self.url[: most.PATH_BYTES + 1]:
            self._stop(414)
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                self._stop(400)
            return  # the head comes again, without that
        if self._is_surplus and not self._is_admitted():
            self._stop(503)
        if len(self.pipeline) >= most.PIPELINED:
            self._stop(400)
        super().on_headers_complete()
        if self._is_surplus:
            self.cycle.keep_alive = False
        self._wait_for(_BODY)

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._body_bytes += len(body)
        self._pieces += 1
        if self._body_bytes > self._limits.body_bytes:
            self._stop(413)
        if self._pieces > most.PIECES + self._body_bytes // most.PIECE_BYTES:
            self._stop(400)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there as a whole."""
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        if self._phase == _BODY:
            self._phase = _ANSWER
            if self.cycle.response_complete:
                self._wait_for(_NEXT)

    def on_response_complete(self) -> None:
        """The answer is written; the sweeper sees to the connection from here."""
        self.server_state.total_requests += 1
        if self._phase == _CLOSE or self._transport.is_closing():
            return
        if self.pipeline and self.flow.write_paused:
            self._is_held = True
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._phase == _ANSWER:
            self._wait_for(_NEXT)

    def resume_writing(self) -> None:
        """What was written is read but for a little: the request behind it may be answered."""
        super().resume_writing()
        if self._is_held and not self._transport.is_closing():
            self._is_held = False
            self.flow.resume_reading()
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)

    # -- refusals

    def _stop(self, status: int) -> None:
        """Stop the parser.

        Raises:
            _Refused: always; ``_parse`` answers.
        """
        self._status = status
        raise _Refused

    def _refuse(self, status: int) -> None:
        """Answer, if nobody has begun to, and close."""
        metrics.observe("", "", status, str(status), 0.0)
        cycle = self.cycle
        is_free = cycle is None or cycle.response_complete
        if not is_free and (self._phase == _HEAD or cycle.response_started or self.pipeline):
            self.abort()  # the answer that is due here is another one
            return
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        if not (self._phase == _BODY and is_free):  # else it was answered before it was there
            headers = self.server_state.default_headers
            refusal = encode_refusal(status, self._limits.body_bytes, headers)
            self._transport.write(refusal)
        if self._phase == _HEAD:
            self._received += 1  # something was sent, even if it was refused at the first byte
        self.close_gently()

    def _measure_head(self) -> int:
        return sum(len(name) + len(value) for name, value in self.headers)

    def _is_admitted(self) -> bool:
        """Whether a connection beyond the limit has become one within, or asks for the health."""
        self._sweeper.surplus.pop(self, None)
        crowded = self._find_crowded()
        if crowded is None and not self._is_full():
            self._is_surplus = False
            return True
        return self.url.partition(b"?")[0] == HEALTH or self._make_room(crowded)

    def _is_full(self) -> bool:
        """Those beyond a limit take no place: they are few, and go soon."""
        held = len(self.connections) - len(self._sweeper.surplus)
        return held > self._limits.connections

    def _find_crowded(self) -> Group | None:
        return self._sweeper.peers.find_crowded(self._groups, self._limits.connections)

    def _make_room(self, group: Group | None) -> bool:
        """End the connection that has rested longest: waiting shuts nobody else out.

        Where none rests, one that sends its body or reads its answer too slowly. A network that
        holds more than its share makes room among its own.
        """
        latest = self._sweeper.now - most.RESERVE_S
        for lets_wait in (BoundedProtocol.is_resting_since, BoundedProtocol.is_slow_since):
            own = (one for one in self._sweeper.connections if one.is_of(group))
            found = [one for one in own if lets_wait(one, latest)]
            if found:
                min(found, key=lambda one: one.since).make_way()
                self._is_surplus = False
                return True
        return False

    def is_of(self, group: Group | None) -> bool:
        """Whether it comes from there; everything is of ``None``."""
        return group is None or group in self._groups

    # -- deadlines

    def is_resting_since(self, turn: int) -> bool:
        """Whether nothing of a request, or only a part of a head, has come since then.

        Or whether it was to end, and the client has only to close it.
        """
        if self._is_surplus or self.since > turn or self._find_unread():
            return False
        return self._phase in {_HEAD, _NEXT, _CLOSE} and not self._transport.is_closing()

    def is_slow_since(self, turn: int) -> bool:
        """Whether it waits for nothing but the client: for a body, or for an answer to be read."""
        if self._is_surplus or self.since > turn:
            return False
        if self._find_unread():
            return self._unread_since <= turn
        # where reading is paused, it is the application that lets the body wait
        return self._phase == _BODY and not self.flow.read_paused

    def _wait_for(self, phase: int) -> None:
        self._phase = phase
        self.since = self._sweeper.now

    def check(self, now: int) -> None:
        """Give up on what has taken too long at ``now``, in turns of the sweeper."""
        waited = now - self.since
        if self._phase == _HEAD:
            if waited > (most.RESERVE_S if self._is_surplus else most.HEAD_S):
                self.give_up()
        elif self._phase == _BODY:
            if self.flow.read_paused:  # it is the application that lets it wait
                self.since = now
            elif waited > most.BODY_S:
                self._refuse(408)
        elif self._phase == _NEXT:
            if waited > most.KEEP_ALIVE_S:
                self.close_gently()
        elif self._phase == _CLOSE and waited > most.LINGER_S and not self._find_unread():
            self.abort()
        self._check_unread(now)

    def give_up(self) -> None:
        """End a connection that asks nothing; one that has begun to ask is told."""
        if self._phase == _HEAD and self._received:
            self._refuse(408)
        else:  # nothing was asked, nothing is answered
            self.close_gently()

    def make_way(self) -> None:
        """End it for the sake of another: it is told, but nothing more is waited for."""
        if self._phase == _CLOSE or self._find_unread():
            self.abort()
            return
        if self._phase == _BODY:
            self._refuse(408)
        else:
            self.give_up()
        self._transport.close()

    def _find_unread(self) -> int:
        return self._transport.get_write_buffer_size()

    def _check_unread(self, now: int) -> None:
        """End the connection of a client that does not read its answer."""
        unread = self._find_unread()
        # more than before: the application wrote on, so there was room; fewer: some was read
        if not unread or unread > self._unread or unread <= self._unread - most.UNREAD_BYTES:
            self._unread, self._unread_since = unread, now
        elif now - self._unread_since > most.UNREAD_S:
            self.abort()


def _keep_unsent_here(transport: asyncio.Transport) -> None:
    """Let the system hold little of what is to be sent: what lies there is in nobody's count."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    sock = transport.get_extra_info("socket")
    if option is not None and sock is not None:
        with suppress(OSError):  # a socket in the file system
            sock.setsockopt(socket.IPPROTO_TCP, option, most.UNSENT_BYTES)
