"""``fundstelle audit`` on a real database."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.cli.accounts.audit import audit
from fundstelle.settings import Settings
from tests.integration.services.databases import Database


@pytest.fixture
def run(tmp_path: Path, database: Database) -> Callable[..., Result]:
    environ = {"FUNDSTELLE_DATA": str(tmp_path)}
    if database.url is not None:
        environ["FUNDSTELLE_DATABASE_URL"] = database.url
    settings = Settings.from_env(environ)
    return lambda *arguments: CliRunner().invoke(audit, arguments, obj=settings)


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    log = AuditLog(opened)
    log.record("signed_in", "user_ä", "session_a")
    log.record("key_created", "user_ä", "key_b")
    yield opened
    opened.close()


def test_export_writes_a_line_of_json_each(
    store: AccountsStore, run: Callable[..., Result]
) -> None:
    del store
    result = run("export")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout_bytes.decode().splitlines()]
    assert [(line["number"], line["actor"]) for line in lines[1:]] == [(1, "user_ä"), (2, "user_ä")]
    assert run("export", "--since", "2999-01-01").stdout == ""


def test_a_whole_log_prints_the_hash_to_remember(
    store: AccountsStore, run: Callable[..., Result]
) -> None:
    result = run("verify")
    assert result.exit_code == 0
    assert result.stdout.strip() == AuditLog(store).read_head()[1]
    assert "3 lines" in result.stderr
    assert run("verify", "--head", result.stdout.strip()).exit_code == 0


def test_a_changed_line_is_exit_code_1_and_named(
    store: AccountsStore, run: Callable[..., Result]
) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE audit SET actor = 'user_b' WHERE number = 1"))
    result = run("verify")
    assert result.exit_code == 1
    assert "line 1 was changed" in result.stderr
    assert result.stdout == ""


def test_a_remembered_hash_that_is_gone_is_exit_code_1(
    store: AccountsStore, run: Callable[..., Result]
) -> None:
    del store
    result = run("verify", "--head", "f" * 64)
    assert result.exit_code == 1
    assert "remembered" in result.stderr


@pytest.mark.parametrize("head", ["", "xyz", "f" * 63])
def test_what_is_no_hash_is_wrong_usage(run: Callable[..., Result], head: str) -> None:
    assert run("verify", "--head", head).exit_code == 2


def test_what_was_accepted_is_told_and_no_longer_an_error(
    store: AccountsStore, run: Callable[..., Result]
) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE audit SET actor = 'user_b' WHERE number = 1"))
    assert run("accept", "1", "--reason", "a test").exit_code == 0
    result = run("verify")
    assert (result.exit_code, len(result.stdout.strip())) == (0, 64)
    assert "accepted: line 1 was changed" in result.stderr
    assert run("accept", "2").exit_code == 2
