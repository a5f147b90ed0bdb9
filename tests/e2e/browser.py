"""A headless Chromium as the people of the portal use it, by keyboard, and what it notices."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

# The one without a window first, which needs half the processor.
_NAMES = ("chromium-headless-shell", "chromium")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), "/usr/bin/chromium")
# Nothing but loopback can be reached, whatever a page or the browser itself asks for.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
_MOST_TABS = 60
_WAIT_S = 15


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; without one the tests are skipped, in CI they fail."""
    if not os.path.exists(CHROMIUM):  # noqa: PTH110 a program, not a file of ours
        if os.environ.get("FUNDSTELLE_CI"):
            pytest.fail("chromium is not installed")
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*_ARGUMENTS])
        yield browser
        browser.close()


@dataclass
class Tab:
    """A page of one person's browser, with all that it asked for and complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, context: BrowserContext) -> "Tab":
        tab = cls(context.new_page())
        context.on("request", tab._note)
        tab.page.on("console", lambda message: tab.console.append(message.text))
        tab.page.on("pageerror", lambda error: tab.console.append(str(error)))
        return tab

    def _note(self, request: Request) -> None:
        self.requests.append(request.url)

    @property
    def violations(self) -> list[str]:
        """What the content security policy has stopped."""
        return [line for line in self.console if "Content Security Policy" in line]

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Let the browser go on until something has happened."""
        deadline = monotonic() + _WAIT_S
        while not is_so():
            if monotonic() > deadline:
                pytest.fail(f"{what} did not happen; the console says: {self.console}")
            self.page.wait_for_timeout(50)

    def wait_for_departure(self, address: str) -> None:
        """The browser goes there, or looks for the program that a private scheme stands for."""
        launch = f"Failed to launch '{address}"
        self.wait_until(
            lambda: (
                any(url.startswith(address) for url in self.requests)
                or any(launch in line for line in self.console)
            ),
            f"going to {address}",
        )

    def list_hosts(self) -> set[str]:
        """Host and port of everything that was asked for."""
        return {urlsplit(url).netloc for url in self.requests if url.startswith("http")}

    def press_to(self, selector: str) -> None:
        """Go to an element by the tab key, as somebody without a mouse does."""
        for _ in range(_MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        pytest.fail(f"{selector} cannot be reached by the keyboard on {self.page.url}")

    def fill_in(self, **fields: str) -> None:
        """Fill in text fields by keyboard, in their order on the page."""
        for name, value in fields.items():
            self.press_to(f"[name={name}]")
            self.page.keyboard.type(value)

    def sign_in(self, email: str, password: str) -> None:
        """Fill in the form of signing in, which is what is shown."""
        self.fill_in(email=email, password=password)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def decide(self, decision: str = "allow") -> None:
        """Answer the consent page that is shown."""
        self.press_to(f"button[value={decision}]")
        self.page.keyboard.press("Enter")


def read_query(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return dict(parse_qsl(urlsplit(address).query))


def read_fields(page: Page) -> dict[str, Any]:
    """What every field of the page holds, by its name or id."""
    found: dict[str, Any] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('input, textarea')]"
        ".map(e => [e.name || e.id, e.value]))"
    )
    return found
