"""Speed against the official SDKs: ``python -m benches.speed [--rounds N] [--seconds S]``.

Every server runs pinned to one core and is loaded from the other, one at a time and in turn (A B C
A B C …), so that a slow minute of the machine hits all of them. All serve the same eight
definitions; the Python SDK calls our own handlers, the TypeScript SDK looks our answers up in a
table. ``--exhibit FILE`` measures the peers alone, on definitions and answers kept earlier.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.node.install import ensure

from benches.results import write_results
from benches.speed import report
from benches.speed.exhibit import LOOKUPS, SEARCHES, calls_of, gather
from benches.speed.load import CONNECTIONS, generator_name, run_load
from benches.speed.servers import Server, find_free_port
from benches.speed.wire import LEGACY, MODERN, Call, ask
from fundstelle.corpus.builds import read_pointer

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "speed"
CORPUS = ROOT.parent / "shared" / "corpus"
FUNDSTELLE = [sys.executable, "-m", "fundstelle"]


@dataclass(frozen=True, slots=True)
class Workload:
    """A list of calls that some servers answer in turn."""

    name: str
    calls: Sequence[Call]
    servers: Sequence[str]

    def bodies(self, revision: str) -> Path:
        path = BUILD / f"{self.name.replace('/', '-')}-{revision}.txt"
        lines = (call.body(revision) + "\n" for call in self.calls)
        path.write_text("".join(lines), encoding="utf-8")
        return path


def find_data() -> Path:
    """The corpus to serve: the operator's if there is one, else all of federal law, built once."""
    own = Path(os.environ.get("FUNDSTELLE_DATA", ROOT / "data"))
    if read_pointer(own) is not None:
        return own.resolve()
    data = BUILD / "data"
    if read_pointer(data) is None:
        print("building the corpus for this benchmark (once) …", flush=True)
        command = [*FUNDSTELLE, "ingest", "--source", str(CORPUS)]
        subprocess.run(command, env={**os.environ, "FUNDSTELLE_DATA": str(data)}, check=True)
    return data


@contextmanager
def unlimited_key(environ: Mapping[str, str]) -> Iterator[str]:
    """A key of our own for the time of the run."""
    environ = {**os.environ, **environ}
    create = [*FUNDSTELLE, "keys", "create", f"bench {os.getpid()}", "--rate", "unlimited"]
    done = subprocess.run(create, env=environ, capture_output=True, text=True, check=True)
    key = done.stdout.strip()
    try:
        yield key
    finally:
        revoke = [*FUNDSTELLE, "keys", "revoke", f"bench {os.getpid()}"]
        subprocess.run(revoke, env=environ, stdout=subprocess.DEVNULL, check=True)


def our_server(environ: Mapping[str, str], key: str) -> Server:
    port = find_free_port()
    command = [*FUNDSTELLE, "serve", "--port", str(port)]
    headers = {"Authorization": f"Bearer {key}"}
    return Server(report.OURS, command, port, BUILD / "fundstelle.log", environ, headers)


def peer_servers(exhibit: Path, environ: Mapping[str, str], *, table: bool) -> Iterator[Server]:
    programs = ensure(HERE / "package.json", "speed")
    script = HERE / "peers" / "typescript_sdk.mjs"
    port = find_free_port()
    module = [sys.executable, "-m", "benches.speed.peers.python_sdk", str(exhibit), str(port)]
    module += ["--table"] if table else []
    yield Server(report.PYTHON, module, port, BUILD / "python.log", environ)
    for name, level in ((report.TYPESCRIPT, "McpServer"), (report.TYPESCRIPT_LOW, "Server")):
        port = find_free_port()
        command = [str(programs.node), str(script), str(exhibit), str(port), str(programs.folder)]
        yield Server(name, [*command, level], port, BUILD / f"{name}.log")
    port = find_free_port()
    body = BUILD / "static-body.json"
    tools = json.loads(exhibit.read_text(encoding="utf-8"))["tools"]
    message = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}
    body.write_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")), "utf-8")
    module = [sys.executable, "-m", "benches.speed.peers.static_body", str(body), str(port)]
    yield Server(report.STATIC, module, port, BUILD / "static.log")


def list_workloads(exhibit: Mapping[str, Any]) -> list[Workload]:
    sdks = (report.OURS, report.PYTHON, report.TYPESCRIPT, report.TYPESCRIPT_LOW)
    workloads = [
        Workload("tools/list", [Call()], (*sdks, report.STATIC)),
        Workload("legal_lookup", calls_of(exhibit, "legal_lookup", LOOKUPS), sdks),
        Workload("legal_search", calls_of(exhibit, "legal_search", SEARCHES), sdks[:2]),
    ]
    return [workload for workload in workloads if workload.calls]


def check_answers(server: Server, exhibit: Mapping[str, Any], workloads: list[Workload]) -> None:
    """Every server must answer every call as ours does, or the race is not one.

    Raises:
        RuntimeError: it does not.
    """
    tools = [tool["name"] for tool in exhibit["tools"]]
    answers = {
        (call["tool"], json.dumps(call["arguments"])): call["result"]["structuredContent"]
        for call in exhibit["calls"]
    }
    for workload in workloads:
        for call in workload.calls if server.name in workload.servers else ():
            result = ask(server.url, call, LEGACY, server.headers)
            if call.tool:
                expected = answers[call.tool, json.dumps(call.arguments)]
                same = result.get("structuredContent") == expected
            else:
                same = [tool["name"] for tool in result["tools"]] == tools
            if not same:
                raise RuntimeError(f"{server.name} answers {call} otherwise: {result}")


def measure(server: Server, workload: Workload, revision: str, seconds: float) -> report.Run:
    headers = {**workload.calls[0].headers(revision), **server.headers}
    before = server.cpu_s()
    load = run_load(server.url, workload.bodies(revision), headers, seconds)
    return report.Run(server.name, workload.name, revision, server.cpu_s() - before, load)


def race(
    servers: Sequence[Server], workloads: Sequence[Workload], rounds: int, seconds: float
) -> list[report.Run]:
    """A warm-up, then the rounds; neighbours in time are what is compared."""
    runs: list[report.Run] = []
    for number in range(rounds + 1):
        print("warm-up" if number == 0 else f"round {number} of {rounds}", flush=True)
        for workload in workloads:
            for revision in (LEGACY, MODERN):
                for server in servers:
                    if server.name in workload.servers:
                        run = measure(server, workload, revision, seconds)
                        runs += [run] if number else []
    return runs


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches.speed", description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=1, help="of each run")
    parser.add_argument("--exhibit", type=Path, help="measure the peers alone, on this file")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    BUILD.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        servers: list[Server] = []
        path: Path = arguments.exhibit or BUILD / "exhibit.json"
        environ: dict[str, str] = {}
        if arguments.exhibit is None:
            environ = {"FUNDSTELLE_DATA": str(find_data())}
            key = stack.enter_context(unlimited_key(environ))
            servers.append(our_server(environ, key))
            stack.callback(servers[0].stop)
            servers[0].start()
            gathered = gather(servers[0].url, servers[0].headers)
            path.write_text(json.dumps(gathered, ensure_ascii=False), encoding="utf-8")
        exhibit = json.loads(path.read_text(encoding="utf-8"))
        workloads = list_workloads(exhibit)
        for server in peer_servers(path, environ, table=arguments.exhibit is not None):
            stack.callback(server.stop)
            server.start()
            servers.append(server)
        for server in servers:
            check_answers(server, exhibit, workloads)
        runs = race(servers, workloads, arguments.rounds, arguments.seconds)
        resident = {server.name: server.resident_bytes() for server in servers}
    return conclude(runs, resident, arguments)


def conclude(
    runs: Sequence[report.Run], resident: Mapping[str, int], arguments: argparse.Namespace
) -> int:
    table = report.summarise(runs)
    bars = report.judge(table, resident)
    report.print_table(table)
    print("\nresident MB: " + ", ".join(f"{n} {b / 1e6:.0f}" for n, b in resident.items()))
    if arguments.exhibit is not None:
        return 0
    report.print_bars(bars)
    setting = {
        "generator": generator_name(),
        "connections": CONNECTIONS,
        "rounds": arguments.rounds,
        "seconds_each": arguments.seconds,
        "resident_bytes": dict(resident),
    }
    rounds = [{**asdict(run), "load": asdict(run.load)} for run in runs]
    print(write_results("speed", {**setting, **report.as_json(table, bars), "runs": rounds}))
    return 0 if all(bar.holds for bar in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
