"""A connection and how long it may last: whether there is room, what it waits for, how it ends.

Source: RFC 9110 §15.5.9 (408), §15.6.4 (503); RFC 9112 §9.6.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final, cast

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from fundstelle.web import metrics
from fundstelle.web.waiting import unread
from fundstelle.web.wire import limits as most
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.peers import Group
from fundstelle.web.wire.refusals import encode_refusal
from fundstelle.web.wire.sweeper import find_sweeper
from fundstelle.web.wire.transport import Wire, keep_unsent_here

HEALTH = b"/healthz"

# What a connection waits for. Plain numbers: they are compared several times a request.
HEAD: Final = 0
BODY: Final = 1
ANSWER: Final = 2
NEXT: Final = 3
CLOSE: Final = 4


class BoundedConnection(HttpToolsProtocol):
    """One connection; ``BoundedProtocol`` reads the requests on it.

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
        self._phase = HEAD
        self.since = self._sweeper.now
        self._received = 0  # bytes of this message before the slice that is being parsed
        self._is_surplus = False
        self._is_overrun = False  # more came than may wait, or what is none: no more is read
        self._former: Any = None  # the request before the newest
        self._groups: tuple[Group, ...] = ()
        self._unread = 0  # bytes of answers that lay unread when they last became fewer
        self._unread_since = 0

    # -- begin and end

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there; the one too many may still ask for the health."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass of it
        super().connection_made(cast("asyncio.Transport", Wire(self._transport, self.close_gently)))
        self._extensions: dict[str, dict[object, object]] = {
            unread.EXTENSION: {
                "count": self._transport.get_write_buffer_size,
                "abort": self.abort,
            }
        }
        keep_unsent_here(self._transport)
        self._sweeper.start(self.loop)
        if self.client is not None:
            self._groups = self._limits.trusted.find_groups(self.client[0])
            self._sweeper.peers.enter(self._groups)
        if self._is_full() or self._find_crowded():
            self._is_surplus = True
            self._sweeper.note_surplus(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, whoever ended it."""
        self._phase = CLOSE
        self._sweeper.surplus.pop(self, None)
        self._sweeper.peers.leave(self._groups)
        self._groups = ()
        self._extensions = {}
        self._former = None
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
        if self._phase == CLOSE:
            return
        is_sending = self._phase == BODY or (self._phase == HEAD and self._received)
        is_sending = is_sending or self._is_overrun
        self._wait_for(CLOSE)
        self._received = 0
        if is_sending and not self._transport.is_closing():
            if self._is_surplus:  # refused as it may be, it is still there
                self._sweeper.note_surplus(self)
            self.flow.resume_reading()
            with suppress(OSError, RuntimeError):
                self._transport.write_eof()
                return
        self._transport.close()

    def _refuse(self, status: int) -> None:
        """Answer, if no other answer is due here, and close; what came before is answered first."""
        metrics.observe("", "", status, str(status), 0.0)
        cycle = self.cycle
        is_free = cycle is None or cycle.response_complete
        if not is_free and self._phase == BODY and self.pipeline:
            self.pipeline.popleft()  # this very request, which waits behind the others
            self.cycle = self._former
            if self.cycle.response_complete:  # it waited until that answer is read
                self.close_gently()
            else:
                self._end_behind_last()
            return
        if not is_free and self._phase != BODY:
            self._end_behind_last()
            return
        if not is_free and cycle.response_started:
            self.abort()  # the answer that is due here is another one
            return
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        if not (self._phase == BODY and is_free):  # else it was answered before it was there
            headers = self.server_state.default_headers
            refusal = encode_refusal(status, self._limits.body_bytes, headers)
            self._transport.write(refusal)
        if self._phase == HEAD:
            self._received += 1  # something was sent, even if it was refused at the first byte
        self.close_gently()

    def _end_behind_last(self) -> None:
        """Answer the requests that wait, and tell with the last answer that no more are read.

        A client sends the others again (RFC 9112 §9.3.2).
        """
        self._is_overrun = True
        self.cycle.keep_alive = False
        self._wait_for(ANSWER)

    # -- room

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
        for lets_wait in (BoundedConnection.is_resting_since, BoundedConnection.is_slow_since):
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
        return self._phase in {HEAD, NEXT, CLOSE} and not self._transport.is_closing()

    def is_slow_since(self, turn: int) -> bool:
        """Whether it waits for nothing but the client: for a body, or for an answer to be read."""
        if self._is_surplus or self.since > turn:
            return False
        if self._find_unread():
            return self._unread_since <= turn
        # where reading is paused, it is the application that lets the body wait
        return self._phase == BODY and not self.flow.read_paused

    def _wait_for(self, phase: int) -> None:
        self._phase = phase
        self.since = self._sweeper.now

    def check(self, now: int) -> None:
        """Give up on what has taken too long at ``now``, in turns of the sweeper."""
        waited = now - self.since
        if self._phase == HEAD:
            if waited > (most.RESERVE_S if self._is_surplus else most.HEAD_S):
                self.give_up()
        elif self._phase == BODY:
            if self.flow.read_paused:  # it is the application that lets it wait
                self.since = now
            elif waited > most.BODY_S:
                self._refuse(408)
        elif self._phase == NEXT:
            if waited > most.KEEP_ALIVE_S:
                self.close_gently()
        elif self._phase == CLOSE and waited > most.LINGER_S and not self._find_unread():
            self.abort()
        self._check_unread(now)

    def give_up(self) -> None:
        """End a connection that asks nothing; one that has begun to ask is told."""
        if self._phase == HEAD and self._received:
            self._refuse(408)
        else:  # nothing was asked, nothing is answered
            self.close_gently()

    def make_way(self) -> None:
        """End it for the sake of another: it is told, but nothing more is waited for."""
        if self._phase == CLOSE or self._find_unread():
            self.abort()
            return
        if self._phase == BODY:
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
