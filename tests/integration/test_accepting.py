"""Connections that come together are accepted together, however long a turn of the loop is."""

import asyncio
import socket

import uvloop

from fundstelle.web.serve import accept_many

COME = 12
TURNS = 4


class _Counting(asyncio.Protocol):
    made = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        type(self).made += 1
        transport.close()


async def _count_accepted(handles: list[socket.socket]) -> int:
    """How many of those that come together are there some turns of the loop later."""
    _Counting.made = 0
    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(_Counting, sock=one) for one in handles]
    address = handles[0].getsockname()
    clients = [socket.create_connection(address) for _ in range(COME)]
    for _ in range(TURNS):
        await asyncio.sleep(0)
    made = _Counting.made
    for server in servers:
        server.close()
    for client in clients:
        client.close()
    return made


def test_those_that_wait_do_not_wait_for_one_another() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    handles = accept_many(listener)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(_count_accepted(handles)) == COME
