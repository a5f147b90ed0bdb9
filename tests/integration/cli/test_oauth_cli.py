"""The command line lists and rotates signing keys, and the log says so."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.cli import cli
from tests.integration.services.databases import SqliteDatabase


def _run(folder: Path, *arguments: str) -> str:
    result = CliRunner(env={"FUNDSTELLE_DATA": str(folder)}).invoke(
        cli, ["signing-keys", *arguments], catch_exceptions=False
    )
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize(
    ("arguments", "states"), [((), ["next", "active"]), (("--at-once",), ["active"])]
)
def test_the_operator_rotates_the_signing_key(
    tmp_path: Path, arguments: tuple[str, ...], states: list[str]
) -> None:
    first = _run(tmp_path, "rotate").strip()
    second = _run(tmp_path, "rotate", *arguments).strip()
    assert first != second
    listed = [line.split()[:2] for line in _run(tmp_path, "list").splitlines()]
    assert listed == [[second, states[0]], [first, "active"]][: len(states)]
    store = SqliteDatabase().open(tmp_path)
    assert SigningKeys(store).get_active().thumbprint() == (second if arguments else first)
    assert [line["event"] for line in AuditLog(store).export()][1:] == ["signing_key_rotated"] * 2
    store.close()
