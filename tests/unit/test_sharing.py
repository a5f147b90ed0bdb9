import os
from pathlib import Path

import pytest

from fundstelle import sharing


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
