"""The consent page: who is asked, what is shown, who may decide, and where the answer goes."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from sqlalchemy import update

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.schema_people import sessions
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.accounts.logo import Logos
from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.invitations import Invitations
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.provisioning import ProvisioningToken
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.accounts.policies import Policies
from fundstelle.accounts.usage import Usage
from fundstelle.portal.frame.services import Services
from fundstelle.portal.site import build_site
from fundstelle.settings import Settings
from tests.integration.sites.oauth_server import ADDRESS, BASE, LOOPBACK, Http, OAuth, read_query

PASSWORD = "correct horse battery staple"
CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata"
CLAUDE_REDIRECT = "https://claude.ai/api/mcp/auth_callback"


@dataclass
class Portal:
    """The whole site with people in it."""

    oauth: OAuth
    services: Services
    app: Any

    def visit(self, user_id: str | None = "user_1", language: str = "en") -> "Browser":
        browser = Browser(Http(self.app), language)
        if user_id is not None:
            cookie, _ = self.services.sessions.start(user_id, "Firefox")
            browser.http.cookies.set("__Host-sid", cookie)
        return browser


@dataclass
class Browser:
    http: Http
    language: str

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, headers={"Accept-Language": self.language}, **options)

    def open(self, asked: dict[str, str]) -> httpx.Response:
        """The page a client's link leads to."""
        answer = self.get("/oauth/authorize", params=asked)
        while answer.status_code == 303 and answer.headers["location"].startswith("/"):
            answer = self.get(answer.headers["location"])
        return answer

    def decide(self, page: httpx.Response, decision: str, **changes: str) -> httpx.Response:
        form = {**read_form(page.text, "/oauth/consent"), "decision": decision, **changes}
        return self.http.post("/oauth/consent", data=form)


def read_form(html: str, action: str) -> dict[str, str]:
    """The hidden fields of a form."""
    form = html.partition(f'action="{action}"')[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Portal]:
    oauth = OAuth(tmp_path)
    oauth.add_person("user_1")
    oauth.add_person("user_2")
    store = oauth.store
    services = Services(
        settings=Settings.from_env({"FUNDSTELLE_BASE_URL": BASE}),
        throttle=Throttle(store),
        devices=Devices(store.pepper),
        people=People(store),
        invitations=Invitations(store),
        provisioning=ProvisioningToken(store),
        sessions=Sessions(store),
        second_factors=SecondFactors(store, BASE),
        identities=Identities(store),
        keys=ApiKeys(store),
        policies=Policies(store),
        logos=Logos(store),
        clients=oauth.server.clients,
        grants=oauth.server.grants,
        authorization=oauth.server,
        quotas=Quotas(60, 20),
        usage=Usage(store, later=lambda _delay, _task: None),
        audit=AuditLog(store),
        library=lambda: nullcontext(None),
        searchable=lambda: nullcontext(None),
    )
    yield Portal(oauth, services, build_site(services))
    store.close()


def _ask(portal: Portal, **changes: str) -> dict[str, str]:
    return portal.oauth.ask(portal.oauth.register(client_name="My App")["client_id"], **changes)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_person_allows_and_the_client_gets_its_tokens(portal: Portal, language: str) -> None:
    asked = _ask(portal)
    browser = portal.visit(language=language)
    page = browser.open(asked)
    assert page.status_code == 200
    assert page.headers["content-language"] == language
    assert ("Nennt sich „My App“" if language == "de" else "Calls itself “My App”") in page.text
    answer = browser.decide(page, "allow")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"{LOOPBACK}?code=")
    query = read_query(answer.headers["location"])
    assert (query["state"], query["iss"]) == ("s-1", BASE)
    tokens = portal.oauth.redeem(asked["client_id"], query["code"]).json()
    assert portal.oauth.is_good(tokens)
    assert portal.oauth.get_grant().user_id == "user_1"


def test_a_person_denies_and_the_client_is_told(portal: Portal) -> None:
    browser = portal.visit()
    answer = browser.decide(browser.open(_ask(portal)), "deny")
    query = read_query(answer.headers["location"])
    assert (query["error"], query["state"], query["iss"]) == ("access_denied", "s-1", BASE)
    assert portal.oauth.server.grants.list() == ()
    assert [event for event, _, _ in portal.oauth.events][-1] == "consent_denied"


def test_who_is_not_signed_in_signs_in_first_and_comes_back(portal: Portal) -> None:
    secret = portal.services.people.create_password_link("user_1")
    portal.services.people.accept(secret, "Anna Muster", PASSWORD)
    browser = portal.visit(None)
    page = browser.open(_ask(portal, state="x" * 4096))
    assert "Anna Muster" not in page.text
    form = read_form(page.text, "/sign-in")
    assert form["next"].startswith("/oauth/consent?request=")
    before = browser.http.cookies.get("__Host-sid")
    answer = browser.http.post(
        "/sign-in", data={**form, "email": "user_1@example.org", "password": PASSWORD}
    )
    assert browser.http.cookies.get("__Host-sid") != before
    page = browser.get(unquote(answer.headers["location"]))
    assert "Anna Muster (user_1@example.org)" in page.text
    assert browser.decide(page, "allow").headers["location"].startswith(LOOPBACK)


def test_consent_is_asked_every_time(portal: Portal) -> None:
    asked = _ask(portal)
    browser = portal.visit()
    for _ in range(2):
        page = browser.open({**asked, "prompt": "none"})
        assert 'action="/oauth/consent"' in page.text
        assert browser.decide(page, "allow").status_code == 303


@pytest.mark.parametrize("change", [{"csrf": ""}, {"csrf": "0" * 64}])
def test_consent_without_the_token_of_the_session_is_refused(
    portal: Portal, change: dict[str, str]
) -> None:
    browser = portal.visit()
    page = browser.open(_ask(portal))
    answer = browser.decide(page, "allow", **change)
    assert answer.status_code == 403
    assert "location" not in answer.headers
    assert portal.oauth.server.grants.list() == ()
    assert browser.decide(page, "allow").status_code == 303


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_consent_from_another_site_is_refused(portal: Portal, headers: dict[str, str]) -> None:
    browser = portal.visit()
    form = read_form(browser.open(_ask(portal)).text, "/oauth/consent")
    answer = browser.http.post(
        "/oauth/consent", data={**form, "decision": "allow"}, headers=headers
    )
    assert answer.status_code == 403
    assert portal.oauth.server.grants.list() == ()


def test_consent_in_another_session_is_refused(portal: Portal) -> None:
    asked = _ask(portal)
    page = portal.visit("user_1").open(asked)
    other = portal.visit("user_2")
    own = read_form(other.open(asked).text, "/oauth/consent")
    answer = other.decide(page, "allow", csrf=own["csrf"])
    assert answer.status_code == 403
    assert "location" not in answer.headers
    assert portal.oauth.server.grants.list() == ()


def test_consent_without_a_session_is_refused(portal: Portal) -> None:
    page = portal.visit().open(_ask(portal))
    answer = portal.visit(None).decide(page, "allow")
    assert answer.status_code == 403
    assert portal.oauth.server.grants.list() == ()


@pytest.mark.parametrize("decision", ["", "yes", "ALLOW"])
def test_only_allow_allows(portal: Portal, decision: str) -> None:
    browser = portal.visit()
    assert browser.decide(browser.open(_ask(portal)), decision).status_code == 403
    assert portal.oauth.server.grants.list() == ()


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_nothing_is_sent_to_an_address_taken_from_the_client_meanwhile(
    portal: Portal, decision: str
) -> None:
    clients = portal.oauth.server.clients
    client_id, _ = clients.create_confidential("Connector", [LOOPBACK])
    browser = portal.visit()
    page = browser.open(portal.oauth.ask(client_id))
    assert page.status_code == 200
    clients.set_redirects(client_id, ["https://connector.example/callback"])
    assert browser.decide(page, decision).status_code == 400
    assert portal.oauth.server.grants.list() == ()


def test_a_decision_sent_twice_counts_once(portal: Portal) -> None:
    browser = portal.visit()
    page = browser.open(_ask(portal))
    assert browser.decide(page, "allow").status_code == 303
    assert browser.decide(page, "allow").status_code == 403
    assert len(portal.oauth.server.grants.list()) == 1


def test_the_page_cannot_be_framed_or_kept(portal: Portal) -> None:
    headers = portal.visit().open(_ask(portal)).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("redirect_uri", "source"),
    [
        ("https://app.example:8443/cb", "https://app.example:8443"),
        ("http://127.0.0.1:51234/callback", "http://127.0.0.1:51234"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
    ],
)
def test_the_form_may_lead_to_the_client_and_nowhere_else(
    portal: Portal, redirect_uri: str, source: str
) -> None:
    client = portal.oauth.register(
        redirect_uris=[
            "https://app.example:8443/cb",
            LOOPBACK,
            "cursor://anysphere.cursor-mcp/oauth/callback",
        ]
    )
    page = portal.visit().open(portal.oauth.ask(client["client_id"], redirect_uri=redirect_uri))
    policy = page.headers["content-security-policy"]
    assert policy.endswith(f"; form-action 'self' {source}")


def test_a_known_client_is_shown_with_its_host_and_a_mark(portal: Portal) -> None:
    asked = portal.oauth.ask(CLAUDE, redirect_uri=CLAUDE_REDIRECT)
    page = portal.visit().open(asked)
    assert '<h1 class="host">claude.ai</h1>' in page.text
    assert 'class="verified"' in page.text


def test_a_client_that_only_says_so_has_no_mark(portal: Portal) -> None:
    client = portal.oauth.register(client_name="Claude", redirect_uris=[CLAUDE_REDIRECT])
    asked = portal.oauth.ask(client["client_id"], redirect_uri=CLAUDE_REDIRECT)
    assert 'class="verified"' not in portal.visit().open(asked).text


def test_a_program_on_this_computer_is_warned_of(portal: Portal) -> None:
    page = portal.visit().open(_ask(portal))
    assert "a program on this computer" in page.text
    assert 'class="notice bad"' in page.text


def test_a_name_cannot_write_the_page(portal: Portal) -> None:
    client = portal.oauth.register(client_name="<script>alert(1)</script>")
    page = portal.visit().open(portal.oauth.ask(client["client_id"]))
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    "change",
    [{"client_id": "client_unknown"}, {"redirect_uri": "https://evil.example/cb"}],
)
def test_a_request_that_cannot_be_trusted_ends_on_a_page(
    portal: Portal, change: dict[str, str], language: str
) -> None:
    page = portal.visit(language=language).open({**_ask(portal), **change})
    assert page.status_code == 400
    assert "https://evil.example" not in page.text
    assert "location" not in page.headers


@pytest.mark.parametrize(
    "change",
    [
        {"code_challenge_method": "plain"},
        {"response_type": "token"},
        {"response_type": ""},
        {"scope": "admin"},
        {"resource": "https://evil.example/mcp"},
        {"state": "x" * 4097},
        {"code_challenge": "x", "prompt": "none"},
    ],
)
@pytest.mark.parametrize("user", [None, "user_1"])
def test_nobody_is_led_to_a_client_by_a_faulty_request_alone(
    portal: Portal, user: str | None, change: dict[str, str]
) -> None:
    uri = "https://evil.example/fake-sign-in"
    client = portal.oauth.register(redirect_uris=[uri], client_name="My App")["client_id"]
    asked = portal.oauth.ask(client, redirect_uri=uri, **change)
    page = portal.visit(user).open(asked)
    assert page.status_code == 400
    assert "location" not in page.headers
    assert "refresh" not in page.headers
    assert "at evil.example." in page.text
    links = [link for link in re.findall(r'href="([^"]*)"', page.text) if "evil" in link]
    if user is None:
        assert all(link.startswith("/") for link in links)
        assert any(link.startswith("/sign-in?next=%2Foauth%2Fauthorize%3F") for link in links)
    else:
        [answer] = [link for link in links if link.startswith("https:")]
        query = read_query(unescape(answer))
        assert query["iss"] == BASE
        assert "error" in query


def test_a_request_without_a_person_is_answered_by_the_sign_in_page(portal: Portal) -> None:
    page = portal.visit(None).open({**_ask(portal), "prompt": "none"})
    assert page.status_code == 200
    assert 'action="/sign-in"' in page.text


def test_an_old_session_allows_nothing_before_it_is_confirmed(portal: Portal) -> None:
    browser = portal.visit()
    page = browser.open(_ask(portal))
    with portal.oauth.store.write() as connection:
        connection.execute(update(sessions).values(confirmed=None))
    answer = browser.decide(page, "allow")
    assert answer.headers["location"].startswith("/sign-in/confirm?next=%2Foauth%2Fconsent")
    assert portal.oauth.server.grants.list() == ()
    again = browser.open(_ask(portal))
    assert 'action="/sign-in/confirm"' in again.text or "sign-in/confirm" in str(again.url)
    assert browser.decide(page, "deny").headers["location"].startswith(LOOPBACK)


def test_too_many_requests_end_on_a_page(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal.oauth.server._throttles, "take", lambda _action, _address: 7.0)
    asked = portal.oauth.ask("client_x")
    page = portal.visit(None).open(asked)
    assert (page.status_code, page.headers["retry-after"]) == (429, "7")
    assert ADDRESS not in page.text
