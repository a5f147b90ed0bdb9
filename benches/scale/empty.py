"""A server that does nothing but answer, as a yardstick of what answering costs on a machine."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.server import find_free_port

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope

BODY = b"x" * 800  # about as long as the answers beside it
_PATIENCE_S = 30.0


async def answer(scope: "Scope", receive: "ASGIReceiveCallable", send: "ASGISendCallable") -> None:
    """The same to every request."""
    if scope["type"] != "http":
        return
    await receive()
    length = str(len(BODY)).encode()
    headers = [(b"content-length", length)]
    await send(
        {"type": "http.response.start", "status": 200, "headers": headers, "trailers": False}
    )
    await send({"type": "http.response.body", "body": BODY, "more_body": False})


class EmptyServer:
    """One process of it."""

    def __init__(self) -> None:
        self.port = find_free_port()
        program = (sys.executable, "-m", "uvicorn", "benches.scale.empty:answer")
        options = ("--port", str(self.port), "--loop", "uvloop", "--http", "httptools")
        quiet = ("--log-level", "warning", "--no-access-log", "--lifespan", "off")
        self._process = subprocess.Popen([*program, *options, *quiet])
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)
            try:
                connection.request("GET", "/")
                assert connection.getresponse().read() == BODY
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            else:
                return
            finally:
                connection.close()

    def read_cpu_s(self) -> float:
        """Its processor time so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(_PATIENCE_S)


@contextmanager
def open_empty(count: int) -> Iterator[list[EmptyServer]]:
    """So many of them."""
    with ExitStack() as stack:
        servers = []
        for _ in range(count):
            servers.append(EmptyServer())
            stack.callback(servers[-1].stop)
        yield servers
