"""What the portal changes and the line that says so: both or neither."""

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pyotp
import pytest
from sqlalchemy import MetaData, select

from fundstelle.accounts.audit import log as audit_log
from fundstelle.errors import AccountsError
from tests.integration.portal.test_portal_factors import set_up_app
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.authenticator import Authenticator
from tests.integration.sites.oauth_server import BASE
from tests.integration.sites.people_site import GOOD, HOST, OTHER, Browser, Site, open_site

Act = Callable[[], object]
Prepare = Callable[[Site, Browser, Browser], Act]

# What every visit moves on: sessions with what they keep, and counts of failures.
_PASSING = frozenset(("sessions", "throttles", "audit", "audit_head"))


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


def read_all(site: Site) -> dict[str, list[str]]:
    """The rows of every table but the passing ones."""
    tables = MetaData()
    with site.services.audit.store.read() as connection:
        tables.reflect(connection)
        return {
            name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
            for name, table in tables.tables.items()
            if name not in _PASSING
        }


def send(browser: Browser, path: str, page: str = "", **fields: str) -> Act:
    """The form is read now and sent later."""
    form = {**browser.read_form(path, page or path), **fields}
    return lambda: browser.post(path, form)


def change_limits(_: Site, admin: Browser, __: Browser) -> Act:
    return send(admin, "/admin/limits", key_days="90")


def invite(_: Site, admin: Browser, __: Browser) -> Act:
    path = "/admin/people/invite"
    return send(admin, path, "/admin", email="eva@kanzlei.example", role="admin")


def make_client(_: Site, admin: Browser, __: Browser) -> Act:
    return send(admin, "/admin/clients", name="Konnektor", redirect_uris="https://a.example/cb")


def redirect_client(site: Site, admin: Browser, _: Browser) -> Act:
    one, _secret = site.services.clients.create_confidential("Eins", ["https://a.example/cb"])
    path = f"/admin/clients/{one}/redirects"
    return send(admin, path, "/admin/clients", redirect_uris="https://b.example/cb")


def revoke_client(site: Site, admin: Browser, _: Browser) -> Act:
    one, _secret = site.services.clients.create_confidential("Eins", ["https://a.example/cb"])
    return send(admin, f"/admin/clients/{one}/revoke", "/admin/clients")


def rotate_signing_key(site: Site, admin: Browser, _: Browser) -> Act:
    site.services.authorization.signing_keys.get_active()
    return send(admin, "/admin/signing")


def limit_somebody(site: Site, admin: Browser, _: Browser) -> Act:
    person = f"/admin/people/{site.member.id}"
    return send(admin, f"{person}/limits", person, rate_per_minute="7")


def link_to_password(site: Site, admin: Browser, _: Browser) -> Act:
    person = f"/admin/people/{site.member.id}"
    return send(admin, f"{person}/password", person)


def choose_password(_: Site, __: Browser, member: Browser) -> Act:
    return send(member, "/account/password", "/account", current=GOOD, password=OTHER)


def choose_password_by_link(site: Site, _: Browser, __: Browser) -> Act:
    secret = site.services.people.create_password_link(site.member.id)
    return send(site.open(), f"/join/{secret}", password=OTHER)


def join(site: Site, _: Browser, __: Browser) -> Act:
    secret = site.services.people.invite("eva@kanzlei.example")
    return send(site.open(), f"/join/{secret}", name="Eva", password=GOOD)


def set_up_an_app(site: Site, _: Browser, member: Browser) -> Act:
    found = re.search(r'<code id="secret">([A-Z2-7 ]+)<', member.get("/account/totp").text)
    assert found
    app = pyotp.TOTP(found[1].replace(" ", ""))
    return send(member, "/account/totp", code=app.at(int(site.clock())))


def remove_the_app(site: Site, _: Browser, member: Browser) -> Act:
    set_up_app(site, member)
    return send(member, "/account/totp/remove", "/account")


def renew_recovery(site: Site, _: Browser, member: Browser) -> Act:
    set_up_app(site, member)
    return send(member, "/account/recovery", "/account")


def add_a_passkey(_: Site, __: Browser, member: Browser) -> Act:
    page = "/account/passkeys/new"
    shown = member.get(page).text
    options = re.search(r'data-options="([^"]*)"', shown)
    token = re.search(r'name="csrf" value="(\w+)"', shown)
    assert options
    assert token
    answer = Authenticator(BASE, HOST).create(html.unescape(options[1]))
    form = {"csrf": token[1], "answer": answer, "name": "Laptop"}
    return lambda: member.post(page, form)


def remove_the_passkey(site: Site, admin: Browser, member: Browser) -> Act:
    add_a_passkey(site, admin, member)()
    [one] = site.services.second_factors.passkeys.list(site.member.id)
    return send(member, f"/account/passkeys/{one.id}/remove", "/account")


CHANGES: list[Prepare] = [
    change_limits,
    invite,
    make_client,
    redirect_client,
    revoke_client,
    rotate_signing_key,
    limit_somebody,
    link_to_password,
    choose_password,
    choose_password_by_link,
    join,
    set_up_an_app,
    remove_the_app,
    renew_recovery,
    add_a_passkey,
    remove_the_passkey,
]


@pytest.mark.parametrize("prepare", CHANGES, ids=lambda one: one.__name__)
def test_what_cannot_be_recorded_is_not_done(
    site: Site, prepare: Prepare, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = prepare(site, site.sign_in(site.admin), site.sign_in())
    before = read_all(site)

    def fail(*_: object) -> None:
        raise AccountsError("no line can be written")

    with monkeypatch.context() as broken:
        broken.setattr(audit_log, "insert_lines", fail)
        act()
    assert read_all(site) == before


@pytest.mark.parametrize("prepare", CHANGES, ids=lambda one: one.__name__)
def test_what_is_done_has_its_line(site: Site, prepare: Prepare) -> None:
    act = prepare(site, site.sign_in(site.admin), site.sign_in())
    before, lines = read_all(site), len(list(site.services.audit.export()))
    act()
    assert read_all(site) != before
    assert len(list(site.services.audit.export())) > lines
