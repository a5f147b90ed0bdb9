"""``fundstelle up`` as a newcomer meets it: it greets, answers and is stopped by Ctrl-C."""

import json
import os
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

LAST_LINE = "stop      Ctrl-C"


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def greeted(command: list[str], folder: Path, **settings: str) -> Iterator[str]:
    """The command in the folder until it has greeted; stopped by Ctrl-C, which must be clean."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("FUNDSTELLE_", "MAKE", "PYTHON"))
    }
    environ = kept | settings
    # Nothing may be fetched in a test: the official site is an address that refuses at once.
    environ["FUNDSTELLE_SITE_URL"] = "http://127.0.0.1:9"
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if LAST_LINE in line:
                break
        else:
            pytest.fail("it ended early:\n" + "".join(lines))
        yield "".join(lines)
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        process.wait(timeout=30)
        assert "Traceback" not in rest
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait()


def call(port: int, key: str, method: str, params: dict[str, object] | None = None) -> dict:  # type: ignore[type-arg]  # JSON
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/mcp",
        data=json.dumps(message).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    for _ in range(1_200):  # a minute: the machine may have other work
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                answer: dict = json.load(response)  # type: ignore[type-arg]  # JSON
                return answer
        except ConnectionRefusedError:
            continue
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            signal.sigtimedwait([], 0.05)
    pytest.fail("the server never listened")


def read_key(greeting: str) -> str:
    """The first key, from the file that the greeting names."""
    (named,) = re.findall(r"access +(\S+)", greeting)
    (key,) = re.findall(r"sk-legal-[0-9A-Za-z]{46}", Path(named).read_text())
    return str(key)
