"""Keys as an operator handles them, on a server with several processes."""

import http.client
import json
import signal
import time
from pathlib import Path

import pytest

from tests.e2e.server import run_fundstelle, running

pytestmark = pytest.mark.e2e

PROMISED_S = 5
PROBES = 40  # each on a connection of its own, so that every worker is met


def _status(port: int, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    connection.request("POST", "/mcp", body, {"Content-Type": "application/json", **headers})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_revoked_key_is_refused_by_every_worker_in_time(data: Path) -> None:
    key = run_fundstelle(data, "keys", "create", "leaver").strip()
    header = {"Authorization": f"Bearer {key}"}
    with running(data, "--workers", "2") as port:
        assert {_status(port, header) for _ in range(PROBES)} == {200}
        run_fundstelle(data, "keys", "revoke", "leaver")
        deadline = time.monotonic() + PROMISED_S
        while time.monotonic() < deadline:
            signal.sigtimedwait([], 0.1)
        assert {_status(port, header) for _ in range(PROBES)} == {401}


def test_a_new_key_works_at_once_on_a_running_server(data: Path) -> None:
    with running(data) as port:
        assert _status(port, {}) == 401
        key = run_fundstelle(data, "keys", "create", "newcomer").strip()
        assert _status(port, {"Authorization": f"Bearer {key}"}) == 200
        assert _status(port, {"X-API-Key": key}) == 200
