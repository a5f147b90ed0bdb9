"""``fundstelle users``: who is let in no longer is let in nowhere, and comes back to nothing."""

from collections.abc import Callable
from pathlib import Path

import pyotp
import pytest
from argon2.profiles import CHEAPEST
from click.testing import CliRunner

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.oauth.authorizations import Authorizations
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.cli import cli
from fundstelle.errors import AccountsError
from tests.integration.accounts.test_locks import ASKED
from tests.integration.services.databases import SqliteDatabase

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
    store = SqliteDatabase().open(tmp_path)
    join(store, run("first-admin"), ADMIN)
    member = join(store, run("invite", MEMBER))
    grants, asked = Grants(store), Authorizations(store)
    given = asked.allow(asked.begin(ASKED), ASKED, member, "client", "law.test")
    assert given is not None
    assert asked.redeem(*given[:2])
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
    store = SqliteDatabase().open(tmp_path)
    eva = join(store, run("first-admin"), ADMIN)
    Sessions(store).start(eva, "password")
    assert "with the password alone" in run("reset-factors", ADMIN)
    assert Sessions(store).list(eva) == ()
    store.close()


def describe(store: AccountsStore, user_id: str) -> tuple[str, bool, int]:
    user = People(store).find(user_id)
    assert user is not None
    return (user.role, user.has_totp, len(Sessions(store).list(user_id)))


@pytest.mark.parametrize(
    ("command", "event", "after"),
    [
        (("role", MEMBER, "admin"), "person_admin", ("admin", True, 1)),
        (("reset-factors", MEMBER), "factors_reset", ("member", False, 0)),
    ],
)
def test_a_change_without_its_line_in_the_log_is_none(
    tmp_path: Path, command: tuple[str, ...], event: str, after: tuple[str, bool, int]
) -> None:
    store = SqliteDatabase().open(tmp_path)
    people = People(store, passwords=Passwords(CHEAPEST))
    member = people.accept(people.invite(MEMBER), "Max", "vier Hunde lesen leise").id
    people.accept(people.create_first_admin_link(), "Eva", "vier Hunde lesen leise", ADMIN)
    factors = SecondFactors(store, "https://law.example")
    offer = factors.offer_totp(MEMBER)
    factors.confirm_totp(member, offer.sealed, pyotp.TOTP(offer.secret).now())
    Sessions(store).start(member, "x")
    before = describe(store, member)
    runner = CliRunner(env={"FUNDSTELLE_DATA": str(tmp_path)})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AuditLog, "_insert", fail)
        assert runner.invoke(cli, ["users", *command]).exit_code != 0
    assert describe(store, member) == before == ("member", True, 1)
    assert runner.invoke(cli, ["users", *command]).exit_code == 0
    assert describe(store, member) == after
    line = next(AuditLog(store).latest())
    assert (line.event, line.object) == (event, member)
    store.close()


def fail(*_: object) -> None:
    raise AccountsError("the log is away")
