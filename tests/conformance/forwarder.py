"""A loopback forwarder that adds a key: the suite cannot send ``Authorization``.

Method, path, ``Host``, ``Origin``, body and every other header pass untouched, so that the
scenarios about headers and rebinding keep their meaning. One request a connection is enough here.
"""

import http.client
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Let go of clients that hang up: the suite does when it has seen enough."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # a socket


@contextmanager
def forwarding(port: int, key: str) -> Iterator[str]:
    """Forward to a port of the loopback interface; gives the base URL to ask instead."""

    class Forward(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
                self.ask(connection, body)

        def ask(self, connection: http.client.HTTPConnection, body: bytes) -> None:
            connection.putrequest(
                self.command, self.path, skip_host=True, skip_accept_encoding=True
            )
            for name, value in self.headers.items():
                if name.lower() not in _HOP_BY_HOP:
                    connection.putheader(name, value)
            connection.putheader("Authorization", f"Bearer {key}")
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            answer = response.read()
            self.send_response_only(response.status)
            for name, value in response.getheaders():
                if name.lower() not in _HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = forward  # noqa: N815  # the base class

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = _Server(("127.0.0.1", 0), Forward)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
