"""Layer A: the engine and the web edge with the suite's own tools, resources and prompts."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conformance.conftest import Report
from tests.conformance.suite import REVISIONS, run_suite
from tests.e2e.conftest import CHECKOUT, _find_free_port, _wait_for

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    port = _find_free_port()
    factory = "tests.conformance.fixture_app:create_app"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", "--factory", factory, "--port", str(port)),
            *("--no-access-log", "--log-level", "warning"),
        ],
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)


@pytest.mark.parametrize("revision", REVISIONS)
def test_it_fails_only_at_what_the_engine_does_not_offer(
    revision: str, url: str, report: Report
) -> None:
    outcome = run_suite(url, f"fixture-{revision}", "--requirements", revision)
    report(f"fixtures, {revision}", outcome)
    assert outcome.exit_code == 0, outcome.printed
