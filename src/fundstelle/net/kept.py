"""Asking one server again and again, by a connection that stays open in between.

As ``client`` asks: one deadline from the name to the last byte, however slowly it drips; a small
answer, headers and all; no redirects, no proxies, no cookies. It blocks whoever asks for as long as
the deadline lets it, and no longer.
"""

import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpcore

from fundstelle.net.addresses import Resolver, resolve_name
from fundstelle.net.client import (
    BROKEN,
    CONFIGURED,
    MOST_HEADER_BYTES,
    OWN_HEADERS,
    Answer,
    NoAnswer,
    await_addresses,
    load_trust,
    read_url,
)
from fundstelle.net.connections import Bounds, CheckedRoute, Deadline, TooLarge

_KEPT_OPEN_S = 4.0  # less than servers keep a connection (uvicorn: 5), so that none closes mid-way
_REACH = replace(CONFIGURED, plain=True)  # where that may be is checked as it is configured
_OK = 200


class Unreachable(NoAnswer):
    """There is no connection to be had."""

    code = "unreachable"


class TooSlow(NoAnswer):
    """The time was over before the answer was whole."""

    code = "too_slow"


class TooMuch(NoAnswer):
    """More came than such an answer has."""

    code = "too_much"


class KeptClient:
    """Asks one address that the operator has configured; one exchange at a time.

    Args:
        url: to ask.
        resolve: the addresses of a name.
        network: makes TCP connections to addresses.
        trust: checks certificates; by default the public authorities, and those of the system's
            store, where a firm's own stands.
        clock: monotonic, in seconds.
    """

    def __init__(
        self,
        url: str,
        resolve: Resolver = resolve_name,
        network: httpcore.NetworkBackend | None = None,
        trust: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url
        self._clock = clock
        self._trust = trust
        self._lock = threading.Lock()
        self._bounds = Bounds(Deadline(0, clock), 0)  # those of the exchange under way
        self._route = _Route(resolve, network or httpcore.SyncBackend(), self._bounds)
        self._pool: httpcore.ConnectionPool | None = None

    def post(
        self, body: bytes, headers: Mapping[str, str], seconds: float, most_bytes: int
    ) -> Answer:
        """What the server answers; of an answer that is not 200 the body is not read.

        Args:
            body: to send.
            headers: to send, beside those that belong to the connection.
            seconds: for all of it.
            most_bytes: of the answer's body.

        Raises:
            Unreachable: nobody is there.
            TooSlow: the time was over.
            TooMuch: it has more bytes.
            NoAnswer: for any other reason.
        """
        with self._lock:
            self._bounds.deadline = Deadline(seconds, self._clock)
            self._bounds.bytes_left = MOST_HEADER_BYTES + most_bytes
            try:
                return self._post(body, headers, most_bytes)
            except (TimeoutError, httpcore.TimeoutException) as error:
                raise TooSlow(f"{type(error).__name__}: {error}") from error
            except TooLarge as error:
                raise TooMuch(str(error)) from error
            except (httpcore.ConnectError, _NoAddress) as error:
                raise Unreachable(f"{type(error).__name__}: {error}") from error
            except BROKEN as error:
                raise NoAnswer(f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Close the connection."""
        if self._pool is not None:
            self._pool.close()
        self._route.close()

    def _post(self, body: bytes, headers: Mapping[str, str], most_bytes: int) -> Answer:
        target = read_url(self._url, _REACH)
        pool = self._pool = self._pool or self._open(target)
        sent = {**_HEADERS, **headers}
        with pool.stream(
            "POST",
            target,
            headers=[(name.encode(), value.encode()) for name, value in sent.items()],
            content=body,
        ) as answer:
            first_wins = reversed(answer.headers)
            given = {name.decode("latin-1").lower(): v.decode("latin-1") for name, v in first_wins}
            read = bytearray()
            for part in answer.iter_stream() if answer.status == _OK else ():
                read += part
                if len(read) > most_bytes:
                    raise TooLarge("the answer is too large")
        return Answer(answer.status, given, bytes(read))

    def _open(self, target: httpcore.URL) -> httpcore.ConnectionPool:
        """Where nothing is encrypted no authorities are read, which takes 0.1 s."""
        trust = None if target.scheme == b"http" else self._trust or load_trust()
        return httpcore.ConnectionPool(
            trust, max_connections=1, keepalive_expiry=_KEPT_OPEN_S, network_backend=self._route
        )


class _NoAddress(OSError):
    """The name has none."""


class _Route(httpcore.NetworkBackend):
    """Resolves the name anew for each connection, in a thread that the deadline can leave."""

    def __init__(self, resolve: Resolver, network: httpcore.NetworkBackend, bounds: Bounds) -> None:
        self._resolve = resolve
        self._network = network
        self._bounds = bounds
        self._resolvers = ThreadPoolExecutor(1, thread_name_prefix="resolve")

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        """A connection within the bounds of the exchange under way."""
        asked = self._resolvers.submit(self._resolve, host)
        try:
            addresses = await_addresses(asked, self._bounds.deadline, _REACH)
        except TimeoutError:
            asked.cancel()
            raise
        except (OSError, ValueError) as error:
            raise _NoAddress(str(error)) from error
        return CheckedRoute(self._network, addresses, self._bounds).connect_tcp(host, port)

    def close(self) -> None:
        self._resolvers.shutdown(wait=False, cancel_futures=True)


_HEADERS = {name: value for name, value in OWN_HEADERS.items() if name != "Connection"}
