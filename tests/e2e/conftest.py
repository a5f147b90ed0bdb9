"""A real server on a free port, with a small corpus and a key of its own."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.browser import chromium
from tests.e2e.plan import Plan, make_plan
from tests.e2e.portal import Portal, serving
from tests.e2e.server import SHARED_CORPUS, run_fundstelle, running
from tests.support.every_source import build_every_source
from tests.support.invented import build_invented
from tests.support.once import copy_once


@dataclass(frozen=True, slots=True)
class Service:
    """A running server, and what to ask it."""

    url: str
    key: str
    plan: Plan

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus of a few laws: official ones if they are at hand, else invented."""
    if not SHARED_CORPUS.is_dir():
        return copy_once(tmp_path_factory, "invented", build_invented)
    copy: Path = tmp_path_factory.mktemp("few-laws") / "data"
    shutil.copytree(build_every_source(tmp_path_factory), copy)
    return copy


@pytest.fixture(scope="session")
def service(data: Path) -> Iterator[Service]:
    key = run_fundstelle(data, "keys", "create", "e2e", "--rate", "unlimited").strip()
    with running(data) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        yield Service(url, key, make_plan(url, key))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a module: while it runs, its thread cannot start an event loop of its own."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def portal(
    invented: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Portal]:
    """A server that fetches no client documents, and an admin who is signed in."""
    folder = tmp_path_factory.mktemp("portal")
    with serving(invented, folder, browser, client_documents="off") as portal:
        yield portal
