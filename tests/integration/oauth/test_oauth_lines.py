"""What the authorization server changes and the line that says so: both or neither."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from fundstelle.accounts.audit import log as audit_log
from fundstelle.errors import AccountsError
from fundstelle.oauth.authorize import Pending
from fundstelle.oauth.errors import OAuthError
from fundstelle.oauth.pkce import derive_challenge
from tests.integration.portal.test_portal_lines import read_all
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.oauth_server import LOOPBACK, VERIFIER, read_query
from tests.integration.sites.people_site import Site, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


class Client:
    """One that has registered, and what it asks."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.server = site.services.authorization
        body = orjson.dumps({"redirect_uris": [LOOPBACK]})
        self.id = str(self.server.register(body, "192.0.2.1")["client_id"])

    def ask(self) -> str:
        """A request that waits for the member."""
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": LOOPBACK,
            "code_challenge": derive_challenge(VERIFIER),
            "code_challenge_method": "S256",
        }
        pending = self.server.begin(asked.items())
        assert isinstance(pending, Pending)
        return pending.secret

    def decide(self, secret: str) -> str:
        return self.server.decide(secret, self.site.member, allowed=True)

    def redeem(self, code: str) -> dict[str, str]:
        form = {"grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER}
        return self.server.give_token({**form, "client_id": self.id}, None, "192.0.2.1")

    def refresh(self, token: str) -> dict[str, str]:
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id}
        return self.server.give_token(form, None, "192.0.2.1")

    def revoke(self, token: str) -> None:
        self.server.revoke({"token": token, "client_id": self.id}, None, "192.0.2.1")


def fail(*_: object) -> None:
    raise AccountsError("no line can be written")


def test_what_cannot_be_recorded_is_not_done(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(site)
    code = read_query(client.decide(client.ask()))["code"]
    tokens = client.redeem(code)
    old = tokens["refresh_token"]
    client.refresh(client.refresh(old)["refresh_token"])  # so that the first one is used anew
    waiting = client.ask()
    before = read_all(site)
    with monkeypatch.context() as broken:
        broken.setattr(audit_log, "insert_lines", fail)
        for act in (
            lambda: Client(site),
            lambda: client.decide(waiting),
            lambda: client.redeem(code),
            lambda: client.refresh(old),
            lambda: client.revoke(old),
        ):
            with pytest.raises(AccountsError):
                act()
            assert read_all(site) == before
    with pytest.raises(OAuthError):
        client.refresh(old)
    assert len(site.list_events("refresh_reused")) == 1
    assert read_all(site) != before
