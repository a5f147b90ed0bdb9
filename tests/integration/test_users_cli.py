"""``fundstelle users``: who is let in no longer is let in nowhere, and comes back to nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST
from click.testing import CliRunner

from fundstelle.accounts.authorizations import Authorizations
from fundstelle.accounts.grants import Grants
from fundstelle.accounts.passwords import Passwords
from fundstelle.accounts.people import People
from fundstelle.accounts.sessions import Sessions
from fundstelle.accounts.store import AccountsStore
from fundstelle.cli import cli
from tests.integration.test_locks import ASKED

ADMIN, MEMBER = "eva@kanzlei.example", "max@kanzlei.example"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    def call(*arguments: str) -> str:
        runner = CliRunner(env={"FUNDSTELLE_DATA": str(tmp_path)})
        result = runner.invoke(cli, ["users", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    return call


def join(store: AccountsStore, link: str, email: str = "") -> str:
    people = People(store, passwords=Passwords(CHEAPEST))
    secret = link.strip().rpartition("/")[2]
    return people.accept(secret, "Somebody", "vier Hunde lesen leise", email).id


def test_a_person_who_is_disabled_comes_back_to_no_app_and_no_session(
    run: Callable[..., str], tmp_path: Path
) -> None:
    store = AccountsStore.open(tmp_path)
    join(store, run("first-admin"), ADMIN)
    member = join(store, run("invite", MEMBER))
    grants, asked = Grants(store), Authorizations(store)
    given = asked.allow(asked.begin(ASKED), ASKED, member, "client", "law.test")
    assert given is not None
    assert asked.redeem(*given)
    Sessions(store).start(member, "password")
    assert "is disabled" in run("disable", MEMBER)
    (ended,) = grants.list(member)
    assert ended.reason == "admin"
    assert Sessions(store).list(member) == ()
    assert "is enabled" in run("enable", MEMBER)
    (still,) = grants.list(member)
    assert still == ended
    store.close()


def test_whoever_loses_their_factors_signs_in_anew(run: Callable[..., str], tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    eva = join(store, run("first-admin"), ADMIN)
    Sessions(store).start(eva, "password")
    assert "with the password alone" in run("reset-factors", ADMIN)
    assert Sessions(store).list(eva) == ()
    store.close()
