"""What a newcomer does: clone, ``make up``, paste the printed ``curl``."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

CHECKOUT = Path(__file__).parents[2]
LAST_LINE = "stop      Ctrl-C"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (CHECKOUT / ".git").exists() or shutil.which("make") is None:
        pytest.skip("needs a git checkout and make")
    folder = tmp_path_factory.mktemp("first-run") / "fundstelle"
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(folder)], check=True)
    return folder


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def running(clone: Path, port: int) -> Iterator[str]:
    """``make up`` until it has greeted; stopped by Ctrl-C, which must be clean."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("FUNDSTELLE_", "MAKE"))}
    # Nothing may be fetched in a test: the official site is an address that refuses at once.
    environ["FUNDSTELLE_SITE_URL"] = "http://127.0.0.1:9"
    process = subprocess.Popen(
        ["make", "up", f"PORT={port}"],
        cwd=clone,
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
            pytest.fail("make up ended early:\n" + "".join(lines))
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


def test_two_runs_of_make_up_share_one_corpus_and_one_key(clone: Path) -> None:
    port = find_free_port()
    with running(clone, port) as first:
        assert "sk-legal-" not in first, "it is no terminal"
        assert "/join/" not in first
        (named,) = re.findall(r"access +(\S+)", first)
        access = Path(named)
        assert access.stat().st_mode & 0o777 == 0o600
        text = access.read_text()
        shown = re.search(r"sk-legal-[0-9A-Za-z]{46}", text)
        assert shown, text
        assert f"http://127.0.0.1:{port}/join/" in text
        assert f"http://127.0.0.1:{port}/mcp" in first
        assert "kein geltendes Recht" in first
        tools = call(port, shown.group(), "tools/list")["result"]["tools"]
        assert len(tools) == 8
        called = call(
            port, shown.group(), "tools/call", {"name": "legal_get_stats", "arguments": {}}
        )
        release = called["result"]["structuredContent"]["corpus_release"]
    with running(clone, port) as second:
        assert "sk-legal-" not in second
        assert release in second
        assert len(call(port, shown.group(), "tools/list")["result"]["tools"]) == 8
