"""The two servers that the suite is run against, and the counts of each run in the output."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn

from tests.conformance.fixture_app import create_app
from tests.conformance.forwarder import forwarding
from tests.conformance.suite import Outcome
from tests.e2e import conftest as e2e
from tests.e2e.server import run_fundstelle, running

Report = Callable[[str, Outcome], None]

data = e2e.data  # the same small corpus as for the real clients


@pytest.fixture(scope="module")
def fixture_url() -> Iterator[str]:
    """The engine and the web edge with the suite's own tools, resources and prompts.

    It runs in this process and keeps its metrics up to date, which other tests set and read: it
    ends with the last test that asks it.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        # the socket already takes connections, so that there is nothing to wait for
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="session")
def real_url(data: Path) -> Iterator[str]:
    """The real application behind a forwarder that brings the key."""
    key = run_fundstelle(data, "keys", "create", "suite", "--rate", "unlimited").strip()
    with running(data) as port, forwarding(port, key) as base:
        yield f"{base}/mcp"


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    """Prints what a run found, also when it passes."""

    def say(run: str, outcome: Outcome) -> None:
        with capsys.disabled():
            print(f"\nconformance, {run}: {outcome.describe()}")  # noqa: T201 figures for the log

    return say
