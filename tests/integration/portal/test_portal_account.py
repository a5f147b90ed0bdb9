"""The own account in the portal, and what holds for all pages of people."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lxml.html import document_fromstring
from sqlalchemy import Connection

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.identity_provider import ProvenIdentity
from fundstelle.accounts.people.sessions import MOST_OPEN
from fundstelle.accounts.policies import Policy
from fundstelle.errors import AccountsUnavailable
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.people_site import GOOD, OTHER, Site, errors, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


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


@only_on_sqlite
def test_a_new_password_and_the_end_of_other_sessions_are_one_change(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fails after the first write of the form, after the second, and so on."""
    write = AccountsStore.write
    site.services.audit.begin()  # else the first form alone writes more than the others

    def read_known_as() -> str:
        """Another one with another password."""
        person = site.services.people.find(site.member.id)
        assert person is not None
        return person.known_as

    before = read_known_as()
    for allowed in range(20):
        left = iter(range(allowed))

        @contextmanager
        def fail(
            store: AccountsStore, *, left: Iterator[int] = left, **how: bool
        ) -> Iterator[Connection]:
            if next(left, None) is None:
                raise AccountsUnavailable("away")
            with write(store, **how) as connection:
                yield connection

        other, browser = site.sign_in(), site.sign_in()
        form = browser.read_form("/account/password", "/account")
        with monkeypatch.context() as broken:
            broken.setattr(AccountsStore, "write", fail)
            sent = {**form, "current": GOOD, "password": OTHER}
            answer = browser.post("/account/password", sent)
        is_new = read_known_as() != before
        assert (answer.headers.get("location") == "/account?done=password") == is_new
        assert other.is_signed_in() != is_new
        if is_new:
            return
    raise AssertionError


def test_a_first_password_needs_a_fresh_sign_in(site: Site) -> None:
    browser = site.sign_in()
    site.services.people._change(site.member.id, password=None)
    site.age(seconds=601)
    answer = browser.send("/account/password", "/account", password=OTHER)
    assert answer.headers["location"] == "/sign-in/confirm?next=/account"
    site.age(seconds=1)
    answer = browser.send("/account/password", "/account", password=OTHER)
    assert answer.headers["location"] == "/account?done=password"


def test_a_new_password_shows_no_code_that_was_not_asked_for(site: Site) -> None:
    app = site.add_app(site.member)
    browser = site.open()
    browser.send("/sign-in", email=site.member.email, password=GOOD)
    assert browser.send("/sign-in/code", code=app.at(int(site.clock()))).status_code == 303
    assert browser.get("/keys/new").status_code == 200
    answer = browser.send("/account/password", "/account", current=GOOD, password=OTHER)
    assert answer.headers["location"] == "/account?done=password"
    answer = browser.get("/keys/new")
    assert answer.headers["location"].startswith("/sign-in/confirm")


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
        for one in tree.xpath("//input[not(@type='hidden' or @hidden)] | //select"):
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


def test_a_session_that_gives_way_to_another_has_its_line(site: Site) -> None:
    first = site.sign_in()
    [oldest] = site.services.sessions.list(site.member.id)
    for _ in range(MOST_OPEN - 1):
        site.services.sessions.start(site.member.id, "Firefox")
    assert site.list_events("sessions_ended") == []
    assert site.sign_in().is_signed_in()
    assert not first.is_signed_in()
    [line] = site.list_events("sessions_ended")
    assert (line["actor"], line["object"]) == ("system", site.member.id)
    assert line["details"] == {"ended": [oldest.id]}
