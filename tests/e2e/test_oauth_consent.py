"""Consent in a real browser: the page's policy lets the answer out, and nothing else."""

import json
from queue import Queue
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Route

from tests.e2e.browser import Tab, read_query
from tests.e2e.callback import listening
from tests.e2e.portal import Portal

pytestmark = pytest.mark.e2e

CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"  # RFC 7636, appendix B
CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata"
CLAUDE_REDIRECT = "https://claude.ai/api/mcp/auth_callback"
CURSOR = (  # as Cursor registers, all three at once
    "http://localhost:8787/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
)


@pytest.fixture(scope="module")
def cursor(portal: Portal) -> str:
    return register(portal, *CURSOR)


def register(portal: Portal, *redirects: str) -> str:
    """A client of these addresses; gives its id."""
    body = {"client_name": "Cursor", "redirect_uris": redirects}
    status, _, answer = portal.ask("/oauth/register", json.dumps(body).encode())
    assert status == 201, answer
    client_id: str = json.loads(answer)["client_id"]
    return client_id


def link(portal: Portal, client_id: str, redirect_uri: str) -> str:
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "resource": portal.mcp,
        "scope": "legal:read",
        "state": "s" * 500,
    }
    return f"{portal.url}/oauth/authorize?{urlencode(asked)}"


def take_target_away(route: Route) -> None:
    answer = route.fetch()
    policy = answer.headers["content-security-policy"].replace(" cursor:", "")
    route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})


def leave(tab: Tab, decision: str, target: str) -> dict[str, str]:
    """Decide, and give what the browser carries to the client's address."""
    with tab.page.expect_response(lambda answer: answer.request.method == "POST") as posted:
        tab.decide(decision)
    assert posted.value.status == 303
    address = posted.value.headers["location"]
    assert address.startswith(target)
    return read_query(address)


@pytest.mark.parametrize("decision", ["allow", "deny"])
@pytest.mark.parametrize("redirect_uri", [CLAUDE_REDIRECT, CURSOR[1], CURSOR[2]])
def test_the_answer_leaves_for_the_client(
    portal: Portal, cursor: str, redirect_uri: str, decision: str
) -> None:
    client_id = CLAUDE if redirect_uri == CLAUDE_REDIRECT else cursor
    with portal.open() as tab:
        tab.page.goto(link(portal, client_id, redirect_uri))
        answer = leave(tab, decision, redirect_uri)
        assert answer["iss"] == portal.url
        assert answer["state"] == "s" * 500
        assert ("code" in answer) == (decision == "allow")
        assert answer.get("error") == (None if decision == "allow" else "access_denied")
        # the browser goes there: a policy that stops it stops it before any request is made
        tab.wait_for_departure(redirect_uri)
        assert tab.violations == []


def test_the_answer_reaches_a_program_on_any_port(portal: Portal, cursor: str) -> None:
    answers: Queue[dict[str, str]] = Queue()
    with listening(answers) as port, portal.open() as tab:
        redirect_uri = f"http://localhost:{port}/callback"
        tab.page.goto(link(portal, cursor, redirect_uri))
        tab.decide()
        tab.page.wait_for_url(f"{redirect_uri}**")
        assert answers.get(timeout=10)["iss"] == portal.url
        assert tab.violations == []


def test_a_policy_without_the_target_would_have_stopped_it(portal: Portal, cursor: str) -> None:
    """So the tests above can fail: under the policy of other pages the browser goes nowhere."""
    with portal.open() as tab:
        tab.page.route("**/oauth/consent?**", take_target_away)
        tab.page.goto(link(portal, cursor, CURSOR[1]))
        with tab.page.expect_event("requestfailed") as failed:
            tab.decide()
        assert failed.value.response() is None
        assert "Failed to launch" not in "".join(tab.console)


@pytest.mark.parametrize(
    ("client_id", "redirect_uri", "text"),
    [
        ("nobody", CLAUDE_REDIRECT, "is not known here"),
        (CLAUDE, "https://claude.ai.example/api/mcp/auth_callback", "is not registered"),
        ("https://unknown.example/client.json", "https://unknown.example/cb", "is not known here"),
    ],
)
def test_a_stranger_gets_a_page_and_never_a_redirect(
    portal: Portal, client_id: str, redirect_uri: str, text: str
) -> None:
    with portal.open() as tab:
        tab.page.goto(link(portal, client_id, redirect_uri))
        assert text in tab.page.inner_text("main")
        assert tab.list_hosts() == {portal.url.removeprefix("http://")}


def test_no_page_can_frame_the_consent(portal: Portal) -> None:
    with portal.open() as tab:
        tab.page.set_content(f'<iframe src="{link(portal, CLAUDE, CLAUDE_REDIRECT)}"></iframe>')
        tab.wait_until(lambda: bool(tab.violations), "a violation")
        assert "frame-ancestors" in tab.violations[0]
        assert 'value="allow"' not in tab.page.frames[-1].content()
