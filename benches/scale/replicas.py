"""What 1,000 calls cost with one server and with three behind nginx: seconds of the processor.

python -m benches.scale.replicas

Clients through the proxy of docs/replicas.md, accounts in PostgreSQL, limits in Redis: eight a
server, as where servers are added for more of them, and eight for all three. The least of several
rounds in turn, so that what else the machine does weighs on all alike.

More processes on as many cores answer fewer requests at each waking and share caches: that costs
whatever they answer. So the same clients also ask servers of the same kind that do nothing but
answer, at the same pace: what that costs more with three is the machine's.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Protocol

from tests.scale.replicas.load import CLIENTS, Call, Load
from tests.scale.replicas.proxy import start_proxy
from tests.scale.replicas.whole import Fleet, open_fleet

from benches.results import write_results
from benches.scale.empty import open_empty

ROUNDS = 3
CALLS = 3_000  # of a round
WARM = 300  # calls before a round: each server has answered what it is asked
MOST_APART = 0.10


SHAPES = ((1, CLIENTS), (3, 3 * CLIENTS), (3, CLIENTS))
"""Servers, and clients of all of them together."""

KINDS = ("calls", "empty answers")


class EmptyLoad(Load):
    """The same clients at the same pace, for an answer without work."""

    def _look_up(self, connection: HTTPConnection) -> list[object]:
        return self._fetch(connection)

    def _page(self, connection: HTTPConnection) -> list[object]:
        return self._fetch(connection) + self._fetch(connection)

    def _fetch(self, connection: HTTPConnection) -> list[object]:
        connection.request("GET", "/")
        response = connection.getresponse()
        body = response.read()
        with self._changed:
            self.tally.answered += 1
        return [] if response.status == 200 and body else [response.status]


class Server(Protocol):
    """One that is asked."""

    port: int

    def read_cpu_s(self) -> float:
        """Its processor time so far."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is asked, and whom."""

    load: type[Load]
    servers: Sequence[Server]


def measure(fleet: Fleet, kind: Kind, servers: int, clients: int, folder: Path) -> float:
    """Seconds of the servers' processor time for 1,000 requests that ``servers`` of them share."""
    sharing = kind.servers[:servers]
    ports = [sharing[at % servers].port for at in range(len(kind.servers))]
    with (
        start_proxy(folder, ports) as port,
        kind.load(Call(port, fleet.key), fleet.origin.words, clients).running() as load,
    ):
        load.wait_for(WARM)
        before, answered = sum(one.read_cpu_s() for one in sharing), load.tally.answered
        load.wait_for(CALLS)
        spent = sum(one.read_cpu_s() for one in sharing) - before
        calls = load.tally.answered - answered
    assert load.tally.failures == {}
    assert load.tally.wrong == []
    return 1_000 * spent / calls


def run() -> int:
    found: dict[tuple[str, int, int], list[float]] = {
        (kind, *shape): [] for shape in SHAPES for kind in KINDS
    }
    with tempfile.TemporaryDirectory(prefix="fundstelle-scale-") as name:
        folder = Path(name)
        with open_fleet(folder) as fleet, open_empty(len(fleet.replicas)) as empty:
            kinds = {"calls": Kind(Load, fleet.replicas), "empty answers": Kind(EmptyLoad, empty)}
            for at in range(ROUNDS):
                for (kind, servers, clients), values in found.items():
                    proxy = folder / f"nginx-{kind.split()[0]}-{servers}-{clients}-{at}"
                    values.append(measure(fleet, kinds[kind], servers, clients, proxy))
    least = {shape: min(values) for shape, values in found.items()}
    for (kind, servers, clients), value in least.items():
        rounds = ", ".join(f"{each:.3f}" for each in found[kind, servers, clients])
        print(
            f"{servers} server(s), {clients} clients: {value:.3f} s of the processor per 1,000"
            f" {kind} ({rounds})"
        )
    one, *more = SHAPES
    apart = {
        (kind, *shape): least[kind, *shape] / least[kind, *one] - 1
        for shape in more
        for kind in KINDS
    }
    for (kind, servers, clients), share in apart.items():
        print(f"{kind}, {servers} servers, {clients} clients: {share:+.1%}")
    (calls, empty_answers) = ((least[kind, *more[0]] - least[kind, *one]) for kind in KINDS)
    beyond = (calls - empty_answers) / least["calls", *one]
    print(
        f"calls beyond empty answers at eight clients a server: {beyond:+.1%} of a call,"
        f" at most {MOST_APART:.0%}"
    )
    write_results(
        "replicas",
        {
            "requests": CALLS,
            "cpu_s_per_1000": {
                f"{kind}, {servers} servers, {clients} clients": round(each, 4)
                for (kind, servers, clients), each in least.items()
            },
            "apart": {
                f"{kind}, {servers} servers, {clients} clients": round(share, 4)
                for (kind, servers, clients), share in apart.items()
            },
            "calls_beyond_empty_answers": round(beyond, 4),
        },
    )
    return int(beyond > MOST_APART)


if __name__ == "__main__":
    sys.exit(run())
