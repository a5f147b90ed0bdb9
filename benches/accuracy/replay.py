"""Replay equals batch, with all laws: an update on each day of the looks, then all of it at once.

python -m benches.accuracy.replay [--every 20] [--looks 80] [--data FOLDER]

The official site is played on loopback as it was on each of the days of ``../shared/history``,
with its tables of contents, 304s, and the outages and half files that CI's subset has. One process
takes all the updates, none of which makes a search index: it is no part of a release. A folder that
is named is kept, and a run that was stopped goes on in it (``<folder>-looks.jsonl`` has what each
look took). ``--looks`` ends after so many days, and ingests what had been seen by then.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time as clock
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path

from tests.integration.corpora.building import Heard
from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.corpora.past_site import Past, PastFiles, PastSite, read_past, serve_past
from tests.integration.corpora.stand_in import LinesEngine

from benches.results import write_results
from fundstelle.corpus import builds
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.build.pool import Pool
from fundstelle.ingest.history.looks import LawHistory
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.gii import official_site
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from fundstelle.search.index import HeldPart, SearchDocument

ARCHIVE = CORPUS.parent / "history" / "gii-xml-history.tar.zst"
TABLE = "/gii-toc.xml"
LAW = "/{}/xml.zip"
# What goes wrong on the n-th look; of laws, the n-th ones of the table. What was wrong for good has
# the look begun anew.
FAILURES: dict[int, dict[int | str, list[str]]] = {
    3: {0: ["503", "503"]},
    20: {1: ["cut"], TABLE: ["cut", "503"]},
    40: {TABLE: ["page"]},
    90: {TABLE: ["cut"] * 9},
    120: {2: ["cut", "503"], 3: ["503"]},
}


class _NoIndex(LinesEngine):
    """Makes no index."""

    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],  # noqa: ARG002 the port has it
        folder: Path,
        same: Path | None = None,  # noqa: ARG002 the port has it
    ) -> None:
        (folder / "lines.txt").touch()


def take_updates(data: Path, url: str) -> None:
    """One update for each day that comes in, a line each; what came of it goes out.

    An index that is not made needs no process of its own, which is the half of two.
    """
    Pool.set_apart = Pool.submit  # type: ignore[method-assign]
    Pool.rejoin = Pool.rest  # type: ignore[method-assign]
    for line in sys.stdin:
        told = _look(data, url, date.fromisoformat(line.strip()))
        with builds.lock(data):
            builds.prune(data, 1)
        print(json.dumps(told), flush=True)


def _look(data: Path, url: str, day: date) -> dict[str, object]:
    """The first build, or one update of it, on a day."""
    now, client, heard = datetime.combine(day, time(12), UTC), _client(), Heard()
    if builds.get_live(data) is None:
        order = Order(data / "cache" / FEDERAL_LAW.cache, url)
        laws = official_site.fetch(order, client, heard, lambda: now)
        built = build_corpus([laws], data, _NoIndex(), BuildOptions(now=now), heard)
        return {"good": True, "release": built.manifest.release}
    addresses = {FEDERAL_LAW.source_type: url}
    report = update(Updating(data, addresses, client, _NoIndex(), clock=lambda: now), heard)
    [laws_of] = report.outcomes
    problems = [laws_of.problem, *laws_of.problems][:3]
    told = {"good": report.is_good, "release": report.release, "new": laws_of.new}
    return {**told, "problems": problems}


def _client() -> Downloader:
    return Downloader(pause=0, timeout=10, sleep=lambda _seconds: None)


@contextmanager
def _updating(data: Path, site: PastSite) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "benches.accuracy.replay", "--data", str(data)]
    with subprocess.Popen(
        [*command, "--url", site.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()


def _ask(process: "subprocess.Popen[str]", day: date) -> dict[str, object]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{day.isoformat()}\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SystemExit("the updates ended")
    told: dict[str, object] = json.loads(line)
    return told


def replay(past: Past, data: Path) -> dict[str, object]:
    """All looks in turn; the release that they end in."""
    done = _find_done(data)
    kept = data.with_name(f"{data.name}-looks.jsonl")  # of runs that were stopped, too
    if done is None:
        kept.unlink(missing_ok=True)
    before = list(map(json.loads, kept.read_text().splitlines())) if kept.exists() else []
    looks: list[float] = [one["s"] for one in before]
    last: dict[str, object] = {}
    new = sum(one["new"] for one in before)
    with serve_past(past) as site, _updating(data, site) as process:
        for number, day in enumerate(past.days):
            if done is not None and day <= done:
                continue
            begun = clock.perf_counter()
            site.today = day
            site.failures = _fail(past, day, number)
            last = _ask(process, day)
            if not last["good"]:
                assert number in FAILURES, last
                site.failures = {}
                last = _ask(process, day)
                assert last["good"], last
            looks.append(clock.perf_counter() - begun)
            new += int(str(last.get("new", 0)))
            with kept.open("a") as file:
                one = {"day": day.isoformat(), "s": round(looks[-1], 1), "new": last.get("new", 0)}
                file.write(f"{json.dumps(one)}\n")
            print(day, f"{looks[-1]:.1f} s", last, flush=True)
        answers = {str(status): count for status, count in sorted(site.asked.items())}
    middle = sorted(looks)[len(looks) // 2] if looks else 0
    return {
        "release": last.get("release") or builds.get_live(data),
        "resumed_after": done.isoformat() if done else None,
        "looks": len(looks),
        "new_files": new,
        "answers": answers,
        "s": round(sum(looks)),
        "median_s": round(middle, 1),
    }


def _find_done(data: Path) -> date | None:
    release = builds.get_live(data)
    return builds.read_manifest(builds.get_folder(data, release)).stand if release else None


def _fail(past: Past, day: date, number: int) -> dict[str, list[str]]:
    slugs = sorted(past.list_on(day))
    return {
        name if isinstance(name, str) else LAW.format(slugs[name * (len(slugs) // 7)]): list(what)
        for name, what in FAILURES.get(number, {}).items()
    }


def _forget_after(past: Past, last: date) -> None:
    past.days = [day for day in past.days if day <= last]
    for slug, versions in list(past.versions.items()):
        past.versions[slug] = [version for version in versions if version.day <= last]
        if not past.versions[slug]:
            del past.versions[slug]


def ingest(past: Past, data: Path) -> dict[str, object]:
    """All of it at once."""
    begun, now = clock.perf_counter(), datetime.combine(past.days[-1], time(12), UTC)
    history = LawHistory(PastFiles(past))
    built = build_corpus([history], data, _NoIndex(), BuildOptions(now=now), Heard())
    return {"release": built.manifest.release, "s": round(clock.perf_counter() - begun)}


def main() -> None:
    """Replay, ingest, compare, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="one law in so many")
    parser.add_argument("--looks", type=int, help="the first so many days")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.url:
        take_updates(given.data, given.url)
        return
    past = read_past(ARCHIVE, None)
    for number, slug in enumerate(sorted(past.versions)):
        if number % given.every:
            del past.versions[slug]
    if given.looks:
        _forget_after(past, past.days[given.looks - 1])
    versions = sum(map(len, past.versions.values()))
    figures: dict[str, object] = {
        "laws": len(past.versions),
        "versions": versions,
        "days": len(past.days),
    }
    print(figures, flush=True)
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        figures["replay"] = in_turn = replay(past, given.data or Path(folder) / "replay")
        figures["batch"] = at_once = ingest(past, Path(folder) / "batch")
    figures["same"] = in_turn["release"] == at_once["release"]
    figures["most_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(figures, indent=2))
    if given.every == 1 and not given.looks:
        write_results("replay", {**figures, "load": os.getloadavg()[0]})
    if not figures["same"]:
        raise SystemExit("they differ")


if __name__ == "__main__":
    main()
