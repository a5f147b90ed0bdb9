"""Second factors in the portal: an app's codes, passkeys."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
from lxml import etree
from lxml.html import document_fromstring

from tests.integration.authenticator import Authenticator
from tests.integration.databases import Database, only_on_sqlite
from tests.integration.identity_provider import Provider
from tests.integration.oauth_server import BASE
from tests.integration.people_site import (
    GOOD,
    HOST,
    Site,
    errors,
    open_site,
)


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


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
    secret = re.search(r'<code id="secret">([A-Z2-7 ]+)<', shown)
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
