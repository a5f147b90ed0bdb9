"""Bytes to a port of the loopback interface, and what comes back. Every call ends by itself."""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

HOST = "127.0.0.1"
TIMEOUT_S = 30.0
MOST_ATTACKERS = 1_000

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Answer:
    """The first answer on a connection; ``status`` 0 if the connection ended without one."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


def connect(port: int) -> socket.socket:
    client = socket.create_connection((HOST, port), timeout=TIMEOUT_S)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def exchange(port: int, *pieces: bytes) -> Answer:
    """Send the pieces, one after the other, and read until the server closes the connection.

    A server that refuses may stop reading; what it said is read all the same.
    """
    with connect(port) as client:
        with suppress(OSError):
            for piece in pieces:
                client.sendall(piece)
        return read_answer(client)


def read_answer(client: socket.socket) -> Answer:
    """Everything until the end of the connection; the first answer of it."""
    received = bytearray()
    with suppress(ConnectionError):
        while piece := client.recv(65_536):
            received += piece
    return parse_answer(bytes(received))


def parse_answer(received: bytes) -> Answer:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    status = int(first.split(" ")[1]) if first.startswith("HTTP/1.1 ") else 0
    return Answer(status, {name.lower(): value.strip() for name, _, value in pairs}, body)


def build_head(port: int, path: str = "/mcp", method: str = "POST", **headers: str) -> bytes:
    """Request line and headers without the empty line; ``_`` in a name stands for ``-``."""
    given = {"host": f"{HOST}:{port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    return "".join(line + "\r\n" for line in lines).encode("latin-1")


def get(port: int, path: str, **headers: str) -> Answer:
    return exchange(port, build_head(port, path, "GET", connection="close", **headers), b"\r\n")


def call(port: int, key: str, message: object) -> Answer:
    """One JSON-RPC message; bytes are sent as they are."""
    body = message if isinstance(message, bytes) else orjson.dumps(message)
    head = build_head(
        port,
        authorization=f"Bearer {key}",
        content_type="application/json",
        content_length=str(len(body)),
        connection="close",
    )
    return exchange(port, head + b"\r\n" + body)


@contextmanager
def holding(port: int, count: int, sent: bytes = b"") -> Iterator[list[socket.socket]]:
    """So many connections, each of which has sent the same and waits."""
    assert count <= MOST_ATTACKERS
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(port)) for _ in range(count)]
        for client in clients:
            if sent:
                client.sendall(sent)
        yield clients


def is_closed(client: socket.socket, within_s: float) -> bool:
    """Whether the server ends a connection in time; what it says before is passed over."""
    client.settimeout(within_s)
    try:
        while client.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def cpu_s(pid: int) -> float:
    """Processor seconds that a process has used so far."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S
