"""What a build of federal law costs, beside a plain parse of the same files in the same run.

python -m benches.cost.build [ARCHIVE]
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path

import zstandard
from lxml import etree

from benches.results import write_results
from fundstelle.bootstrap.library import find_manifest
from fundstelle.settings import Settings

ARCHIVE = Path(__file__).parents[3] / "shared" / "corpus" / "gii-xml.tar.zst"
BAR_S = 240
BAR_BYTES = 1.5 * 2**30


def time_plain_parse(archive: Path) -> float:
    """Seconds to read the archive and parse every file with lxml, doing nothing else."""
    begin = time.perf_counter()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    with archive.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                file = tar.extractfile(member) if member.name.endswith(".xml") else None
                if file is not None:
                    etree.parse(io.BytesIO(file.read()), parser)
    return time.perf_counter() - begin


def measure_tree_bytes(root: int) -> int:
    """Memory of a process and all its descendants: proportional set size, in bytes."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parent = int(stat.rsplit(")", 1)[1].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    total, pending = 0, [root]
    while pending:
        pid = pending.pop()
        pending.extend(children.get(pid, ()))
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
        except OSError:
            continue
        total += sum(
            int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")
        )
    return total


def build(archive: Path, data: Path) -> tuple[float, int]:
    """Run the real command; seconds and peak bytes of all its processes together."""
    command = [sys.executable, "-m", "fundstelle", "ingest", "--source", str(archive)]
    environ = {**os.environ, "FUNDSTELLE_DATA": str(data)}
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environ, stdout=sys.stderr)
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.25):
            peak = max(peak, measure_tree_bytes(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    elapsed = time.perf_counter() - begin
    done.set()
    watcher.join()
    if code:
        sys.exit(f"the build failed with exit code {code}")
    return elapsed, peak


def run(archive: Path, data: Path) -> None:
    """Measure; the build is left in *data* for the benchmarks that ask it."""
    plain_s = time_plain_parse(archive)
    seconds, peak = build(archive, data)
    manifest = find_manifest(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    assert manifest is not None
    laws, norms = manifest.statutes, manifest.norms
    print(f"laws {laws:,}  norms {norms:,}  references {manifest.references:,}")
    print(f"build       {seconds:6.1f} s   bar {BAR_S} s   {norms / seconds:,.0f} norms/s")
    print(f"plain parse {plain_s:6.1f} s   the build takes {seconds / plain_s:.1f} times as long")
    print(f"peak memory {peak / 2**20:6.0f} MiB bar {BAR_BYTES / 2**20:.0f} MiB")
    result = {
        "laws": laws,
        "norms": norms,
        "build_s": round(seconds, 1),
        "norms_per_s": round(norms / seconds),
        "peak_bytes": peak,
        "plain_parse_s": round(plain_s, 1),
        "build_to_plain_parse": round(seconds / plain_s, 1),
    }
    print("kept in", write_results("build", result).name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", nargs="?", type=Path, default=ARCHIVE)
    parser.add_argument("--data", type=Path, help="empty folder that keeps the build")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(arguments.archive, arguments.data or Path(folder))


if __name__ == "__main__":
    main()
