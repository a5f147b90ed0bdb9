"""What 1,000 calls cost with one server and with three behind nginx: seconds of the processor.

python -m benches.scale.replicas

Clients through the proxy of docs/replicas.md, accounts in PostgreSQL, limits in Redis: eight a
server, as where servers are added for more of them, and eight for all three. The least of several
rounds in turn, so that what else the machine does weighs on all alike.
"""

import sys
import tempfile
from pathlib import Path

from tests.scale.replicas.load import CLIENTS, Call, Load
from tests.scale.replicas.proxy import start_proxy
from tests.scale.replicas.whole import Fleet, open_fleet

from benches.results import write_results

ROUNDS = 3
CALLS = 3_000  # of a round
WARM = 300  # calls before a round: each server has answered what it is asked
MOST_APART = 0.10


SHAPES = ((1, CLIENTS), (3, 3 * CLIENTS), (3, CLIENTS))
"""Servers, and clients of all of them together."""


def measure(fleet: Fleet, servers: int, clients: int, folder: Path) -> float:
    """Seconds of the servers' processor time for 1,000 calls that ``servers`` of them share."""
    sharing = fleet.replicas[:servers]
    ports = [sharing[at % servers].port for at in range(len(fleet.replicas))]
    with (
        start_proxy(folder, ports) as port,
        Load(Call(port, fleet.key), fleet.origin.words, clients).running() as load,
    ):
        load.wait_for(WARM)
        before, answered = sum(one.read_cpu_s() for one in sharing), load.tally.answered
        load.wait_for(CALLS)
        spent = sum(one.read_cpu_s() for one in sharing) - before
        calls = load.tally.answered - answered
    assert load.tally.failures == {}
    return 1_000 * spent / calls


def run() -> int:
    found: dict[tuple[int, int], list[float]] = {shape: [] for shape in SHAPES}
    with tempfile.TemporaryDirectory(prefix="fundstelle-scale-") as name:
        folder = Path(name)
        with open_fleet(folder) as fleet:
            for at in range(ROUNDS):
                for (servers, clients), values in found.items():
                    proxy = folder / f"nginx-{servers}-{clients}-{at}"
                    values.append(measure(fleet, servers, clients, proxy))
    least = {shape: min(values) for shape, values in found.items()}
    alone, alike, thin = (least[shape] for shape in SHAPES)
    apart = alike / alone - 1
    for (servers, clients), value in least.items():
        rounds = ", ".join(f"{each:.3f}" for each in found[servers, clients])
        print(
            f"{servers} server(s), {clients} clients: {value:.3f} s of the processor per 1,000"
            f" calls ({rounds})"
        )
    print(f"apart at eight clients a server: {apart:+.1%}, at most {MOST_APART:.0%}")
    print(f"apart at eight clients in all: {thin / alone - 1:+.1%}")
    write_results(
        "replicas",
        {
            "calls": CALLS,
            "cpu_s_per_1000": {
                f"{servers} servers, {clients} clients": round(each, 4)
                for (servers, clients), each in least.items()
            },
            "apart": round(apart, 4),
            "apart_with_fewer_clients_each": round(thin / alone - 1, 4),
        },
    )
    return int(abs(apart) > MOST_APART)


if __name__ == "__main__":
    sys.exit(run())
