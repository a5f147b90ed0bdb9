"""Signing keys change, servers restart and stand side by side: no client sees an error."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.portal import Portal, join
from tests.e2e.server import find_free_port, running
from tests.e2e.test_oauth_consent import CLAUDE, CLAUDE_REDIRECT, leave, link

pytestmark = pytest.mark.e2e

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # RFC 7636, appendix B


@dataclass
class Session:
    """A client that has been allowed, with its tokens."""

    access: str
    refresh: str

    def renew(self, portal: Portal) -> None:
        """Refresh at this server."""
        asked = {
            "grant_type": "refresh_token",
            "refresh_token": self.refresh,
            "client_id": CLAUDE,
        }
        status, _, body = portal.ask("/oauth/token", asked)
        assert status == 200, body
        tokens = json.loads(body)
        self.access, self.refresh = tokens["access_token"], tokens["refresh_token"]

    def works(self, portal: Portal) -> bool:
        return portal.call(self.access, "tools/list")[0] == 200


def connect(portal: Portal) -> Session:
    with portal.open() as tab:
        tab.page.goto(link(portal, CLAUDE, CLAUDE_REDIRECT))
        code = leave(tab, "allow", CLAUDE_REDIRECT)["code"]
    return redeem(portal, code)


def redeem(portal: Portal, code: str) -> Session:
    asked = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CLAUDE_REDIRECT,
        "client_id": CLAUDE,
        "code_verifier": VERIFIER,
        "resource": portal.mcp,
    }
    status, _, body = portal.ask("/oauth/token", asked)
    assert status == 200, body
    tokens = json.loads(body)
    return Session(tokens["access_token"], tokens["refresh_token"])


def list_keys(portal: Portal) -> list[str]:
    return [key["kid"] for key in json.loads(portal.ask("/oauth/jwks.json")[2])["keys"]]


def test_a_rotation_disturbs_no_open_session(portal: Portal) -> None:
    session = connect(portal)
    before = list_keys(portal)
    with portal.open() as tab:
        tab.page.goto(f"{portal.url}/admin/signing")
        tab.page.locator("main form button").first.click()
        tab.page.wait_for_load_state()
    after = list_keys(portal)
    assert set(before) < set(after)
    assert session.works(portal)
    session.renew(portal)
    assert session.works(portal)


def test_a_disconnected_app_is_out_at_once(portal: Portal) -> None:
    session = connect(portal)
    with portal.open() as tab:
        tab.page.goto(f"{portal.url}/apps")
        tab.page.locator("a[href$='/end']").first.click()
        with tab.page.expect_navigation():
            tab.page.click("main form button")
    assert not session.works(portal)


def test_two_servers_share_one_folder_and_outlive_each_other(
    invented: Path, browser: Browser, tmp_path: Path
) -> None:
    """As two nodes behind one address: what one gives, the other takes, also after a restart."""
    data = tmp_path / "data"
    shutil.copytree(invented, data)
    port = find_free_port()
    base = f"http://127.0.0.1:{port}"
    with running(data, base_url=base, client_documents="off", rate_per_minute="0") as second_port:
        second = Portal(data, f"http://127.0.0.1:{second_port}", browser)
        with running(data, port=port, client_documents="off", rate_per_minute="0"):
            first = Portal(data, base, browser)
            with first.open(signed_in=False) as tab:
                join(first, tab)
                first.cookies = tab.page.context.storage_state()
            session = connect(first)
            assert session.works(first)
            assert session.works(second)
            session.renew(second)
            assert session.works(first)
        assert session.works(second)
        with running(data, port=port, client_documents="off", rate_per_minute="0"):
            assert session.works(first)
            session.renew(first)
            assert session.works(second)
            with first.open() as tab:  # the browser's session, too
                tab.page.goto(f"{base}/keys")
                assert tab.page.url == f"{base}/keys"
