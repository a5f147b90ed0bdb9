"""Deadlines of all connections of a process, looked at about once a second.

A timer for each connection or request would cost more than reading a request does. The clock is the
number of turns: seconds in which the process could not read do not count against its clients.
"""

import asyncio
from collections.abc import Collection
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from uvicorn.server import ServerState

from fundstelle.web.wire.limits import RESERVE
from fundstelle.web.wire.peers import Peers

TURN_S = 1.0


class Connection(Protocol):
    """What is looked at."""

    def check(self, now: int) -> None:
        """Give up on what has taken too long at ``now``, in turns."""

    def abort(self) -> None:
        """End it at once."""


class Sweeper:
    """Looks at the connections of one server for as long as there are any."""

    def __init__(self, connections: Collection[Any]) -> None:
        self.connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.now = 0
        self.peers = Peers()
        self.surplus: dict[Connection, None] = {}  # beyond the limit, the oldest first

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """A connection was made: look on."""
        if self._timer is None:
            self._loop = loop
            self._timer = loop.call_later(TURN_S, self._turn)

    def note_surplus(self, connection: Connection) -> None:
        """One is beyond the limit; of more than a few the oldest ends."""
        self.surplus[connection] = None
        if len(self.surplus) > RESERVE:
            next(iter(self.surplus)).abort()

    def sweep(self) -> None:
        """One turn."""
        self.now += 1
        for connection in tuple(self.connections):
            connection.check(self.now)

    def _turn(self) -> None:
        self._timer = None
        self.sweep()
        if self._loop is not None and self.connections:
            self.start(self._loop)


_sweepers: WeakKeyDictionary[ServerState, Sweeper] = WeakKeyDictionary()


def find_sweeper(state: ServerState) -> Sweeper:
    """The one of a server."""
    sweeper = _sweepers.get(state)
    if sweeper is None:
        sweeper = _sweepers[state] = Sweeper(state.connections)
    return sweeper
