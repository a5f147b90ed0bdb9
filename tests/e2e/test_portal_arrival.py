"""The page of a program notices its first call while somebody looks at it."""

import pytest

from tests.e2e.accessible import find_faults
from tests.e2e.portal import Portal
from tests.e2e.test_portal_keys import create_key

pytestmark = pytest.mark.e2e


def test_the_first_call_is_seen_without_reloading_and_stays(portal: Portal) -> None:
    with portal.open() as tab:
        key = create_key(portal, tab, "Zum Warten", "windsurf")
        tab.page.goto(f"{portal.url}/connect/windsurf")
        place = tab.page.locator(".arrival")
        assert place.inner_text().startswith("Waiting for the first call from Windsurf")
        assert not tab.page.locator("[data-without-script]").is_visible()
        portal.call(key, "tools/call", name="legal_get_stats", arguments={})
        tab.page.wait_for_selector(".arrival.came", timeout=30_000)
        assert place.inner_text() == "It works: Windsurf has asked. Calls so far: 1"
        assert find_faults(tab.page) == {}
        assert tab.violations == []
        tab.page.reload()
        assert tab.page.locator(".arrival.came").count() == 1
