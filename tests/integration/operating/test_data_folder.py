"""Who may look into a data folder that a command has made."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.corpus import builds


@pytest.fixture(autouse=True)
def lax() -> Iterator[None]:
    """Whatever a shell allows."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_new_data_folder_is_its_owner_s_alone(tmp_path: Path) -> None:
    with builds.lock(tmp_path / "corpus"):
        pass
    AccountsStore.open(tmp_path / "accounts").close()
    for name in ("corpus", "accounts"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o750)
    with builds.lock(tmp_path / "data"):
        pass
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o750
