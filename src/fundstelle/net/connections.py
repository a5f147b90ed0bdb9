"""Connections to addresses that were checked, with an end to their time and to what they bring."""

import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore

_MOST_ADDRESSES = 4  # that are tried, each with its share of the time
_PART_BYTES = 16 * 1024  # sent before the clock is looked at again


class TooLarge(httpcore.ProtocolError):
    """More came than may be read."""


class Deadline:
    """The moment by which everything has to be done.

    Args:
        seconds: from now.
        clock: monotonic, in seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = clock() + seconds

    def get_left(self) -> float:
        """The seconds that are left.

        Raises:
            TimeoutError: there are none.
        """
        left = self._ends - self._clock()
        if left <= 0:
            raise TimeoutError("too slow")
        return left


@dataclass(slots=True)
class Bounds:
    """What one exchange may take."""

    deadline: Deadline  # of connecting, TLS and every byte
    bytes_left: int  # that are read, headers and all


class CheckedRoute(httpcore.NetworkBackend):
    """Leads to addresses, whatever the name is that is asked for.

    Args:
        network: makes TCP connections.
        addresses: that were checked.
        bounds: of what goes over it.
    """

    def __init__(
        self, network: httpcore.NetworkBackend, addresses: Sequence[str], bounds: Bounds
    ) -> None:
        self._network = network
        self._addresses = addresses[:_MOST_ADDRESSES]
        self._bounds = bounds

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        """A connection to the first address that takes one.

        Raises:
            httpcore.ConnectError: none does.
            httpcore.ConnectTimeout: none does in time.
        """
        del host
        untried = list(self._addresses)
        while True:
            share_s = self._bounds.deadline.get_left() / len(untried)
            try:
                stream = self._network.connect_tcp(untried.pop(0), port, share_s)
                return _BoundedStream(stream, self._bounds)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not untried:
                    raise


class _BoundedStream(httpcore.NetworkStream):
    """What is connected to; the times that httpcore gives are for each byte anew."""

    def __init__(self, stream: httpcore.NetworkStream, bounds: Bounds) -> None:
        self._stream = stream
        self._bounds = bounds

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def read(self, max_bytes: int, *_: Any, **__: Any) -> bytes:
        if not self._bounds.bytes_left:
            raise TooLarge("the answer is too large")
        most = min(max_bytes, self._bounds.bytes_left)
        data = self._stream.read(most, self._bounds.deadline.get_left())
        self._bounds.bytes_left -= len(data)
        return data

    def write(self, buffer: bytes, *_: Any, **__: Any) -> None:
        for start in range(0, len(buffer), _PART_BYTES):
            part = buffer[start : start + _PART_BYTES]
            self._stream.write(part, self._bounds.deadline.get_left())

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, *_: Any, **__: Any
    ) -> httpcore.NetworkStream:
        try:
            left_s = self._bounds.deadline.get_left()
            secure = self._stream.start_tls(ssl_context, server_hostname, left_s)
        except BaseException:
            self.close()  # nobody else knows of it yet
            raise
        return _BoundedStream(secure, self._bounds)
