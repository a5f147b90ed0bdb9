"""What an ordinary week's update of all federal law costs: time, memory, and what the build grows.

python -m benches.cost.updates [--since 2025-03-12] [--history]

The official site is played on loopback: all laws of ``../shared/history`` as they were on the last
looks of the archive. A build of the first of these days (with ``--history`` one that holds all
looks before) is brought up to date look by look, each in a process of its own. The first update
fetches every file; the later ones are what a week costs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, date, datetime
from pathlib import Path

from tests.integration.corpora.building import Heard
from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.corpora.past_site import EarlierFiles, PastSite, read_past, serve_past

from benches.results import write_results
from fundstelle.bootstrap.library import build_engine
from fundstelle.corpus import builds
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.history.looks import LawHistory
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.gii import official_site
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import Updating, update

ARCHIVE = CORPUS.parent / "history" / "gii-xml-history.tar.zst"


def take_step(step: str, data: Path, day: date, url: str) -> None:
    """One command's work, on the day that it is on the site."""
    now, client = datetime.combine(day, datetime.min.time(), UTC), Downloader(pause=0)
    if step == "update":
        addresses = {FEDERAL_LAW.source_type: url}
        updating = Updating(data, addresses, client, build_engine(), clock=lambda: now)
        for outcome in update(updating, Heard(aloud=True)).outcomes:
            print(outcome)
        return
    order = Order(data / "fetched", url)
    source = (
        LawHistory(EarlierFiles(ARCHIVE, day))
        if step == "history"
        else official_site.fetch(order, client, Heard(), lambda: now)
    )
    options = BuildOptions(now=now)
    build_corpus([source], data, build_engine(), options, Heard(aloud=True))


def measure(step: str, data: Path, site: PastSite) -> dict[str, float]:
    """Seconds by the clock and of processors; private memory of one process and of all together."""
    command = [sys.executable, "-m", "benches.cost.updates", "--step", step, "--data", str(data)]
    begun = time.perf_counter()
    process = subprocess.Popen([*command, "--day", site.today.isoformat(), "--url", site.url])
    most, used, ended = [0.0, 0.0], dict[int, float](), threading.Event()

    def watch() -> None:
        while not ended.wait(0.25):
            seen = list(_list_processes(process.pid))
            sizes = [size for _, size, _ in seen]
            most[0] = max([most[0], *sizes])
            most[1] = max(most[1], sum(sizes))
            used.update((pid, seconds) for pid, _, seconds in seen)

    watcher = threading.Thread(target=watch)
    watcher.start()
    failed = process.wait()
    ended.set()
    watcher.join()
    if failed:
        raise SystemExit(f"{step} failed")
    release = builds.get_live(data)
    assert release is not None
    folder = builds.get_folder(data, release)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "wall_s": round(time.perf_counter() - begun, 1),
        "cpu_s": round(sum(used.values()), 1),
        "most_mb_of_one_process": round(most[0]),
        "most_mb_together": round(most[1]),
        "build_mb": round(size / 2**20),
    }


def _list_processes(pid: int) -> list[tuple[int, float, float]]:
    """A process and all below it: its id, private megabytes, seconds of a processor."""
    found, parents, ticks = [], {pid}, os.sysconf("SC_CLK_TCK")
    for path in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            parent = int(fields[1])
            if int(path.name) not in parents and parent not in parents:
                continue
            parents.add(int(path.name))
            lines = (path / "smaps_rollup").read_text().splitlines()
        except (OSError, ValueError):
            continue
        private = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
        seconds = (int(fields[11]) + int(fields[12])) / ticks
        found.append((int(path.name), private / 1024, seconds))
    return found


def main() -> None:
    """Measure, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--since", type=date.fromisoformat, default=date(2025, 3, 12))
    parser.add_argument("--history", action="store_true")
    for name in ("--step", "--data", "--day", "--url"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        take_step(given.step, Path(given.data), date.fromisoformat(given.day), given.url)
        return
    past = read_past(ARCHIVE, None, given.since)
    data = Path(tempfile.mkdtemp(prefix="updates-"))
    figures: dict[str, object] = {"laws": len(past.versions)}
    try:
        with serve_past(past) as site:
            for number, day in enumerate(past.days):
                site.today = day
                step = "update" if number else "history" if given.history else "begin"
                figures[f"{step} {day.isoformat()}"] = measure(step, data, site)
                print(json.dumps(figures, indent=2), flush=True)
    finally:
        shutil.rmtree(data)
    name = "updates_history" if given.history else "updates"
    write_results(name, {**figures, "load": os.getloadavg()[0]})


if __name__ == "__main__":
    main()
