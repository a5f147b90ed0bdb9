"""What 1,000 calls cost with one server and with three behind nginx: seconds of the processor.

python -m benches.scale.replicas

Eight clients through the proxy of docs/replicas.md, accounts in PostgreSQL, limits in Redis. The
least of several rounds in turn, so that what else the machine does weighs on both alike.
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


def measure(fleet: Fleet, servers: int, folder: Path) -> float:
    """Seconds of the servers' processor time for 1,000 calls that ``servers`` of them share."""
    sharing = fleet.replicas[:servers]
    ports = [sharing[at % servers].port for at in range(len(fleet.replicas))]
    with (
        start_proxy(folder, ports) as port,
        Load(Call(port, fleet.key), fleet.origin.words).running() as load,
    ):
        load.wait_for(WARM)
        before, answered = sum(one.read_cpu_s() for one in sharing), load.tally.answered
        load.wait_for(CALLS)
        spent = sum(one.read_cpu_s() for one in sharing) - before
        calls = load.tally.answered - answered
    assert load.tally.failures == {}
    return 1_000 * spent / calls


def run() -> int:
    found: dict[int, list[float]] = {1: [], 3: []}
    with tempfile.TemporaryDirectory(prefix="fundstelle-scale-") as name:
        folder = Path(name)
        with open_fleet(folder) as fleet:
            for at in range(ROUNDS):
                for servers, values in found.items():
                    values.append(measure(fleet, servers, folder / f"nginx-{servers}-{at}"))
    least = {servers: min(values) for servers, values in found.items()}
    apart = least[3] / least[1] - 1
    for servers, value in least.items():
        rounds = ", ".join(f"{each:.3f}" for each in found[servers])
        print(f"{servers} server(s): {value:.3f} s of the processor per 1,000 calls ({rounds})")
    print(f"apart: {apart:+.1%}, at most {MOST_APART:.0%}")
    write_results(
        "replicas",
        {
            "clients": CLIENTS,
            "calls": CALLS,
            "cpu_s_per_1000": {str(servers): round(each, 4) for servers, each in least.items()},
            "apart": round(apart, 4),
        },
    )
    return int(abs(apart) > MOST_APART)


if __name__ == "__main__":
    sys.exit(run())
