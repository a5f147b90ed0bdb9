"""A log that nobody reads any more, and a full disk: the answers go on."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.adversarial.attacker import get
from tests.e2e.server import FUNDSTELLE, find_free_port, started, wait_for

REQUESTS = 900  # their lines are more than a pipe holds


def test_a_server_whose_log_is_not_read_answers_and_ends(
    invented_data: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(invented_data, tmp_path / "data")
    port = find_free_port()
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [FUNDSTELLE, "serve", "--port", str(port)],
        env={**os.environ, "FUNDSTELLE_DATA": str(data)},
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=writing,
    )
    os.close(writing)
    try:
        wait_for(port, process)
        for _ in range(REQUESTS):
            assert get(port, "/mcp").status == 401
        assert get(port, "/healthz").status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) in (0, -signal.SIGTERM)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(reading)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no folder in memory")
def test_counters_of_workers_are_mapped_from_memory(invented_data: Path, tmp_path: Path) -> None:
    """Mapped from a disk, a counter that finds it full ends its worker."""
    data = shutil.copytree(invented_data, tmp_path / "data")
    with started(data, "--workers", "2") as server:
        assert get(server.port, "/readyz").status == 200
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        maps = "".join(Path(f"/proc/{child}/maps").read_text() for child in children)
        mapped = {line.split()[-1] for line in maps.splitlines() if line.endswith(".db")}
        assert mapped, "no worker counts"
        assert {Path(name).parts[:3] for name in mapped} == {("/", "dev", "shm")}
