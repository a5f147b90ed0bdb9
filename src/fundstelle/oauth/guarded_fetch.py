"""Fetching what a stranger names, without being led to where only this server can go (SSRF).

The name is resolved once, every answer must be a public address, and the connection goes to
exactly that address; the certificate is checked against the name. No redirects, no proxies, a
small answer, little time.
"""

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from urllib.parse import SplitResult, urlsplit

from fundstelle.accounts.public_addresses import Resolver, is_public, resolve_name
from fundstelle.errors import FundstelleError

TIMEOUT_S = 3.0
MOST_BYTES = 5 * 1024
MOST_AT_ONCE = 8
MOST_OF_SENDER = 2
"""Fetches at once for which one sender's requests are the cause.

One that has given up on a name counts until the system has, too: its thread cannot be stopped.
"""
PORT = 443

_MOST_HEADER_BYTES = 16 * 1024

Connector = Callable[[str, int, float], socket.socket]


class FetchRefused(FundstelleError):
    """Nothing was fetched, or nothing that can be used."""

    code = "fetch_refused"


def connect_to(address: str, port: int, timeout_s: float) -> socket.socket:
    """A connection to an address; no name is resolved any more."""
    return socket.create_connection((address, port), timeout_s)


class GuardedFetch:
    """Fetches small JSON documents from public hosts.

    Args:
        resolve: the addresses of a name.
        connect: a TCP connection to an address, port and within seconds.
        context: checks certificates; the system's authorities by default.
        clock: monotonic, in seconds.
    """

    def __init__(
        self,
        resolve: Resolver = resolve_name,
        connect: Connector = connect_to,
        context: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolve = resolve
        self._connect = connect
        self._context = context or ssl.create_default_context()
        self._clock = clock
        self._senders: list[str] = []  # whose fetches, or threads that were left, are under way
        self._lock = threading.Lock()
        self._resolvers = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="resolve")

    def fetch(self, url: str, sender: str) -> tuple[bytes, str]:
        """The body, and the value of ``Cache-Control``.

        Args:
            url: of the document.
            sender: the network of whoever makes us fetch it.

        Raises:
            FetchRefused: for any reason; the message is for the log alone.
        """
        with self._lock:
            is_much = self._senders.count(sender) >= MOST_OF_SENDER
            if is_much or len(self._senders) >= MOST_AT_ONCE:
                raise FetchRefused("too many fetches at once")
            self._senders.append(sender)
        asked: Future[Sequence[str]] = Future()
        try:
            deadline = self._clock() + TIMEOUT_S
            parts = urlsplit(url)
            host = parts.hostname
            if parts.scheme != "https" or host is None or parts.port not in {None, PORT}:
                raise FetchRefused("only https on its own port is fetched")
            asked = self._resolvers.submit(self._resolve, host)
            return self._fetch(parts, host, self._await_address(asked, deadline), deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise FetchRefused(f"{type(error).__name__}: {error}") from None
        finally:
            asked.cancel()  # unless a thread is at it
            asked.add_done_callback(lambda _: self._leave(sender))

    def _leave(self, sender: str) -> None:
        with self._lock:
            self._senders.remove(sender)

    def _fetch(
        self, parts: SplitResult, host: str, address: str, deadline: float
    ) -> tuple[bytes, str]:
        plain = self._connect(address, PORT, self._left(deadline))
        plain.settimeout(self._left(deadline))
        with plain, self._context.wrap_socket(plain, server_hostname=host) as secure:
            secure.settimeout(self._left(deadline))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            secure.sendall(
                f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n"
                "User-Agent: fundstelle\r\nAccept-Encoding: identity\r\n"
                "Connection: close\r\n\r\n".encode("ascii")
            )
            return self._read(secure, deadline)

    def _await_address(self, asked: Future[Sequence[str]], deadline: float) -> str:
        try:
            addresses = asked.result(self._left(deadline))
        except FutureTimeoutError:
            raise FetchRefused("the name was not resolved in time") from None
        if not addresses or not all(is_public(address) for address in addresses):
            raise FetchRefused("the name leads to an address that is not public")
        return addresses[0]

    def _read(self, connection: socket.socket, deadline: float) -> tuple[bytes, str]:
        response = http.client.HTTPResponse(_Bounded(connection, lambda: self._left(deadline)))  # type: ignore[arg-type] # all it uses of a socket is makefile
        response.begin()
        if response.status != http.client.OK:
            raise FetchRefused(f"status {response.status}")
        kind = response.headers.get_content_type()
        if kind != "application/json":
            raise FetchRefused(f"content type {kind}")
        body = response.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise FetchRefused("the answer is too large")
        return body, response.headers.get("Cache-Control", "")

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock()
        if left <= 0:
            raise TimeoutError("too slow")
        return left


class _Bounded(io.RawIOBase):
    """A connection that ends at a moment and at a size, however slowly it drips."""

    def __init__(self, connection: socket.socket, left: Callable[[], float]) -> None:
        self._connection = connection
        self._get_left = left
        self._bytes_left = _MOST_HEADER_BYTES + MOST_BYTES

    def makefile(self, _mode: str) -> io.BufferedReader:
        """What ``http.client`` reads from."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # as io calls it
        if self._bytes_left <= 0:
            raise FetchRefused("the answer is too large")
        self._connection.settimeout(self._get_left())
        size = self._connection.recv_into(buffer[: self._bytes_left])
        self._bytes_left -= size
        return size
