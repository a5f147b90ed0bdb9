"""A disk that is full, read-only or somebody else's: one sentence and what to do, no traceback."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.cli import cli
from fundstelle.corpus import builds
from fundstelle.errors import CorpusError
from tests.integration.laws import write_snapshot
from tests.integration.test_builds import make_build

ADVICE = {
    errno.EROFS: "mounted read-only: run the command where it is writable",
    errno.EACCES: "belongs to another user",
    errno.ENOSPC: "is full; free about 1 GB",
    errno.ENOENT: "see that the folder exists",
    errno.EIO: "Input/output error",
}


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let everything that opens a file for writing fail with that number."""

    def refuse_all(number: int) -> None:
        opened = Path.open

        def refused(path: Path, mode: str = "r", *rest: object, **named: object) -> object:
            if set(mode) & set("wax+"):
                raise OSError(number, os.strerror(number), str(path))
            return opened(path, mode, *rest, **named)  # type: ignore[call-overload]  # passed on

        monkeypatch.setattr(Path, "open", refused)

    return refuse_all


@pytest.mark.parametrize("number", ADVICE)
@pytest.mark.parametrize("command", ["activate", "prune", "ingest", "embed"])
def test_a_disk_that_refuses_is_named_with_what_to_do(
    tmp_path: Path,
    refuse: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    command: str,
) -> None:
    data = tmp_path / "data"
    release = make_build(data, "Eins")
    builds.activate(data, release)
    source = write_snapshot(tmp_path / "gii", laws=1)
    arguments = {
        "activate": ["corpus", "activate", release],
        "prune": ["corpus", "prune"],
        "ingest": ["ingest", "--source", str(source)],
        "embed": ["embed"],
    }[command]
    monkeypatch.setenv("FUNDSTELLE_DATA", str(data))
    monkeypatch.setenv("FUNDSTELLE_EMBEDDER", "http://127.0.0.1:9/v1/embeddings")
    monkeypatch.setenv("FUNDSTELLE_EMBEDDER_MODEL", "none")
    refuse(number)
    result = CliRunner().invoke(cli, arguments)
    assert isinstance(result.exception, CorpusError), result.output
    assert ADVICE[number] in str(result.exception)
    assert builds.read_pointer(data) == release
    assert not list(data.glob(".active-*"))
