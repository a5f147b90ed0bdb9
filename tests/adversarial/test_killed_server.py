"""A server that is killed while it answers: every answered call is in the log afterwards."""

import http.client
import os
import shutil
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import orjson

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore
from tests.e2e.server import run_fundstelle, started

CALLERS = 4
ENOUGH = 300  # answered calls, after which the server is killed
WAITS = 400  # of a twentieth of a second, for the successor


class Callers:
    """Clients that call until their server is gone."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._lock = threading.Lock()
        self.sent = 0
        self.answered = 0
        self.had_enough = threading.Event()

    def call(self, caller: int) -> None:
        """Call as long as there are answers; at most ten times as often as is wanted."""
        client = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        with suppress(OSError, http.client.HTTPException):
            for number in range(10 * ENOUGH):
                arguments = {"citation": f"§ {number % 9 + 1} DemoG", "on": "2026-01-01"}
                params = {"name": "legal_lookup", "arguments": arguments}
                body = {"jsonrpc": "2.0", "id": f"{caller}-{number}", "method": "tools/call"}
                with self._lock:
                    self.sent += 1
                client.request(
                    "POST", "/mcp", orjson.dumps({**body, "params": params}), self._headers
                )
                answer = client.getresponse()
                answer.read()
                assert answer.status == 200
                with self._lock:
                    self.answered += 1
                    if self.answered >= ENOUGH:
                        self.had_enough.set()
        client.close()


def count_calls(data: Path) -> tuple[int, int, int]:
    """Recorded calls, different ones among them, and those said to be missing."""
    store = AccountsStore.open(data)
    try:
        lines = list(AuditLog(store).export())
    finally:
        store.close()
    calls = [line["request"] for line in lines if line["event"] == "tool_called"]
    lost = sum(line["details"]["calls"] for line in lines if line["event"] == "calls_lost")
    return len(calls), len(set(calls)), lost


def test_a_killed_server_loses_no_answered_call(invented_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(invented_data, data)
    key = run_fundstelle(data, "keys", "create", "a", "--rate", "unlimited").strip()
    with started(data, "--workers", "2") as server, ThreadPoolExecutor(CALLERS) as pool:
        callers = Callers(server.port, key)
        done = [pool.submit(callers.call, caller) for caller in range(CALLERS)]
        assert callers.had_enough.wait(60)
        os.killpg(server.pid, signal.SIGKILL)
        for each in done:
            each.result()
    assert callers.answered >= ENOUGH
    with started(data):
        for _ in range(WAITS):
            recorded, different, lost = count_calls(data)
            if recorded + lost >= callers.answered:
                break
            signal.sigtimedwait([], 0.05)
    recorded, different, lost = count_calls(data)
    assert recorded == different
    assert callers.answered <= recorded + lost <= callers.sent
    assert lost == 0
    assert not list((data / "audit-spool").glob("*.calls"))
    assert "whole" not in run_fundstelle(data, "audit", "export")
    assert len(run_fundstelle(data, "audit", "verify").strip()) == 64
