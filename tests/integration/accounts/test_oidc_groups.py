"""Roles by groups at the identity provider, over a real round trip."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.people import User
from fundstelle.portal.frame.visits import BY_PROVIDER
from fundstelle.portal.site import build_site
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.people_site import GOOD, Site, leave, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as opened:
        ours = opened.services.identities.provider
        store = opened.services.people._store
        identities = Identities(store, ours, opened.clock, admin_group="law-admins")
        services = replace(opened.services, identities=identities)
        yield replace(opened, services=services, app=build_site(services))


def sign_in(site: Site, provider: Provider, groups: object) -> User | None:
    provider.claims = {} if groups is None else {"groups": groups}
    browser = site.open()
    assert browser.get(leave(browser, provider)).status_code == 303
    return site.services.people.find_by_email("eva@kanzlei.example")


@pytest.mark.parametrize(
    ("groups", "role"),
    [
        (["staff", "law-admins"], "admin"),
        ("law-admins", "admin"),
        (["staff", 7, None], "member"),
        (["Law-Admins"], "member"),
        ({"law-admins": True}, "member"),
        (None, "member"),
    ],
)
def test_the_role_is_that_of_the_groups(
    site: Site, provider: Provider, groups: object, role: str
) -> None:
    site.services.people.invite("eva@kanzlei.example", "member", site.admin.id)
    user = sign_in(site, provider, groups)
    assert user is not None
    assert user.role == role


def test_the_role_follows_at_each_sign_in_and_the_log_says_so(
    site: Site, provider: Provider
) -> None:
    people = site.services.people
    people.invite("eva@kanzlei.example", "admin", site.admin.id)
    eva = sign_in(site, provider, ["law-admins"])
    assert eva is not None
    assert eva.role == "admin"
    link = people.invite("neu@kanzlei.example", "admin", eva.id)
    eva = sign_in(site, provider, [])
    assert eva is not None
    assert eva.role == "member"
    assert people.find_link(link) is None
    [line] = site.list_events("person_member")
    assert (line["actor"], line["object"]) == ("system", eva.id)
    sign_in(site, provider, ["law-admins"])
    assert len(site.list_events("person_admin")) == 1


def test_the_last_admin_stays_one_whatever_the_claim_says(site: Site, provider: Provider) -> None:
    people = site.services.people
    people.invite("eva@kanzlei.example", "member", site.admin.id)
    eva = sign_in(site, provider, ["law-admins"])
    assert eva is not None
    people.set_role(site.admin.id, "member")
    again = sign_in(site, provider, None)
    assert again is not None
    assert again.role == "admin"


@pytest.mark.parametrize(
    ("sent", "groups", "event"),
    [
        ("invited", ["law-admins"], "person_admin"),
        ("provisioned", ["law-admins"], "person_admin"),
        ("provisioned admin", [], "person_member"),
    ],
)
def test_a_role_given_at_the_first_sign_in_has_its_line(
    site: Site, provider: Provider, sent: str, groups: list[str], event: str
) -> None:
    people = site.services.people
    if sent == "invited":
        people.invite("eva@kanzlei.example", "member", site.admin.id)
    else:
        made = people.provision("eva@kanzlei.example", "Eva")
        if sent == "provisioned admin":
            people.set_role(made.id, "admin")
    eva = sign_in(site, provider, groups)
    assert eva is not None
    [line] = site.list_events(event)
    assert (line["actor"], line["object"]) == ("system", eva.id)
    assert len(site.list_events("person_joined")) == 1


def test_confirming_at_the_provider_takes_the_role_that_its_groups_take(
    site: Site, provider: Provider
) -> None:
    people = site.services.people
    people.invite("eva@kanzlei.example", "member", site.admin.id)
    provider.claims = {"groups": ["law-admins"]}
    browser = site.open()
    browser.get(leave(browser, provider))
    assert browser.get("/admin").status_code == 200
    provider.claims = {"groups": []}
    back = leave(browser, provider, "/sign-in/provider?for=confirm&next=/admin")
    assert browser.get(back).status_code == 303
    assert browser.get("/admin").status_code == 403
    assert len(site.list_events("person_member")) == 1
    provider.claims = {"sub": "somebody else"}
    back = leave(browser, provider, "/sign-in/provider?for=confirm&next=/account")
    assert "problem=other" in browser.get(back).headers["location"]


def test_a_session_by_the_provider_ends_with_the_identity(site: Site, provider: Provider) -> None:
    """Else whoever is asked for a second factor would never be, once they came that way."""
    services = site.services
    eva = services.people.accept(
        services.people.invite("eva@kanzlei.example", "member", site.admin.id), "Eva", GOOD
    )
    browser = site.sign_in(eva)
    browser.get(leave(browser, provider, "/sign-in/provider?for=connect"))
    services.policies.write(replace(services.policies.read(), second_factor=True))
    other, browser = site.open(), site.open()
    for one in (other, browser):
        one.get(leave(one, provider))
        assert one.get("/keys").status_code == 200
    browser.send("/sign-in/confirm", password=GOOD)
    assert browser.get("/keys").status_code == 200
    for session in services.sessions.list(eva.id):
        week = timedelta(days=7).total_seconds()
        came = services.sessions.take(session.id, BY_PROVIDER)
        if came is not None:
            services.sessions.put(session.id, {BY_PROVIDER: came - week})
    assert browser.get("/keys").headers["location"].startswith("/account/second-factor")
    for one in (other, browser):
        one.get(leave(one, provider, "/sign-in/provider?for=confirm"))
    assert browser.get("/keys").status_code == 200
    [identity] = services.identities.list(eva.id)
    form = {"issuer": identity.issuer, "subject": identity.subject}
    browser.send("/account/identities/end", "/account", **form)
    assert services.identities.list(eva.id) == ()
    assert browser.get("/keys").headers["location"].startswith("/account/second-factor")
    assert other.get("/keys").headers["location"].startswith("/sign-in")
