"""The whole site on invented law, with an admin and a member, and a browser without script."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from argon2.profiles import CHEAPEST

from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People
from fundstelle.accounts.usage import Usage
from fundstelle.bootstrap.application import build_services
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.portal.frame.services import Services
from fundstelle.portal.site import build_site
from fundstelle.settings import Settings
from fundstelle.web.live import LiveCorpus
from tests.integration.services.databases import SqliteDatabase
from tests.integration.sites.oauth_server import BASE, Http

PASSWORD = "ein langes Kennwort nur hier"


@dataclass
class Site:
    """The whole site on invented law, with an admin and a member."""

    services: Services
    app: Any
    admin: str
    member: str

    def visit(self, user_id: str | None = None, language: str = "en") -> "Browser":
        browser = Browser(Http(self.app), language)
        if user_id is not None:
            cookie, session = self.services.sessions.start(user_id, "Firefox")
            self.services.sessions.confirm(session.id)
            browser.http.cookies.set("__Host-sid", cookie)
        return browser

    def list_events(self) -> list[str]:
        return [line["event"] for line in self.services.audit.export()]


@dataclass
class Browser:
    http: Http
    language: str

    def get(self, path: str) -> httpx.Response:
        return self.http.get(path, headers={"Accept-Language": self.language})

    def send(self, path: str, page: str = "", **fields: str) -> httpx.Response:
        """Fill in the form of a page and send it."""
        shown = self.get(page or path).text
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
        return self.http.post(path, data={**hidden, **fields})


def find_settings(corpus: Path, **settings: str) -> Settings:
    """What a server over the build in *corpus* is told, and what else a test names."""
    named = {f"FUNDSTELLE_{name.upper()}": value for name, value in settings.items()}
    return Settings.from_env({"FUNDSTELLE_DATA": str(corpus), "FUNDSTELLE_BASE_URL": BASE, **named})


def open_live(settings: Settings) -> LiveCorpus:
    """The build that these name, ready to answer."""
    live = build_live_corpus(settings)
    live.poll()
    return live


@contextmanager
def open_law_site(
    corpus: Path, accounts: Path, opened: LiveCorpus | None = None, **settings: str
) -> Iterator[Site]:
    """The site over the build in *corpus*, as long as the block lasts.

    Args:
        corpus: the data folder of the build.
        accounts: an empty folder.
        opened: the build, where several sites share it.
        settings: others than the usual ones.
    """
    given = find_settings(corpus, **settings)
    store = SqliteDatabase().open(accounts)
    live = opened or open_live(given)
    people = People(store, passwords=Passwords(CHEAPEST))
    services = replace(build_services(given, store, Usage(store), live), people=people)
    admin = people.accept(people.create_first_admin_link(), "Anna", PASSWORD, "anna@example.org")
    secret = people.invite("max@example.org", "member", admin.id)
    member = people.accept(secret, "Max", PASSWORD)
    yield Site(services, build_site(services), admin.id, member.id)
    services.keys.close()
