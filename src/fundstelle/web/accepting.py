"""A server that shares new connections with other workers, and keeps none waiting for busy ones.

Workers listen at one socket, and the loop's own way would give all that come together to whichever
happens to be awake. So a worker lets those with fewer connections come first: the more it has, the
longer it waits before it accepts another one, up to 4 ms. Where still more wait each time it looks
it accepts twice as many, up to a bound: one each time would let whoever makes a few hundred a
second keep all others waiting. Where busy connections make turns of the loop long, all that wait
come in after one turn, up to the same bound.
"""

import asyncio
import logging
import socket
from typing import Any

import uvicorn
from uvicorn.supervisors.multiprocess import Process

_STEP_S = 0.0005
_MOST_STEPS = 8
_LATE_S = 0.01
_ACCEPTED_AT_ONCE = 16
_PAUSE_S = 0.5  # where no file is left for another connection

_log = logging.getLogger("fundstelle.web")


class Accepting:
    """Accepts at a listening socket, until it is stopped.

    Args:
        listener: the socket.
        server: whose connections they are.
        is_alone: nobody else accepts there.
    """

    def __init__(self, listener: socket.socket, server: uvicorn.Server, *, is_alone: bool) -> None:
        self._listener = listener
        self._server = server
        self._is_alone = is_alone
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._most = 1  # that are accepted at the next look
        self._under_way: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        """Listen."""
        self._listener.listen(self._server.config.backlog)
        self._listener.settimeout(0)
        self._watch()

    def stop(self) -> None:
        """Accept nothing more; what was accepted goes on."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._listener)

    async def settle(self) -> None:
        """Until what was accepted is a connection of the server, which ends those that it has."""
        await asyncio.gather(*self._under_way)

    def _watch(self) -> None:
        self._timer = None
        self._loop.add_reader(self._listener, self._come)

    def _come(self) -> None:
        """Somebody waits: the fewer connections this worker has, the sooner it looks."""
        held = len(self._server.server_state.connections)
        if self._is_alone or not held:
            self._accept(_ACCEPTED_AT_ONCE if self._is_alone else 1)
            return
        self._loop.remove_reader(self._listener)
        due_at = self._loop.time() + min(held, _MOST_STEPS) * _STEP_S
        self._timer = self._loop.call_at(due_at, self._look, due_at)

    def _look(self, due_at: float) -> None:
        is_late = self._loop.time() - due_at >= _LATE_S
        self._watch()
        has_more = self._accept(_ACCEPTED_AT_ONCE if is_late else self._most)
        self._most = min(2 * self._most, _ACCEPTED_AT_ONCE) if has_more else 1

    def _accept(self, most: int) -> bool:
        """Let in as many as wait, ``most`` at most; whether so many did, and more may wait."""
        for _ in range(most):
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return False  # another worker has it, or it has gone again
            except OSError:  # it waits at the socket meanwhile
                self._loop.remove_reader(self._listener)
                self._timer = self._loop.call_later(_PAUSE_S, self._watch)
                return False
            connection.settimeout(0)
            task = self._loop.create_task(self._take(connection))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return True

    async def _take(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:
            connection.close()

    def _make_protocol(self) -> asyncio.Protocol:
        server = self._server
        make: Any = server.config.http_protocol_class
        protocol: asyncio.Protocol = make(
            config=server.config, server_state=server.server_state, app_state=server.lifespan.state
        )
        return protocol


class Server(uvicorn.Server):
    """uvicorn's, which accepts as above."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._accepting: list[Accepting] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve at the sockets that were given."""
        await super().startup([])
        for listener in sockets or []:
            one = Accepting(listener, self, is_alone=self.config.workers == 1)
            try:
                one.start()
            except OSError as error:  # another server had bound it as well, and listens since
                host, port, *_ = listener.getsockname()
                _log.error("%s:%s cannot be used (%s)", host, port, error.strerror or error)
                await self.lifespan.shutdown()
                self.started, self.should_exit = False, True
                return
            self._accepting.append(one)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, and let what is under way end."""
        for one in self._accepting:
            one.stop()
            await one.settle()
        await super().shutdown(sockets)


class Worker(Process):
    """A process with such a server."""

    @property
    def server(self) -> uvicorn.Server:
        """Made in the process itself, when it is first asked for."""
        if self._server is None:
            self._server = Server(self.config)
        return self._server
