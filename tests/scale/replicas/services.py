"""PostgreSQL and the counter of limits, which stories take away and bring back."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.integration.services import databases
from tests.integration.services.databases import PostgresServer, start_redis_server


class Postgres:
    """A server of a test, and the database of the fleet in it."""

    def __init__(self, server: PostgresServer, name: str) -> None:
        self._server = server
        self.url = server.get_url(name)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        with self._server.frozen():
            yield

    @contextmanager
    def killed(self) -> Iterator[None]:
        """Ended at once, as by a power cut, and started again on the same port and files."""
        user = "postgres" if os.geteuid() == 0 else None
        data = self._server._data
        control = [self._server.programs / "pg_ctl", "-D", data, "-w", "-s"]
        databases._run(*control, "-m", "immediate", "stop", user=user)
        try:
            yield
        finally:
            options = (
                f"-h 127.0.0.1 -p {urlsplit(self.url).port} -k '' -F -c full_page_writes=off"
                " -c max_connections=40"
            )
            log = Path(data).parent / "log"
            databases._run(*control, "-l", log, "-o", options, "start", user=user)


@dataclass(slots=True)
class Counter:
    """Redis, on one port for as long as the test lasts."""

    url: str
    pid: int
    _others: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    @contextmanager
    def killed(self) -> Iterator[None]:
        """It is gone, with all that it counted, and started again on the same port."""
        os.kill(self.pid, signal.SIGKILL)
        yield
        port = str(urlsplit(self.url).port)
        command = ["redis-server", "--bind", "127.0.0.1", "--port", port, "--save", ""]
        again = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd="/")
        self.pid = again.pid
        self._others.append(again)

    def end(self) -> None:
        for other in self._others:
            other.terminate()
            other.wait(timeout=30)


@contextmanager
def start_counter() -> Iterator[Counter]:
    with start_redis_server() as server:
        counter = Counter(server.url, server.pid)
        try:
            yield counter
        finally:
            counter.end()
