"""A backup that is ended on its way leaves nothing of the accounts lying about."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore

END_ON_THE_WAY = """
import os, signal, sys
from fundstelle.backup import verify
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
def end(*_):
    os.kill(os.getpid(), int(os.environ["SIGNAL"]))
    return []
verify.check_accounts = end
sys.argv = ["fundstelle", "backup", "create", os.environ["TARGET"]]
from fundstelle.cli import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_ended_backup_removes_what_it_unpacked(tmp_path: Path, number: signal.Signals) -> None:
    store = AccountsStore.open(tmp_path / "data")
    AuditLog(store).begin()
    store.close()
    (scratch := tmp_path / "scratch").mkdir()
    (target := tmp_path / "backups").mkdir()
    environ = {
        "FUNDSTELLE_DATA": str(tmp_path / "data"),
        "TMPDIR": str(scratch),
        "TARGET": str(target / "one"),
        "SIGNAL": str(int(number)),
    }
    done = subprocess.run(
        [sys.executable, "-c", END_ON_THE_WAY],
        env={**os.environ, **environ},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert [*scratch.iterdir(), *target.iterdir()] == []
