"""The portal with two people and an identity provider, and a browser without script."""

import html
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pyotp
from argon2.profiles import CHEAPEST
from lxml.html import document_fromstring
from sqlalchemy import update

from fundstelle.accounts.database.schema_people import sessions as sessions_table
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.identity_provider import IdentityProvider
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People, User
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.usage import Usage
from fundstelle.bootstrap.application import build_services, record_missed
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.portal import provider as provider_pages
from fundstelle.portal.frame.services import Services
from fundstelle.portal.site import build_site
from fundstelle.settings import Settings
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.integration.sites.oauth_server import BASE, Http

HOST = urlsplit(BASE).netloc
GOOD = "vier Hunde lesen leise"
OTHER = "neun Katzen rechnen laut"
COOKIE = "__Host-sid"


class Clock:
    """The time, which a test can move on."""

    ahead = 0.0

    def __call__(self) -> float:
        return datetime.now(UTC).timestamp() + self.ahead


@dataclass
class Site:
    services: Services
    app: Any
    admin: User
    member: User
    clock: Clock

    def open(self, language: str = "en") -> "Browser":
        return Browser(Http(self.app), language)

    def sign_in(self, user: User | None = None) -> "Browser":
        browser = self.open()
        email = (user or self.member).email
        answer = browser.send("/sign-in", email=email, password=GOOD)
        assert answer.status_code == 303
        return browser

    def sign_in_with(self, app: pyotp.TOTP) -> "Browser":
        """The member, by password and app."""
        browser = self.open()
        browser.send("/sign-in", email=self.member.email, password=GOOD)
        code = app.at(int(self.clock()))
        assert browser.send("/sign-in/code", code=code).status_code == 303
        return browser

    def list_events(self, event: str) -> list[Mapping[str, Any]]:
        return [line for line in self.services.audit.export() if line["event"] == event]

    def age(self, **how_long: float) -> None:
        """Everybody has shown who they are that long ago."""
        then = datetime.now(UTC) - timedelta(**how_long)
        with self.services.people._store.write() as connection:
            connection.execute(update(sessions_table).values(confirmed=then))

    def add_app(self, user: User) -> pyotp.TOTP:
        factors = self.services.second_factors
        offer = factors.offer_totp(user.email)
        app = pyotp.TOTP(offer.secret)
        factors.confirm_totp(user.id, offer.sealed, app.at(int(self.clock())))
        self.clock.ahead += 60
        return app


@dataclass
class Browser:
    http: Http
    language: str = "en"
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def cookie(self) -> str | None:
        return self.http.cookies.get(COOKIE)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.http.get(path, headers={"Accept-Language": self.language, **headers})

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> httpx.Response:
        headers = {"Accept-Language": self.language, **headers}
        return self.http.post(path, data=dict(fields), headers=headers)

    def send(self, path: str, page: str = "", **fields: str) -> httpx.Response:
        """Fill in the form that a page has for this path, and send it."""
        return self.post(path, {**self.read_form(path, page or path), **fields})

    def read_form(self, path: str, page: str) -> dict[str, str]:
        tree = document_fromstring(self.get(page).text)
        here = urlsplit(page).path
        for form in tree.xpath("//form[@method='post']"):
            if (form.get("action") or here) == path:
                named = form.xpath(".//input[@name]")
                return {one.get("name"): one.get("value") or "" for one in named}
        raise AssertionError(f"{page} has no form for {path}")

    def read_options(self, page: str) -> str:
        found = re.search(r'data-options="([^"]*)"', self.get(page).text)
        assert found
        return html.unescape(found[1])

    def is_signed_in(self) -> bool:
        return self.get("/account").status_code == 200


def errors(answer: httpx.Response) -> dict[str, str]:
    """What is said beside each field; each is in the summary, too, and tied to its field."""
    tree = document_fromstring(answer.text)
    found = {
        one.get("id").removesuffix("-error"): one.text_content()
        for one in tree.xpath("//p[@class='error'][@id]")
    }
    for name, text in found.items():
        [described] = tree.xpath("//*[@id=$name]", name=name)
        assert f"{name}-error" in described.get("aria-describedby")
        assert tree.xpath("//*[@id='errors']//a[@href=$to]/text()", to=f"#{name}") == [text]
    return found


@contextmanager
def open_site(folder: Path, database: Database, provider: Provider) -> Iterator[Site]:
    """The whole site for as long as the block lasts."""
    settings = Settings.from_env(
        {"FUNDSTELLE_DATA": str(folder / "data"), "FUNDSTELLE_BASE_URL": BASE}
    )
    store = database.open(folder)
    clock = Clock()
    settled = build_services(settings, store, Usage(store), build_live_corpus(settings))
    throttle = Throttle(store, clock, partial(record_missed, settled.audit))
    people = People(store, clock, Passwords(CHEAPEST), throttle)
    ours = IdentityProvider(
        provider.issuer, CLIENT_ID, CLIENT_SECRET, BASE + provider_pages.DONE, clock
    )
    services = replace(
        settled,
        people=people,
        throttle=throttle,
        second_factors=SecondFactors(store, BASE, clock, throttle),
        identities=Identities(store, ours, clock),
    )
    link = people.create_first_admin_link()
    admin = people.accept(link, "Ann Admin", GOOD, "ann@kanzlei.example")
    member = people.accept(
        people.invite("max@kanzlei.example", "member", admin.id), "Max Mit", GOOD
    )
    yield Site(services, build_site(services), admin, member, clock)
    services.keys.close()


def leave(browser: Browser, provider: Provider, path: str = "/sign-in/provider") -> str:
    """To the provider, where the person signs in: the address they come back to."""
    answer = browser.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(provider.address)
    return f"{provider_pages.DONE}?{provider.approve(answer.headers['location'])}"
