"""What a corpus of so many decisions costs: to make, to bring up to date, to ask.

python -m benches.scale.sizes --decisions 10000 [--update] [--data FOLDER]

The decisions are invented (``benches.scale.generator``), the laws a dozen of ``../shared/corpus``.
Phases of a build are told by the pipeline; their processor time is that of all its processes, which
on a busy machine says more than the seconds on the wall. Everything is asked in one process,
without a network.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

import zstandard

from benches.cost.build import measure_tree_bytes
from benches.results import write_results
from benches.scale.generator import make_head, write_archive
from benches.scale.shapes import MOST_CITED, SLUGS
from fundstelle.bootstrap.library import build_engine, open_library
from fundstelle.corpus import builds
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext

SHARED = Path(__file__).parents[3] / "shared"
LAWS = SHARED / "corpus" / "gii-xml.tar.zst"
DAYS = ("2025-03-31", "2025-04-15", "2025-04-30")
CHANGED = "urhg"  # the law that updates bring: with other words, then with a section more
QUESTIONS, PAGES = 400, 200
BARS_MS = {"search": 60, "citing": 20}
_SECTION = re.compile(
    rb'<norm [^>]*?doknr="[^"]*?(?P<id>BJNE\d+)"(?:(?!</norm>).)*?'
    rb"<enbez>(?P<sign>\xc2\xa7 \d+\w*)</enbez>.*?</norm>",
    re.DOTALL,
)
_TICKS = os.sysconf("SC_CLK_TCK")


class Clock:
    """Says when each phase of a build begins."""

    def start(self, phase: str, total: int, unit: str) -> None:  # noqa: ARG002 a protocol's
        """A line that the parent reads."""
        print(json.dumps([time.time(), phase.rsplit("/", maxsplit=1)[-1]]), flush=True)

    def advance(self, count: int) -> None:
        """Not told."""

    def note(self, line: str) -> None:
        """For whoever watches."""
        print(line, file=sys.stderr)


def unpack_laws(folder: Path) -> None:
    """The laws as three snapshots; in the second, one has other words, then a section more."""
    with LAWS.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as packed:
            for member in packed:
                parts = member.name.removeprefix("./").split("/")
                if parts[0] != "laws" or parts[1] not in SLUGS or not member.isreg():
                    continue
                file = packed.extractfile(member)
                assert file is not None
                data = file.read()
                for day in DAYS:
                    held = folder / f"gii-xml-{day}" / "/".join(parts)
                    held.parent.mkdir(parents=True, exist_ok=True)
                    held.write_bytes(_change(data, day) if parts[1] == CHANGED else data)


def _change(law: bytes, day: str) -> bytes:
    if day > DAYS[0]:
        law = law.replace(b"Urheber ", b"Verfasser ", 5)
    if day > DAYS[1]:
        first, *_, last = _SECTION.finditer(law)
        added = (
            first[0].replace(first["sign"], b"\xc2\xa7 999").replace(first["id"], b"BJNE999900000")
        )
        law = law[: last.end()] + added + law[last.end() :]
    return law


class TreeClock:
    """Seconds of processor of a process and all that were ever seen below it."""

    def __init__(self, root: int) -> None:
        self._known = {root}
        self._spent: dict[int, float] = {}

    def read(self) -> float:
        """So far; what a process spent after it was last seen is not known."""
        for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda entry: int(entry.name)):
            try:
                fields = (entry / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) in self._known or int(entry.name) in self._known:
                self._known.add(int(entry.name))
                self._spent[int(entry.name)] = sum(map(int, fields[11:13])) / _TICKS
        return sum(self._spent.values())


def measure_step(arguments: Sequence[str]) -> dict[str, Any]:
    """Run one step of this module as a process: seconds, memory, and its phases."""
    begun = time.time()
    process = subprocess.Popen(
        [sys.executable, "-m", "benches.scale.sizes", *arguments], stdout=subprocess.PIPE, text=True
    )
    seen: list[tuple[float, float, int]] = []  # time, processor, bytes held
    clock, ended = TreeClock(process.pid), threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            seen.append((time.time(), clock.read(), measure_tree_bytes(process.pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stdout is not None
    marks = [json.loads(line) for line in process.stdout if line.startswith("[")]
    failed = process.wait()
    whole = time.time()
    ended.set()
    watcher.join()
    if failed:
        raise SystemExit(f"{arguments} failed")

    def find_cpu(at: float) -> float:
        return next((cpu for when, cpu, _ in reversed(seen) if when <= at), 0.0)

    def find_peak_mb(start: float, end: float) -> int:
        return round(
            max((held for when, _, held in seen if start <= when < end), default=0) / 2**20
        )

    phases: dict[str, dict[str, float]] = {}
    for (start, name), (end, _) in zip(marks, [*marks[1:], [whole, ""]], strict=True):
        spent = find_cpu(end) - find_cpu(start)
        held = phases.setdefault(name, {"wall_s": 0.0, "cpu_s": 0.0, "peak_mb": 0})
        held["wall_s"] = round(held["wall_s"] + end - start, 1)
        held["cpu_s"] = round(held["cpu_s"] + spent, 1)
        held["peak_mb"] = max(held["peak_mb"], find_peak_mb(start, end))
    return {
        "wall_s": round(whole - begun, 1),
        "cpu_s": round(max((cpu for _, cpu, _ in seen), default=0.0), 1),
        "peak_mb": find_peak_mb(begun, whole),
        "phases": phases,
    }


def build(data: Path, sources: Sequence[Path], *, fresh: bool, adds: bool = False) -> None:
    """One build, as the command makes it; ``adds``: to what is held, as an update does."""
    given = [one for path in sources for one in (find_collections(path) or find_snapshots(path))]
    given = [replace(one, adds=adds) if isinstance(one, Collection) else one for one in given]
    options = BuildOptions(fresh=fresh, now=datetime(2025, 5, 1, tzinfo=UTC))
    built = build_corpus(given, data, build_engine(), options, Clock())
    print(built.manifest.release)


def describe(times: Sequence[float]) -> dict[str, float]:
    """Milliseconds."""
    points = quantiles(times, n=100)
    return {"n": len(times), "p50_ms": round(points[49], 2), "p99_ms": round(points[98], 2)}


def draw_questions(library: Library, decisions: int, rng: random.Random) -> list[str]:
    """Three to twelve words in a row of a hundred decisions, in a random order."""
    questions = []
    for decision in [
        library.decisions.get_by_ordinal([rng.randrange(decisions)])[0] for _ in range(100)
    ]:
        found = library.decisions.find_text(decision.decision_id)
        words = (found.text if found else "").split()
        for _ in range(QUESTIONS // 100):
            at = rng.randrange(max(len(words) - 12, 1))
            questions.append(" ".join(words[at : at + rng.randint(3, 12)]))
    rng.shuffle(questions)
    return questions


def ask(data: Path, decisions: int) -> dict[str, Any]:
    """Times of searches and of pages of citing decisions, memory, the check of every file."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    opened = time.perf_counter() - begun
    tools = {
        tool.name: tool
        for tool in build_registry(
            library, today=lambda: date(2025, 5, 1), base_url="http://127.0.0.1"
        ).tools
    }
    context = CallContext("bench", "bench")

    def time_call(name: str, **arguments: Any) -> tuple[float, dict[str, Any]]:
        started = time.perf_counter()
        called = tools[name].call(arguments, context)
        took = (time.perf_counter() - started) * 1e3
        return took, json.loads(called.structured or b"{}")

    rng = random.Random(1)
    store = library.store
    questions = draw_questions(library, decisions, rng)
    for question in questions[:20]:
        time_call("legal_search", query=question)
    searches = [time_call("legal_search", query=question)[0] for question in questions]
    most_cited = (
        library.decisions.find(make_head(0).ecli)
        or library.decisions.list_by_docket(make_head(0).docket)[0]
    )
    pages = {}
    for name, arguments in {
        MOST_CITED[0]: {"cited_norm": MOST_CITED[0]},
        "the most cited decision": {"cited_norm": most_cited.decision_id},
    }.items():
        times, total = [], 0
        for _ in range(PAGES):
            offset = rng.choice((0, 0, rng.randrange(max(total - 20, 1))))
            took, answer = time_call("legal_find_citing_decisions", offset=offset, **arguments)
            total = answer.get("total", 0)
            times.append(took)
        pages[name] = {"total": total, **describe(times)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    release = store.manifest.release
    begun = time.perf_counter()
    findings = builds.verify(data, release)
    verified = time.perf_counter() - begun
    folder = builds.get_folder(data, release)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "release": release,
        "build_mb": round(size / 2**20),
        "bytes_a_decision": round(size / decisions),
        "citings": store.manifest.citings,
        "open_s": round(opened, 2),
        "search": describe(searches),
        "citing": pages,
        "worker_mb": round(peak / 1024),
        "worker_mb_before": round(before / 1024),
        "verify_s": round(verified, 1),
        "findings": [str(finding) for finding in findings],
    }


def ask_apart(data: Path, decisions: int) -> dict[str, Any]:
    """As ``ask``, in a process of its own, whose memory is that of a worker."""
    command = [sys.executable, "-m", "benches.scale.sizes", "--step", "ask", "--data", str(data)]
    command += ["--decisions", str(decisions)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def run(decisions: int, data: Path, *, update: bool, keep_archive: Path | None) -> dict[str, Any]:
    """All of it; prints as it goes."""
    figures: dict[str, Any] = {"decisions": decisions, "load_before": os.getloadavg()[0]}

    def show(name: str, value: object) -> None:
        figures[name] = value
        print(json.dumps({name: value}, indent=1, ensure_ascii=False), flush=True)

    laws = data / "laws"
    unpack_laws(laws)
    archive = keep_archive or data / f"decisions-{decisions}.tar.zst"
    if not archive.exists():
        begun = time.time()
        show("archive_bytes", write_archive(archive, range(decisions)))
        show("generate_s", round(time.time() - begun, 1))
    first = ["--step", "build", "--data", str(data / "held")]
    show("ingest", measure_step([*first, str(laws / f"gii-xml-{DAYS[0]}"), str(archive)]))
    ingest = figures["ingest"]
    show("ms_a_decision", round(ingest["wall_s"] / decisions * 1e3, 2))
    show("asked", ask_apart(data / "held", decisions))
    if update:
        more = data / "decisions-more.tar.zst"
        write_archive(more, range(decisions, decisions + 1))
        for name, source in {
            "update of words": laws / f"gii-xml-{DAYS[1]}",
            "update with a section": laws / f"gii-xml-{DAYS[2]}",
            "update with a decision": more,
        }.items():
            show(name, measure_step([*first, "--adds", str(source)]))
        show("release_of_update", builds.get_live(data / "held"))
    return figures


def main() -> None:
    """Measure, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--update", action="store_true", help="bring it up to date afterwards")
    parser.add_argument("--data", type=Path, help="an empty folder that is kept")
    parser.add_argument("--archive", type=Path, help="of decisions, made if it is not there")
    parser.add_argument("--unkept", action="store_true", help="do not write the results")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--adds", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("sources", type=Path, nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step == "build":
        build(given.data, given.sources, fresh=False, adds=given.adds)
        return
    if given.step == "ask":
        print(json.dumps(ask(given.data, given.decisions)))
        return
    data = given.data or Path(tempfile.mkdtemp(prefix="scale-"))
    try:
        data.mkdir(parents=True, exist_ok=True)
        figures = run(given.decisions, data, update=given.update, keep_archive=given.archive)
    finally:
        if given.data is None:
            shutil.rmtree(data)
    if not given.unkept:
        write_results(f"scale_{given.decisions}", figures)


if __name__ == "__main__":
    main()
