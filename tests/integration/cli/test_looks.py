"""Commands that look at accounts, or change what is there, make none."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import make_url

from fundstelle.accounts.database.store import DATABASE, PEPPER
from fundstelle.cli import cli
from fundstelle.errors import AccountsError
from tests.integration.services.databases import PostgresServer, SqliteDatabase, be_patient

LOOKS = (
    *(("keys", "list"), ("keys", "list", "--json"), ("keys", "revoke", "laptop")),
    *(("users", "list"), ("users", "link", "a@b.example"), ("users", "disable", "a@b.example")),
    *(("users", "enable", "a@b.example"), ("users", "role", "a@b.example", "admin")),
    *(("users", "reset-factors", "a@b.example"), ("signing-keys", "list")),
    *(("audit", "verify"), ("audit", "export")),
    *(("audit", "prune", "--days", "9"), ("audit", "accept", "1", "--reason", "known")),
)
MAKERS = (("keys", "create", "a"), ("users", "first-admin"), ("signing-keys", "rotate"))


def run(data: Path, *arguments: str, url: str | None = None) -> Result:
    environ = {"FUNDSTELLE_DATA": str(data), "FUNDSTELLE_DATABASE_URL": url}
    return CliRunner().invoke(cli, arguments, env=environ)


@pytest.mark.parametrize("looks", LOOKS, ids="-".join)
def test_no_accounts_are_made_to_be_looked_at(tmp_path: Path, looks: Sequence[str]) -> None:
    data = tmp_path / "data"
    result = run(data, *looks)
    assert isinstance(result.exception, AccountsError)
    assert str(result.exception).startswith(f"there are no accounts in {data} yet")
    assert not data.exists()
    data.mkdir()
    for held in ((), ("audit-head.json",), (DATABASE,), (PEPPER,)):
        for name in held:
            (data / name).write_bytes(bytes(32) if name == PEPPER else b"")
        result = run(data, *looks)
        assert isinstance(result.exception, AccountsError)
        assert not held or "is not there" in str(result.exception)
        assert sorted(path.name for path in data.iterdir()) == sorted(held)
        for name in held:
            (data / name).unlink()


def test_accounts_that_are_half_restored_are_left_alone(tmp_path: Path) -> None:
    """Of a restoration the pepper comes last."""
    run(tmp_path / "first", "keys", "create", "laptop")
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "first" / DATABASE).rename(data / DATABASE)
    before = (data / DATABASE).read_bytes()
    for looks in LOOKS:
        assert f"{data / PEPPER} is not there" in str(run(data, *looks).exception)
    assert [path.name for path in data.iterdir()] == [DATABASE]
    assert (data / DATABASE).read_bytes() == before


def test_a_database_without_tables_gets_none_by_being_looked_at(
    tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    made = postgres.create_empty()
    (tmp_path / PEPPER).write_bytes(bytes(32))
    before = made.dump(tmp_path)
    for looks in LOOKS:
        result = run(tmp_path, *looks, url=made.url)
        assert isinstance(result.exception, AccountsError), result.output
        assert str(make_url(str(made.url)).password) not in str(result.exception)
    assert len(made.dump(tmp_path)) == len(before)


@pytest.mark.parametrize("makes", MAKERS, ids="-".join)
def test_what_begins_a_server_makes_its_accounts(tmp_path: Path, makes: Sequence[str]) -> None:
    data = tmp_path / "data"
    assert run(data, *makes).exit_code == 0
    assert run(data, "keys", "list").exit_code == 0
    assert run(data, "audit", "verify").exit_code == 0


def test_accounts_in_which_nobody_is_yet_are_looked_at(tmp_path: Path) -> None:
    SqliteDatabase().open(tmp_path).close()
    assert "There are no keys yet" in run(tmp_path, "keys", "list").output
    assert "There is nobody yet" in run(tmp_path, "users", "list").output
