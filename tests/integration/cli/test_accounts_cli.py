"""``fundstelle keys`` on a real database."""

import errno
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.keys.format import encode_if_intact
from fundstelle.cli.accounts.keys import keys
from fundstelle.errors import AccountsError, InvalidArgument, NotFound
from fundstelle.settings import Settings
from tests.integration.services.databases import SqliteDatabase


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    return lambda *arguments: CliRunner().invoke(keys, arguments, obj=settings)


def test_create_prints_the_key_alone(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("create", "laptop")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    key = result.stdout.strip()
    assert encode_if_intact(key) is not None
    assert key not in result.stderr
    api_keys = ApiKeys(SqliteDatabase().open(tmp_path), later=lambda _delay, _task: None)
    principal = api_keys.authenticate(key)
    assert principal is not None
    assert principal.name == "laptop"
    api_keys.close()


def test_a_key_that_nobody_could_be_told_is_revoked(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("click.echo", fail)
        result = run("create", "laptop")
    assert isinstance(result.exception, AccountsError)
    assert "is revoked" in str(result.exception)
    (key,) = json.loads(run("list", "--json").stdout)
    assert key["state"] == "revoked"


@pytest.mark.parametrize(
    ("rate", "stored", "shown"),
    [((), None, "default"), (("--rate", "600"), 600, "600"), (("--rate", "unlimited"), 0, "unl")],
)
def test_the_rate_is_a_number_or_unlimited(
    run: Callable[..., Result], rate: tuple[str, ...], stored: int | None, shown: str
) -> None:
    run("create", "laptop", *rate)
    assert json.loads(run("list", "--json").stdout)[0]["rate_per_minute"] == stored
    assert shown in run("list").stdout


@pytest.mark.parametrize("rate", ["0", "-1", "fast", "1.5", "²", "1000001"])
def test_any_other_rate_is_wrong_usage(run: Callable[..., Result], rate: str) -> None:
    result = run("create", "laptop", "--rate", rate)
    assert result.exit_code == 2
    assert "unlimited" in result.stderr
    assert result.stdout == ""


def test_the_day_of_expiry_is_the_last_day(run: Callable[..., Result]) -> None:
    next_year = datetime.now(UTC).year + 1
    run("create", "laptop", "--expires", f"{next_year}-12-31")
    (record,) = json.loads(run("list", "--json").stdout)
    assert datetime.fromisoformat(record["expires"]) == datetime(next_year + 1, 1, 1, tzinfo=UTC)


def test_list_shows_every_key_and_none_in_full(run: Callable[..., Result]) -> None:
    plain = run("create", "Kanzlei Müller").stdout.strip()
    run("create", "old")
    assert run("revoke", "old").exit_code == 0
    readable = run("list").stdout
    records = json.loads(run("list", "--json").stdout)
    # both of one second, so in no order of their own
    assert sorted((record["name"], record["state"]) for record in records) == [
        ("Kanzlei Müller", "live"),
        ("old", "revoked"),
    ]
    for text in (readable, json.dumps(records)):
        assert plain not in text
    assert "Kanzlei Müller" in readable
    assert f"{plain[:13]}…{plain[-4:]}" in readable


def test_an_empty_list_says_how_to_make_a_key(run: Callable[..., Result], tmp_path: Path) -> None:
    SqliteDatabase().open(tmp_path).close()
    result = run("list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "keys create" in result.stderr
    assert json.loads(run("list", "--json").stdout) == []


def test_revoking_what_is_not_there_is_one_sentence(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    SqliteDatabase().open(tmp_path).close()
    result = run("revoke", "nobody")
    assert isinstance(result.exception, NotFound)
    assert "keys list" in str(result.exception)


def test_the_audit_log_names_the_keys_that_were_created_and_revoked(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    key = run("create", "laptop").stdout.strip()
    (key_id,) = (each["id"] for each in json.loads(run("list", "--json").stdout))
    run("revoke", "laptop")
    store = SqliteDatabase().open(tmp_path)
    lines = [(one["event"], one["actor"], one["object"]) for one in AuditLog(store).export()]
    assert lines[1:] == [("key_created", "system", key_id), ("key_revoked", "system", key_id)]
    assert key[13:-4].encode() not in b"".join(AuditLog(store).export_lines())
    store.close()


@pytest.mark.parametrize(
    "options",
    [
        ("--expires", "9999-12-31"),
        ("--expires", "2999-01-01"),
        ("--rate", "9" * 5_000),
        ("--rate", "0"),
        ("--rate", "²"),
    ],
    ids=lambda options: "".join(options)[:20],
)
def test_numbers_and_days_that_nobody_means_are_refused_in_words(
    run: Callable[..., Result], options: tuple[str, ...]
) -> None:
    result = run("create", "a", *options)
    assert result.exit_code != 0
    assert isinstance(result.exception, (InvalidArgument, SystemExit))
    assert run("list").stdout == ""
