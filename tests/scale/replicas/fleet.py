"""Three servers alike, each with a folder of its own, as docs/replicas.md sets them up."""

import os
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.e2e.server import FUNDSTELLE, Started, find_free_port, run_fundstelle, started
from tests.e2e.test_swap import write_law

WORDS = ("Eins", "Zwei")
NOWHERE = "http://127.0.0.1:9"  # refuses at once: a test fetches nothing


class Replica:
    """One server: it can be stopped, killed and started on the same port and folder."""

    def __init__(self, data: Path, settings: Mapping[str, str]) -> None:
        self.data = data
        self.port = find_free_port()
        self.metrics_port = find_free_port()
        self.settings = {**settings, "metrics_port": str(self.metrics_port)}
        self._running: ExitStack | None = None
        self.server: Started | None = None

    def start(self) -> None:
        stack = ExitStack()
        self.server = stack.enter_context(started(self.data, port=self.port, **self.settings))
        self._running = stack

    @property
    def is_started(self) -> bool:
        return self._running is not None

    def stop(self) -> None:
        """As an operator does: answers under way are finished; its log must be clean."""
        if self._running is not None:
            stack, self._running = self._running, None
            stack.close()

    def kill(self) -> None:
        assert self.server is not None
        os.killpg(self.server.pid, signal.SIGKILL)
        self.stop()

    def read_metric(self, name: str) -> float:
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        with urllib.request.urlopen(url, timeout=30) as response:
            lines = response.read().decode().splitlines()
        return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))

    def read_cpu_s(self) -> float:
        """Processor time of the server so far."""
        assert self.server is not None
        fields = Path(f"/proc/{self.server.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Origin:
    """The machine that builds: two releases of one law, one word apart."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.releases: list[str] = []
        for word in WORDS:
            source = write_law(folder, word)
            write_more(source)
            arguments = ("--fresh", "--site", NOWHERE, "--source", str(source))
            run_fundstelle(self.data, "ingest", *arguments)
            self.releases.append((self.data / "active").read_text(encoding="ascii").strip())
        self.words = {
            release: f"Wort {word}." for release, word in zip(self.releases, WORDS, strict=True)
        }

    def push(self, target: Path, release: str, *options: str) -> None:
        run_fundstelle(self.data, "build", "push", str(target), release, *options)


def write_more(source: Path) -> None:
    """Two further laws, so that the list of laws has pages."""
    (law,) = source.glob("laws/swapg/*.xml")
    text = law.read_text(encoding="utf-8")
    for number in (2, 3):
        doknr = f"BJNR0000{number}0020"
        other = source / "laws" / f"swap{number}g" / f"{doknr}.xml"
        other.parent.mkdir(parents=True)
        other.write_text(
            text.replace("BJNR000010020", doknr).replace("SwapG", f"Swap{number}G"),
            encoding="utf-8",
        )


@contextmanager
def following(replicas: Sequence[Replica], target: Path) -> Iterator[None]:
    """``fundstelle build pull --follow`` beside each server."""
    command = [FUNDSTELLE, "build", "pull", str(target), "--follow", "--every", "0.2"]
    processes = []
    try:
        for replica in replicas:
            environ = {**os.environ, "FUNDSTELLE_DATA": str(replica.data)}
            processes.append(subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL))
        yield
        assert all(process.poll() is None for process in processes)
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                process.terminate()
            process.wait(timeout=30)
