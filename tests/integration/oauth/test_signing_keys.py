"""A signing key that may be stolen: other processes stop using it within seconds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.oauth.access_tokens import AccessTokens
from tests.integration.services.databases import Database

PROMISED_S = 5.0
SERVER, RESOURCES = "https://recht.example", ("https://recht.example/mcp",)


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


def test_a_rotation_at_once_is_heeded_by_running_processes(store: AccountsStore) -> None:
    clock = Clock()
    worker, command = SigningKeys(store, clock), SigningKeys(store, clock)
    tokens = AccessTokens(worker, SERVER, RESOURCES, clock=clock)
    token = tokens.sign("grant_x", "usr_x", "client_x", "mcp")
    assert tokens.verify(token) is not None
    new = command.rotate(at_once=True)
    clock.now += PROMISED_S - 0.5
    assert tokens.verify(token) is None
    assert worker.get_active().thumbprint() == new


def test_keys_are_read_beside_the_requests(
    store: AccountsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    worker, command = SigningKeys(store, clock), SigningKeys(store, clock)
    old = worker.get_active().thumbprint()
    new = command.rotate(at_once=True)
    clock.now += PROMISED_S / 2
    worker.keep_fresh()

    def refuse() -> None:
        raise AssertionError("a request asks the database")

    monkeypatch.setattr(store, "read", refuse)
    clock.now += 1
    assert worker.find(new) is not None
    assert worker.get_active().thumbprint() == new
    assert old not in {one["kid"] for one in worker.publish()["keys"]}


def test_a_key_that_another_server_has_just_made_is_known_at_once(store: AccountsStore) -> None:
    clock = Clock()
    first, second = SigningKeys(store, clock), SigningKeys(store, clock)
    second.keep_fresh()  # a moment before there was any
    made = first.get_active().thumbprint()
    assert second.find(made) is not None


def test_a_rotation_with_its_line_is_heeded_at_once_by_its_own_process(
    store: AccountsStore,
) -> None:
    clock = Clock()
    keys = SigningKeys(store, clock)
    tokens = AccessTokens(keys, SERVER, RESOURCES, clock=clock)
    token = tokens.sign("grant_x", "usr_x", "client_x", "mcp")
    with store.together():
        new = keys.rotate(at_once=True)
        assert tokens.verify(token) is not None, "it is not committed yet"
    assert tokens.verify(token) is None
    assert keys.get_active().thumbprint() == new
