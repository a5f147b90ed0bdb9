"""One-time links and signing up in the portal; signing in at the firm's identity provider."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml.html import document_fromstring

from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.identity_provider import IdentityProvider, ProvenIdentity
from fundstelle.accounts.policies import Policy
from fundstelle.portal import provider as provider_pages
from fundstelle.portal.site import build_site
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.oauth_server import Http
from tests.integration.sites.people_site import GOOD, OTHER, Browser, Site, errors, leave, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


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


@pytest.mark.parametrize(
    "end",
    [
        lambda site: site.services.people.set_password(site.member.id, OTHER),
        lambda site: site.services.sessions.end_all(site.member.id),
        lambda site: site.services.people.disable(site.member.id),
        lambda site: site.services.second_factors.reset(site.member.id),
    ],
    ids=["password", "sessions", "disabled", "factors"],
)
def test_nothing_is_connected_in_a_session_that_ends_while_the_provider_is_asked(
    site: Site,
    provider: Provider,
    monkeypatch: pytest.MonkeyPatch,
    end: Callable[[Site], None],
) -> None:
    browser = site.sign_in()
    back = leave(browser, provider, "/sign-in/provider?for=connect")
    finish = IdentityProvider.finish

    def finish_late(*arguments: Any) -> ProvenIdentity:
        proven = finish(*arguments)
        end(site)
        return proven

    monkeypatch.setattr(IdentityProvider, "finish", finish_late)
    assert browser.get(back).headers["location"] == "/sign-in"
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
