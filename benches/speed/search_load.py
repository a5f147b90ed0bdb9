"""``legal_search`` under load: ``python -m benches.speed.search_load [--data FOLDER]``.

The real server, with one worker (its default) and with one for each of two cores; eight clients,
and one alone, ask distinct questions over HTTP. Every block of searches stands beside a block of
pings of the same clients on the same server: noise of the machine slows both, their ratio stays.
The bars count on two cores that have nothing else to do; how much of them others took is shown.
"""

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from benches.results import write_results
from benches.speed.__main__ import BUILD, FUNDSTELLE, find_data, unlimited_key
from benches.speed.closed_loop import Answers, Plan, run_clients
from benches.speed.exhibit import EVAL
from benches.speed.report import Bar, print_bars
from benches.speed.servers import Server, find_free_port
from benches.speed.wire import LEGACY, MODERN, Call

CLIENTS = 8
WORDS = 20  # of a question
BLOCKS = 6
PINGS = 10  # for each search: they are that much quicker, and short blocks measure nothing
P50_BAR_MS, P99_BAR_MS, MEMORY_BAR_MB = 10, 60, 600

_PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Tally:
    """One kind of request, all its blocks together; times of answers in milliseconds."""

    took_ms: list[float] = field(default_factory=list)
    duration_s: float = 0
    client_cpu_s: float = 0
    server_cpu_s: float = 0
    others_cpu_s: float = 0
    failed: int = 0

    def add(self, answers: Answers, server_cpu_s: float, others_cpu_s: float) -> None:
        self.took_ms += [took / 1000 for took in answers.took_us]
        self.duration_s += answers.duration_s
        self.client_cpu_s += answers.cpu_s
        self.server_cpu_s += server_cpu_s
        self.others_cpu_s += others_cpu_s
        self.failed += answers.failed

    def describe(self) -> dict[str, Any]:
        count = len(self.took_ms)
        cores = os.cpu_count() or 1
        return {
            "requests": count,
            "failed": self.failed,
            **describe_times(self.took_ms),
            "requests_per_s": round(count / self.duration_s, 1),
            "server_cpu_ms_per_request": round(self.server_cpu_s / count * 1000, 3),
            "client_cpu_ms_per_request": round(self.client_cpu_s / count * 1000, 3),
            "client_share_of_one_core": round(self.client_cpu_s / self.duration_s, 3),
            "others_share_of_all_cores": round(self.others_cpu_s / self.duration_s / cores, 2),
        }


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of one process of the server, the most that was seen."""

    rss: int
    pss: int


def describe_times(took_ms: Sequence[float]) -> dict[str, float]:
    points = quantiles(took_ms, n=100)
    named = {"p50_ms": points[49], "p95_ms": points[94], "p99_ms": points[98]}
    return {name: round(value, 2) for name, value in named.items()}


def read_questions() -> list[str]:
    """The distinct questions of both sets, at most 20 words of each; people's and courts' mixed."""
    found: dict[str, None] = {}
    for name in ("norm_questions", "citing_sentences"):
        with gzip.open(EVAL / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                found.setdefault(" ".join(json.loads(line)["query"].split()[:WORDS]))
    questions = list(found)
    step = 389  # prime, so that every question has its turn
    return [questions[number * step % len(questions)] for number in range(len(questions))]


def plan_searches(server: Server) -> Plan:
    calls = [Call("legal_search", {"query": question}) for question in read_questions()]
    headers = {**calls[0].headers(MODERN), **server.headers}
    return Plan(server.url, headers, [call.body(MODERN) for call in calls], CLIENTS, 0)


def plan_pings(server: Server) -> Plan:
    headers = {**Call().headers(LEGACY), **server.headers}
    return Plan(server.url, headers, [_PING], CLIENTS, 0)


def iter_pids(server: Server) -> Iterator[int]:
    assert server.process is not None
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if int(stat.rsplit(")", 1)[1].split()[2]) == server.process.pid:  # the process group
                yield int(entry.name)


def read_memory(pid: int) -> Memory:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    kilobytes = {
        line.split(":")[0]: int(line.split()[1]) for line in rollup.splitlines()[1:] if ":" in line
    }
    return Memory(kilobytes["Rss"] * 1024, kilobytes["Pss"] * 1024)


def read_busy_s() -> float:
    """Processor seconds that the machine has worked, of all cores and programs."""
    user, nice, system, _idle, _wait, *rest = (
        int(ticks) for ticks in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    )
    return (user + nice + system + sum(rest)) / _TICKS_PER_S


class Load:
    """The blocks of requests to one server, and what it holds in memory meanwhile."""

    def __init__(self, server: Server, searches: Plan, pings: Plan) -> None:
        self._server = server
        self._plans = {"legal_search": searches, "ping": pings}
        self._asked = 0
        self.memory: dict[int, Memory] = {}

    def warm_up(self, requests: int) -> None:
        self._send("legal_search", CLIENTS, requests)

    def measure(self, clients: int, requests: int) -> dict[str, Tally]:
        tallies = {name: Tally() for name in self._plans}
        for _ in range(BLOCKS):
            for name, tally in tallies.items():
                count = requests // BLOCKS * (PINGS if name == "ping" else 1)
                tally.add(*self._watch(name, clients, count))
            self._note_memory()
        return tallies

    def _watch(self, name: str, clients: int, requests: int) -> tuple[Answers, float, float]:
        """The answers, what the server used for them and what other programs used meanwhile."""
        begin, busy, cpu_s = time.perf_counter(), read_busy_s(), self._server.cpu_s()
        own = sum(os.times()[:4])  # with the clients, children that have ended
        answers = self._send(name, clients, requests)
        cpu_s = self._server.cpu_s() - cpu_s
        others = read_busy_s() - busy - cpu_s - (sum(os.times()[:4]) - own)
        # The clients' program takes longer than the requests: it has to start.
        share = answers.duration_s / (time.perf_counter() - begin)
        return answers, cpu_s, max(0.0, others * share)

    def _send(self, name: str, clients: int, requests: int) -> Answers:
        plan = self._plans[name]
        start = self._asked if name == "legal_search" else 0
        self._asked += requests if name == "legal_search" else 0
        plan = Plan(plan.url, plan.headers, plan.bodies, clients, requests, start)
        return run_clients(plan)

    def _note_memory(self) -> None:
        for pid in iter_pids(self._server):
            seen, now = self.memory.get(pid, Memory(0, 0)), read_memory(pid)
            self.memory[pid] = Memory(max(seen.rss, now.rss), max(seen.pss, now.pss))


def measure_server(
    environ: Mapping[str, str], key: str, workers: int, arguments: argparse.Namespace
) -> dict[str, Any]:
    port = find_free_port()
    # on all cores: a server started by this class is held on one otherwise
    command = ["taskset", "-c", f"0-{(os.cpu_count() or 1) - 1}", *FUNDSTELLE, "serve"]
    command += ["--port", str(port), "--workers", str(workers)]
    headers = {"Authorization": f"Bearer {key}"}
    server = Server("fundstelle", command, port, BUILD / "search-load.log", environ, headers)
    server.start()
    try:
        load = Load(server, plan_searches(server), plan_pings(server))
        load.warm_up(arguments.warm_up)
        together = load.measure(CLIENTS, arguments.requests)
        alone = load.measure(1, arguments.requests // 3)
        memory = sorted(load.memory.values(), key=lambda one: one.rss, reverse=True)
    finally:
        server.stop()
    result: dict[str, Any] = {"workers": workers, "memory": [asdict(one) for one in memory]}
    for name, tallies in ((f"{CLIENTS} clients", together), ("1 client", alone)):
        result[name] = {kind: tally.describe() for kind, tally in tallies.items()}
        search, ping = result[name]["legal_search"], result[name]["ping"]
        result[name]["ratio_p50"] = round(search["p50_ms"] / ping["p50_ms"], 1)
        result[name]["ratio_cpu"] = round(
            search["server_cpu_ms_per_request"] / ping["server_cpu_ms_per_request"], 1
        )
    return result


def print_result(result: Mapping[str, Any]) -> None:
    print(f"\n{result['workers']} worker(s)")
    heads = ("p50 ms", "p95 ms", "p99 ms", "req/s", "CPU ms", "client", "others", "failed")
    print(("{:24}" + "{:>9}" * 8).format("", *heads))
    for clients in (f"{CLIENTS} clients", "1 client"):
        for kind in ("legal_search", "ping"):
            row = result[clients][kind]
            print(
                f"{clients + ', ' + kind:24}{row['p50_ms']:9.2f}{row['p95_ms']:9.2f}"
                f"{row['p99_ms']:9.2f}{row['requests_per_s']:9.0f}"
                f"{row['server_cpu_ms_per_request']:9.3f}{row['client_share_of_one_core']:9.0%}"
                f"{row['others_share_of_all_cores']:9.0%}{row['failed']:9}"
            )
        ratios = result[clients]
        print(f"  search / ping: p50 {ratios['ratio_p50']}, CPU {ratios['ratio_cpu']}")
    for one in result["memory"]:
        print(f"  process: RSS {one['rss'] / 1e6:.0f} MB, PSS {one['pss'] / 1e6:.0f} MB")


def judge(result: Mapping[str, Any]) -> list[Bar]:
    search = result[f"{CLIENTS} clients"]["legal_search"]
    on = f"{result['workers']} worker(s)"
    return [
        Bar(f"p50 ms, {on}", search["p50_ms"], high=P50_BAR_MS),
        Bar(f"p99 ms, {on}", search["p99_ms"], high=P99_BAR_MS),
        Bar(f"resident MB, {on}", result["memory"][0]["rss"] / 1e6, high=MEMORY_BAR_MB),
    ]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches.speed.search_load")
    parser.add_argument("--data", type=Path, help="folder with a build; default: as benches.speed")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--warm-up", type=int, default=300)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    BUILD.mkdir(parents=True, exist_ok=True)
    environ = {"FUNDSTELLE_DATA": str((arguments.data or find_data()).resolve())}
    with unlimited_key(environ) as key:
        results = [measure_server(environ, key, count, arguments) for count in arguments.workers]
    for result in results:
        print_result(result)
    bars = [bar for result in results for bar in judge(result)]
    print_bars(bars)
    judged = [{"what": b.what, "measured": b.measured, "high": b.high} for b in bars]
    print(write_results("search_load", {"servers": results, "bars": judged}).name)
    failed = sum(
        result[clients][kind]["failed"]
        for result in results
        for clients in (f"{CLIENTS} clients", "1 client")
        for kind in ("legal_search", "ping")
    )
    return 1 if failed or not all(bar.holds for bar in bars) else 0


if __name__ == "__main__":
    sys.exit(main())
