"""Small files of a data folder are read without waiting, whatever stands in their place."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fundstelle.accounts.audit.spool import read_loss
from fundstelle.accounts.pepper import read_pepper
from fundstelle.backup.create import create
from fundstelle.backup.trace import TRACE, read_trace
from fundstelle.corpus.builds import list_builds
from fundstelle.corpus.proof.signing import KEY_FILE, open_key
from fundstelle.corpus.soundness.record import FOLDER, find_record
from fundstelle.corpus.updates import REPORT, read_report
from fundstelle.disks import read_small
from fundstelle.errors import FundstelleError

RELEASE = "0123456789abcdef"

READERS: dict[str, Callable[[Path], object]] = {
    "pepper": lambda folder: read_pepper(folder / "pepper"),
    KEY_FILE: open_key,
    TRACE: read_trace,
    REPORT: read_report,
    f"{FOLDER}/{RELEASE}.json": lambda folder: find_record(folder, RELEASE),
    f"builds/{RELEASE}/manifest.json": list_builds,
    "audit-spool/1.lost": lambda folder: read_loss(folder / "audit-spool/1.lost"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    with suppress(FundstelleError):
        assert not READERS[name](tmp_path)


def test_a_backup_waits_for_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/pepper").write_bytes(bytes(32))
    os.mkfifo(tmp_path / "data/audit-head.json")
    with pytest.raises(FundstelleError, match="is not a file"):
        create(tmp_path / "data", tmp_path / "backup", has_file=False, with_build=False)


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    assert read_small(path, 10) == bytes(10)
    with pytest.raises(OSError, match="larger"):
        read_small(path, 9)
