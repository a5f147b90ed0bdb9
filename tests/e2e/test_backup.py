"""A backup made beside a running server, restored, and served from."""

import re
import shutil
from pathlib import Path

import httpx
import pytest

from tests.e2e.server import run_fundstelle, running

pytestmark = pytest.mark.e2e

_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "legal_get_stats", "arguments": {}},
}


def call(port: int, key: str) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    answer = httpx.post(f"http://127.0.0.1:{port}/mcp", json=_CALL, headers=headers)
    return answer.status_code


def test_a_restored_server_answers_the_keys_made_before(invented: Path, tmp_path: Path) -> None:
    data, archive, restored = tmp_path / "data", tmp_path / "backup", tmp_path / "restored"
    shutil.copytree(invented, data)
    key = run_fundstelle(data, "keys", "create", "before").strip()
    with running(data) as port:
        assert call(port, key) == 200
        made = run_fundstelle(data, "backup", "create", str(archive), "--build")
        assert call(port, key) == 200
    assert "corpus.sqlite" not in made
    assert re.search(r"\d+ files, [\d.,]+ MB", made)
    assert "is sound" in run_fundstelle(data, "backup", "verify", str(archive))
    assert "restored into" in run_fundstelle(restored, "backup", "restore", str(archive))
    run_fundstelle(restored, "corpus", "verify")
    with running(restored) as port:
        assert call(port, key) == 200
