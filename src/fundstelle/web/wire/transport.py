"""What a connection writes to: a transport whose end lets the client read what was written."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from fundstelle.web.wire import limits as most


class Wire:
    """A transport as uvicorn uses it.

    What is written to one that has ended goes nowhere: uvloop would raise, and uvicorn log it.

    Args:
        transport: the one of the event loop.
        close: what to do instead of closing it at once.
    """

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        # the transport's own methods: nothing stands between uvicorn and what it calls often
        self._write = transport.write
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.get_extra_info = transport.get_extra_info
        self.close = close

    def write(self, data: bytes) -> None:
        """Write, if the client is still there."""
        if not self.is_closing():
            self._write(data)


def keep_unsent_here(transport: asyncio.Transport) -> None:
    """Let the system hold little of what is to be sent: what lies there is in nobody's count."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    sock = transport.get_extra_info("socket")
    if option is not None and sock is not None:
        with suppress(OSError):  # a socket in the file system
            sock.setsockopt(socket.IPPROTO_TCP, option, most.UNSENT_BYTES)
