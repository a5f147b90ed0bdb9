"""A disk that is full, read-only or somebody else's: one sentence and what to do, no traceback."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.cli import cli
from fundstelle.corpus import builds
from fundstelle.errors import CorpusError, SettingsError
from tests.e2e.server import FUNDSTELLE, find_free_port
from tests.integration.builds.test_builds import make_build
from tests.integration.corpora.laws import write_snapshot

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
        opened, opened_low = Path.open, os.open

        def refused(path: Path, mode: str = "r", *rest: object, **named: object) -> object:
            if set(mode) & set("wax+"):
                raise OSError(number, os.strerror(number), str(path))
            return opened(path, mode, *rest, **named)  # type: ignore[call-overload]  # passed on

        def refused_low(path: Path, flags: int, *rest: int, **named: int) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR):
                raise OSError(number, os.strerror(number), str(path))
            return opened_low(path, flags, *rest, **named)

        monkeypatch.setattr(Path, "open", refused)
        monkeypatch.setattr(os, "open", refused_low)

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


# A disk of our own, which any user may have in a namespace: $1 its place, $2 the folder to copy
# onto it, $3 what stays free in KB; the rest is the command.
ON_A_FULL_DISK = """
set -e
place=$1 folder=$2 free=$3
shift 3
mount -t tmpfs -o size=4m none "$place"
cp -R "$folder/." "$place/data"
dd if=/dev/zero of="$place/rest" bs=4k 2> "$place/said" || true
truncate -s "-${free}K" "$place/rest"
exec "$@"
"""
HAS_NAMESPACES = (
    shutil.which("unshare") is not None
    and subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    ).returncode
    == 0
)


@pytest.mark.skipif(not HAS_NAMESPACES, reason="no disk can be mounted for the test")
@pytest.mark.parametrize(
    ("command", "free_kb"),
    # 32: room for the index beside the database's log of changes, and not for the log
    [("up", 0), ("up", 32), ("serve", 0)],
)
def test_a_server_that_starts_on_a_full_disk_names_it_with_what_to_do(
    demonstration_data: Path, tmp_path: Path, command: str, free_kb: int
) -> None:
    data = tmp_path / "data"
    shutil.copytree(demonstration_data, data)
    AccountsStore.open(data).close()
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        [
            *("unshare", "-rm", "sh", "-c", ON_A_FULL_DISK, "sh"),
            *(place, data, str(free_kb), FUNDSTELLE, command, "--port", str(find_free_port())),
        ],
        env={**os.environ, "FUNDSTELLE_DATA": str(place / "data")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"the disk that holds {place / 'data'} is full; free about 1 GB" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_first_key_that_nobody_has_seen_is_ended(
    demonstration_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    shutil.copytree(demonstration_data, data)
    monkeypatch.setenv("FUNDSTELLE_DATA", str(data))
    monkeypatch.setenv("FUNDSTELLE_BASE_URL", "http://127.0.0.1:8000")

    def refuse(*_: object) -> None:
        raise SettingsError(["nothing can be written there"])

    with monkeypatch.context() as patched:
        patched.setattr("fundstelle.cli.up.hand_over", refuse)
        done = CliRunner().invoke(cli, ["up", "--port", str(find_free_port())])
    assert done.exit_code == 1, done.output
    store = AccountsStore.open(data)
    [key] = ApiKeys(store).list()
    assert key.revoked is not None
    assert "key_revoked" in [line["event"] for line in AuditLog(store).export()]

    monkeypatch.setattr("fundstelle.cli.up.run_server", lambda *_, **__: None)
    for _ in range(2):  # a first one is made again, and no second one
        done = CliRunner().invoke(cli, ["up", "--port", str(find_free_port())])
        assert done.exit_code == 0, done.output
        assert sorted(one.revoked is None for one in ApiKeys(store).list()) == [False, True]
    store.close()
