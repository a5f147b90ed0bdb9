"""A build killed at any moment leaves the live one alone and the next run clean."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_law, write_snapshot

PHASES = ["read", "read headers", "parse", "references", "index", "check"]
DELAYS = [*(random.Random(7).uniform(0, 0.2) for _ in PHASES)]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_snapshot(tmp_path / "source", laws=150)


def start(data_dir: Path, source: Path) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-m",
        "tests.integration.corpora.building",
        str(data_dir),
        str(source),
    ]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def kill_in_phase(process: "subprocess.Popen[str]", phase: str, delay: float) -> None:
    """SIGKILL ``delay`` seconds after the phase was announced, unless it has ended by then."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(phase):
            break
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()


@pytest.mark.parametrize(("phase", "delay"), list(zip(PHASES, DELAYS, strict=True)))
def test_a_killed_build_harms_nothing(
    tmp_path: Path, source: Path, phase: str, delay: float
) -> None:
    data_dir = tmp_path / "data"
    live = build(data_dir, source, laws=("muster1g",)).release
    process = start(data_dir, source)
    kill_in_phase(process, phase, delay)
    pointed = builds.read_pointer(data_dir)
    assert pointed is not None  # the one before, or the new one if it was already complete
    assert builds.verify(data_dir, pointed) == []

    again = build(data_dir, source)
    assert again.statutes == 150
    assert pointed in {live, again.release}
    assert builds.read_pointer(data_dir) == again.release
    assert builds.verify(data_dir, again.release) == []
    assert {path.name for path in (data_dir / "builds").iterdir()} == {live, again.release}


def test_the_workers_of_a_killed_build_end_with_it(tmp_path: Path, source: Path) -> None:
    write_law(source / "laws", "langg", 900, {f"§ {n}": "Erfunden." for n in range(1, 2000)})
    process = start(tmp_path / "data", source)
    assert process.stdout is not None
    assert any(line.startswith("parse") for line in process.stdout)
    process.send_signal(signal.SIGKILL)
    # The workers share the pipe: it ends only when the last of them has ended.
    process.communicate(timeout=30)
    with builds.lock(tmp_path / "data"):
        pass
