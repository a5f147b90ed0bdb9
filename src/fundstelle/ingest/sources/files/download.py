"""A patient HTTP client for publishers: slow, conditional, capped, and suspicious of redirects."""

import http.client
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from fundstelle import __version__
from fundstelle.errors import SourceError

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT = 60.0
_CHUNK = 2**16
_MOST_DIGITS = 18
_USUAL = 10.0  # seconds for one file, and what it has at _SLOWEST; more is lost as by a failure
_SLOWEST = 2**16  # bytes a second
_REST = 5.0  # seconds without an exchange after which nobody watches
_SCHEMES = ("http", "https")
_GONE = frozenset({404, 406, 410})


class NotThere(SourceError):
    """The publisher says that there is no such file (404, 410), or not in that form (406)."""

    code = "source_not_there"


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. ``data`` is ``None`` if the file is as it was (304)."""

    data: bytes | None
    etag: str | None
    last_modified: str | None
    content_type: str
    answered_at: datetime | None = None  # by the publisher's clock (RFC 9110, 6.6.1)


def show(url: str) -> str:
    """An address as it may stand in a message: without name, password and query, often secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:  # "http://[" is the beginning of none
        return "an address that is none"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class _CarefulRedirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only from http(s) to http(s), and never from https back to http.

    A host asked by https that names its own http address is asked there by https too. With
    ``to_own_host`` no other host is asked than the one that redirects.
    """

    max_redirections = 5

    def __init__(self, *, to_own_host: bool = False) -> None:
        self._to_own_host = to_own_host

    def redirect_request(  # noqa: PLR0913, PLR0917 the standard library's signature
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Refuse what leaves the web, or the host where that is not to be left."""
        scheme, host = urlsplit(newurl)[:2]
        if (req.type, scheme) == ("https", "http") and host == urlsplit(req.full_url).netloc:
            scheme, newurl = "https", newurl.replace("http:", "https:", 1)
        is_elsewhere = self._to_own_host and host != urlsplit(req.full_url).netloc
        is_unsafe = scheme not in _SCHEMES or (req.type == "https" and scheme != "https")
        if is_unsafe or is_elsewhere:
            fp.close()
            raise SourceError(
                f"{show(req.full_url)} redirects to {show(newurl)}, which is not followed"
            )
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None and host != urlsplit(req.full_url).netloc:
            request.remove_header("Authorization")  # a key is for the host that it was set for
        return request


class _Watch:
    """Ends an exchange that takes too long wherever it hangs: the head of an answer may drip, too.

    One exchange at a time. One thread watches over many of them: to start one for each took longer
    than the exchange, where the machine is busy.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._is_over = False
        self._ends: float | None = None  # of the exchange under way
        self._wakes = 0.0
        self._turn = threading.Condition()
        self._is_watched = False

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Shut the connection of the exchange in this block after ``seconds``.

        Raises:
            TimeoutError: it was; what was read until then is not the answer.
        """
        with self._turn:
            self._is_over = False
            self._ends = time.monotonic() + seconds
            if not self._is_watched:
                self._is_watched = True
                threading.Thread(target=self._watch, daemon=True).start()
            elif self._ends < self._wakes:
                self._turn.notify()
        try:
            yield
        finally:
            with self._turn:
                self._ends = self._socket = None
                is_over = self._is_over
            if is_over:
                raise TimeoutError(f"it drips: more than {seconds:.0f} s")

    def connect(self, connection: http.client.HTTPConnection) -> None:
        """What the exchange goes over."""
        self._socket = connection.sock

    def _watch(self) -> None:
        """Until there was no exchange for a while."""
        with self._turn:
            while True:
                now = time.monotonic()
                self._wakes = now + _REST if self._ends is None else self._ends
                was_idle = self._ends is None
                self._turn.wait(self._wakes - now)
                is_late = time.monotonic() >= self._wakes
                if self._ends is not None and time.monotonic() >= self._ends:
                    self._end()
                elif was_idle and self._ends is None and is_late:
                    self._is_watched = False
                    return

    def _end(self) -> None:
        self._is_over, self._ends = True, None
        if self._socket is not None:
            with suppress(OSError):  # it may be over just now
                self._socket.shutdown(socket.SHUT_RDWR)


def _build_opener(watch: _Watch, *, to_own_host: bool) -> urllib.request.OpenerDirector:
    """Without the handlers for file:, ftp: and data: addresses."""

    class Plain(http.client.HTTPConnection):
        """Watched."""

        def connect(self) -> None:
            super().connect()
            watch.connect(self)

    class Secure(http.client.HTTPSConnection):
        """Watched."""

        def connect(self) -> None:
            super().connect()
            watch.connect(self)

    class PlainHandler(urllib.request.HTTPHandler):
        """As the standard library's."""

        def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Plain, req)

    class SecureHandler(urllib.request.HTTPSHandler):
        """As the standard library's, which checks certificates."""

        def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Secure, req)

    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        PlainHandler,
        SecureHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    opener.add_handler(_CarefulRedirects(to_own_host=to_own_host))
    return opener


@dataclass(slots=True)
class Downloader:
    """Fetches one file at a time."""

    pause: float = 0.1  # seconds between two requests
    timeout: float = 30.0  # seconds without a byte
    longest: float = 600.0  # seconds for one file, however steadily it drips
    tries: int = 4
    to_own_host: bool = False  # a redirect to another host is not followed
    # seconds that one host's failures and slow answers may take: behind the first each file is
    # asked for but once, behind the second none
    patience: tuple[float, float] = (1800.0, 7200.0)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    told: dict[str, datetime] = field(default_factory=dict)  # when a host said it answered last
    _lost: dict[str, float] = field(default_factory=dict)  # seconds of that, by host
    _watch: _Watch = field(default_factory=_Watch)
    _opener: urllib.request.OpenerDirector = field(init=False)

    def __post_init__(self) -> None:
        self._opener = _build_opener(self._watch, to_own_host=self.to_own_host)

    def fetch(
        self,
        url: str,
        most: int,
        known: Mapping[str, str] | None = None,
        wanted: Mapping[str, str] | None = None,
    ) -> Fetched:
        """At most ``most`` bytes from ``url``; ``known`` holds the ``etag``/``last_modified`` held.

        ``wanted`` are further headers, such as ``Accept``.

        Raises:
            NotThere: 404, 406 or 410.
            SourceError: it cannot be had, in as many tries as are allowed.
        """
        if not _is_web_address(url):
            raise SourceError(f"{show(url)} is not an http(s) address; name files by their path")
        headers = {**_headers(known or {}), **(wanted or {})}
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 checked
        reason, tries = "", self._count_tries(urlsplit(url).netloc)
        if not tries:
            raise SourceError(
                f"{show(url)} was not asked for: its host's failures and slow answers have taken"
                f" more than {self.patience[1] / 60:.0f} minutes"
            )
        for attempt in range(tries):
            if self.pause and not attempt:
                self.sleep(self.pause)
            begun = self.clock()
            try:
                return self._read(request, most)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == http.client.NOT_MODIFIED and known:
                    answered_at = self._note_date(url, error.headers)
                    return Fetched(None, None, None, "", answered_at)
                if error.code in _GONE:
                    raise NotThere(f"{show(url)} is not there ({error.code})") from error
                if error.code not in _AGAIN:
                    raise SourceError(f"{show(url)} answers {error.code} {error.reason}") from error
                reason = f"answers {error.code}"
                self._wait(url, begun, tries - attempt - 1, error.headers.get("Retry-After"))
            # ValueError: an address to go on to that is none
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = str(getattr(error, "reason", None) or error) or type(error).__name__
                self._wait(url, begun, tries - attempt - 1, None)
        raise SourceError(f"{show(url)} cannot be fetched in {tries} tries: {reason}")

    def _read(self, request: urllib.request.Request, most: int) -> Fetched:
        url, begun = request.full_url, self.clock()
        try:
            with (
                self._watch.limit(self.longest),
                self._opener.open(request, timeout=self.timeout) as answer,
            ):
                data = self._read_capped(answer, most, url)
        except urllib.error.HTTPError as error:
            if error.code not in _AGAIN:
                self._note_slow(url, begun)
            raise
        self._note_slow(url, begun, len(data))
        return Fetched(
            data,
            answer.headers.get("ETag"),
            answer.headers.get("Last-Modified"),
            answer.headers.get_content_type(),
            self._note_date(url, answer.headers),
        )

    def _note_date(self, url: str, headers: Message) -> datetime | None:
        """When something was answered, by the publisher's clock."""
        answered_at = _read_date(headers.get("Date", ""))
        if answered_at is not None:
            self.told[urlsplit(url).netloc] = answered_at
        return answered_at

    def _read_capped(self, answer: Any, most: int, url: str) -> bytes:
        """The whole body.

        Raises:
            SourceError: it is longer than allowed.
            http.client.IncompleteRead: the connection ended early.
            TimeoutError: it comes too slowly.
        """
        parts = []
        size = 0
        ends = self.clock() + self.longest
        while part := answer.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > most:
                raise SourceError(
                    f"{show(url)} has more than {most >> 20} MB, which no such file has"
                )
            if self.clock() > ends:
                raise TimeoutError(f"it drips: {size:,} bytes in {self.longest:.0f} s")
        expected = answer.headers.get("Content-Length")
        if (length := _read_count(expected)) is not None and length != size:
            raise http.client.IncompleteRead(b"", length - size)
        return b"".join(parts)

    def _count_tries(self, host: str) -> int:
        first, last = self.patience
        lost = self._lost.get(host, 0)
        return 0 if lost > last else 1 if lost > first else self.tries

    def _wait(self, url: str, begun: float, left: int, asked: str | None) -> None:
        """Wait before the next of the tries that are left, and count what the last one has cost."""
        wait = 0.0
        if left:
            seconds = _read_count(asked)
            wait = min(
                2.0 ** (self.tries - left - 1) if seconds is None else seconds, _LONGEST_WAIT
            )
            self.sleep(wait)
        self._lose(url, max(wait, self.clock() - begun))

    def _note_slow(self, url: str, begun: float, size: int = 0) -> None:
        """Count what an answer took beyond the usual: one that drips keeps all sources waiting."""
        self._lose(url, max(0.0, self.clock() - begun - _USUAL - size / _SLOWEST))

    def _lose(self, url: str, seconds: float) -> None:
        host = urlsplit(url).netloc
        self._lost[host] = self._lost.get(host, 0) + seconds


def _is_web_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in _SCHEMES
    except ValueError:
        return False


def _headers(known: Mapping[str, str]) -> dict[str, str]:
    headers = {"User-Agent": f"Fundstelle/{__version__}", "Accept-Encoding": "identity"}
    if known.get("etag"):
        headers["If-None-Match"] = known["etag"]
    if known.get("last_modified"):
        headers["If-Modified-Since"] = known["last_modified"]
    return headers


def _read_count(written: str | None) -> int | None:
    """A number of a header; other digits than ASCII's, and more of them than any has, are none."""
    is_one = written is not None and written.isascii() and written.isdecimal()
    return int(written) if is_one and written and len(written) <= _MOST_DIGITS else None


def _read_date(written: str) -> datetime | None:
    """A moment of a header; one of a year that has no day in some zone is none."""
    try:
        read = parsedate_to_datetime(written)
    except (ValueError, OverflowError, TypeError):
        return None
    if not MINYEAR < read.year < MAXYEAR:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that it is either whole or not there.

    ``durable``: also where the power fails a moment later.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".part")
    with fresh.open("wb") as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    fresh.replace(path)
