"""A publisher on a loopback port: what it holds, how it fails, and what it was asked."""

import io
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass
class Answer:
    """What the server says; ``failures`` come first, one a request."""

    body: bytes
    etag: str = '"1"'
    kind: str = "application/zip"
    failures: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0  # bytes promised and not sent
    drips: bool = False  # byte by byte


@dataclass
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]

    @property
    def is_conditional(self) -> bool:
        return "If-None-Match" in self.headers


@dataclass
class Service:
    """Answers by path, with its query or without, or by path, ``Accept`` and ``Accept-Language``.

    The last three have spaces between them.
    """

    url: str
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    ask: Callable[[str], Answer] | None = None  # SPARQL
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def paths(self) -> list[str]:
        return [one.path for one in self.asked]

    def find(self, target: str, headers: Mapping[str, str]) -> Answer | None:
        path = urlsplit(target).path
        query = parse_qs(urlsplit(target).query).get("query")
        if query and self.ask:
            self.queries.append(query[0])
            return self.ask(query[0])
        self.asked.append(Asked(path, headers))
        form = f"{path} {headers.get('Accept')} {headers.get('Accept-Language')}"
        return self.answers.get(target) or self.answers.get(form) or self.answers.get(path)


class _Handler(BaseHTTPRequestHandler):
    service: Service

    def do_GET(self) -> None:
        answer = self.service.find(self.path, dict(self.headers))
        if answer is None:
            self.send_error(404)
        elif answer.failures:
            self._send(answer, answer.failures.pop(0), b"")
        elif self.headers.get("If-None-Match") == answer.etag:
            self.send_response(304)
            self.end_headers()
        else:
            self._send(answer, 200, answer.body)

    def _send(self, answer: Answer, status: int, body: bytes) -> None:
        self.send_response(status)
        for name, value in {"ETag": answer.etag, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self._write(answer, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _write(self, answer: Answer, body: bytes) -> None:
        if not answer.drips:
            self.wfile.write(body[: len(body) - answer.cut])
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self.service.closing.wait(0.001):
                return

    def send_response(self, code: int, message: str | None = None) -> None:
        """Without the day of this machine: tests have days of their own."""
        self.send_response_only(code, message)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""


@contextmanager
def serve() -> Iterator[Service]:
    """A service on a free port, for as long as it is needed."""

    class Handler(_Handler):
        """One a service, since the server makes its own of the class."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Handler.service = service = Service(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def pack(files: Mapping[str, bytes]) -> bytes:
    """A zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def jump() -> Callable[[], float]:
    """A clock on which every look is a minute later than the last."""
    minutes = iter(range(10**9))
    return lambda: next(minutes) * 60.0
