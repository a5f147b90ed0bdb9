"""The real command and the real server, over a folder of a test."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

SHARED_CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
FUNDSTELLE = str(Path(sys.executable).with_name("fundstelle"))
NOWHERE = "http://127.0.0.1:9"  # refuses at once: a test fetches nothing

_START_TIMEOUT_S = 240  # all processors may be busy with other tests


def run_fundstelle(data: Path, *arguments: str, **settings: str) -> str:
    done = subprocess.run(
        [FUNDSTELLE, *arguments],
        env=_environ(data, settings),
        capture_output=True,
        text=True,
        timeout=900,  # all of federal law, on a machine that has other things to do
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _environ(data: Path, settings: Mapping[str, str]) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FUNDSTELLE_")}
    named = {f"FUNDSTELLE_{name.upper()}": value for name, value in settings.items()}
    return {**kept, "FUNDSTELLE_DATA": str(data), **named}


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            signal.sigtimedwait([], 0.05)
        else:
            return
    pytest.fail("the server did not start")


@dataclass(frozen=True, slots=True)
class Started:
    """A server of its own process group; ``pid`` is its parent process."""

    port: int
    pid: int


@contextmanager
def running(data: Path, *arguments: str, port: int | None = None, **settings: str) -> Iterator[int]:
    """A server over *data*; gives its port. Its log must hold neither a traceback nor a key.

    ``settings`` are those of the environment, in small letters and without their prefix.
    """
    with started(data, *arguments, port=port, **settings) as server:
        yield server.port


@contextmanager
def started(
    data: Path, *arguments: str, port: int | None = None, **settings: str
) -> Iterator[Started]:
    """As ``running``; gives the process, too."""
    port = port or find_free_port()
    settings = {"base_url": f"http://127.0.0.1:{port}", **settings}
    log = data.parent / f"server-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [FUNDSTELLE, "serve", "--port", str(port), *arguments],
            env=_environ(data, settings),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        wait_for(port, process)
        yield Started(port, process.pid)
        with suppress(ProcessLookupError):  # a test may have killed it
            os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    written = log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in written
    assert "sk-legal-" not in written
