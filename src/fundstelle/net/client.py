"""Asking other servers by HTTP, without being led elsewhere (SSRF) or held up.

A name is resolved once, every address that it has must be one that may be asked, and the
connection goes to exactly these, while TLS and ``Host`` keep the name. No redirects, no proxies,
no cookies; a small answer; one deadline from the name to the last byte, however slowly it drips.
Calls block: where there is an event loop, they are made in threads beside it.
"""

import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import httpcore

from fundstelle.errors import FundstelleError
from fundstelle.net.addresses import Resolver, is_address, is_loopback, is_public, resolve_name
from fundstelle.net.connections import Bounds, CheckedRoute, Deadline, TooLarge

_RESOLVERS = 8  # threads; one that asks for a name cannot be stopped
MOST_HEADER_BYTES = 16 * 1024
OWN_HEADERS = {
    "User-Agent": "fundstelle",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
BROKEN = (
    OSError,
    ValueError,
    RuntimeError,  # no thread for the name: too many, or the process is ending
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
)


class NoAnswer(FundstelleError):
    """Nobody was asked, or nothing came that can be used.

    The message is for the log alone: it describes our network.
    """

    code = "no_answer"


@dataclass(frozen=True, slots=True)
class Reach:
    """Where an exchange may lead.

    ``allows`` is asked about every address of the name; ``plain`` lets ``http`` in, too.
    """

    allows: Callable[[str], bool]
    plain: bool = False


PUBLIC = Reach(is_public)
"""For what a stranger names, or a document."""
CONFIGURED = Reach(is_address)
"""For what the operator names, who may have it inside the firm."""
LOOPBACK = Reach(is_loopback, plain=True)
"""For what the operator has on this machine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of any status. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class GuardedClient:
    """Asks other servers.

    Args:
        seconds: for one exchange, from the name to the last byte.
        most_bytes: of a body, unless a question says otherwise.
        resolve: the addresses of a name.
        network: makes TCP connections to addresses.
        trust: checks certificates; by default the public authorities, and those of the system's
            store, where a firm's own stands.
        clock: monotonic, in seconds.
    """

    def __init__(  # noqa: PLR0913, PLR0917 two bounds, and what tests put in the network's place
        self,
        seconds: float,
        most_bytes: int,
        resolve: Resolver = resolve_name,
        network: httpcore.NetworkBackend | None = None,
        trust: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._resolve = resolve
        self._network = network or httpcore.SyncBackend()
        self._trust = trust
        self._clock = clock
        self._resolvers = ThreadPoolExecutor(_RESOLVERS, thread_name_prefix="resolve")

    def ask(  # noqa: PLR0913 what is sent, what may come, each named
        self,
        url: str,
        reach: Reach,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        most_bytes: int | None = None,
        when_over: Callable[[], None] = lambda: None,
    ) -> Answer:
        """What a server answers to a GET, or to a POST if there is a body.

        Args:
            url: to ask.
            reach: where it may lead.
            headers: to send, beside ``Host`` and what belongs to the connection.
            body: to send.
            most_bytes: of the answer's body, where that is not what this client reads of others.
            when_over: called once when nothing of this is under way any more; that may be after
                the return, since a name that the system is asking for cannot be given up.

        Raises:
            NoAnswer: for any reason.
        """
        most = self._most_bytes if most_bytes is None else most_bytes
        with self._find_route(url, reach, most, when_over) as (target, route):
            sent = {"Host": urlsplit(url).netloc, **OWN_HEADERS, **headers}
            return self._exchange(target, route, sent, body, most)

    def check(self, url: str, reach: Reach) -> None:
        """Refuse a URL that would not be asked.

        Raises:
            NoAnswer: why it would not.
        """
        with self._find_route(url, reach, self._most_bytes):
            pass

    @contextmanager
    def _find_route(
        self, url: str, reach: Reach, most: int, when_over: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[httpcore.URL, CheckedRoute]]:
        deadline = Deadline(self._seconds, self._clock)
        asked: Future[Sequence[str]] = Future()
        try:
            target = read_url(url, reach)
            asked = self._resolvers.submit(self._resolve, target.host.decode())
            addresses = await_addresses(asked, deadline, reach)
            bounds = Bounds(deadline, MOST_HEADER_BYTES + most)
            yield target, CheckedRoute(self._network, addresses, bounds)
        except BROKEN as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        finally:
            asked.cancel()  # unless a thread is at it
            asked.add_done_callback(lambda _: when_over())

    def _exchange(
        self,
        target: httpcore.URL,
        route: CheckedRoute,
        headers: Mapping[str, str],
        body: bytes | None,
        most: int,
    ) -> Answer:
        trust = None if target.scheme == b"http" else self._trust or load_trust()
        with (
            httpcore.HTTPConnection(target.origin, trust, network_backend=route) as connection,
            connection.stream(
                "GET" if body is None else "POST",
                target,
                headers=[(name.encode(), value.encode()) for name, value in headers.items()],
                content=body,
            ) as answer,
        ):
            read = bytearray()
            for part in answer.iter_stream():
                read += part
                if len(read) > most:
                    raise TooLarge("the answer is too large")
        first_wins = reversed(answer.headers)
        given = {name.decode("latin-1").lower(): v.decode("latin-1") for name, v in first_wins}
        return Answer(answer.status, given, bytes(read))


def read_url(url: str, reach: Reach) -> httpcore.URL:
    """The parts of a URL, read once.

    Raises:
        ValueError: it is none, or none that may be asked.
    """
    if not url.isascii() or not url.isprintable() or set(url) & set(" \\"):
        raise ValueError("the address cannot be read")
    parts = urlsplit(url)
    host, port = parts.hostname, parts.port
    if parts.scheme != "https" and not (parts.scheme == "http" and reach.plain):
        raise ValueError("the address is not https")
    if not host or "@" in parts.netloc or parts.fragment:
        raise ValueError("the address names no host, or more than one asks for")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return httpcore.URL(scheme=parts.scheme, host=host, port=port, target=target)


def await_addresses(
    asked: Future[Sequence[str]], deadline: Deadline, reach: Reach
) -> Sequence[str]:
    """The addresses of a name, when it is resolved.

    Raises:
        OSError: it cannot be, or not in time.
        ValueError: it leads where it may not be followed, or nowhere.
    """
    try:
        addresses = asked.result(deadline.get_left())
    except TimeoutError:
        raise TimeoutError("the name was not resolved in time") from None
    if not addresses or not all(reach.allows(address) for address in addresses):
        raise ValueError("the name leads to an address that may not be asked")
    return addresses


@cache
def load_trust() -> ssl.SSLContext:
    """The public authorities, and those of the system's store."""
    return httpcore.default_ssl_context()
