"""What the command line says where it cannot say it as usual."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "fundstelle"]


def run(arguments: list[str], stdout: int, **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env={**os.environ, **environ},
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_behind_the_output_is_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(["--help"], full.fileno())
    assert done.returncode == 1
    assert done.stderr.startswith(b"fundstelle: the output cannot be written")
    assert b"Traceback" not in done.stderr


def test_signs_that_the_output_does_not_have_are_replaced() -> None:
    done = run(["ingest", "--help"], subprocess.PIPE, PYTHONIOENCODING="latin-1:strict")
    assert done.returncode == 0
    assert b"sgb_5 ?" in b" ".join(done.stdout.split())
