"""What 'doctor' says of the pepper: what a server would say that is started with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.cli.examining.accounts import examine_accounts
from fundstelle.cli.examining.findings import State
from fundstelle.errors import AccountsError
from fundstelle.settings import Settings
from tests.integration.services.databases import Database


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


HARM: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _path: None,
    "short": lambda path: path.write_bytes(b"x"),
    "empty": lambda path: path.write_bytes(b""),
    "long": lambda path: path.write_bytes(bytes(33)),
    "huge": lambda path: path.write_bytes(bytes(10_000)),
    "another's": lambda path: path.write_bytes(bytes(32)),
    "gone": Path.unlink,
    "a folder": put_folder,
    "a link to nothing": put_link,
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("is_used", [False, True])
def test_doctor_says_of_the_pepper_what_a_server_says_that_starts_with_it(
    tmp_path: Path, database: Database, harm: str, is_used: bool
) -> None:
    store = database.open(tmp_path)
    if is_used:
        ApiKeys(store).create("laptop")
    store.close()
    HARM[harm](tmp_path / PEPPER)
    environ = {"FUNDSTELLE_DATA": str(tmp_path)}
    if database.url is not None:
        environ["FUNDSTELLE_DATABASE_URL"] = database.url
    before = sorted(path.name for path in tmp_path.iterdir())
    findings = list(examine_accounts(Settings.from_env(environ)))
    found = [one.words for one in findings if one.state is State.WRONG]
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    if harm == "nothing":
        assert found == []
        return
    with pytest.raises(AccountsError) as said:
        AccountsStore.open(tmp_path, database.url)
    assert found == [str(said.value)]


def test_doctor_names_a_damaged_pepper_without_accounts(tmp_path: Path) -> None:
    (tmp_path / PEPPER).write_bytes(b"x")
    [found] = examine_accounts(Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)}))
    assert found.state is State.WRONG
    assert not (tmp_path / DATABASE).exists()
