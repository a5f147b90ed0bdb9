"""Connections from several networks, each an address of the loopback interface."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, cast

import pytest
import uvicorn

from fundstelle.net.networks import find_network, find_site
from fundstelle.web.messages import Receive, Scope, Send
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.peers import Group, Trusted
from fundstelle.web.wire.protocol import BoundedProtocol
from tests.adversarial.attacker import HOST, TIMEOUT_S, Answer, read_answer

CONNECTIONS = 32
ASK = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


class Nobody(Trusted):
    """Takes this machine for the rest of the world."""

    def find_groups(self, address: str) -> tuple[Group, ...]:
        return Group(find_network(address), 2), Group(find_site(address), 3)


async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def port() -> Iterator[int]:
    """Of a server without anything behind it, for as long as the test lasts."""
    limits = Limits(CONNECTIONS, 1_000, Nobody())
    protocol = cast("Any", partial(BoundedProtocol, limits))
    config = uvicorn.Config(answer, http=protocol, ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    with socket.create_server((HOST, 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(TIMEOUT_S)


def connect(port: int, source: str) -> socket.socket:
    return socket.create_connection((HOST, port), TIMEOUT_S, (source, 0))


def ask(port: int, source: str) -> Answer:
    with connect(port, source) as client:
        client.sendall(ASK)
        return read_answer(client)


@contextmanager
def holding(port: int, count: int, *sources: str) -> Iterator[None]:
    """So many connections from each, which say nothing."""
    with ExitStack() as stack:
        for source in sources * count:
            stack.enter_context(connect(port, source))
        yield


@pytest.mark.parametrize(
    "sources", [("127.0.0.2",), ("127.0.0.2", "127.0.0.3", "127.0.0.4")], ids=["one", "a site"]
)
def test_a_flood_of_connections_shuts_nobody_else_out(port: int, sources: tuple[str, ...]) -> None:
    with holding(port, 3 * CONNECTIONS // len(sources), *sources):
        refused = ask(port, sources[0])
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert ask(port, "127.0.9.9").status == 200
    assert ask(port, "127.0.9.9").status == 200
