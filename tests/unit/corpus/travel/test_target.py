"""A folder as a target: whole files, and nothing that only looks like one."""

import os
from pathlib import Path

import pytest

from fundstelle.corpus.travel.folder import FolderTarget
from fundstelle.corpus.travel.target import LIVE, read_release, write_release
from fundstelle.errors import CorpusError


def test_what_was_written_is_read_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = FolderTarget(tmp_path / "new" / "target")
    assert target.read("objects/a", 10) is None
    assert target.measure("objects/a") is None
    target.write("objects/a", b"one")
    target.write("objects/a", b"other")

    assert target.read("objects/a", 5) == b"other"
    assert target.measure("objects/a") == 5
    assert [one.name for one in (tmp_path / "new" / "target" / "objects").iterdir()] == ["a"]


def test_more_than_was_said_is_refused(tmp_path: Path) -> None:
    target = FolderTarget(tmp_path)
    target.write("a", b"12345")

    with pytest.raises(CorpusError, match="larger than the 4 bytes"):
        target.read("a", 4)


def test_a_pipe_in_a_files_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")

    with pytest.raises(CorpusError, match="is no file"):
        FolderTarget(tmp_path).read("a", 10)
    assert FolderTarget(tmp_path).measure("a") is None


@pytest.mark.parametrize("data", [b"", b"../x\n", b"\xff", b"0123456789abcdeF\n"])
def test_a_pointer_that_names_no_release_is_not_followed(tmp_path: Path, data: bytes) -> None:
    (tmp_path / LIVE).write_bytes(data)

    with pytest.raises(CorpusError, match="names no release"):
        read_release(FolderTarget(tmp_path), LIVE)


def test_a_pointer_is_not_let_name_what_is_not_there(tmp_path: Path) -> None:
    target = FolderTarget(tmp_path)

    with pytest.raises(CorpusError, match="there is no release"):
        write_release(target, LIVE, "0" * 16)
    assert read_release(target, LIVE) is None
