"""The pages of the portal: who may see and do what, and what they never show twice."""

import html
import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pyotp
import pytest
from sqlalchemy import update

from fundstelle.accounts.database.schema import api_keys
from fundstelle.accounts.database.schema_people import sessions
from fundstelle.accounts.policies import Policy
from fundstelle.bootstrap.application import build_services
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.clients.target import Target
from fundstelle.errors import AccountsUnavailable
from fundstelle.portal.connecting.connect import warn
from fundstelle.portal.connecting.guides import GUIDES, find_guide
from fundstelle.portal.frame.texts import load_texts
from tests.integration.sites.law_site import Site
from tests.integration.sites.oauth_server import BASE

KEY = re.compile(r"sk-legal-[0-9A-Za-z]{46}")
PAGES = ("/keys", "/keys/new", "/connect", "/connect/curl", "/apps", "/usage", "/usage.csv")
ADMIN_PAGES = (
    "/admin",
    "/admin/keys",
    "/admin/clients",
    "/admin/limits",
    "/admin/audit",
    "/admin/audit?verify=1",
    "/admin/audit.jsonl",
    "/admin/signing",
    "/admin/corpus",
)
FORMS = (
    "/keys/new",
    "/keys/key_x/rotate",
    "/keys/key_x/revoke",
    "/apps/grant_x/end",
    "/admin/people/invite",
    "/admin/people/usr_x/disable",
    "/admin/keys/key_x/revoke",
    "/admin/clients",
    "/admin/clients/x/revoke",
    "/admin/limits",
    "/admin/signing",
    "/sign-out",
)


def test_an_unknown_life_of_keys_changes_no_rule(site: Site) -> None:
    browser = site.visit(site.admin)
    browser.send("/admin/limits", key_days="30")
    assert browser.send("/admin/limits", key_days="31").status_code == 422
    assert site.services.policies.read().key_days == 30
    browser.send("/admin/limits", key_days="0", public_pages="on")
    assert site.services.policies.read().key_days == 0


def test_what_changed_nothing_is_not_in_the_log(site: Site) -> None:
    browser, member = site.visit(site.admin), site.member
    _, key = site.services.keys.create("one", user_id=member)
    browser.send(f"/admin/keys/{key.id}/revoke", "/admin/keys")
    before = site.list_events()
    assert before.count("key_revoked") == 1
    for path in (
        f"/admin/keys/{key.id}/revoke",
        f"/admin/people/{member}/member",
        f"/admin/people/{member}/enable",
        f"/admin/people/{member}/factors",
    ):
        assert browser.send(path, "/admin").status_code == 303
    assert site.list_events() == before
    for action in ("disable", "disable", "enable"):
        browser.send(f"/admin/people/{member}/{action}", "/admin")
    assert site.list_events()[len(before) :] == ["person_disable", "person_enable"]


@pytest.mark.parametrize("path", PAGES + ADMIN_PAGES)
def test_strangers_are_sent_to_sign_in_and_back(site: Site, path: str) -> None:
    answer = site.visit().get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in?next=%2F")


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("path", PAGES + ADMIN_PAGES)
def test_every_page_opens_for_an_admin(site: Site, path: str, language: str) -> None:
    answer = site.visit(site.admin, language).get(path)
    assert answer.status_code == 200
    if answer.headers["content-type"].startswith("text/html"):
        assert f'<html lang="{language}">' in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ADMIN_PAGES)
def test_members_do_not_see_the_administration(site: Site, path: str) -> None:
    assert site.visit(site.member).get(path).status_code == 403


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("token", ["", "x" * 43])
def test_no_form_counts_without_the_token_of_its_session(site: Site, path: str, token: str) -> None:
    before = site.list_events()
    answer = site.visit(site.admin).http.post(path, data={"csrf": token, "name": "a"})
    assert answer.status_code == 403
    assert site.list_events() == before


def test_a_form_that_has_expired_says_whether_somebody_is_signed_in(site: Site) -> None:
    browser = site.visit(site.member)
    page = browser.get("/keys/new").text
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    wrong = browser.http.post("/keys/new", data={**form, "csrf": "x"}, follow_redirects=False)
    assert "You are still signed in" in wrong.text
    token = re.findall(r'name="(csrf)" value="(\w+)"', browser.get("/keys").text)
    assert browser.http.post("/sign-out", data=dict(token)).status_code == 303
    late = browser.http.post("/keys/new", data=form, follow_redirects=False)
    assert late.status_code == 403
    assert "you are not signed in" in late.text
    assert "still signed in" not in late.text
    assert site.services.keys.list() == ()


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.test"}]
)
def test_no_form_counts_that_comes_from_elsewhere(site: Site, headers: dict[str, str]) -> None:
    browser = site.visit(site.member)
    hidden = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', browser.get("/keys/new").text)
    )
    form = {**hidden, "name": "a", "expiry": "90"}
    assert browser.http.post("/keys/new", data=form, headers=headers).status_code == 403
    assert site.services.keys.list() == ()


def test_a_key_is_shown_once_and_the_same_form_makes_no_second(site: Site) -> None:
    browser = site.visit(site.member)
    shown = browser.get("/keys/new?client=cursor").text
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    form |= {"client": "cursor", "name": "Cursor", "expiry": "30", "date": ""}
    first = browser.http.post("/keys/new", data=form)
    found = KEY.findall(first.text)
    assert found, "in the field and in the snippet"
    assert len(set(found)) == 1
    assert first.headers["cache-control"] == "no-store"
    again = browser.http.post("/keys/new", data=form)
    assert (again.status_code, again.headers["location"]) == (303, "/keys?done=shown")
    for path in (*PAGES, "/keys?done=shown"):
        assert found[0] not in browser.get(path).text
    (key,) = site.services.keys.list(site.member)
    assert (key.name, key.client, key.user_id) == ("Cursor", "cursor", site.member)
    principal = site.services.keys.authenticate(found[0])
    assert principal is not None
    assert principal.seat == site.member
    assert found[0] not in json.dumps(list(site.services.audit.export()))


def test_a_key_that_could_not_be_made_was_not_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.visit(site.member)
    shown = browser.get("/keys/new").text
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    form |= {"name": "a", "expiry": "30"}

    def fail(*_: object, **__: object) -> None:
        raise AccountsUnavailable("away")

    with monkeypatch.context() as broken:
        broken.setattr(site.services.keys, "create", fail)
        assert browser.http.post("/keys/new", data=form).status_code == 503
    assert KEY.findall(browser.http.post("/keys/new", data=form).text)
    again = browser.http.post("/keys/new", data=form)
    assert again.headers["location"] == "/keys?done=shown"
    assert len(site.services.keys.list(site.member)) == 1


def test_a_form_sent_twice_at_once_makes_one_key(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.visit(site.member)
    shown = browser.get("/keys/new").text
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    form |= {"name": "a", "expiry": "30"}
    sessions_then = site.services.sessions
    (both_see,) = sessions_then.list(site.member)
    monkeypatch.setattr(sessions_then, "find", lambda _cookie: both_see)
    answers = [browser.http.post("/keys/new", data=form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 303]
    assert len(site.services.keys.list(site.member)) == 1


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name": "", "expiry": "90"}, "name"),
        ({"name": "a" * 101, "expiry": "90"}, "name"),
        ({"name": "a\nb", "expiry": "90"}, "name"),
        ({"name": "a", "expiry": ""}, "expiry"),
        ({"name": "a", "expiry": "7"}, "expiry"),
        ({"name": "a", "expiry": "date", "date": "morgen"}, "date"),
        ({"name": "a", "expiry": "date", "date": "2001-01-01"}, "date"),
    ],
)
def test_an_error_stands_beside_its_field_and_makes_no_key(
    site: Site, fields: dict[str, str], error: str
) -> None:
    answer = site.visit(site.member).send("/keys/new", **fields)
    assert answer.status_code == 422
    assert f'id="{error}-error"' in answer.text
    assert f'href="#{error}"' in answer.text
    assert site.services.keys.list() == ()


def test_the_policy_bounds_how_long_a_key_lives(site: Site) -> None:
    site.services.policies.write(Policy(key_days=30))
    browser = site.visit(site.member)
    for expiry, date in (("never", ""), ("90", ""), ("date", "2099-12-31")):
        assert browser.send("/keys/new", name="a", expiry=expiry, date=date).status_code == 422
    assert browser.send("/keys/new", name="a", expiry="30").status_code == 200


def test_the_last_day_of_a_key_ends_when_its_life_does(site: Site) -> None:
    site.services.policies.write(Policy(key_days=30))
    last = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    answer = site.visit(site.member).send("/keys/new", name="a", expiry="date", date=last)
    assert answer.status_code == 200
    (key,) = site.services.keys.list(site.member)
    assert key.expires is not None
    assert key.expires - key.created <= timedelta(days=30)


@pytest.mark.parametrize("days", [None, 7, 365])
def test_the_policy_bounds_how_long_a_key_lives_that_replaces_an_older_one(
    site: Site, days: int | None
) -> None:
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days, seconds=1)
    _, old = site.services.keys.create("a", user_id=site.member, expires=expires)
    site.services.policies.write(Policy(key_days=30))
    assert site.visit(site.member).send(f"/keys/{old.id}/rotate", overlap="now").status_code == 200
    (new,) = (key for key in site.services.keys.list(site.member) if key.id != old.id)
    assert new.expires is not None
    assert (new.expires - new.created).days == min(days or 30, 30)


@pytest.mark.parametrize(
    ("language", "refused", "held"),
    [("de", "mehr als 2 gültige", "gelten noch"), ("en", "more than 2 valid", "still valid")],
)
def test_a_person_has_as_many_keys_as_one_may_have(
    site: Site, language: str, refused: str, held: str
) -> None:
    site.services.keys.most_of_a_person = 2
    site.services.people.set_language(site.member, language)
    browser = site.visit(site.member)
    for _ in range(2):
        assert browser.send("/keys/new", name="a", expiry="90").status_code == 200
    answer = browser.send("/keys/new", name="another", expiry="30")
    assert answer.status_code == 422
    assert refused.casefold() in answer.text.casefold()
    assert 'value="another"' in answer.text
    for key in site.services.keys.list(site.member):
        assert browser.send(f"/keys/{key.id}/rotate", overlap="day").status_code == 200
    newest = site.services.keys.list(site.member)[-1]
    if newest.replaced_by:
        newest = next(key for key in site.services.keys.list(site.member) if not key.replaced_by)
    answer = browser.send(f"/keys/{newest.id}/rotate", overlap="day")
    assert answer.status_code == 422
    assert held in answer.text
    assert browser.send(f"/keys/{newest.id}/rotate", overlap="now").status_code == 200


def test_a_name_is_suggested_however_many_there_are(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.visit(site.member)
    _, key = site.services.keys.create("My key", user_id=site.member)
    taken = [key, *(replace(key, name=f"My key {n}") for n in range(2, 1_200))]
    monkeypatch.setattr(site.services.keys, "list", lambda *_: taken)
    shown = browser.get("/keys/new?lang=en")
    assert shown.status_code == 200
    assert "My key 1200" in shown.text


def test_a_rotation_shows_the_new_key_and_leaves_the_old_one_its_day(site: Site) -> None:
    browser = site.visit(site.member)
    plain, old = site.services.keys.create("a", user_id=site.member)
    answer = browser.send(f"/keys/{old.id}/rotate", overlap="day")
    (new,) = set(KEY.findall(answer.text))
    assert site.services.keys.authenticate(plain) is not None
    assert site.services.keys.authenticate(new) is not None
    again = browser.send(f"/keys/{old.id}/rotate", overlap="now")
    assert KEY.findall(again.text) == [], "a key is replaced once"


def test_a_rotation_at_once_ends_the_old_key(site: Site) -> None:
    plain, old = site.services.keys.create("a", user_id=site.member)
    site.visit(site.member).send(f"/keys/{old.id}/rotate", overlap="now")
    fresh = build_services(
        site.services.settings,
        site.services.keys._store,
        site.services.usage,
        build_live_corpus(site.services.settings),
    )
    assert fresh.keys.authenticate(plain) is None


def test_revoking_wants_the_name_of_the_key(site: Site) -> None:
    browser = site.visit(site.member)
    _, key = site.services.keys.create("Notebook", user_id=site.member)
    path = f"/keys/{key.id}/revoke"
    assert browser.send(path, name="notebook").status_code == 422
    assert browser.send(path, name="Notebook").headers["location"] == "/keys?done=revoked"
    assert site.services.keys.list()[0].revoked is not None


def test_a_key_named_like_another_ones_id_saves_that_one_from_nobody(site: Site) -> None:
    plain, key = site.services.keys.create("Notebook", user_id=site.admin)
    attacker = site.visit(site.member)
    refused = attacker.send("/keys/new", name=key.id, expiry="90")
    assert refused.status_code == 422
    assert "must not look like an id" in refused.text
    _, other = site.services.keys.create("mine", user_id=site.member)
    with site.services.keys._store.write() as connection:
        connection.execute(update(api_keys).where(api_keys.c.id == other.id).values(name=key.id))
    admin = site.visit(site.admin)
    assert admin.send(f"/admin/keys/{key.id}/revoke", page="/admin/keys").status_code == 303
    assert site.services.keys.authenticate(plain) is None
    assert [one.id for one in site.services.keys.list() if one.revoked is None] == [other.id]
    assert attacker.send(f"/keys/{other.id}/revoke", name=key.id).status_code == 303
    assert not [one for one in site.services.keys.list() if one.revoked is None]


def test_an_admin_revokes_by_the_id_alone(site: Site) -> None:
    site.services.keys.create("Notebook", user_id=site.member)
    admin = site.visit(site.admin)
    for wrong in ("Notebook", "key_x", "%00", "sk-legal-"):
        answer = admin.send(f"/admin/keys/{wrong}/revoke", page="/admin/keys")
        assert answer.status_code in {400, 404}, wrong
    assert site.services.keys.list()[0].revoked is None


@pytest.mark.parametrize(
    ("expiry", "day"),
    [
        ("date", "9999-12-31"),
        ("date", "2999-01-01"),
        ("date", "0001-01-01"),
        ("date", "9" * 5_000),
        ("9" * 5_000, ""),
        ("²", ""),
        ("-1", ""),
    ],
    ids=lambda text: text[:10],
)
def test_days_and_numbers_nobody_means_make_no_key(site: Site, expiry: str, day: str) -> None:
    answer = site.visit(site.member).send("/keys/new", name="a", expiry=expiry, date=day)
    assert answer.status_code == 422
    assert site.services.keys.list() == ()


@pytest.mark.parametrize("action", ["rotate", "revoke"])
def test_nobody_reaches_another_person_s_key(site: Site, action: str) -> None:
    _, key = site.services.keys.create("Notebook", user_id=site.admin)
    browser = site.visit(site.member)
    assert browser.get(f"/keys/{key.id}/{action}").status_code == 404
    sent = browser.send(f"/keys/{key.id}/{action}", page="/keys/new", name="Notebook")
    assert sent.status_code == 404
    assert site.services.keys.list()[0].revoked is None


@pytest.mark.parametrize(
    ("user", "page", "path"),
    [
        ("member", "/keys/new", "/keys/new"),
        ("member", "/connect", "/keys/key_x/revoke"),
        ("admin", "/admin", "/admin/people/invite"),
        ("admin", "/admin/signing", "/admin/signing"),
    ],
)
def test_what_is_delicate_wants_somebody_who_has_just_shown_who_they_are(
    site: Site, user: str, page: str, path: str
) -> None:
    browser = site.visit(site.admin if user == "admin" else site.member)
    with site.services.keys._store.write() as connection:
        connection.execute(update(sessions).values(confirmed=None))
    before = site.list_events()
    answer = browser.send(path, page="/connect", name="a", expiry="90")
    assert answer.headers["location"].startswith("/sign-in/confirm?next=")
    assert site.list_events() == before
    if page == "/keys/new":
        assert browser.get(page).headers["location"].startswith("/sign-in/confirm")


def test_disabling_somebody_ends_their_sessions_and_keys(site: Site) -> None:
    plain, _ = site.services.keys.create("a", user_id=site.member)
    browser = site.visit(site.member)
    assert browser.get("/keys").status_code == 200
    answer = site.visit(site.admin).send(f"/admin/people/{site.member}/disable", page="/admin")
    assert answer.headers["location"] == "/admin"
    assert browser.get("/keys").status_code == 303
    fresh = replace(site.services, keys=type(site.services.keys)(site.services.keys._store))
    assert fresh.keys.authenticate(plain) is None
    assert "person_disable" in site.list_events()


def test_the_limits_of_a_person_hold_for_their_keys(site: Site) -> None:
    plain, _ = site.services.keys.create("a", user_id=site.member)
    browser = site.visit(site.admin)
    page = f"/admin/people/{site.member}"
    sent = browser.send(f"{page}/limits", page, rate_per_minute="7", calls_per_month="")
    assert sent.headers["location"] == f"{page}?done=saved"
    principal = site.services.keys.authenticate(plain)
    assert principal is not None
    assert (principal.rate_per_minute, principal.calls_per_month) == (7, None)
    for wrong in ("-1", "viele", "99999999999"):
        assert browser.send(f"{page}/limits", page, rate_per_minute=wrong).status_code == 422
    assert browser.get("/admin/people/usr_nobody").status_code == 404


def test_an_admin_helps_somebody_who_has_lost_access(site: Site) -> None:
    browser = site.visit(site.admin)
    page = f"/admin/people/{site.member}"
    answer = browser.send(f"{page}/password", page)
    (link,) = set(re.findall(rf"{BASE}/join/([\w-]+)", answer.text))
    assert site.services.people.find_link(link) is not None
    assert link not in browser.get(page).text
    factors = site.services.second_factors
    offer = factors.offer_totp("max@example.org")
    factors.confirm_totp(site.member, offer.sealed, pyotp.TOTP(offer.secret).now())
    for _ in range(2):  # the second time there is nothing left to remove
        assert browser.send(f"{page}/factors", page).status_code == 303
    assert site.list_events().count("factors_reset") == 1
    assert {"password_link_created", "factors_reset"} <= set(site.list_events())


def test_the_last_admin_stays(site: Site) -> None:
    browser = site.visit(site.admin)
    for action in ("disable", "member"):
        answer = browser.send(f"/admin/people/{site.admin}/{action}", page="/admin")
        assert answer.status_code == 422
    user = site.services.people.find(site.admin)
    assert user is not None
    assert (user.role, user.disabled) == ("admin", None)


def test_a_confidential_client_gets_its_secret_once_and_its_address_later(site: Site) -> None:
    browser = site.visit(site.admin)
    answer = browser.send("/admin/clients", name="Copilot Studio", redirect_uris="")
    if answer.status_code == 422:
        redirect = "https://global.consent.azure-apim.net/redirect/a"
        answer = browser.send("/admin/clients", name="Copilot Studio", redirect_uris=redirect)
    assert 'id="client-secret"' in answer.text
    (client,) = site.services.clients.list()
    uri = "https://global.consent.azure-apim.net/redirect/x"
    path = f"/admin/clients/{client.id}/redirects"
    assert browser.send(path, page="/admin/clients", redirect_uris=uri).status_code == 303
    assert site.services.clients.list()[0].redirect_uris == (uri,)
    wrong = browser.send(path, page="/admin/clients", redirect_uris="javascript:alert(1)")
    assert wrong.status_code == 422


def test_a_form_for_a_client_that_is_sent_again_makes_no_other_one(site: Site) -> None:
    browser = site.visit(site.admin)
    page = browser.get("/admin/clients").text
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    sent = {**hidden, "name": "Copilot Studio", "redirect_uris": "https://a.example/x"}
    assert 'id="client-secret"' in browser.http.post("/admin/clients", data=sent).text
    again = browser.http.post("/admin/clients", data=sent)
    assert (again.status_code, again.headers["location"]) == (303, "/admin/clients")
    assert len(site.services.clients.list()) == 1
    assert site.list_events().count("client_registered") == 1


def test_an_invitation_shows_its_link_once(site: Site) -> None:
    browser = site.visit(site.admin)
    answer = browser.send("/admin/people/invite", page="/admin", email="neu@example.org")
    (link,) = set(re.findall(rf"{BASE}/join/[\w-]+", answer.text))
    assert link not in browser.get("/admin").text
    wrong = browser.send("/admin/people/invite", page="/admin", email="keine Adresse")
    assert wrong.status_code == 422


@pytest.mark.parametrize("client", GUIDES, ids=lambda client: client.slug)
def test_every_client_has_its_page(site: Site, client: Any) -> None:
    answer = site.visit(site.member, "de").get(f"/connect/{client.slug}")
    assert answer.status_code == 200
    assert client.title in answer.text
    assert KEY.findall(answer.text) == []


def make_key(site: Site, client: str | None) -> str:
    keys = site.services.keys
    return keys.create("Laptop", user_id=site.member, client=client)[1].id


def read_arrival(site: Site, client: str = "cursor") -> tuple[bool, str]:
    browser = site.visit(site.member)
    told = browser.get(f"/connect/{client}/arrival").json()
    page = html.unescape(browser.get(f"/connect/{client}").text)
    assert told["text"] in page  # what the page says without a script, too, and the next time
    assert ("data-arrival" in page) != told["came"]
    return told["came"], told["text"]


def test_the_page_waits_for_the_first_call_of_its_program_and_it_stays(site: Site) -> None:
    assert read_arrival(site) == (False, "Waiting for the first call from Cursor …")
    other, own = make_key(site, "curl"), make_key(site, "cursor")
    site.services.usage.note(site.member, other, "legal_lookup")
    assert read_arrival(site)[0] is False
    site.services.keys._write_last_use({own: datetime.now(UTC).timestamp()})
    assert read_arrival(site) == (False, "Cursor has connected, but has asked nothing yet.")
    site.services.usage.note(site.member, own, "legal_lookup")
    assert read_arrival(site) == (True, "It works: Cursor has asked. Calls so far: 1")
    site.services.usage.flush()
    assert read_arrival(site)[0] is True
    assert read_arrival(site, "curl")[0] is True


def test_nobody_sees_the_calls_of_others(site: Site) -> None:
    own = make_key(site, "cursor")
    site.services.usage.note(site.member, own, "legal_lookup")
    assert site.visit(site.admin).get("/connect/cursor/arrival").json()["came"] is False
    assert site.visit(None).get("/connect/cursor/arrival").status_code != 200


@pytest.mark.parametrize(
    ("slug", "name", "is_it"),
    [
        ("claude-ai", "Claude", True),
        ("claude-ai", "Claude Code", False),
        ("claude-code", "Claude Code", True),
        ("claude-code", "Claude", False),
        ("vs-code", "Visual Studio Code", True),
        ("codex-cli", "Codex CLI", True),
        ("cursor", "Cursor", True),
        ("chatgpt", "ChatGPT", True),
        ("zed", "Zed", True),
        ("opencode", "opencode", True),
        ("other", "Fremd", False),
    ],
)
def test_a_program_is_known_by_what_it_calls_itself(slug: str, name: str, is_it: bool) -> None:
    guide = find_guide(slug)
    assert guide
    assert guide.is_called(name) == is_it


def test_the_bundle_and_the_text_for_models_are_everybodys(site: Site) -> None:
    browser = site.visit(None)
    bundle = browser.get("/connect/fundstelle.mcpb")
    assert bundle.headers["content-disposition"] == 'attachment; filename="fundstelle.mcpb"'
    with zipfile.ZipFile(io.BytesIO(bundle.content)) as packed:
        manifest = json.loads(packed.read("manifest.json"))
    assert manifest["user_config"]["url"]["default"] == f"{BASE}/mcp"
    text = browser.get("/llms.txt")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"({BASE}/mcp)" in text.text


@pytest.mark.parametrize(
    ("slug", "base_url", "warns"),
    [
        ("claude-ai", "http://127.0.0.1:8000", "demselben Rechner"),
        ("le-chat", "http://recht.firma.lan", "nur mit https"),
        ("chatgpt", "https://recht.example.org", ""),
        ("n8n", "http://localhost:8000", "Container"),
        ("cursor", "http://127.0.0.1:8000", ""),
    ],
)
def test_an_address_that_a_program_cannot_reach_is_named(
    slug: str, base_url: str, warns: str
) -> None:
    guide = find_guide(slug)
    assert guide
    key = warn(guide, Target(base_url, "x"))
    said = load_texts()["de"][key] if key else ""
    assert warns in said
    assert bool(warns) == bool(said)


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/n/de/nothing", "/n/de/nothing/1", "/d/nothing", "/connect/nothing"),
        *("/n/", "/d/", "/keys/../admin", "/static/../site.py", "/n/%00", "/d/%ff"),
        *("/search?page=-1", "/n/" + "a" * 5_000, "/d/ECLI:DE:BGH:2000:X"),
    ],
)
def test_what_is_not_there_is_a_page_and_never_an_error(site: Site, path: str) -> None:
    assert site.visit(site.member).get(path).status_code in {200, 303, 400, 403, 404}


def test_pages_of_law_are_open_linked_and_kept_by_caches(site: Site) -> None:
    stranger = site.visit()
    start = stranger.get("/")
    assert start.status_code == 200
    assert "max-age" in start.headers["cache-control"]
    assert "set-cookie" not in start.headers
    with site.services.library() as library:
        assert library is not None
        statute_id = next(iter(library.store.statutes))
        norm = next(n for n in library.store.list_norms(statute_id) if n.kind == "section")
        decisions = library.decisions.get_by_ordinal([0])
        fassung = library.store.find_fassung(norm.norm_id)
    assert norm.label in stranger.get(f"/n/{statute_id}").text
    page = stranger.get(f"/n/{norm.norm_id}")
    assert fassung is not None
    assert fassung.text.split("\n")[0][:40] in re.sub(r"<[^>]+>", "", page.text)
    assert stranger.get(f"/d/{decisions[0].decision_id}").status_code == 200
    found = stranger.get(f"/search?q={norm.citation}&list=1").text
    assert f'href="/n/{norm.norm_id}"' in found


def test_an_admin_may_keep_the_pages_of_law_for_people(site: Site) -> None:
    site.services.policies.write(Policy(public_pages=False))
    with site.services.library() as library:
        assert library is not None
        statute_id = next(iter(library.store.statutes))
    for path in (f"/n/{statute_id}", "/search?q=Recht"):
        assert site.visit().get(path).headers["location"].startswith("/sign-in")
        assert site.visit(site.member).get(path).status_code == 200
    assert '<form action="/search"' not in site.visit().get("/").text


def test_what_a_query_holds_is_escaped(site: Site) -> None:
    answer = site.visit().get('/search?q="><script>alert(1)</script>')
    assert "<script>alert" not in answer.text


def test_the_language_is_chosen_by_a_link_and_remembered(site: Site) -> None:
    browser = site.visit(site.member, "en")
    answer = browser.get("/keys?lang=de")
    assert '<html lang="de">' in answer.text
    user = site.services.people.find(site.member)
    assert user is not None
    assert user.language == "de"
    assert '<html lang="de">' in browser.get("/connect").text
    stranger = site.visit(None, "en")
    stranger.get("/?lang=de")
    assert '<html lang="de">' in stranger.get("/").text


def test_files_are_kept_for_good_under_addresses_that_change_with_them(site: Site) -> None:
    page = site.visit().get("/").text
    (sheet,) = re.findall(r'href="(/static/fundstelle.css\?v=\w+)"', page)
    answer = site.visit().get(sheet)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/css")


def test_a_large_form_is_refused(site: Site) -> None:
    answer = site.visit(site.member).http.post("/keys/new", data={"name": "a" * 100_000})
    assert answer.status_code == 413


def test_the_page_of_clients_shows_those_of_ours_and_the_newest_others(site: Site) -> None:
    clients = site.services.clients
    ours, _ = clients.create_confidential("Copilot Studio", [])
    redirects = [f"https://app.example/{number}" for number in range(9)]
    for number in range(130):
        clients.register(f"App {number}", redirects, "none", {})
    shown = site.visit(site.admin).get("/admin/clients?lang=en").text
    assert ours in shown
    assert len(re.findall(r"<code>client_", shown)) == 101
    assert "https://app.example/4" in shown
    assert "https://app.example/5" not in shown
    assert "the newest 100 are listed" in shown
