import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fundstelle import sharing
from fundstelle.accounts.audit.head import HeadFile, Sealer
from fundstelle.accounts.pepper import create_pepper
from fundstelle.corpus.proof import signing


def fill(folder: Path, size: int) -> Path:
    (file := folder / "file").write_bytes(b"x" * size)
    return file


def test_a_large_file_is_one_file_under_two_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LEAST_BYTES", 100)
    file = fill(tmp_path, 100)
    sharing.share(file, tmp_path / "other")
    assert file.samefile(tmp_path / "other")


def test_a_small_file_is_another_one_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LEAST_BYTES", 100)
    file = fill(tmp_path, 99)
    sharing.share(file, tmp_path / "other")
    assert not file.samefile(tmp_path / "other")
    assert (tmp_path / "other").read_bytes() == file.read_bytes()


def test_where_nothing_can_be_linked_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(sharing, "LEAST_BYTES", 0)
    monkeypatch.setattr(os, "link", refuse)
    file = fill(tmp_path, 10)
    sharing.share(file, tmp_path / "other")
    assert not file.samefile(tmp_path / "other")
    assert (tmp_path / "other").read_bytes() == file.read_bytes()


@pytest.fixture(params=[None, errno.EPERM, errno.ENOTSUP, errno.EACCES])
def links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system with hard links, and some without."""

    def refuse(*_: object) -> None:
        raise OSError(request.param, os.strerror(request.param))

    if request.param is not None:
        monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("links")
def test_a_name_is_given_once_and_to_a_whole_file(tmp_path: Path) -> None:
    name, barrier = tmp_path / "name", threading.Barrier(8)

    def create(number: int) -> int | None:
        draft = tmp_path / f"draft-{number}"
        draft.write_bytes(b"%d" % number * 1_000)
        barrier.wait()
        try:
            sharing.give_name(draft, name)
        except FileExistsError:
            return None
        return number

    with ThreadPoolExecutor(8) as pool:
        [first] = [one for one in pool.map(create, range(8)) if one is not None]
    assert name.read_bytes() == b"%d" % first * 1_000


@pytest.mark.usefixtures("links")
def test_a_name_that_leads_nowhere_is_another_file(tmp_path: Path) -> None:
    draft = fill(tmp_path, 1)
    (tmp_path / "name").symlink_to(tmp_path / "gone")
    with pytest.raises(FileExistsError):
        sharing.give_name(draft, tmp_path / "name")


def test_what_else_stands_in_the_way_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(OSError, match="No space left"):
        sharing.give_name(fill(tmp_path, 1), tmp_path / "name")
    assert not (tmp_path / "name").exists()


@pytest.mark.usefixtures("links")
def test_the_secrets_of_a_data_folder_are_created_on_any_file_system(tmp_path: Path) -> None:
    key, pepper = signing.open_key(tmp_path), create_pepper(tmp_path / "pepper")
    assert signing.open_key(tmp_path).private_bytes_raw() == key.private_bytes_raw()
    assert create_pepper(tmp_path / "pepper") == pepper
    head = HeadFile(tmp_path / "audit-head", Sealer(pepper))
    head.begin()
    found = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert found == dict.fromkeys((signing.KEY_FILE, "pepper", "audit-head"), 0o600)
