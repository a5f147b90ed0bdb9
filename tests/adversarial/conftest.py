"""A real server over invented law, with a key, for all attacks of a session."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.server import run_fundstelle, started


@dataclass(frozen=True, slots=True)
class Target:
    """What is attacked."""

    port: int
    pid: int
    key: str


@pytest.fixture(scope="session")
def invented_data(invented: Path) -> Path:
    """A folder with the invented law; every server copies it, so that it stays as it is."""
    return invented


@pytest.fixture(scope="session")
def target(invented_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """One server for all attacks that leave it as it was."""
    data = shutil.copytree(invented_data, tmp_path_factory.mktemp("target") / "data")
    key = run_fundstelle(data, "keys", "create", "attacker", "--rate", "unlimited").strip()
    with started(data, max_connections="32") as server:
        yield Target(server.port, server.pid, key)
