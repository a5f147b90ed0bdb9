"""Where the rules ask everybody for a second factor: who is led to it, and who is not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
from lxml.html import document_fromstring

from fundstelle.accounts.people.identity_provider import ProvenIdentity
from fundstelle.accounts.policies import Policy
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.authenticator import Authenticator
from tests.integration.sites.oauth_server import BASE
from tests.integration.sites.people_site import GOOD, HOST, Browser, Site, leave, open_site

SET_UP = "/account/second-factor"
ELSEWHERE = ("/", "/keys", "/account", "/admin", "/check", "/usage", "/connect", "/oauth/consent")


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        site.services.policies.write(Policy(second_factor=True))
        yield site


def lead(browser: Browser, path: str) -> str:
    """Where somebody is led who asks for a page; empty if they see it."""
    answer = browser.get(path)
    return answer.headers["location"].partition("?")[0] if answer.status_code == 303 else ""


def find_secret(browser: Browser) -> pyotp.TOTP:
    found = re.search(r'<code id="secret">([A-Z2-7 ]+)<', browser.get("/account/totp").text)
    assert found
    return pyotp.TOTP(found[1].replace(" ", ""))


def test_the_rule_is_set_by_an_admin_and_holds_for_sessions_that_are_open(site: Site) -> None:
    site.services.policies.write(Policy())
    admin, member = site.sign_in(site.admin), site.sign_in()
    csrf = member.read_form("/account/profile", "/account")["csrf"]
    assert member.is_signed_in()
    form = admin.read_form("/admin/limits", "/admin/limits")
    form = {name: value for name, value in form.items() if name != "second_factor"}
    sent = {**form, "key_days": "0", "public_pages": "on", "second_factor": "on"}
    assert admin.post("/admin/limits", sent).status_code == 303
    assert site.services.policies.read() == Policy(second_factor=True)
    assert {lead(member, path) for path in ELSEWHERE} == {SET_UP}
    refused = member.post("/account/profile", {"csrf": csrf, "name": "Other"})
    assert refused.headers["location"].startswith(SET_UP)
    unchanged = site.services.people.find(site.member.id)
    assert unchanged is not None
    assert unchanged.name == site.member.name
    assert lead(admin, "/admin/limits") == SET_UP
    assert member.send("/sign-out", SET_UP).status_code == 303


def test_whoever_has_none_sets_one_up_and_goes_on_to_where_they_wanted(site: Site) -> None:
    browser = site.sign_in()
    wanted = "/connect?client=claude"
    page = browser.get(browser.get(wanted).headers["location"])
    assert "/account/totp" in page.text
    app = find_secret(browser)
    shown = browser.send("/account/totp", code=app.at(int(site.clock())))
    links = document_fromstring(shown.text).xpath("//main//a/@href")
    assert links[-1] == wanted
    assert {lead(browser, path) for path in ("/keys", "/account", wanted)} == {""}
    assert lead(browser, SET_UP) == "/keys"


def test_a_passkey_counts_once_it_has_been_shown(site: Site) -> None:
    device = Authenticator(BASE, HOST)
    browser = site.sign_in()
    path = "/account/passkeys/new"
    form = browser.read_form(path, path)
    made = device.create(browser.read_options(path))
    assert browser.post(path, {**form, "answer": made, "name": "Laptop"}).status_code == 200
    assert lead(browser, "/keys") == ""
    other = site.sign_in()
    assert {lead(other, path) for path in ELSEWHERE} == {"/sign-in/confirm"}
    confirm = "/sign-in/confirm?next=/usage"
    form = other.read_form("/sign-in/passkey", confirm)
    answer = device.get(other.read_options(confirm))
    # the page was loaded twice: its last challenge counts
    assert (
        other.post("/sign-in/passkey", {**form, "answer": answer}).headers["location"] == "/usage"
    )
    assert lead(other, "/usage") == ""


def test_who_comes_by_the_provider_is_not_asked_again(site: Site, provider: Provider) -> None:
    email, subject = site.member.email, provider.person["sub"]
    proven = ProvenIdentity(provider.issuer, subject, email, is_email_verified=True, name="Max")
    site.services.identities.connect(site.member.id, proven)
    browser = site.open()
    assert browser.get(leave(browser, provider)).status_code == 303
    assert lead(browser, "/keys") == ""
    page = "/sign-in/confirm?next=/keys"
    assert browser.send("/sign-in/confirm", page, password=GOOD).status_code == 303
    assert lead(browser, "/keys") == "", "they have shown the provider's factor all the same"
    assert lead(site.sign_in(), "/keys") == SET_UP, "by password they owe ours"


def test_keys_go_on_and_strangers_are_asked_nothing(site: Site) -> None:
    plain, _ = site.services.keys.create("Laptop", user_id=site.member.id)
    assert site.services.keys.authenticate(plain) is not None
    assert lead(site.open(), "/") == ""
