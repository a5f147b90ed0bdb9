"""Signing in, joining and the own account, page by page, as a browser without script sees them."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pyotp
import pytest
from argon2.profiles import CHEAPEST
from lxml import etree
from lxml.html import document_fromstring
from sqlalchemy import update

from fundstelle.accounts.identities import Identities
from fundstelle.accounts.identity_provider import IdentityProvider, ProvenIdentity
from fundstelle.accounts.passwords import Passwords
from fundstelle.accounts.people import People, User
from fundstelle.accounts.policies import Policy
from fundstelle.accounts.schema_people import sessions as sessions_table
from fundstelle.accounts.second_factors import SecondFactors
from fundstelle.accounts.usage import Usage
from fundstelle.bootstrap import LiveCorpus, build_services
from fundstelle.portal import provider as provider_pages
from fundstelle.portal.services import Services
from fundstelle.portal.site import build_site
from fundstelle.settings import Settings
from tests.integration.authenticator import Authenticator
from tests.integration.databases import Database, only_on_sqlite
from tests.integration.identity_provider import CLIENT_ID, CLIENT_SECRET, Provider, start_provider
from tests.integration.oauth_server import BASE, Http

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


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    clock = Clock()
    with start_provider(clock, "ES256") as provider:
        yield provider


@pytest.fixture
def provider(running: Provider) -> Iterator[Provider]:
    person = dict(running.person)
    yield running
    running.person = person
    running.claims = {}


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    settings = Settings.from_env(
        {"FUNDSTELLE_DATA": str(tmp_path / "data"), "FUNDSTELLE_BASE_URL": BASE}
    )
    store = database.open(tmp_path)
    clock = Clock()
    people = People(store, clock, Passwords(CHEAPEST))
    ours = IdentityProvider(
        provider.issuer, CLIENT_ID, CLIENT_SECRET, BASE + provider_pages.DONE, clock
    )
    services = replace(
        build_services(settings, store, Usage(store), LiveCorpus(settings)),
        people=people,
        second_factors=SecondFactors(store, BASE, clock),
        identities=Identities(store, ours, clock),
    )
    link = people.create_first_admin_link()
    admin = people.accept(link, "Ann Admin", GOOD, "ann@kanzlei.example")
    member = people.accept(
        people.invite("max@kanzlei.example", "member", admin.id), "Max Mit", GOOD
    )
    yield Site(services, build_site(services), admin, member, clock)
    services.keys.close()


# Signing in and out


def test_signing_in_begins_a_new_session_with_a_strict_cookie(site: Site) -> None:
    browser = site.open()
    browser.get("/sign-in")
    before = browser.cookie
    answer = browser.send("/sign-in", email=site.member.email, password=GOOD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/keys")
    attributes = answer.headers["set-cookie"].lower().split("; ")
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= set(attributes)
    assert not [one for one in attributes if one.startswith(("domain", "max-age", "expires"))]
    assert browser.cookie != before
    assert browser.is_signed_in()
    assert before is not None
    assert site.services.sessions.find(before) is None
    [event] = site.list_events("sign_in")
    assert (event["actor"], event["details"]) == (site.member.id, {"method": "password"})
    found = site.services.people.find(site.member.id)
    assert found is not None
    assert found.last_sign_in is not None


@only_on_sqlite
@pytest.mark.parametrize(("language", "word"), [("de", "Passwort"), ("en", "Password")])
def test_the_page_speaks_the_language_of_the_browser(site: Site, language: str, word: str) -> None:
    answer = site.open(language).get("/sign-in")
    assert f">{word}" in answer.text
    assert f'<html lang="{language}">' in answer.text
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("who", ["unknown", "known", "disabled"])
def test_a_refusal_looks_the_same_for_everybody(site: Site, who: str) -> None:
    if who == "disabled":
        site.services.people.disable(site.member.id)
    email = "nobody@kanzlei.example" if who == "unknown" else site.member.email
    password = GOOD if who == "disabled" else "falsch"
    browser = site.open()
    answer = browser.send("/sign-in", email=email, password=password)
    assert answer.status_code == 422
    assert errors(answer) == {"password": "E-mail address and password do not match."}
    assert f'value="{email}"' in answer.text
    assert password not in answer.text
    assert not browser.is_signed_in()
    [event] = site.list_events("sign_in_failed")
    assert event["object"] == ("" if who == "unknown" else site.member.id)
    assert "nobody@kanzlei.example" not in str(event)


def test_too_many_failures_have_to_wait_and_are_told_how_long(site: Site) -> None:
    browser = site.open()
    for _ in range(5):
        browser.send("/sign-in", email=site.member.email, password="falsch")
    answer = browser.send("/sign-in", email=site.member.email, password=GOOD)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 15
    assert list(errors(answer)) == ["password"]
    site.clock.ahead += 15
    assert browser.send("/sign-in", email=site.member.email, password=GOOD).status_code == 303


@only_on_sqlite
@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("/usage", "/usage"),
        ("/oauth/authorize?client_id=a&state=b%20c", "/oauth/authorize?client_id=a&state=b%20c"),
        ("", "/keys"),
        ("https://evil.example/", "/keys"),
        ("//evil.example/", "/keys"),
        ("/\\evil.example/", "/keys"),
        ("/\t/evil.example", "/keys"),
        ("javascript:alert(1)", "/keys"),
        ("usage", "/keys"),
    ],
)
def test_after_signing_in_people_go_on_to_pages_of_ours_alone(
    site: Site, wanted: str, given: str
) -> None:
    page = f"/sign-in?next={quote(wanted, safe='')}"
    answer = site.open().send("/sign-in", page, email=site.member.email, password=GOOD)
    assert answer.headers["location"] == given
    again = site.sign_in().get(page)
    assert (again.status_code, again.headers["location"]) == (303, given)


@only_on_sqlite
@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({"csrf": ""}, {}),
        ({"csrf": "0" * 64}, {}),
        ({"csrf": "other session"}, {}),
        ({}, {"Sec-Fetch-Site": "cross-site"}),
        ({}, {"Sec-Fetch-Site": "same-site"}),
        ({}, {"Origin": "https://evil.example"}),
    ],
    ids=str,
)
def test_a_form_of_another_site_or_session_signs_nobody_in(
    site: Site, fields: dict[str, str], headers: dict[str, str]
) -> None:
    browser = site.open()
    form = browser.read_form("/sign-in", "/sign-in")
    if fields.get("csrf") == "other session":
        fields = {"csrf": site.open().read_form("/sign-in", "/sign-in")["csrf"]}
    right = {**form, "email": site.member.email, "password": GOOD}
    assert browser.post("/sign-in", {**right, **fields}, **headers).status_code == 403
    assert not browser.is_signed_in()
    assert browser.post("/sign-in", right).status_code == 303


def test_signing_out_ends_the_session_on_the_server(site: Site) -> None:
    browser = site.sign_in()
    cookie = browser.cookie
    assert cookie is not None
    answer = browser.send("/sign-out", "/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.cookie is None
    assert site.services.sessions.find(cookie) is None
    assert len(site.list_events("sign_out")) == 1


def test_a_disabled_person_is_out_with_the_next_page(site: Site) -> None:
    browser = site.sign_in()
    site.services.people.disable(site.member.id)
    assert not browser.is_signed_in()


# The second factor


def test_the_password_alone_lets_nobody_in_who_has_an_app(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    answer = browser.send(
        "/sign-in", "/sign-in?next=/usage", email=site.member.email, password=GOOD
    )
    assert answer.headers["location"] == "/sign-in/code"
    assert not browser.is_signed_in()
    refused = browser.send("/sign-in/code", code="000000")
    assert (refused.status_code, list(errors(refused))) == (422, ["code"])
    pending = browser.cookie
    code = app.at(int(site.clock()))
    accepted = browser.send("/sign-in/code", code=code)
    assert (accepted.status_code, accepted.headers["location"]) == (303, "/usage")
    assert browser.cookie != pending
    assert browser.is_signed_in()
    assert site.list_events("sign_in")[0]["details"] == {"method": "password+code"}
    other = site.open()
    other.send("/sign-in", email=site.member.email, password=GOOD)
    assert other.send("/sign-in/code", code=code).status_code == 422, "a code works once"


def test_the_code_is_asked_of_nobody_who_has_not_shown_the_password(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    csrf = browser.read_form("/sign-in", "/sign-in")["csrf"]
    assert browser.get("/sign-in/code").headers["location"] == "/sign-in"
    answer = browser.post("/sign-in/code", {"csrf": csrf, "code": app.at(int(site.clock()))})
    assert answer.headers["location"] == "/sign-in"
    assert not browser.is_signed_in()


def test_the_password_is_forgotten_after_ten_minutes_without_a_code(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    form = browser.read_form("/sign-in/code", "/sign-in/code")
    cookie = browser.cookie
    assert cookie is not None
    session = site.services.sessions.find(cookie)
    assert session is not None
    pending = {**session.data["pending"], "since": session.data["pending"]["since"] - 600}
    site.services.sessions.put(session.id, {"pending": pending})
    form["code"] = app.at(int(site.clock()))
    assert browser.post("/sign-in/code", form).headers["location"] == "/sign-in"
    assert not browser.is_signed_in()


def test_codes_cannot_be_guessed_by_signing_in_again_and_again(site: Site) -> None:
    site.add_app(site.member)
    statuses = []
    for _ in range(6):
        browser = site.open()
        browser.send("/sign-in", email=site.member.email, password=GOOD)
        statuses.append(browser.send("/sign-in/code", code="000000").status_code)
    assert statuses == [*[422] * 5, 429]


def test_setting_up_an_app_ends_other_sessions_and_shows_its_secret_once(site: Site) -> None:
    other, browser = site.sign_in(), site.sign_in()
    shown = browser.get("/account/totp").text
    picture = browser.get("/account/totp.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.headers["cache-control"] == "no-store"
    assert etree.fromstring(picture.content).tag == "{http://www.w3.org/2000/svg}svg"
    secret = re.search(r'id="secret" type="text" readonly value="([A-Z2-7 ]+)"', shown)
    assert secret
    app = pyotp.TOTP(secret[1].replace(" ", ""))
    wrong = browser.send("/account/totp", code="000000")
    assert (wrong.status_code, list(errors(wrong))) == (422, ["code"])
    answer = browser.send("/account/totp", code=app.at(int(site.clock())))
    assert answer.headers["location"] == "/account?done=totp"
    assert not other.is_signed_in()
    assert browser.is_signed_in()
    assert browser.get("/account/totp.svg").status_code == 404
    assert browser.get("/account/totp").headers["location"] == "/account"
    assert browser.send("/account/totp/remove", "/account").status_code == 303
    assert site.sign_in().is_signed_in()
    assert [line["event"] for line in site.services.audit.export()].count("factor_added") == 1


def test_a_passkey_is_added_signs_in_and_is_removed(site: Site) -> None:
    device = Authenticator(BASE, HOST)
    browser = site.sign_in()
    page = "/account/passkeys/new"
    options = browser.read_options(page)
    form = browser.read_form(page, page)  # the page anew: another challenge
    refused = browser.post(page, {**form, "answer": device.create(options), "name": "Laptop"})
    assert (refused.status_code, list(errors(refused))) == (422, ["name"])
    shown = browser.get(page).text
    found = re.search(r'data-options="([^"]*)"', shown)
    assert found
    answer = browser.post(
        page,
        {
            "csrf": form["csrf"],
            "answer": device.create(html.unescape(found[1])),
            "name": "Laptop",
        },
    )
    assert answer.headers["location"] == "/account?done=passkey"
    assert "Laptop" in browser.get("/account").text

    visitor = site.open()
    shown = visitor.get("/sign-in?next=/usage").text
    found = re.search(r'data-options="([^"]*)"', shown)
    assert found
    csrf = re.search(r'name="csrf" value="(\w+)"', shown)
    assert csrf
    signed = {"csrf": csrf[1], "next": "/usage", "answer": device.get(html.unescape(found[1]))}
    answer = visitor.post("/sign-in/passkey", signed)
    assert (answer.status_code, answer.headers["location"]) == (303, "/usage")
    assert visitor.is_signed_in()

    third = site.open()
    signed["csrf"] = third.read_form("/sign-in", "/sign-in")["csrf"]
    assert third.post("/sign-in/passkey", signed).status_code == 422, "the answer is not its own"
    assert not third.is_signed_in()

    [passkey] = site.services.second_factors.passkeys.list(site.member.id)
    remove = f"/account/passkeys/{passkey.id}/remove"
    assert browser.send(remove, "/account").status_code == 303
    assert site.services.second_factors.passkeys.list(site.member.id) == ()


@only_on_sqlite
def test_without_script_there_is_no_dead_passkey_button(site: Site) -> None:
    tree = document_fromstring(site.open().get("/sign-in").text)
    [form] = tree.xpath("//form[@data-passkey]")
    assert "hidden" in form.attrib


# Showing again who one is


@pytest.mark.parametrize(
    "path",
    [
        "/account/totp/remove",
        "/account/passkeys/new",
        "/account/totp",
        "/account/identities/end",
        "/account/passkeys/AAAA/remove",
        "/keys/new",
    ],
)
def test_what_is_delicate_asks_for_the_password_after_ten_minutes(site: Site, path: str) -> None:
    browser = site.sign_in()
    csrf = browser.read_form("/account/profile", "/account")["csrf"]
    site.age(seconds=601)
    answer = browser.post(path, {"csrf": csrf})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in/confirm?next=")


@only_on_sqlite
@pytest.mark.parametrize("path", ["/account/totp", "/account/passkeys/new", "/keys/new"])
def test_the_password_is_asked_for_before_a_form_is_filled_in(site: Site, path: str) -> None:
    browser = site.sign_in()
    assert browser.get(path).status_code == 200
    site.age(seconds=500)
    assert browser.get(path).headers["location"] == f"/sign-in/confirm?next={path}"


def test_confirming_begins_a_new_session_and_goes_on(site: Site) -> None:
    browser = site.sign_in()
    site.age(seconds=601)
    before = browser.cookie
    page = "/sign-in/confirm?next=/keys/new"
    wrong = browser.send("/sign-in/confirm", page, password="falsch")
    assert (wrong.status_code, list(errors(wrong))) == (422, ["password"])
    answer = browser.send("/sign-in/confirm", page, password=GOOD)
    assert answer.headers["location"] == "/keys/new"
    assert browser.cookie != before
    assert browser.get("/keys/new").status_code == 200


def test_another_persons_passkey_confirms_nothing(site: Site) -> None:
    device = Authenticator(BASE, HOST)
    passkeys = site.services.second_factors.passkeys
    ceremony = passkeys.begin_registration(site.admin)
    passkeys.register(site.admin.id, ceremony.challenge, device.create(ceremony.options), "x")
    own = Authenticator(BASE, HOST)
    ceremony = passkeys.begin_registration(site.member)
    passkeys.register(site.member.id, ceremony.challenge, own.create(ceremony.options), "x")
    browser = site.sign_in()
    site.age(seconds=601)
    csrf = browser.read_form("/account/profile", "/account")["csrf"]
    page = "/sign-in/confirm?next=/keys/new"
    answer = device.get(browser.read_options(page))
    refused = browser.post("/sign-in/passkey", {"csrf": csrf, "answer": answer})
    assert (refused.status_code, list(errors(refused))) == (422, ["use-passkey"])
    assert browser.get("/keys/new").status_code == 303
    answer = own.get(browser.read_options(page))
    accepted = browser.post(
        "/sign-in/passkey", {"csrf": csrf, "answer": answer, "next": "/keys/new"}
    )
    assert accepted.headers["location"] == "/keys/new"
    assert browser.get("/keys/new").status_code == 200


# Joining


def test_an_invitation_becomes_an_account_that_is_signed_in(site: Site) -> None:
    secret = site.services.people.invite("eva@kanzlei.example", "member", site.admin.id)
    browser = site.open("de")
    answer = browser.send(f"/join/{secret}", name="Eva Beck", password=GOOD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/keys")
    assert browser.is_signed_in()
    eva = site.services.people.find_by_email("eva@kanzlei.example")
    assert eva is not None
    assert (eva.name, eva.role, eva.language) == ("Eva Beck", "member", "de")
    again = site.open().get(f"/join/{secret}")
    assert (again.status_code, "no longer works" in again.text) == (404, True)
    assert [line["object"] for line in site.list_events("person_joined")] == [eva.id]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, ["name"]),
        ({"name": "x" * 101}, ["name"]),
        ({"password": ""}, ["password"]),
        ({"password": "kurz"}, ["password"]),
        ({"password": "passwort1234"}, ["password"]),
        ({"password": "eva@kanzlei.example"}, ["password"]),
        ({"password": "x" * 1000}, ["password"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_what_cannot_be_used_is_said_beside_its_field(
    site: Site, fields: dict[str, str], wrong: list[str], language: str
) -> None:
    secret = site.services.people.invite("eva@kanzlei.example")
    answer = site.open(language).send(
        f"/join/{secret}", **{"name": "Eva Beck", "password": GOOD, **fields}
    )
    assert (answer.status_code, list(errors(answer))) == (422, wrong)
    assert site.services.people.find_link(secret) is not None, "the link is still good"


def test_the_address_of_an_invitation_cannot_be_changed(site: Site) -> None:
    secret = site.services.people.invite("eva@kanzlei.example")
    site.open().send(f"/join/{secret}", name="Eva", password=GOOD, email="ann@kanzlei.example")
    assert site.services.people.find_by_email("eva@kanzlei.example") is not None


def test_a_password_link_still_asks_for_the_code(site: Site) -> None:
    app = site.add_app(site.member)
    secret = site.services.people.create_password_link(site.member.id)
    browser = site.open()
    answer = browser.send(f"/join/{secret}", password=OTHER)
    assert answer.headers["location"] == "/sign-in/code"
    assert not browser.is_signed_in()
    browser.send("/sign-in/code", code=app.at(int(site.clock())))
    assert browser.is_signed_in()


@only_on_sqlite
@pytest.mark.parametrize("path", ["/join/x", f"/join/{'x' * 43}"])
def test_a_made_up_link_says_only_that_it_does_not_work(site: Site, path: str) -> None:
    assert site.open().get(path).status_code == 404
    browser = site.open()
    csrf = browser.read_form("/sign-in", "/sign-in")["csrf"]
    assert browser.post(path, {"csrf": csrf, "password": GOOD}).status_code == 404


def test_nobody_signs_up_unless_the_rules_allow_it(site: Site) -> None:
    browser = site.open()
    csrf = browser.read_form("/sign-in", "/sign-in")["csrf"]
    form = {"csrf": csrf, "email": "neu@b.example", "name": "Neu", "password": GOOD}
    assert browser.get("/sign-up").status_code == 404
    assert browser.post("/sign-up", form).status_code == 404
    assert "/sign-up" not in browser.get("/sign-in").text
    site.services.policies.write(Policy(open_sign_up=True))
    assert "/sign-up" in browser.get("/sign-in").text
    taken = browser.post("/sign-up", {**form, "email": site.admin.email})
    assert errors(taken) == {"email": "There is an account with this address already."}
    assert browser.post("/sign-up", form).headers["location"] == "/keys"
    assert browser.is_signed_in()


# The firm's identity provider


def leave(browser: Browser, provider: Provider, path: str = "/sign-in/provider") -> str:
    """To the provider, where the person signs in: the address they come back to."""
    answer = browser.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(provider.address)
    return f"{provider_pages.DONE}?{provider.approve(answer.headers['location'])}"


def test_an_invited_person_signs_in_at_the_provider(site: Site, provider: Provider) -> None:
    site.services.people.invite("eva@kanzlei.example", "member", site.admin.id)
    browser = site.open()
    back = leave(browser, provider, "/sign-in/provider?next=/usage")
    before = browser.cookie
    answer = browser.get(back, **{"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/usage")
    assert browser.cookie != before
    assert browser.is_signed_in()
    assert browser.get(back).headers["location"] == "/sign-in", "an answer works once"


def test_what_others_come_back_with_is_worth_nothing(site: Site, provider: Provider) -> None:
    site.services.people.invite("eva@kanzlei.example")
    back = leave(site.open(), provider)
    victim = site.open()
    assert victim.get(back).headers["location"] == "/sign-in"
    leave(victim, provider)
    refused = victim.get(back)
    assert refused.status_code == 403
    assert not victim.is_signed_in()
    assert site.list_events("sign_in_failed")[-1]["details"] == {"method": "provider: state"}


@pytest.mark.parametrize(
    ("prepare", "text"),
    [
        ({}, "You have not been invited yet"),
        ({"email": "max@kanzlei.example"}, "connect the sign-in service"),
    ],
    ids=str,
)
def test_a_stranger_is_told_what_to_do(
    site: Site, provider: Provider, prepare: dict[str, str], text: str
) -> None:
    provider.person |= prepare
    browser = site.open()
    answer = browser.get(leave(browser, provider))
    assert (answer.status_code, text in answer.text) == (403, True)
    assert not browser.is_signed_in()


def test_a_bad_token_signs_nobody_in(site: Site, provider: Provider) -> None:
    site.services.people.invite("eva@kanzlei.example")
    provider.claims = {"nonce": "another"}
    browser = site.open()
    answer = browser.get(leave(browser, provider))
    assert (answer.status_code, "could not be used" in answer.text) == (403, True)
    assert not browser.is_signed_in()


def test_an_invitation_link_leads_through_the_provider(site: Site, provider: Provider) -> None:
    provider.person |= {"email": "eva.private@elsewhere.example", "email_verified": False}
    secret = site.services.people.invite("eva@kanzlei.example", "admin", site.admin.id)
    browser = site.open()
    [start] = document_fromstring(browser.get(f"/join/{secret}").text).xpath(
        "//a[starts-with(@href, '/sign-in/provider')]/@href"
    )
    answer = browser.get(leave(browser, provider, start))
    assert answer.headers["location"] == "/keys"
    eva = site.services.people.find_by_email("eva@kanzlei.example")
    assert eva is not None
    assert eva.role == "admin"


def test_an_account_is_connected_from_within(site: Site, provider: Provider) -> None:
    start = "/sign-in/provider?for=connect"
    assert site.open().get(start).headers["location"] == "/sign-in"
    browser = site.sign_in()
    foreign = browser.get(start, **{"Sec-Fetch-Site": "cross-site"})
    assert foreign.headers["location"] == "/sign-in"
    answer = browser.get(leave(browser, provider, start))
    assert answer.headers["location"] == "/account?done=connected"
    visitor = site.open()
    visitor.get(leave(visitor, provider))
    assert visitor.is_signed_in()
    other = site.sign_in(site.admin)
    refused = other.get(leave(other, provider, start))
    assert refused.headers["location"] == "/account?problem=other"
    assert browser.send("/account/identities/end", "/account").status_code == 303
    assert not site.services.identities.list(site.member.id)


def test_the_provider_confirms_the_same_person_alone(site: Site, provider: Provider) -> None:
    browser = site.sign_in()
    browser.get(leave(browser, provider, "/sign-in/provider?for=connect"))
    site.age(seconds=601)
    confirm = "/sign-in/provider?for=confirm&next=/keys/new"
    subject = provider.person["sub"]
    provider.person["sub"] = "another"
    refused = browser.get(leave(browser, provider, confirm))
    assert refused.headers["location"].startswith("/sign-in/confirm?problem=other")
    assert browser.get("/keys/new").status_code == 303
    provider.person["sub"] = subject
    answer = browser.get(leave(browser, provider, confirm))
    assert answer.headers["location"] == "/keys/new"
    assert browser.get("/keys/new").status_code == 200


@only_on_sqlite
def test_without_a_provider_there_are_no_such_pages(site: Site) -> None:
    services = replace(
        site.services, identities=Identities(site.services.people._store, None, site.clock)
    )
    browser = Browser(Http(build_site(services)))
    assert browser.get("/sign-in/provider").status_code == 404
    assert browser.get(provider_pages.DONE).status_code == 404
    assert "/sign-in/provider" not in browser.get("/sign-in").text


# The own account


def test_name_and_language_are_saved(site: Site) -> None:
    browser = site.sign_in()
    answer = browser.send("/account/profile", "/account", name="Max Neu", language="de")
    assert answer.headers["location"] == "/account?done=saved"
    assert "Gespeichert." in browser.get("/account?done=saved").text
    assert 'value="Max Neu"' in browser.get("/account").text
    browser.send("/account/profile", "/account", name="Max Neu", language="")
    assert '<html lang="en">' in browser.get("/account").text


def test_a_new_password_needs_the_old_one_and_ends_other_sessions(site: Site) -> None:
    other, browser = site.sign_in(), site.sign_in()
    path = "/account/password"
    wrong = browser.send(path, "/account", current="falsch", password=OTHER)
    assert (wrong.status_code, list(errors(wrong))) == (422, ["current"])
    short = browser.send(path, "/account", current=GOOD, password="kurz")
    assert (short.status_code, list(errors(short))) == (422, ["password"])
    assert other.is_signed_in()
    before = browser.cookie
    answer = browser.send(path, "/account", current=GOOD, password=OTHER)
    assert answer.headers["location"] == "/account?done=password"
    assert browser.cookie != before
    assert browser.is_signed_in()
    assert not other.is_signed_in()
    visitor = site.open()
    assert visitor.send("/sign-in", email=site.member.email, password=GOOD).status_code == 422
    assert visitor.send("/sign-in", email=site.member.email, password=OTHER).status_code == 303


def test_a_first_password_needs_a_fresh_sign_in(site: Site) -> None:
    browser = site.sign_in()
    site.services.people._change(site.member.id, password=None)
    site.age(seconds=601)
    answer = browser.send("/account/password", "/account", password=OTHER)
    assert answer.headers["location"] == "/sign-in/confirm?next=/account"
    site.age(seconds=1)
    answer = browser.send("/account/password", "/account", password=OTHER)
    assert answer.headers["location"] == "/account?done=password"


def test_people_see_and_end_their_own_sessions_alone(site: Site) -> None:
    first, second = site.sign_in(), site.sign_in()
    stranger = site.sign_in(site.admin)
    listed = site.services.sessions.list(site.member.id)
    assert len(listed) == 2
    ends = re.findall(r"/account/sessions/(ses_\w+)/end", first.get("/account").text)
    assert set(ends) == {one.id for one in listed}
    csrf = stranger.read_form("/account/profile", "/account")["csrf"]
    for one in listed:
        answer = stranger.post(f"/account/sessions/{one.id}/end", {"csrf": csrf})
        assert answer.status_code == 404
    assert first.send("/account/sessions/end", "/account").status_code == 303
    assert (first.is_signed_in(), second.is_signed_in()) == (True, False)
    [left] = site.services.sessions.list(site.member.id)
    assert first.send(f"/account/sessions/{left.id}/end", "/account").headers["location"] == "/"
    assert not first.is_signed_in()


# All pages


@only_on_sqlite
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_page_is_labelled_and_free_of_inline_code(
    site: Site, provider: Provider, language: str
) -> None:
    site.services.policies.write(Policy(open_sign_up=True))
    secret = site.services.people.invite("eva@kanzlei.example")
    reset = site.services.people.create_password_link(site.member.id)
    visitor, person = site.open(language), site.sign_in()
    person.language = language
    identity = ProvenIdentity(
        provider.issuer, "7", "max@kanzlei.example", is_email_verified=True, name="Max"
    )
    site.services.identities.connect(site.member.id, identity)
    pages = [(visitor, path) for path in ("/sign-in", "/sign-up", f"/join/{secret}", "/join/x")]
    pages += [(visitor, f"/join/{reset}")]
    pages += [
        (person, path)
        for path in (
            *("/account", "/account/totp", "/account/passkeys/new", "/sign-in/confirm"),
            *(f"/account?problem={word}" for word in ("other", "unreachable", "failed")),
        )
    ]
    for browser, path in pages:
        answer = browser.get(path)
        tree = document_fromstring(answer.text)
        assert tree.get("lang") == language, path
        assert not tree.xpath("//@style | //style | //script[not(@src)]"), path
        assert not tree.xpath("//@*[starts-with(name(), 'on')]"), path
        for one in tree.xpath("//input[not(@type='hidden')] | //select"):
            label = tree.xpath("//label[@for=$name]", name=one.get("id"))
            assert label or one.get("aria-label"), (path, one.get("name"))
        assert len(tree.xpath("//h1")) == 1, path
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        assert answer.headers["cache-control"] == "no-store", path


def test_no_password_code_or_link_gets_into_the_log(site: Site) -> None:
    app = site.add_app(site.member)
    secret = site.services.people.invite("eva@kanzlei.example")
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password="falsch und lang")
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    code = app.at(int(site.clock()))
    browser.send("/sign-in/code", code=code)
    site.open().send(f"/join/{secret}", name="Eva", password=GOOD)
    log = str(list(site.services.audit.export()))
    assert "sign_in_failed" in log
    found = [one for one in ("falsch", GOOD, secret, app.secret, "@") if one in log]
    assert found == []
