"""Signing keys: published before they sign, retired after, shared by two servers, sealed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from joserfc.jwk import ECKey
from sqlalchemy import select, update

from fundstelle.accounts.database.schema_oauth import signing_keys
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.errors import AccountsError
from tests.integration.services.databases import Database
from tests.integration.sites.oauth_server import OAuth

DAY_S = 86_400


@pytest.fixture
def oauth(tmp_path: Path, database: Database) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, database=database)
    oauth.add_person()
    yield oauth
    oauth.store.close()


def _states(oauth: OAuth) -> list[str]:
    return [one.state for one in oauth.server.signing_keys.list()]


def _find_kid(oauth: OAuth) -> str:
    return oauth.server.signing_keys.get_active().thumbprint()


def test_a_key_id_is_the_thumbprint_of_what_is_published(oauth: OAuth) -> None:
    (published,) = oauth.server.signing_keys.publish()["keys"]
    assert ECKey.import_key(dict(published)).thumbprint() == published["kid"]
    assert published["kid"] == _find_kid(oauth)


def test_a_new_key_is_published_for_a_day_before_it_signs(oauth: OAuth) -> None:
    old = _find_kid(oauth)
    new = oauth.server.signing_keys.rotate()
    assert new != old
    assert oauth.server.signing_keys.rotate() == new
    assert _states(oauth) == ["next", "active"]
    assert {one["kid"] for one in oauth.server.signing_keys.publish()["keys"]} == {old, new}
    oauth.clock.now += DAY_S - 1
    assert _find_kid(oauth) == old
    oauth.clock.now += 1
    assert _find_kid(oauth) == new
    assert _states(oauth) == ["active", "retired"]


def test_no_client_sees_an_error_while_keys_change(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    old = _find_kid(oauth)
    oauth.server.signing_keys.rotate()
    for _ in range(3 * 24 * 6):
        oauth.clock.now += 600
        assert oauth.is_good(tokens)
        tokens = oauth.refresh(client_id, tokens["refresh_token"]).json()
        assert oauth.is_good(tokens)
    assert _states(oauth) == ["active"]
    assert _find_kid(oauth) != old


def test_a_retired_key_leaves_when_its_last_token_has_expired(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    _find_kid(oauth)
    oauth.server.signing_keys.rotate()
    oauth.clock.now += DAY_S - 1
    tokens = oauth.sign_in(client_id)
    oauth.clock.now += 900
    assert _states(oauth) == ["active", "retired"]
    assert oauth.is_good(tokens)
    oauth.clock.now += 3600
    assert _states(oauth) == ["active"]
    oauth.server.signing_keys.sweep()
    with oauth.store.read() as connection:
        assert len(connection.execute(select(signing_keys)).all()) == 1


def test_keys_follow_each_other_every_90_days(oauth: OAuth) -> None:
    kids = []
    for _ in range(4 * 90):
        kid = _find_kid(oauth)
        if kid not in kids:
            kids.append(kid)
        oauth.clock.now += DAY_S
    assert len(kids) == 4


def test_a_stolen_key_is_refused_at_once(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    assert oauth.is_good(tokens)
    old = _find_kid(oauth)
    new = oauth.server.signing_keys.rotate(at_once=True)
    assert not oauth.is_good(tokens)
    assert [one["kid"] for one in oauth.server.signing_keys.publish()["keys"]] == [new]
    assert new != old
    fresh = oauth.refresh(client_id, tokens["refresh_token"])
    assert oauth.is_good(fresh.json())


@pytest.mark.parametrize("ahead_s", [240, 40 * DAY_S])
def test_a_stolen_key_is_refused_at_once_whosever_clock_was_ahead(
    oauth: OAuth, ahead_s: int
) -> None:
    second = oauth.open_again()
    client_id = oauth.register()["client_id"]
    stolen = tokens = oauth.sign_in(client_id)
    assert second.is_good(stolen)
    command = SigningKeys(oauth.store, lambda: oauth.clock.now + ahead_s)
    new = command.rotate(at_once=True)
    oauth.clock.now += 5
    for server in (oauth, second):
        assert not server.is_good(stolen)
        assert _find_kid(server) == new
        tokens = server.refresh(client_id, tokens["refresh_token"]).json()
        assert oauth.is_good(tokens)
        assert second.is_good(tokens)
        assert {one["kid"] for one in server.server.signing_keys.publish()["keys"]} == {new}
    second.store.close()


def test_a_second_server_knows_the_tokens_of_the_first(oauth: OAuth) -> None:
    second = oauth.open_again()
    client_id = oauth.register()["client_id"]
    for first, other in ((oauth, second), (second, oauth)):
        tokens = first.sign_in(client_id)
        assert other.is_good(tokens)
        tokens = other.refresh(client_id, tokens["refresh_token"]).json()
        assert first.is_good(tokens)
        first.server.grants.revoke(first.server.grants.list()[0].id, "person")
        oauth.server.signing_keys.rotate(at_once=True)
        oauth.clock.now += 31
    assert _find_kid(oauth) == _find_kid(second)
    second.store.close()


def test_a_second_server_learns_of_a_key_it_has_never_seen(oauth: OAuth) -> None:
    second = oauth.open_again()
    _find_kid(second)
    client_id = oauth.register()["client_id"]
    oauth.server.signing_keys.rotate(at_once=True)
    oauth.clock.now += 2
    assert second.is_good(oauth.sign_in(client_id))
    second.store.close()


def test_a_restart_changes_nothing(oauth: OAuth) -> None:
    client_id = oauth.register()["client_id"]
    tokens = oauth.sign_in(client_id)
    oauth.store.close()
    again = oauth.open_again()
    assert again.is_good(tokens)
    assert again.refresh(client_id, tokens["refresh_token"]).status_code == 200
    again.store.close()


def test_private_keys_are_sealed(oauth: OAuth) -> None:
    private = oauth.server.signing_keys.get_active().as_dict(private=True)["d"]
    with oauth.store.read() as connection:
        (stored,) = connection.execute(select(signing_keys)).mappings()
    assert str(private) not in str(dict(stored))
    assert "d" not in stored["public"]


def test_a_seal_that_was_changed_is_an_error(oauth: OAuth) -> None:
    _find_kid(oauth)
    with oauth.store.write() as connection:
        connection.execute(update(signing_keys).values(private="a.b.c.d.e"))
    again = oauth.open_again()
    with pytest.raises(AccountsError):
        again.server.signing_keys.get_active()
    again.store.close()


def test_made_up_key_ids_cause_few_queries(oauth: OAuth) -> None:
    _find_kid(oauth)
    oauth.clock.now += 5
    keys = oauth.server.signing_keys
    read_at = []
    for n in range(20):
        assert keys.find(f"made-up-{n}") is None
        read_at.append(keys._read_at)
        oauth.clock.now += 0.1
    assert len(set(read_at)) <= 2
