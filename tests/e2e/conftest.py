"""A real server on a free port, with a small corpus and a key of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.plan import Plan, make_plan

CHECKOUT = Path(__file__).parents[2]
SHARED_CORPUS = CHECKOUT.parent / "shared" / "corpus"
FUNDSTELLE = str(Path(sys.executable).with_name("fundstelle"))
LAWS = ("bgb", "gg", "estg", "stgb")
NOWHERE = "http://127.0.0.1:9"  # refuses at once: a test fetches nothing

_START_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Service:
    """A running server, and what to ask it."""

    url: str
    key: str
    plan: Plan

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


def run_fundstelle(data: Path, *arguments: str) -> str:
    done = subprocess.run(
        [FUNDSTELLE, *arguments],
        env=_environ(data),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _environ(data: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FUNDSTELLE_")}
    return {**kept, "FUNDSTELLE_DATA": str(data)}


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            signal.sigtimedwait([], 0.05)
        else:
            return
    pytest.fail("the server did not start")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus of a few laws: official ones if they are at hand, else invented."""
    folder = tmp_path_factory.mktemp("e2e") / "data"
    if SHARED_CORPUS.is_dir():
        laws = [argument for law in LAWS for argument in ("--law", law)]
        run_fundstelle(folder, "ingest", "--source", str(SHARED_CORPUS), *laws)
    else:
        run_fundstelle(folder, "ingest", "--site", NOWHERE)
    return folder


@contextmanager
def running(data: Path, *arguments: str) -> Iterator[int]:
    """A server over *data*; gives its port. Its log must hold neither a traceback nor a key."""
    port = _find_free_port()
    log = data.parent / f"server-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [FUNDSTELLE, "serve", "--port", str(port), *arguments],
            env=_environ(data),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait_for(port, process)
        yield port
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    written = log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in written
    assert "sk-legal-" not in written


@pytest.fixture(scope="session")
def service(data: Path) -> Iterator[Service]:
    key = run_fundstelle(data, "keys", "create", "e2e", "--rate", "unlimited").strip()
    with running(data) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        yield Service(url, key, make_plan(url, key))
