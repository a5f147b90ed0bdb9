"""From runs to figures, and from figures to a verdict against the bars."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benches.speed.load import Load
from benches.speed.wire import LEGACY, MODERN

OURS = "fundstelle"
PYTHON = "python-sdk"
TYPESCRIPT = "typescript-sdk"
TYPESCRIPT_LOW = "typescript-sdk-low-level"
STATIC = "static-body"


@dataclass(frozen=True, slots=True)
class Run:
    """One server under one workload in one round."""

    server: str
    workload: str
    revision: str
    cpu_s: float
    load: Load


@dataclass(frozen=True, slots=True)
class Figures:
    """All rounds of a server under a workload together."""

    cpu_s_per_1000: float
    requests_per_s: float
    p50_ms: float
    p99_ms: float
    bytes_per_answer: int
    requests: int
    failed: int


@dataclass(frozen=True, slots=True)
class Bar:
    """What must hold, and what was measured: at least *low*, or at most *high*."""

    what: str
    measured: float
    low: float = 0
    high: float = math.inf

    @property
    def holds(self) -> bool:
        return self.low <= self.measured <= self.high


Table = Mapping[tuple[str, str, str], Figures]


def summarise(runs: Sequence[Run]) -> Table:
    """By workload, revision and server. Latencies are the median of the rounds' percentiles."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.workload, run.revision, run.server), []).append(run)
    return {key: _summarise(group) for key, group in groups.items()}


def _summarise(runs: Sequence[Run]) -> Figures:
    loads = [run.load for run in runs]
    requests = sum(load.requests for load in loads)
    return Figures(
        cpu_s_per_1000=sum(run.cpu_s for run in runs) / requests * 1000,
        requests_per_s=requests / sum(load.duration_us for load in loads) * 1_000_000,
        p50_ms=statistics.median(load.p50_us for load in loads) / 1000,
        p99_ms=statistics.median(load.p99_us for load in loads) / 1000,
        bytes_per_answer=sum(load.bytes for load in loads) // requests,
        requests=requests,
        failed=sum(load.failed for load in loads),
    )


MEMORY_BAR_MB = 300


def judge(table: Table, resident_bytes: Mapping[str, int]) -> list[Bar]:
    """The bars, for what was measured."""
    bars = []
    for workload, peer, bar in (
        ("tools/list", PYTHON, 20),
        ("tools/list", TYPESCRIPT, 25),
        ("legal_lookup", PYTHON, 8),
        ("legal_lookup", TYPESCRIPT, 8),
        ("legal_search", PYTHON, 3),
    ):
        ours = table.get((workload, LEGACY, OURS))
        theirs = table.get((workload, LEGACY, peer))
        if ours and theirs:
            ratio = theirs.cpu_s_per_1000 / ours.cpu_s_per_1000
            bars.append(Bar(f"{workload}: CPU of {peer} / ours", ratio, low=bar))
    listed, static = (table.get(("tools/list", LEGACY, name)) for name in (OURS, STATIC))
    if listed and static:
        share = listed.requests_per_s / static.requests_per_s
        bars.append(Bar("tools/list: requests/s, ours / static body", share, low=0.5))
    bars += [
        Bar(f"{workload}: p99 ms at 16 connections", ours.p99_ms, high=20)
        for workload in ("tools/list", "legal_lookup")
        if (ours := table.get((workload, LEGACY, OURS)))
    ]
    if OURS in resident_bytes:
        used = resident_bytes[OURS] / 1e6
        bars.append(Bar("resident MB of one worker", used, high=MEMORY_BAR_MB))
    return bars


def print_table(table: Table) -> None:
    header = ("workload", "revision", "server", "CPU s/1000", "ratio", "req/s", "p50 ms", "p99 ms")
    print("\n{:13} {:11} {:25} {:>10} {:>6} {:>8} {:>7} {:>7}".format(*header))
    for (workload, revision, server), figures in table.items():
        ours = table.get((workload, revision, OURS))
        ratio = f"{figures.cpu_s_per_1000 / ours.cpu_s_per_1000:.1f}" if ours else "-"
        failed = f"  {figures.failed} failed" if figures.failed else ""
        print(
            f"{workload:13} {revision:11} {server:25} {figures.cpu_s_per_1000:10.4f} {ratio:>6} "
            f"{figures.requests_per_s:8,.0f} {figures.p50_ms:7.2f} {figures.p99_ms:7.2f}{failed}"
        )


def print_bars(bars: Sequence[Bar]) -> None:
    print(f"\nbars ({LEGACY}; {MODERN} stands beside it in the table)")
    for bar in bars:
        limit = f">= {bar.low:g}" if bar.low else f"<= {bar.high:g}"
        verdict = "holds" if bar.holds else "MISSED"
        print(f"  {bar.what:45} {bar.measured:8.2f} {limit:8} {verdict}")


def as_json(table: Table, bars: Sequence[Bar]) -> dict[str, Any]:
    return {
        "figures": [
            {"workload": workload, "revision": revision, "server": server, **asdict(figures)}
            for (workload, revision, server), figures in table.items()
        ],
        "bars": [
            {
                "what": bar.what,
                "measured": bar.measured,
                **({"low": bar.low} if bar.low else {"high": bar.high}),
                "holds": bar.holds,
            }
            for bar in bars
        ],
    }
