"""A key from the browser: shown once, usable at once, and written down nowhere."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.browser import Tab, read_fields
from tests.e2e.portal import EMAIL, PASSWORD, Portal
from tests.e2e.server import run_fundstelle

pytestmark = pytest.mark.e2e

KEY = re.compile(r"sk-legal-[0-9A-Za-z]{46}")


def create_key(portal: Portal, tab: Tab, name: str, client: str = "") -> str:
    """Go from the list to a new key; leaves the page that shows it."""
    portal.go_to_key_form(tab, f"?client={client}")
    tab.page.fill("[name=name]", name)
    with tab.page.expect_navigation():
        tab.page.press("[name=name]", "Enter")
    return str(tab.page.input_value("#key"))


def test_by_keyboard_from_signing_in_to_a_key_that_works(portal: Portal) -> None:

    with portal.open(signed_in=False) as tab:
        tab.page.goto(f"{portal.url}/sign-in")
        tab.sign_in(EMAIL, PASSWORD)
        assert tab.page.url == f"{portal.url}/keys"
        tab.press_to("main a[href='/keys/new']")
        with tab.page.expect_navigation():
            tab.page.keyboard.press("Enter")
        tab.press_to("[name=name]")
        tab.page.keyboard.press("Control+A")
        tab.page.keyboard.type("Keyboard")
        tab.press_to("main form button")
        with tab.page.expect_navigation():
            tab.page.keyboard.press("Enter")
        key = str(tab.page.input_value("#key"))
    assert portal.call(key, "tools/list")[0] == 200


def test_going_back_and_reloading_show_no_key_and_make_none(portal: Portal) -> None:
    with portal.open() as tab:
        key = create_key(portal, tab, "Once")
        assert KEY.fullmatch(key)
        tab.page.reload()  # sends the form again, as a person who confirms the browser's question
        assert tab.page.url.endswith("/keys?done=shown")
        for go in (tab.page.go_back, tab.page.go_forward, tab.page.go_back):
            go()
            assert key not in tab.page.content()
            assert key not in str(read_fields(tab.page).values())
        tab.page.goto(f"{portal.url}/keys")
        assert tab.page.locator("th[scope=row]", has_text="Once").count() == 1
        assert key not in tab.page.content()


def test_the_page_that_shows_it_tests_it(portal: Portal) -> None:
    with portal.open() as tab:
        create_key(portal, tab, "Tested", "curl")
        tab.page.click("button[data-test-key]")
        tab.wait_until(lambda: "8" in tab.page.inner_text("#result"), "an answer")
        assert tab.console == []


def test_the_plain_text_stands_nowhere(portal: Portal) -> None:
    """Not in the database, its journals, the server's log or the exported audit log."""
    with portal.open() as tab:
        key = create_key(portal, tab, "Sought", "curl")
        assert key in tab.page.inner_text("main")  # in the snippet
    status, answer = portal.call(key, "tools/call", name="legal_get_stats", arguments={})
    assert status == 200
    assert not answer["result"].get("isError")
    assert portal.call(key[:-1] + ("a" if key[-1] != "a" else "b"), "tools/list")[0] == 401
    events = [line["event"] for line in portal.read_audit()]
    assert "key_created" in events
    assert key.encode() not in run_fundstelle(portal.data, "audit", "export").encode()
    searched = [path for path in portal.data.parent.rglob("*") if path.is_file()]
    assert {"accounts.sqlite"} <= {path.name for path in searched}
    assert any(path.suffix == ".log" for path in searched)
    secret = key.removeprefix("sk-legal-").encode()
    assert [path.name for path in searched if secret in path.read_bytes()] == []


def test_a_key_is_rotated_and_revoked_by_its_name(portal: Portal) -> None:
    with portal.open() as tab:
        old = create_key(portal, tab, "Rotated")
        tab.page.goto(f"{portal.url}/keys")
        tab.page.click("tr:has-text('Rotated') a[href$='/rotate']")
        with tab.page.expect_navigation():
            tab.page.click("main form button")
        new = str(tab.page.input_value("#key"))
        assert new != old
        assert [portal.call(key, "tools/list")[0] for key in (old, new)] == [200, 200]
        tab.page.goto(f"{portal.url}/keys")
        tab.page.click(f"tr:has-text('{new[-4:]}') a[href$='/revoke']")
        tab.page.fill("[name=name]", "Rotated")
        with tab.page.expect_navigation():
            tab.page.press("[name=name]", "Enter")
        assert tab.page.url.endswith("/keys?done=revoked")
    assert [portal.call(key, "tools/list")[0] for key in (old, new)] == [200, 401]


def test_the_curl_line_works_as_it_is_pasted(portal: Portal, tmp_path: Path) -> None:
    with portal.open() as tab:
        create_key(portal, tab, "Pasted", "curl")
        line = tab.page.inner_text("pre")
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "legal_lookup" in done.stdout
