"""An admin sets the house up and sees somebody off; a developer connects a program."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.e2e.accessible import find_faults
from tests.e2e.browser import Tab
from tests.e2e.portal import PASSWORD, Portal
from tests.e2e.test_portal_keys import create_key
from tests.e2e.test_reading_the_law import DESKTOP, PHONE

pytestmark = pytest.mark.e2e

SAVED = {"de": "Gespeichert.", "en": "Saved."}
ACTIVE = {"de": "aktiv", "en": "active"}
CAME = {"de": "Es funktioniert: Windsurf hat gefragt.", "en": "It works: Windsurf has asked."}

in_both_languages = pytest.mark.parametrize("language", ["de", "en"])
on_both_devices = pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])


def go(portal: Portal, tab: Tab, path: str) -> None:
    """Open a page; on a slow machine it asks for the password once more."""
    tab.page.goto(f"{portal.url}{path}")
    if "/sign-in/confirm" in tab.page.url:
        tab.page.fill("[name=password]", PASSWORD)
        with tab.page.expect_navigation():
            tab.page.press("[name=password]", "Enter")


def press(tab: Tab, selector: str) -> None:
    with tab.page.expect_navigation():
        tab.page.click(selector)


@in_both_languages
@on_both_devices
def test_an_admin_sets_the_house_up_and_sees_somebody_off(
    portal: Portal, language: str, device: Mapping[str, Any]
) -> None:
    name = f"Bert {language} {'phone' if device is PHONE else 'desktop'}"
    email = f"{name.replace(' ', '.').lower()}@kanzlei.example"
    with (
        portal.open(locale=language, **device) as anna,
        portal.open(signed_in=False, locale=language, **device) as bert,
    ):
        go(portal, anna, f"/?lang={language}")
        assert anna.page.locator(".first-run a[href='/admin#invite']").count() <= 1
        press(anna, "header nav a[href='/admin']")
        press(anna, "a[href='/admin/limits']")
        anna.page.select_option("[name=key_days]", "90")
        press(anna, "main form >> nth=0 >> button")
        assert SAVED[language] in anna.page.inner_text("main")

        go(portal, anna, "/admin")
        anna.page.fill("[name=email]", email)
        press(anna, "form[action='/admin/people/invite']:has([type=email]) button")
        assert find_faults(anna.page) == {}
        bert.page.goto(anna.page.input_value("#link"))
        assert bert.page.input_value("[name=email]") == email
        bert.fill_in(name=name, password=PASSWORD)
        with bert.page.expect_navigation():
            bert.page.keyboard.press("Enter")
        key = create_key(portal, bert, "Berts Editor")
        assert portal.call(key, "tools/list")[0] == 200

        go(portal, anna, "/admin")
        row = anna.page.locator("#people tr", has_text=email)
        assert row.locator(".state").inner_text() == ACTIVE[language]
        with anna.page.expect_navigation():
            row.locator("a[href$='/disable']").click()
        press(anna, "main form button")
        anna.wait_until(lambda: portal.call(key, "tools/list")[0] == 401, "the end of his key")
        bert.page.goto(f"{portal.url}/keys")
        assert "/sign-in" in bert.page.url

        go(portal, anna, "/admin")
        with anna.page.expect_navigation():
            anna.page.locator("#people tr", has_text=email).locator("th a").click()
        press(anna, "a[href$='/delete']")
        anna.page.fill("[name=name]", "somebody else")
        press(anna, "main form button.danger")
        assert anna.page.locator(".error").count() >= 1, "not by a wrong name"
        assert find_faults(anna.page) == {}
        anna.page.fill("[name=name]", name)
        press(anna, "main form button.danger")
        assert anna.page.locator("#people tr", has_text=email).count() == 0
        assert anna.violations == bert.violations == []
    kinds = [line["event"] for line in portal.read_audit()]
    assert {"person_invited", "person_disable", "person_deleted"} <= set(kinds)


@in_both_languages
@on_both_devices
def test_a_developer_connects_and_sees_the_first_call(
    portal: Portal, language: str, device: Mapping[str, Any]
) -> None:
    with portal.open(locale=language, **device) as tab:
        go(portal, tab, f"/?lang={language}")
        press(tab, "header nav a[href='/connect']")
        press(tab, "main a[href='/connect/windsurf']")
        assert find_faults(tab.page) == {}
        key = create_key(portal, tab, f"Windsurf {language}", "windsurf")
        snippets = tab.page.locator("main pre").all_inner_texts()
        (config,) = (json.loads(one) for one in snippets if one.startswith("{"))
        assert portal.mcp in json.dumps(config)
        assert key in "".join(snippets)
        tab.page.click("[data-test-key]")
        tab.page.wait_for_selector("#result:not(:empty)")
        assert find_faults(tab.page) == {}
        assert portal.call(key, "tools/call", name="legal_get_stats", arguments={})[0] == 200
        tab.page.goto(f"{portal.url}/connect/windsurf")
        tab.page.wait_for_selector(".arrival.came", timeout=30_000)
        assert tab.page.inner_text(".arrival").startswith(CAME[language])
        assert tab.violations == []
