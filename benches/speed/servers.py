"""Servers under measurement: started on one core, watched through /proc, ended by their pid."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SERVER_CORE = 0
START_TIMEOUT_S = 60

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Server:
    """A process (and its workers) listening on a port of the loopback interface."""

    name: str
    command: Sequence[str]
    port: int
    log: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    path: str = "/mcp"
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", str(SERVER_CORE), *self.command],
                env={**os.environ, **self.environ},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait()

    def _wait(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.stop()
        end = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RuntimeError(f"{self.name} did not start:\n{end}")

    def stop(self) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.process = None

    def cpu_s(self) -> float:
        """Processor seconds, user and system, that the server and its workers have used."""
        return sum(int(stat[11]) + int(stat[12]) for stat in self._stats()) / _TICKS_PER_S

    def resident_bytes(self) -> int:
        """Resident memory of the server and its workers; shared pages count in each."""
        return sum(int(stat[21]) for stat in self._stats()) * os.sysconf("SC_PAGE_SIZE")

    def _stats(self) -> list[list[str]]:
        """The fields of /proc/PID/stat after the command's name, one list a process."""
        assert self.process is not None
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
                except OSError:
                    continue
                fields = stat.rsplit(")", 1)[1].split()
                if int(fields[2]) == self.process.pid:  # the process group
                    found.append(fields)
        return found
