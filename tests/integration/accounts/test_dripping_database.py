"""A PostgreSQL that says something now and then, but does not answer, holds nobody up."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from fundstelle.accounts.database.bounded import BoundedConnection, NoAnswer

HELLO = (
    (b"R", struct.pack(">I", 0)),
    (b"S", b"server_version\x0017.0\x00"),
    (b"S", b"client_encoding\x00UTF8\x00"),
    (b"K", struct.pack(">II", 1, 1)),
    (b"Z", b"I"),
)
NOTICE = b"N", b"SNOTICE\x00C00000\x00Mwait\x00\x00"
_SSL_REQUEST = struct.pack(">II", 8, 80877103)  # of the protocol, 55.2.10


def write(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack(">I", len(body) + 4) + body


class Dripping:
    """A server that takes everybody in, and to a question says notices alone, for a while."""

    MOST = 200

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.is_over = threading.Event()
        self.said = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                with connection, suppress(OSError):
                    self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        asked = connection.recv(8_192)
        if asked == _SSL_REQUEST:
            connection.sendall(b"N")
            connection.recv(8_192)
        connection.sendall(b"".join(write(*one) for one in HELLO))
        connection.recv(8_192)
        while self.said < self.MOST and not self.is_over.wait(0.02):
            connection.sendall(write(*NOTICE))
            self.said += 1

    def close(self) -> None:
        self.is_over.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)


@pytest.fixture
def dripping() -> Iterator[Dripping]:
    server = Dripping()
    yield server
    server.close()


def test_nobody_waits_for_a_server_that_only_says_that_it_is_there(dripping: Dripping) -> None:
    port = dripping.socket.getsockname()[1]
    connection = BoundedConnection.connect(
        f"host=127.0.0.1 port={port} user=a dbname=a sslmode=disable gssencmode=disable",
        autocommit=True,
    )
    connection.patience_s = 0.3
    with pytest.raises(NoAnswer):
        connection.execute("SELECT 1")
    assert connection.closed
    assert 0 < dripping.said < Dripping.MOST / 2
