"""Connections to nodes whose answers have one deadline and a size, however slowly they come.

The client's timeout is that of a single read: a node that sends a byte now and then would hold a
thread as long as it likes, and one that sends without end would fill the memory.
"""

import io
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import Any

from opensearchpy import Urllib3HttpConnection
from urllib3.connection import HTTPConnection, HTTPSConnection

MOST_BYTES = 32 * 2**20  # of an answer; those of 4,000 hits, or of a bulk of texts, have less


class _Body(io.RawIOBase):
    """What comes from a socket until its timeout is over, counted from now."""

    def __init__(self, source: socket.socket, held: io.BufferedReader) -> None:
        timeout_s = source.gettimeout()
        self._source = source
        self._held = held  # keeps the socket open until all is read
        self._deadline = None if timeout_s is None else time.monotonic() + timeout_s
        self._left = MOST_BYTES

    def close(self) -> None:
        """Let go of the socket."""
        self._held.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Some of it.

        Raises:
            TimeoutError: the time is over.
            HTTPException: there is too much.
        """
        if self._left <= 0:
            raise HTTPException("the answer is too large")
        if self._deadline is not None:
            left_s = self._deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("the answer did not come in time")
            self._source.settimeout(left_s)
        read = self._source.recv_into(buffer)
        self._left -= read
        return read


class _Answer(HTTPResponse):
    """An answer, from its first byte on, as it is: nothing that is packed is unpacked."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Body(sock, self.fp))

    def begin(self) -> None:
        """Read status and headers.

        Raises:
            HTTPException: they are none, or name an encoding that was not asked for.
        """
        super().begin()
        if self.headers.get("content-encoding"):
            raise HTTPException("the answer is packed")


class _Plain(HTTPConnection):
    response_class = _Answer


class _Encrypted(HTTPSConnection):
    response_class = _Answer


class BoundedConnection(Urllib3HttpConnection):
    """The client's own, to one node, with bounds for its answers."""

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        self.pool.ConnectionCls = _Encrypted if self.use_ssl else _Plain
