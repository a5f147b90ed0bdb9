"""Nobody is told that an access has ended where the database did not keep that."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST
from click.testing import CliRunner

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.locks import NotKept
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.oauth.clients import Clients
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.cli.accounts.keys import keys
from fundstelle.cli.examining.accounts import examine_accounts
from fundstelle.cli.examining.findings import State
from fundstelle.settings import Settings

IGNORED = "BEFORE UPDATE OF {column} ON {table} BEGIN SELECT RAISE(IGNORE); END"
UNDONE = (
    "AFTER UPDATE OF {column} ON {table} WHEN NEW.{column} IS NOT OLD.{column}"
    " BEGIN UPDATE {table} SET {column} = OLD.{column} WHERE rowid = NEW.rowid; END"
)
KEPT = "BEFORE DELETE ON {table} BEGIN SELECT RAISE(IGNORE); END"


def add_trigger(data: Path, form: str, table: str, column: str = "") -> None:
    with sqlite3.connect(data / "accounts.sqlite") as connection:
        connection.execute(f"CREATE TRIGGER keeps {form.format(table=table, column=column)}")


class Firm:
    """A database with a key, an app, a person who is signed in, and another admin."""

    def __init__(self, store: AccountsStore) -> None:
        people = self.people = People(store, passwords=Passwords(CHEAPEST))
        first = people.create_first_admin_link()
        people.accept(first, "Eva Beck", "vier Hunde lesen leise", "eva@kanzlei.example")
        link = people.invite("max@kanzlei.example", "admin")
        self.user = people.accept(link, "Max Roth", "ganz etwas anderes").id
        self.keys = ApiKeys(store)
        _, self.key = self.keys.create("laptop", user_id=self.user)
        self.clients = Clients(store)
        self.client, _ = self.clients.create_confidential("app", ["https://app.example/cb"])
        self.sessions = Sessions(store)


ACTS: dict[str, tuple[Callable[[Firm], object], str, str]] = {
    "revoke": (lambda firm: firm.keys.revoke(firm.key.id), "api_keys", "revoked"),
    "rotate": (lambda firm: firm.keys.rotate(firm.key.id), "api_keys", "revoked"),
    "revision": (lambda firm: firm.keys.revoke(firm.key.id), "key_revision", "revision"),
    "client": (lambda firm: firm.clients.revoke(firm.client), "clients", "revoked"),
    "disable": (lambda firm: firm.people.disable(firm.user), "users", "disabled"),
    "keys of a person": (lambda firm: firm.people.disable(firm.user), "api_keys", "revision"),
    "role": (lambda firm: firm.people.set_role(firm.user, "member"), "users", "role"),
    "begun": (lambda firm: firm.sessions.end_all(firm.user), "users", "endings"),
    "delete": (lambda firm: firm.people.delete(firm.user), "users", ""),
}


@pytest.mark.parametrize("form", [IGNORED, UNDONE])
@pytest.mark.parametrize("name", ACTS)
def test_what_the_database_did_not_keep_is_not_said_to_be_done(
    tmp_path: Path, name: str, form: str
) -> None:
    store = AccountsStore.open(tmp_path)
    firm = Firm(store)
    act, table, column = ACTS[name]
    add_trigger(tmp_path, form if column else KEPT, table, column)
    with pytest.raises(NotKept, match=f"nothing was changed.* {table}"):
        act(firm)
    assert firm.people.find(firm.user) is not None
    assert [key.revoked for key in firm.keys.list()] == [None]
    store.close()


def test_a_command_says_that_a_key_was_not_revoked_and_doctor_why(tmp_path: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    runner = CliRunner()
    assert runner.invoke(keys, ["create", "laptop"], obj=settings).exit_code == 0
    [before] = examine_accounts(settings)
    assert before.state is State.OK
    add_trigger(tmp_path, IGNORED, "api_keys", "revoked")
    done = runner.invoke(keys, ["revoke", "laptop"], obj=settings)
    assert isinstance(done.exception, NotKept)
    assert "is revoked" not in done.output
    store = AccountsStore.open(tmp_path)
    assert "key_revoked" not in [line["event"] for line in AuditLog(store).export()]
    store.close()
    [finding] = examine_accounts(settings)
    assert finding.state is State.NOTE
    assert "holds the trigger 'keeps'" in finding.words


def test_a_folder_without_accounts_gets_none_by_being_examined(tmp_path: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    assert list(examine_accounts(settings)) == []
    assert list(tmp_path.iterdir()) == []
