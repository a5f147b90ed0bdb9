"""What the learned ranking costs a build: ``nice python -m benches.cost.ranking [CORPUS]``.

Federal law and the decisions are built twice in one run by the real command, the second time
without its step that selects sentences and learns from them. Both take minutes. The ratio of the
times is what counts; since other programs may disturb one of the two, the share of that step in
the full build, measured inside it, stands beside.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from benches.cost.build import measure_tree_bytes
from benches.results import write_results
from fundstelle.corpus import builds
from fundstelle.ingest.build import connection
from fundstelle.search.ranking.ranker import FOLDER, read_card

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
ARCHIVES = ("gii-xml.tar.zst", "decisions.tar.zst")
BAR = 2.0
WATCH_S = 0.25

_LEARNED = ["-m", "fundstelle"]
_PLAIN = ["-c", "from benches.cost.ranking import build_plain; build_plain()"]
_STEP = "learn the ranking"
_PHASE = re.compile(r"(.+?)(?: …|: [\d,]+ \w[\w ]*)$")  # as cli.ingest.Lines begins one


def build_plain() -> None:
    """``fundstelle`` of this process's arguments, without the step that learns.

    Raises:
        RuntimeError: the pipeline has no such step under that name any more.
    """
    from fundstelle.cli import main  # noqa: PLC0415 the other processes of this bench need none

    if "learn_ranking" not in vars(connection):
        raise RuntimeError("the pipeline calls its step otherwise; change this benchmark")
    vars(connection)["learn_ranking"] = leave_out
    main()


def leave_out(*_arguments: object) -> str:
    """In the place of the step that learns; run by a worker, so it has a name."""
    return "ranking: left out"


@dataclass(slots=True)
class Build:
    """One build under measurement."""

    seconds: float = 0
    cpu_s: float = 0  # of all its processes
    peak_bytes: int = 0  # proportional set size of all processes together
    learning_s: float = 0
    learning_peak_bytes: int = 0  # resident size of the largest process while it learns
    said: list[str] = field(default_factory=list)
    phase: str = ""

    def follow(self, lines: IO[str]) -> None:
        """Read what the command tells of itself, until it ends."""
        began = time.perf_counter()
        for line in lines:
            match = _PHASE.fullmatch(line.strip())
            self.said += [line.strip()] if line.startswith("ranking: ") else []
            if match is None:
                continue
            now = time.perf_counter()
            if self.phase == _STEP:
                self.learning_s += now - began
            self.phase, began = match[1], now

    def note_memory(self, pid: int) -> None:
        self.peak_bytes = max(self.peak_bytes, measure_tree_bytes(pid))
        if self.phase == _STEP:
            largest = max(iter_resident(pid), default=0)
            self.learning_peak_bytes = max(self.learning_peak_bytes, largest)


def iter_resident(group: int) -> Iterator[int]:
    """Resident bytes of each process of a process group."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        fields = stat.rsplit(")", 1)[1].split()
        if int(fields[2]) == group:
            yield int(fields[21]) * os.sysconf("SC_PAGE_SIZE")


def build(program: Sequence[str], source: Path, data: Path) -> Build:
    """Run one build and watch it."""
    command = [sys.executable, *program, "ingest", "--source", str(source)]
    environ = {**os.environ, "FUNDSTELLE_DATA": str(data)}
    built, done = Build(), threading.Event()
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, env=environ, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None

    def watch() -> None:
        while not done.wait(WATCH_S):
            built.note_memory(process.pid)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        built.follow(process.stderr)
        before = sum(os.times()[2:4])
        code = process.wait()
        built.cpu_s = sum(os.times()[2:4]) - before
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)  # its workers end with it
        raise
    finally:
        done.set()
        watcher.join()
    built.seconds = time.perf_counter() - begin
    if code:
        sys.exit(f"the build failed with exit code {code}")
    return built


def find_index(data: Path) -> Path:
    release = builds.read_pointer(data)
    assert release is not None
    return builds.get_folder(data, release) / builds.INDEX


def describe(built: Build) -> dict[str, Any]:
    return {
        "seconds": round(built.seconds, 1),
        "cpu_s": round(built.cpu_s, 1),
        "peak_bytes": built.peak_bytes,
    }


def run(corpus: Path, folder: Path) -> bool:
    """Measure, print and keep; whether the bar holds."""
    (source := folder / "source").mkdir()
    for name in ARCHIVES:
        (source / name).symlink_to((corpus / name).resolve())
    learned = build(_LEARNED, source, folder / "learned")
    plain = build(_PLAIN, source, folder / "plain")
    card = read_card(find_index(folder / "learned"))
    if not card.get("sentences") or (find_index(folder / "plain") / FOLDER).exists():
        raise RuntimeError("the two builds do not differ as they should")
    ratio = learned.seconds / plain.seconds
    inside = learned.seconds / (learned.seconds - learned.learning_s)
    for name, built in (("with ranking", learned), ("plain", plain)):
        print(
            f"{name:14}{built.seconds:7.1f} s {built.cpu_s:7.1f} s CPU"
            f" {built.peak_bytes / 2**20:6.0f} MiB peak"
        )
    print(
        f"learning      {learned.learning_s:7.1f} s"
        f" {learned.learning_peak_bytes / 2**20:22.0f} MiB, its worker"
    )
    print(f"ratio of the two {ratio:.2f}, CPU {learned.cpu_s / plain.cpu_s:.2f}; bar {BAR}")
    print(f"ratio inside the full build, the step against the rest: {inside:.2f}")
    print(*learned.said, sep="\n")
    result = {
        "with_ranking": describe(learned),
        "plain": describe(plain),
        "learning_s": round(learned.learning_s, 1),
        "learning_peak_bytes": learned.learning_peak_bytes,
        "sentences": card["sentences"],
        "ratio": round(ratio, 2),
        "ratio_cpu": round(learned.cpu_s / plain.cpu_s, 2),
        "ratio_inside": round(inside, 2),
    }
    print("kept in", write_results("build_ranking", result).name)
    return ratio <= BAR


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.cost.ranking", description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--folder", type=Path, help="empty folder that keeps both builds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return 0 if run(arguments.corpus, arguments.folder or Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
