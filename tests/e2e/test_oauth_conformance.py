"""The public conformance suite's authorization command, with a person at the browser."""

import json
from pathlib import Path

import pytest

from tests.e2e.portal import Portal
from tests.e2e.programs import started
from tests.e2e.server import find_free_port
from tests.e2e.test_oauth_consent import register
from tests.e2e.test_oauth_programs import allow
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

CLAUDE_CODE = "https://claude.ai/oauth/claude-code-client-metadata"


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("how", ["cimd", "dcr"])
def test_every_scenario_passes(portal: Portal, tmp_path: Path, how: str, revision: str) -> None:
    programs = ensure()
    port = find_free_port()
    redirect = f"http://127.0.0.1:{port}/callback"
    client_id = CLAUDE_CODE if how == "cimd" else register(portal, redirect)
    suite = programs.package("@modelcontextprotocol/conformance") / "dist" / "index.js"
    command = [str(programs.node), str(suite), "authorization", "--url", portal.url]
    command += ["--client-id", client_id, "--resource", portal.mcp, "--port", str(port)]
    command += ["--spec-version", revision, "--output-dir", str(tmp_path / "found")]
    with started(command, tmp_path) as program:
        allow(portal, program, "Claude Code" if how == "cimd" else "Cursor")
        assert program.wait() == 0, program.said
    runs = [json.loads(path.read_text()) for path in tmp_path.glob("found/*/checks.json")]
    statuses = [check["status"] for run in runs for check in run]
    assert len(runs) == 2
    assert set(statuses) <= {"SUCCESS", "INFO", "SKIPPED"}, program.said
    assert statuses.count("SUCCESS") >= 3
