"""An embeddings endpoint on a loopback port: what it answers, and what it was asked."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson


@dataclass
class Reply:
    """One answer in place of vectors."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False  # says nothing until the test is over
    cut: int = 0  # bytes promised and not sent
    drips: int = 0  # times that it says to go on before it answers, each 5 ms after the last


@dataclass
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    port: int  # whence it came

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])


@dataclass
class EmbeddingsServer:
    """``replies`` come first, one a request; then the vectors of ``embed``, last index first."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    embed: Callable[[str], Sequence[float]] = lambda text: (3.0, 4.0, float(len(text)))
    closing: threading.Event = field(default_factory=threading.Event)

    def answer(self, texts: list[str]) -> Reply:
        if self.replies:
            return self.replies.pop(0)
        rows = [
            {"object": "embedding", "index": index, "embedding": list(self.embed(text))}
            for index, text in enumerate(texts)
        ]
        return Reply(body=orjson.dumps({"object": "list", "data": rows[::-1]}))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: EmbeddingsServer

    def handle(self) -> None:
        with suppress(ConnectionResetError):  # who asked has heard enough
            super().handle()

    def do_POST(self) -> None:
        body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(self.path, dict(self.headers), body, self.client_address[1])
        self.service.asked.append(asked)
        reply = self.service.answer(asked.texts)
        if reply.hangs:
            self.service.closing.wait()
            self.close_connection = True
            return
        try:
            for _ in range(reply.drips):
                self.wfile.write(b"HTTP/1.1 100 Go on\r\n\r\n")
                self.service.closing.wait(0.005)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(reply.body[: len(reply.body) - reply.cut])
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        if reply.cut:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Quiet."""


@contextmanager
def serve() -> Iterator[EmbeddingsServer]:
    """An endpoint on a free port, for as long as it is needed."""

    class Handler(_Handler):
        """One a service, since the server makes its own of the class."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address = f"http://127.0.0.1:{server.server_port}/v1/embeddings"
    Handler.service = service = EmbeddingsServer(address)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
