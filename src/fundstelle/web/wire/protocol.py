"""uvicorn's HTTP/1.1 with limits: heads and bodies are refused while they are parsed.

Source: RFC 9112; RFC 9110 §15.5.14 (413), §15.5.15 (414), §15.5.16 (415); RFC 6585 §5 (431).
"""

import asyncio
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.server import ServerState

from fundstelle.web.wire import limits as most
from fundstelle.web.wire.codings import find_unread_coding
from fundstelle.web.wire.connection import ANSWER, BODY, CLOSE, HEAD, NEXT, BoundedConnection
from fundstelle.web.wire.limits import Limits


class _Refused(Exception):
    """Stops the parser; the protocol knows with which status."""


class BoundedProtocol(BoundedConnection):
    """The requests of one connection. Arguments as there."""

    def __init__(
        self,
        limits: Limits,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(limits, config, server_state, app_state, _loop)
        self._body_bytes = 0
        self._pieces = 0  # more of the body than there are slices of bytes, so far
        self._trailers = 0
        self._status = 0  # with which the parser was stopped
        self._is_held = False  # the next request waits until this answer is read

    def data_received(self, data: bytes) -> None:
        """Parse, a bounded slice at a time."""
        if self._phase == CLOSE:
            self._received += len(data)
            if self._received > most.LINGER_BYTES:
                self.abort()
        elif self._is_overrun:
            pass
        elif len(data) <= most.HEAD_BYTES:
            self._parse(data)
        else:
            view = memoryview(data)
            for begin in range(0, len(data), most.HEAD_BYTES):
                self._parse(view[begin : begin + most.HEAD_BYTES])
                if self._phase == CLOSE or self._is_overrun:
                    return

    def _parse(self, data: bytes | memoryview) -> None:
        if self._phase == NEXT:  # a slow head begins with its first byte, not with its end
            self._wait_for(HEAD)
            self._received = 0
        self._pieces -= 1
        try:
            self._feed(data)
        except httptools.HttpParserError:
            if not self._is_overrun:
                self._refuse(self._status or 400)
            return
        self._received += len(data)
        # a message may have begun within this slice, so that one slice is not counted
        if self._phase == HEAD:
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
        if self._phase != HEAD:  # behind another, in the same slice
            self._wait_for(HEAD)
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
        if self._phase != HEAD:
            self._trailers += 1
            if self._trailers > most.HEADERS:
                self._stop(431)
            return
        if len(self.headers) >= most.HEADERS:
            self._stop(431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there: the request may be answered."""
        self._check_head()
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                self._stop(400)
            return  # the head comes again, without that
        if self._is_surplus and not self._is_admitted():
            self._stop(503)
        if len(self.pipeline) >= most.PIPELINED:
            self._end_behind_last()
            raise _Refused
        if not self.url.startswith((b"/", b"*")):
            self._put_host()
        self._former = self.cycle
        super().on_headers_complete()
        if self._is_surplus:
            self.cycle.keep_alive = False
        self._wait_for(BODY)

    def _check_head(self) -> None:
        # a head that lies in one slice cannot be longer than one
        if self._received and self._measure_head() > most.HEAD_BYTES:
            self._stop(431)
        if self.url.count(b"&") >= most.QUERY_FIELDS:  # to read them takes time, on every path
            self._stop(414)
        if len(self.url) > most.PATH_BYTES and b"?" not in self.url[: most.PATH_BYTES + 1]:
            self._stop(414)
        if status := find_unread_coding(self.headers):
            self._stop(status)

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
        if self._phase == BODY:
            self._phase = ANSWER
            if self.cycle.response_complete:
                self._wait_for(NEXT)

    def on_response_complete(self) -> None:
        """The answer is written; the sweeper sees to the connection from here."""
        self.server_state.total_requests += 1
        if self._phase == CLOSE or self._transport.is_closing():
            return
        if self.pipeline and self.flow.write_paused:
            self._is_held = True
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._phase == ANSWER:
            self._wait_for(NEXT)

    def resume_writing(self) -> None:
        """What was written is read but for a little: the request behind it may be answered."""
        super().resume_writing()
        if self._is_held and self.pipeline and not self._transport.is_closing():
            self._is_held = False
            self.flow.resume_reading()
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)

    def _stop(self, status: int) -> None:
        """Stop the parser.

        Raises:
            _Refused: always; ``_parse`` answers.
        """
        self._status = status
        raise _Refused

    def _put_host(self) -> None:
        """The host of an address as a whole counts, whatever ``Host`` says (RFC 9112 §3.2.2)."""
        host = self.url.partition(b"://")[2].partition(b"/")[0].partition(b"?")[0]
        # in place: the scope has this list
        self.headers[:] = [(n, host if n == b"host" else value) for n, value in self.headers]

    def _measure_head(self) -> int:
        return sum(len(name) + len(value) for name, value in self.headers)
