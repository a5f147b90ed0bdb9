"""Signing in and showing again who one is, as a browser without script sees it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from argon2.profiles import CHEAPEST

from fundstelle.accounts.people.passwords import Passwords, make_lane
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.authenticator import Authenticator
from tests.integration.sites.oauth_server import BASE
from tests.integration.sites.people_site import GOOD, HOST, OTHER, Site, errors, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


def test_signing_in_begins_a_new_session_with_a_strict_cookie(site: Site) -> None:
    browser = site.open()
    browser.get("/sign-in")
    before = browser.cookie
    answer = browser.send("/sign-in", email=site.member.email, password=GOOD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/keys")
    [own, device] = answer.headers.get_list("set-cookie")
    attributes = own.lower().split("; ")
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= set(attributes)
    assert not [one for one in attributes if one.startswith(("domain", "max-age", "expires"))]
    assert device.startswith("__Host-device=")
    assert site.member.id not in device
    assert {"secure", "httponly", "samesite=strict", "path=/"} <= set(device.lower().split("; "))
    assert browser.cookie != before
    assert browser.is_signed_in()
    assert before is not None
    assert site.services.sessions.find(before) is None
    [event] = site.list_events("sign_in")
    assert (event["actor"], event["details"]) == (site.member.id, {"method": "password"})
    found = site.services.people.find(site.member.id)
    assert found is not None
    assert found.last_sign_in is not None


@pytest.mark.parametrize("change", ["password", "app"])
@pytest.mark.parametrize("path", ["/sign-in", "/sign-in/confirm", "/account/password"])
def test_an_old_password_under_way_opens_nothing_once_it_has_changed(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str, change: str
) -> None:
    """Hashing takes long, and a new password or app ends all sessions meanwhile."""
    browser = site.open() if path == "/sign-in" else site.sign_in()
    right, chosen = Passwords.matches, Passwords(CHEAPEST).hash(OTHER)

    def change_meanwhile(passwords: Passwords, stored: str | None, password: str) -> bool:
        fits = right(passwords, stored, password)
        if change == "password":
            people = site.services.people
            with people._store.write() as connection:
                people._replace_password(connection, site.member.id, chosen)
        else:
            site.add_app(site.member)
        site.services.sessions.end_all(site.member.id)
        return fits

    page = "/account" if path == "/account/password" else path
    fields = browser.read_form(path, page)
    monkeypatch.setattr(Passwords, "matches", change_meanwhile)
    sent = {"email": site.member.email, "current": GOOD, "password": GOOD}
    if path == "/account/password":
        sent["password"] = "und wieder etwas anderes"
    answer = browser.post(path, {**fields, **sent})
    monkeypatch.undo()
    assert answer.status_code in {303, 422}
    assert not browser.is_signed_in()
    assert site.services.sessions.list(site.member.id) == ()
    kept = GOOD if change == "app" else OTHER
    assert site.services.people.check_password(site.member.email, kept, "192.0.2.9")


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


def test_many_refusals_write_two_lines_and_the_owner_s_browser_passes(site: Site) -> None:
    own = site.sign_in()
    own.send("/sign-out", "/account")
    stranger = site.open()
    for _ in range(5):
        stranger.send("/sign-in", email=site.member.email, password="falsch")
    form = stranger.read_form("/sign-in", "/sign-in")
    form |= {"email": site.member.email, "password": "falsch"}
    statuses = {stranger.post("/sign-in", form).status_code for _ in range(20)}
    assert statuses == {429}
    assert len(site.list_events("sign_in_failed")) == 5
    assert len(site.list_events("sign_in_blocked")) == 1
    assert own.send("/sign-in", email=site.member.email, password=GOOD).status_code == 303
    site.clock.ahead += 16
    stranger.post("/sign-in", form)
    [line] = site.list_events("sign_in_refused")
    assert line["object"] == site.member.id
    assert line["details"] == {"limit": "sign-in:pair", "attempts": 19}


@only_on_sqlite
def test_a_server_that_checks_too_many_passwords_says_when_to_come_back(site: Site) -> None:
    lane = make_lane(1, 0, share=1)
    passwords = Passwords(CHEAPEST, lane, lane)
    site.services.people._passwords = passwords
    browser = site.open()
    form = browser.read_form("/sign-in", "/sign-in")
    form |= {"email": site.member.email, "password": GOOD}
    with passwords.reserve(known=False, holder=""):
        answer = browser.post("/sign-in", form)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert site.list_events("sign_in_failed") == []
    assert browser.post("/sign-in", form).status_code == 303


@only_on_sqlite
def test_refused_passkeys_fill_no_log(site: Site) -> None:
    browser = site.open()
    form = browser.read_form("/sign-in", "/sign-in")
    statuses = {browser.post("/sign-in/passkey", form).status_code for _ in range(30)}
    assert statuses == {422}
    assert len(site.list_events("sign_in_failed")) == 10
    assert len(site.list_events("sign_in_blocked")) == 1


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


@only_on_sqlite
def test_a_proxy_that_passes_on_a_host_of_its_own_is_no_other_site(site: Site) -> None:
    browser = site.open()
    right = browser.read_form("/sign-in", "/sign-in")
    right = {**right, "email": site.member.email, "password": GOOD}
    inside = {"Host": "127.0.0.1:9999"}
    foreign = browser.post("/sign-in", right, Origin="https://evil.example", **inside)
    assert foreign.status_code == 403
    own = browser.post("/sign-in", right, Origin=site.services.settings.base_url, **inside)
    assert own.status_code == 303


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
    assert unquote(browser.get(path).headers["location"]) == f"/sign-in/confirm?next={path}"


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
