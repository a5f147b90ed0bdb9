"""A running server with its first admin, and a browser in which that person is signed in."""

import json
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, StorageState

from tests.e2e.browser import Tab
from tests.e2e.server import run_fundstelle, running

EMAIL = "anna@kanzlei.example"
PASSWORD = "ein langes Kennwort nur hier"


@dataclass
class Portal:
    """A server, its folder, and its admin as the browser remembers her."""

    data: Path
    url: str  # without path
    browser: Browser
    cookies: StorageState | None = None

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    @contextmanager
    def open(self, *, signed_in: bool = True, **options: Any) -> Iterator[Tab]:
        """A tab of a browser of its own; ``options`` are those of the browser context."""
        context = self.browser.new_context(
            storage_state=self.cookies if signed_in else None, **{"locale": "en-GB", **options}
        )
        try:
            yield Tab.open(context)
        finally:
            context.close()

    def go_to_key_form(self, tab: Tab, query: str = "") -> None:
        """Open the form for a new key; on a slow machine it asks for the password once more."""
        tab.page.goto(f"{self.url}/keys/new{query}")
        if "/sign-in/confirm" in tab.page.url:
            tab.page.fill("[name=password]", PASSWORD)
            with tab.page.expect_navigation():
                tab.page.press("[name=password]", "Enter")

    def ask(
        self,
        path: str,
        body: Mapping[str, str] | bytes | None = None,
        method: str | None = None,
        **headers: str,
    ) -> tuple[int, Message, str]:
        """One plain request: status, headers, body."""
        data = urlencode(body).encode() if isinstance(body, Mapping) else body
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, names, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()

    def call(self, credential: str, method: str, **params: Any) -> tuple[int, Any]:
        """One JSON-RPC request with a key or a token: status and the answer's body."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        request = urllib.request.Request(
            self.mcp,
            data=json.dumps(message).encode(),
            headers={
                "Authorization": f"Bearer {credential}",
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null")

    def read_audit(self) -> list[dict[str, Any]]:
        """The audit log as the operator exports it."""
        exported = run_fundstelle(self.data, "audit", "export")
        return [json.loads(line) for line in exported.splitlines()]


@contextmanager
def serving(corpus: Path, folder: Path, browser: Browser, **settings: str) -> Iterator[Portal]:
    """A server with accounts of its own over a copy of *corpus*, and an admin signed in."""
    data = folder / "data"
    shutil.copytree(corpus, data)
    with running(data, port=None, rate_per_minute="0", **settings) as port:
        portal = Portal(data, f"http://127.0.0.1:{port}", browser)
        with portal.open(signed_in=False) as tab:
            join(portal, tab)
            portal.cookies = tab.page.context.storage_state()
        yield portal


def join(portal: Portal, tab: Tab) -> None:
    """Create the first admin by the link that the command line prints."""
    link = run_fundstelle(portal.data, "users", "first-admin", base_url=portal.url).strip()
    assert link.startswith(f"{portal.url}/join/")
    tab.page.goto(link)
    tab.fill_in(email=EMAIL, name="Anna", password=PASSWORD)
    with tab.page.expect_navigation():
        tab.page.keyboard.press("Enter")
    assert tab.page.url == f"{portal.url}/keys"
