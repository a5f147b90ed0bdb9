"""Access tokens while the database is away: grants known a moment ago go on, others are unknown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.accounts.keys.cache import STALE_S, Principal
from fundstelle.errors import AccountsUnavailable
from tests.integration.services.databases import Database
from tests.integration.sites.oauth_server import OAuth


@pytest.fixture
def oauth(tmp_path: Path, database: Database) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, database=database)
    oauth.add_person()
    yield oauth
    oauth.store.close()


def test_a_known_grant_goes_on_for_five_minutes(
    oauth: OAuth, tmp_path: Path, database: Database
) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.is_good(tokens)
    oauth.store.close()
    with database.away(tmp_path):
        oauth.clock.now += STALE_S - 1
        assert oauth.is_good(tokens)
        oauth.clock.now += 1
        with pytest.raises(AccountsUnavailable):
            oauth.is_good(tokens)
    assert oauth.is_good(tokens)


def test_a_grant_that_was_never_asked_for_is_unknown(
    oauth: OAuth, tmp_path: Path, database: Database
) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    oauth.server.signing_keys.publish()
    oauth.store.close()
    with database.away(tmp_path), pytest.raises(AccountsUnavailable):
        oauth.is_good(tokens)


@pytest.mark.parametrize("by_whom", ["this process", "another"])
def test_a_grant_that_ended_before_does_not_go_on(
    oauth: OAuth, tmp_path: Path, database: Database, by_whom: str
) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.is_good(tokens)
    other = oauth if by_whom == "this process" else oauth.open_again()
    other.server.grants.revoke(oauth.get_grant().id, "person")
    oauth.clock.now += 5
    oauth.server.keep_fresh()  # as it is called every second
    other.store.close()
    oauth.store.close()
    with database.away(tmp_path), pytest.raises(AccountsUnavailable):
        oauth.is_good(tokens)
    assert not oauth.is_good(tokens)


def test_a_grant_that_ended_while_it_was_asked_for_does_not_go_on(
    oauth: OAuth, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    grants = oauth.server.grants
    read = grants._read_principal

    def read_and_revoke(grant_id: str) -> tuple[Principal | None, float]:
        answer = read(grant_id)
        grants.revoke(grant_id, "person")
        return answer

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(grants, "_read_principal", read_and_revoke)
        assert oauth.is_good(tokens), "what was read is from before"
    oauth.store.close()
    with database.away(tmp_path), pytest.raises(AccountsUnavailable):
        oauth.is_good(tokens)


def test_a_live_grant_is_kept_by_that(oauth: OAuth, tmp_path: Path, database: Database) -> None:
    tokens = oauth.sign_in(oauth.register()["client_id"])
    assert oauth.is_good(tokens)
    oauth.clock.now += 5
    oauth.server.keep_fresh()
    oauth.store.close()
    with database.away(tmp_path):
        assert oauth.is_good(tokens)


def test_sign_in_and_tokens_are_told_to_come_back(
    oauth: OAuth, tmp_path: Path, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    client = oauth.register()["client_id"]
    tokens = oauth.sign_in(client)
    oauth.store.close()
    with database.away(tmp_path):
        for _ in range(20):
            answer = oauth.refresh(client, tokens["refresh_token"])
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "5"
            assert answer.json()["error"] == "temporarily_unavailable"
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info is None
