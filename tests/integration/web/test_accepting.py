"""Connections are shared by those who accept, and none waits for turns of a busy loop."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest
import uvicorn
import uvloop

from fundstelle.web import accepting
from fundstelle.web.accepting import Accepting


class Door:
    """A listening socket, and those who come."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self._held = ExitStack()
        self._transports: list[asyncio.BaseTransport] = []
        self._held.callback(self.listener.close)

    def come(self, times: int) -> None:
        for _ in range(times):
            self._held.enter_context(socket.create_connection(self.listener.getsockname()))

    def open(self, *, is_alone: bool, held: int = 0) -> tuple[Accepting, set[object]]:
        """One who accepts, by a handle of its own, and the connections of its server."""
        handle = self._held.enter_context(self.listener.dup())
        connections: set[object] = set(range(held))
        transports = self._transports

        class Counted(asyncio.Protocol):
            def __init__(self, **_: object) -> None:
                pass

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                transports.append(transport)
                connections.add(self)

        config = SimpleNamespace(backlog=128, http_protocol_class=Counted)
        state = SimpleNamespace(connections=connections)
        server = SimpleNamespace(
            config=config, server_state=state, lifespan=SimpleNamespace(state={})
        )
        one = Accepting(handle, cast("uvicorn.Server", server), is_alone=is_alone)
        one.start()
        return one, connections

    async def see_off(self) -> None:
        """A loop of uvloop does not end with open connections."""
        for transport in self._transports:
            cast("asyncio.Transport", transport).abort()
        await asyncio.sleep(0.01)

    def close(self) -> None:
        self._held.close()


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door()
    yield door
    door.close()


async def turn(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(10_000):
        if is_so():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it did not happen")


def keep_busy(duration_s: float) -> None:
    begun = time.monotonic()
    while time.monotonic() - begun < duration_s:
        pass


def run(door: Door, work: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        try:
            return await work()
        finally:
            await door.see_off()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main())


def test_who_is_alone_takes_all_that_wait_in_one_turn(door: Door) -> None:
    async def work() -> int:
        door.come(12)
        one, connections = door.open(is_alone=True, held=1)
        await turn(6)
        one.stop()
        return len(connections) - 1

    assert run(door, work) == 12


def test_after_a_long_turn_all_that_wait_come_in(door: Door) -> None:
    async def work() -> int:
        door.come(12)
        one, connections = door.open(is_alone=False, held=3)
        await turn(2)
        keep_busy(0.1)
        await turn(6)
        one.stop()
        return len(connections) - 3

    assert run(door, work) == 12


def test_a_crowd_comes_in_by_few_looks(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    look = Accepting._look

    def count(one: Accepting, due_at: float) -> None:
        looks.append(due_at)
        look(one, due_at)

    monkeypatch.setattr(Accepting, "_look", count)

    async def work() -> int:
        door.come(64)
        one, connections = door.open(is_alone=False, held=8)
        await until(lambda: len(connections) == 8 + 64)
        one.stop()
        return len(looks)

    assert run(door, work) <= 8  # 1, 2, 4, 8, 16, 16, 16, and the rest


def test_those_with_fewer_connections_get_the_next_ones(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accepting, "_STEP_S", 0.01)  # longer than a busy machine's pauses

    async def work() -> tuple[int, int]:
        few, fews = door.open(is_alone=False)
        many, manys = door.open(is_alone=False, held=6)
        for number in range(1, 7):
            door.come(1)
            await until(lambda n=number: len(fews) + len(manys) == 6 + n)  # type: ignore[misc]
            await until(lambda: few._timer is None and many._timer is None)  # both watch again
        few.stop()
        many.stop()
        return len(fews), len(manys)

    fews, manys = run(door, work)
    assert fews + manys == 12
    assert fews >= 4


def test_nobody_is_let_in_after_the_end(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "_STEP_S", 0.1)  # longer than any turns of a busy machine

    async def work() -> int:
        one, connections = door.open(is_alone=False, held=1)
        door.come(1)
        await turn(2)
        one.stop()
        await asyncio.sleep(0.15)
        return len(connections) - 1

    assert run(door, work) == 0


def test_who_was_let_in_before_the_end_is_a_connection_that_ends(door: Door) -> None:
    async def work() -> tuple[int, int]:
        door.come(3)
        one, connections = door.open(is_alone=True)
        one._come()
        let_in = len(one._under_way)
        one.stop()
        await one.settle()
        return let_in, len(connections)

    let_in, made = run(door, work)
    assert let_in == made == 3


def test_where_no_file_is_left_it_looks_again_later(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def __init__(self, listener: socket.socket) -> None:
            self._listener = listener
            self.is_full = True

        def __getattr__(self, name: str) -> Any:
            return getattr(self._listener, name)

        def dup(self) -> Any:
            return nullcontext(self)

        def accept(self) -> Any:
            if self.is_full:
                raise OSError(24, "Too many open files")
            return self._listener.accept()

    monkeypatch.setattr("fundstelle.web.accepting._PAUSE_S", 0.001)
    full = Full(door.listener)
    door.listener = cast("socket.socket", full)

    async def work() -> None:
        one, connections = door.open(is_alone=True)
        door.come(1)
        await asyncio.sleep(0.01)
        assert not connections
        full.is_full = False
        await until(lambda: len(connections) == 1)
        one.stop()

    run(door, work)


def test_a_port_at_which_another_server_listens_since_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Both had bound it before either listened."""

    async def app(_scope: object, receive: Any, send: Any) -> None:
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})

    with socket.socket() as first, socket.socket() as second:
        for one in (first, second):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        first.bind(("127.0.0.1", 0))
        second.bind(first.getsockname())
        first.listen()
        server = accepting.Server(uvicorn.Config(cast("Any", app), lifespan="on"))
        asyncio.run(server.serve([second]))
        assert not server.started
        assert f"127.0.0.1:{first.getsockname()[1]} cannot be used" in caplog.text
