"""Second factors in the portal: an app's codes, passkeys."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pyotp
import pytest
from lxml import etree
from lxml.html import document_fromstring
from sqlalchemy import select, update

from fundstelle.accounts.database.schema_people import sessions
from fundstelle.accounts.people.identity_provider import ProvenIdentity
from fundstelle.accounts.people.recovery import RecoveryCodes
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.errors import AccountsUnavailable
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.authenticator import Authenticator
from tests.integration.sites.oauth_server import BASE
from tests.integration.sites.people_site import (
    GOOD,
    HOST,
    Browser,
    Site,
    errors,
    leave,
    open_site,
)


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


def read_codes(page: str) -> list[str]:
    return re.findall(r"^(?:<pre[^>]*><code>)?(\w{4}-\w{4}-\w{4})$", page, re.MULTILINE)


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


def test_a_new_password_ends_a_sign_in_that_waits_for_its_code(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    form = browser.read_form("/sign-in/code", "/sign-in/code")
    site.services.people.set_password(site.member.id, f"{GOOD} and new")
    form["code"] = app.at(int(site.clock()))
    assert browser.post("/sign-in/code", form).status_code == 403, "its session has gone"
    assert browser.get("/sign-in/code").headers["location"] == "/sign-in"
    assert not browser.is_signed_in()


def test_a_person_who_is_disabled_meanwhile_has_to_show_the_password_again(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    form = browser.read_form("/sign-in/code", "/sign-in/code")
    site.services.people.disable(site.member.id)
    site.services.people.enable(site.member.id)
    form["code"] = app.at(int(site.clock()))
    browser.post("/sign-in/code", form)
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
    assert (answer.status_code, len(read_codes(answer.text))) == (200, 10)
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
    assert (answer.status_code, len(read_codes(answer.text))) == (200, 10)
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


@pytest.mark.parametrize("part", ["unconfirm_others", "begin"])
def test_a_passkey_is_kept_with_all_that_comes_with_it_or_not_at_all(
    site: Site, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def fail(*_: object) -> None:
        raise AccountsUnavailable("away")

    browser = site.sign_in()
    page = "/account/passkeys/new"
    fields = browser.read_form(page, page)
    options = browser.read_options(page)
    fields |= {"answer": Authenticator(BASE, HOST).create(options), "name": "Laptop"}
    owner = Sessions if part == "unconfirm_others" else RecoveryCodes
    with monkeypatch.context() as broken:
        broken.setattr(owner, part, fail)
        assert browser.post(page, fields).status_code == 503
    assert site.services.second_factors.passkeys.list(site.member.id) == ()
    assert not site.list_events("factor_added")


def test_a_password_alone_removes_no_app(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.sign_in_with(app)
    site.age(minutes=11)
    form = browser.read_form("/account/totp/remove", "/account")
    sent = browser.post("/account/totp/remove", form)
    assert sent.headers["location"].startswith("/sign-in/confirm")
    site.clock.ahead += 60
    confirm = browser.read_form("/sign-in/confirm", "/sign-in/confirm?next=/account")
    refused = browser.post("/sign-in/confirm", {**confirm, "password": GOOD})
    assert (refused.status_code, list(errors(refused))) == (422, ["code"])
    confirm["code"] = app.at(int(site.clock()))
    refused = browser.post("/sign-in/confirm", {**confirm, "password": "falsch"})
    assert (refused.status_code, list(errors(refused))) == (422, ["password"])
    accepted = browser.post("/sign-in/confirm", {**confirm, "password": GOOD})
    assert (accepted.status_code, accepted.headers["location"]) == (303, "/account")
    assert browser.send("/account/totp/remove", "/account").status_code == 303
    user = site.services.people.find(site.member.id)
    assert user is not None
    assert not user.has_totp


def test_who_has_a_passkey_does_nothing_delicate_by_password_alone(site: Site) -> None:
    device = Authenticator(BASE, HOST)
    passkeys = site.services.second_factors.passkeys
    ceremony = passkeys.begin_registration(site.member)
    passkeys.register(site.member.id, ceremony.challenge, device.create(ceremony.options), "x")
    [passkey] = passkeys.list(site.member.id)
    browser = site.sign_in()
    assert browser.is_signed_in()
    csrf = browser.read_form("/account/profile", "/account")["csrf"]
    delicate = (
        f"/account/passkeys/{passkey.id}/remove",
        "/account/totp",
        "/account/password",
        "/keys/new",
    )
    fields = {"csrf": csrf, "current": GOOD, "password": "ganz etwas anderes", "name": "x"}
    for path in delicate:
        assert browser.post(path, fields).headers["location"].startswith("/sign-in/confirm"), path
    page = browser.get("/sign-in/confirm")
    assert 'name="password"' not in page.text
    refused = browser.post("/sign-in/confirm", {"csrf": csrf, "password": GOOD})
    assert (refused.status_code, list(errors(refused))) == (422, ["use-passkey"])
    assert passkeys.list(site.member.id)
    answer = device.get(browser.read_options("/sign-in/confirm"))
    signed = {"csrf": csrf, "answer": answer, "next": "/account"}
    assert browser.post("/sign-in/passkey", signed).headers["location"] == "/account"
    assert browser.send(delicate[0], "/account").status_code == 303
    assert passkeys.list(site.member.id) == ()


@only_on_sqlite
def test_a_new_passkey_asks_anew_in_every_other_session(site: Site) -> None:
    other, browser = site.sign_in(), site.sign_in()
    assert other.get("/keys/new").status_code == 200
    page = "/account/passkeys/new"
    form = browser.read_form(page, page)
    answer = Authenticator(BASE, HOST).create(browser.read_options(page))
    assert browser.post(page, {**form, "answer": answer, "name": "Laptop"}).status_code == 200
    assert other.is_signed_in()
    assert other.get("/keys/new").status_code == 303
    assert browser.get("/keys/new").status_code == 200


@pytest.mark.parametrize("path", ["/sign-in", "/sign-in/confirm"])
def test_a_passkey_added_while_a_password_is_checked_is_asked_for(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    browser, other = site.sign_in(), site.sign_in() if "confirm" in path else site.open()
    page = "/account/passkeys/new"
    form = browser.read_form(page, page)
    answer = Authenticator(BASE, HOST).create(browser.read_options(page))
    begun = {**other.read_form(path, path), "email": site.member.email, "password": GOOD}
    start = site.services.sessions.start

    def add_first(*args: Any, **given: Any) -> object:
        monkeypatch.setattr(site.services.sessions, "start", start)
        assert browser.post(page, {**form, "answer": answer, "name": "Laptop"}).status_code == 200
        return start(*args, **given)

    monkeypatch.setattr(site.services.sessions, "start", add_first)
    assert other.post(path, begun).status_code == 303
    assert other.is_signed_in()
    assert other.get("/keys/new").headers["location"].startswith("/sign-in/confirm")


@only_on_sqlite
def test_a_clock_that_was_set_back_keeps_nobody_confirmed(site: Site) -> None:
    browser = site.sign_in()
    assert browser.get("/keys/new").status_code == 200
    site.age(hours=-6)
    assert browser.get("/keys/new").headers["location"].startswith("/sign-in/confirm")


@only_on_sqlite
def test_another_way_in_is_added_by_nobody_with_an_old_session(site: Site) -> None:
    browser = site.sign_in()
    site.age(minutes=11)
    answer = browser.get("/sign-in/provider?for=connect")
    assert answer.headers["location"].startswith("/sign-in/confirm")


@only_on_sqlite
def test_without_script_there_is_no_dead_passkey_button(site: Site) -> None:
    tree = document_fromstring(site.open().get("/sign-in").text)
    [form] = tree.xpath("//form[@data-passkey]")
    assert "hidden" in form.attrib


WAITING = "A" * 43
CONSENT = f"/oauth/consent?request={WAITING}"


def read_sessions(site: Site) -> str:
    with site.services.people._store.read() as connection:
        return str(list(connection.execute(select(sessions.c.data)).scalars()))


def test_what_waits_for_consent_is_in_no_session_while_the_code_is_asked_for(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    page = f"/sign-in?next={quote(CONSENT, safe='')}"
    browser.send("/sign-in", page, email=site.member.email, password=GOOD)
    kept = read_sessions(site)
    assert "'next': " in kept
    assert WAITING not in kept
    answer = browser.send("/sign-in/code", code=app.at(int(site.clock())))
    assert answer.headers["location"] == CONSENT


def test_what_waits_for_consent_is_in_no_session_while_the_provider_is_asked(
    site: Site, provider: Provider
) -> None:
    browser = site.open()
    back = leave(browser, provider, f"/sign-in/provider?next={quote(CONSENT, safe='')}")
    kept = read_sessions(site)
    assert "'next': " in kept
    assert WAITING not in kept
    identity = ProvenIdentity(
        provider.issuer, "248289761001", site.member.email, is_email_verified=True, name="Max"
    )
    site.services.identities.connect(site.member.id, identity)
    assert browser.get(back).headers["location"] == CONSENT


def test_an_address_that_was_kept_before_they_were_sealed_leads_home(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    with site.services.people._store.write() as connection:
        (data,) = connection.execute(select(sessions.c.data)).scalars()
        data = {"pending": {**data["pending"], "next": CONSENT}}
        connection.execute(update(sessions).values(data=data))
    answer = browser.send("/sign-in/code", code=app.at(int(site.clock())))
    assert answer.headers["location"] == "/keys"


def set_up_app(site: Site, browser: Browser) -> tuple[pyotp.TOTP, list[str], str]:
    """The app, the recovery codes that came with it, and the page that showed them."""
    secret = re.search(r'<code id="secret">([A-Z2-7 ]+)<', browser.get("/account/totp").text)
    assert secret
    app = pyotp.TOTP(secret[1].replace(" ", ""))
    shown = browser.send("/account/totp", code=app.at(int(site.clock())))
    site.clock.ahead += 60
    return app, read_codes(shown.text), shown.text


def test_recovery_codes_are_shown_once_and_each_lets_in_once(site: Site) -> None:
    browser = site.sign_in()
    _, codes, page = set_up_app(site, browser)
    assert len(set(codes)) == 10
    [link] = document_fromstring(page).xpath("//a[@download]/@href")
    file = unquote(link).partition(",")[2].splitlines()
    assert (
        file[0] == f"Fundstelle, {BASE}: recovery codes for max@kanzlei.example. Each works once."
    )
    assert file[2:] == codes
    account = browser.get("/account").text
    assert "10 of 10 left" in account
    assert codes[0] not in account
    assert browser.get("/account/totp").headers["location"] == "/account"
    for code, accepted in ((codes[0], True), (codes[0], False), (codes[1].upper(), True)):
        other = site.open()
        other.send("/sign-in", email=site.member.email, password=GOOD)
        answer = other.send("/sign-in/code", "/sign-in/code?recovery", code=code)
        assert (answer.status_code == 303, other.is_signed_in()) == (accepted, accepted)
        if not accepted:
            assert "Recovery code" in answer.text
    assert [line["details"]["left"] for line in site.list_events("recovery_code_used")] == [9, 8]
    assert site.list_events("sign_in")[-1]["details"] == {"method": "password+recovery"}
    assert "8 of 10 left" in browser.get("/account").text
    exported = b"".join(site.services.audit.export_lines())
    assert not any(code.encode() in exported for code in codes)


def test_recovery_codes_are_renewed_by_who_has_shown_who_they_are(site: Site) -> None:
    browser = site.sign_in()
    _, old, _ = set_up_app(site, browser)
    form = browser.read_form("/account/recovery", "/account")
    site.age(minutes=20)
    asked = browser.post("/account/recovery", form)
    assert asked.headers["location"].startswith("/sign-in/confirm")
    fields = {"password": GOOD, "code": old[0]}
    assert browser.send("/sign-in/confirm", **fields).status_code == 303
    form = browser.read_form("/account/recovery", "/account")
    new = read_codes(browser.post("/account/recovery", form).text)
    assert len(set(new)) == 10
    assert not set(new) & set(old)
    again = browser.post("/account/recovery", form)
    assert (again.status_code, again.headers["location"]) == (303, "/account#recovery")
    other = site.open()
    other.send("/sign-in", email=site.member.email, password=GOOD)
    assert other.send("/sign-in/code", code=old[1]).status_code == 422
    assert other.send("/sign-in/code", code=new[0]).status_code == 303
    assert len(site.list_events("recovery_renewed")) == 1


def test_a_recovery_code_takes_the_place_of_a_lost_passkey_and_ends_with_the_last(
    site: Site,
) -> None:
    device = Authenticator(BASE, HOST)
    browser = site.sign_in()
    page = "/account/passkeys/new"
    form = browser.read_form(page, page)
    made = device.create(browser.read_options(page))
    codes = read_codes(browser.post(page, {**form, "answer": made, "name": "Laptop"}).text)
    [passkey] = site.services.second_factors.passkeys.list(site.member.id)
    other = site.sign_in()
    path = f"/account/passkeys/{passkey.id}/remove"
    assert other.send(path, "/account").headers["location"].startswith("/sign-in/confirm")
    refused = other.send("/sign-in/confirm", password=GOOD, code="")
    assert (refused.status_code, list(errors(refused))) == (422, ["code"])
    assert other.send("/sign-in/confirm", password=GOOD, code=codes[0]).status_code == 303
    assert other.send(path, "/account").status_code == 303
    assert site.services.second_factors.recovery.count(site.member.id) == 0
    assert "/account/recovery" not in other.get("/account").text
