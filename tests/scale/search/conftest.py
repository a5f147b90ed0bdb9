"""A cluster of three real nodes for all tests here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scale.search.nodes import Nodes, NoNodes, start_nodes


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    try:
        with start_nodes(tmp_path_factory.mktemp("nodes")) as nodes:
            yield nodes
    except NoNodes as error:
        error.tell()


@pytest.fixture
def nodes(started: Nodes) -> Iterator[Nodes]:
    """The cluster, whole; whatever a test did to it is undone."""
    started.heal()
    yield started
    started.heal()


@pytest.fixture
def whole(started: Nodes) -> Nodes:
    """The cluster of tests that do nothing to it."""
    return started


@pytest.fixture
def address(started: Nodes) -> str:
    return f"{started.address}/?prefix=test"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (made := tmp_path / "index").mkdir()
    return made
