"""Every page of the portal: for everybody, in both languages and schemes, from this host alone."""

from collections.abc import Iterator

import pytest

from fundstelle.portal.connecting.guides import GUIDES
from tests.e2e.accessible import find_faults
from tests.e2e.browser import Tab
from tests.e2e.portal import EMAIL, PASSWORD, Portal
from tests.e2e.test_oauth_consent import CLAUDE, CLAUDE_REDIRECT, CURSOR, link, register
from tests.e2e.test_portal_keys import create_key

pytestmark = pytest.mark.e2e

LANGUAGES = ("de", "en")
PUBLIC = ("/", "/check", "/search?q=Leihe", "/search?q=qqqqqq", "/nowhere", "/join/gone")
OWN = (
    "/keys",
    "/keys/new",
    "/apps",
    "/usage",
    "/account",
    "/account/totp",
    "/sign-in/confirm",
)
CONNECT = ("/connect", *(f"/connect/{client.slug}" for client in GUIDES))
DECISION = "/d/de/olg-musterstadt/7-u-902-24/2025-01-14/urteil"
ADMIN = tuple(
    f"/admin{page}"
    for page in ("", "/keys", "/clients", "/limits", "/audit?verify=1", "/signing", "/corpus")
)


@pytest.fixture(scope="module")
def stranger(portal: Portal) -> Iterator[Tab]:
    with portal.open(signed_in=False) as tab:
        yield tab


@pytest.fixture(scope="module")
def anna(portal: Portal) -> Iterator[Tab]:
    """Somebody with a key, a connected app, and calls of both."""
    connect_app(portal)
    with portal.open() as tab:
        key = create_key(portal, tab, "Kanzlei-Laptop", "curl")
        portal.call(key, "tools/call", name="legal_get_stats", arguments={})
        yield tab


def connect_app(portal: Portal) -> None:
    with portal.open() as tab:  # its page ends on its way to another program
        tab.page.goto(link(portal, register(portal, *CURSOR), CURSOR[1]))
        tab.decide()
        tab.wait_for_departure(CURSOR[1])


def check(portal: Portal, tab: Tab, path: str) -> None:
    for language in LANGUAGES:
        mark = "&" if "?" in path else "?"
        tab.page.goto(f"{portal.url}{path}{mark}lang={language}")
        check_shown(portal, tab, language)


def check_shown(portal: Portal, tab: Tab, language: str) -> None:
    assert tab.page.get_attribute("html", "lang") == language
    assert find_faults(tab.page) == {}
    assert tab.list_hosts() == {portal.url.removeprefix("http://")}
    assert tab.violations == []


@pytest.mark.parametrize("path", [*PUBLIC, "/sign-in"])
def test_pages_for_strangers(portal: Portal, stranger: Tab, path: str) -> None:
    check(portal, stranger, path)


@pytest.mark.parametrize("path", OWN + CONNECT + ADMIN)
def test_pages_for_people(portal: Portal, anna: Tab, path: str) -> None:
    check(portal, anna, path)


@pytest.mark.parametrize("path", ["/n/de/demog", "/n/de/demog/1", DECISION])
def test_pages_of_law(portal: Portal, stranger: Tab, path: str) -> None:
    check(portal, stranger, path)
    assert stranger.page.locator("main h1").count() == 1
    assert "404" not in stranger.page.inner_text("main")


def test_the_page_that_ends_an_app(portal: Portal, anna: Tab) -> None:
    connect_app(portal)  # one that does not come for its tokens is gone after a minute
    anna.page.goto(f"{portal.url}/apps")
    path = anna.page.get_attribute("a[href$='/end']", "href")
    assert path
    check(portal, anna, path)


@pytest.mark.parametrize("action", ["rotate", "revoke"])
def test_pages_of_one_key(portal: Portal, anna: Tab, action: str) -> None:
    anna.page.goto(f"{portal.url}/keys")
    path = anna.page.get_attribute(f"a[href$='/{action}']", "href")
    assert path
    check(portal, anna, path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_that_shows_a_key(portal: Portal, anna: Tab, language: str) -> None:
    anna.page.goto(f"{portal.url}/keys?lang={language}")
    for client in ("", "claude-desktop"):
        create_key(portal, anna, f"Neu {language} {client}", client)
        check_shown(portal, anna, language)


@pytest.mark.parametrize("redirect", [CLAUDE_REDIRECT, "http://127.0.0.1:1/other"])
def test_the_consent_page_and_its_refusal(portal: Portal, anna: Tab, redirect: str) -> None:
    path = link(portal, CLAUDE, redirect).removeprefix(portal.url)
    for language in LANGUAGES:
        anna.page.goto(f"{portal.url}/keys?lang={language}")
        anna.page.goto(portal.url + path)
        check_shown(portal, anna, language)


@pytest.mark.parametrize("path", ["/sign-in", "/keys/new"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_with_errors(
    portal: Portal, stranger: Tab, anna: Tab, path: str, language: str
) -> None:
    tab = stranger if path == "/sign-in" else anna
    if path == "/sign-in":
        tab.page.goto(f"{portal.url}{path}?lang={language}")
        tab.page.fill("[name=email]", "somebody@example.org")
    else:
        portal.go_to_key_form(tab, f"?lang={language}")
        tab.page.fill("[name=name]", "")
    with tab.page.expect_navigation():
        tab.page.click("main form button")
    assert tab.page.locator("[aria-invalid=true]").count() == 1
    assert tab.page.evaluate("document.activeElement.id") == "errors"
    tab.console.clear()  # the browser notes the status 422 there
    check_shown(portal, tab, language)


def test_everything_works_without_a_script(portal: Portal) -> None:
    with portal.open(signed_in=False, java_script_enabled=False) as tab:
        tab.page.goto(f"{portal.url}/keys")
        tab.page.fill("[name=email]", EMAIL)
        tab.page.fill("[name=password]", PASSWORD)
        tab.page.press("[name=password]", "Enter")
        tab.page.wait_for_url("**/keys")
        key = create_key(portal, tab, "Ohne Skript")
        assert tab.page.locator("button[data-copy]").is_hidden()
        tab.page.goto(link(portal, CLAUDE, CLAUDE_REDIRECT))
        with tab.page.expect_response(lambda answer: answer.request.method == "POST") as posted:
            tab.page.click("button[value=allow]")
        assert "code=" in posted.value.headers["location"]
    assert portal.call(key, "tools/list")[0] == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdicts_on_a_draft(portal: Portal, stranger: Tab, language: str) -> None:
    stranger.page.goto(f"{portal.url}/check?lang={language}")
    stranger.page.fill("#draft", "Nach § 1 DemoG „gilt nichts davon“ und § 999 DemoG. § 5 der AGB.")
    stranger.page.click("main form button")
    stranger.page.wait_for_selector(".verdicts")
    check_shown(portal, stranger, language)
    assert stranger.page.locator(".verdicts li").count() == 2
    stranger.page.click(".verdicts a")
    assert stranger.page.locator("h1").inner_text().startswith("§ 1 DemoG")
