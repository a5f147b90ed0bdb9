"""What it takes to begin: help, a lookup and a server, beside a Python that does nothing.

python -m benches.cost.starting

Asks the build in FUNDSTELLE_DATA. Processor time of the whole process, least of several runs; the
bars are those of an idle machine, so that a busy one is told by what plain Python takes.
"""

import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from benches.results import write_results

RUNS = 7
WORKERS = 2
COMMAND = [sys.executable, "-m", "fundstelle"]
BARS_S = {"help": 0.2, "lookup": 0.6, "ready": 2.0}  # ready: for each worker
GIVEN_UP_S = 60.0


def time_cpu(command: Sequence[str]) -> float:
    """Seconds of processor time, the least of ``RUNS``; the first is not counted."""
    least = float("inf")
    for run in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run:
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            least = min(least, spent)
    return least


def time_ready(data: str) -> float:
    """Seconds from the start of a server to its being ready, the least of three."""
    return min(_time_once(data) for _ in range(3))


def _time_once(data: str) -> float:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("builds", "active"):  # and no accounts of that folder
            (Path(folder) / name).symlink_to(Path(data).resolve() / name)
        command = [*COMMAND, "serve", "--port", str(port), "--workers", str(WORKERS)]
        environ = {**os.environ, "FUNDSTELLE_DATA": folder}
        begin = time.perf_counter()
        with subprocess.Popen(
            command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            try:
                _wait(f"http://127.0.0.1:{port}/readyz", begin)
                return time.perf_counter() - begin
            finally:
                server.terminate()


def _wait(url: str, begin: float) -> None:
    while time.perf_counter() - begin < GIVEN_UP_S:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.02)  # a bench waits for a server by asking; it is no test
    raise TimeoutError(f"{url} did not answer")


def main() -> int:
    """Print the table; 1 if a bar is missed."""
    data = os.environ["FUNDSTELLE_DATA"]
    plain = time_cpu([sys.executable, "-c", "pass"])
    seconds = {
        "help": time_cpu([*COMMAND, "--help"]),
        "lookup": time_cpu([*COMMAND, "lookup", "§ 823 BGB"]),
        "ready": time_ready(data) / WORKERS,
    }
    print(f"python -c pass: {plain * 1000:.0f} ms")
    missed = 0
    for name, spent in seconds.items():
        fits = spent <= BARS_S[name]
        missed += not fits
        print(
            f"{name:8} {spent:.2f} s, {spent / plain:.0f} times plain Python;"
            f" bar {BARS_S[name]} s: {'held' if fits else 'MISSED'}"
        )
    write_results("starting", {"plain_s": plain, "seconds": seconds, "bars_s": BARS_S})
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
