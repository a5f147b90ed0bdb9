"""Search for slow inputs and keep the slowest of each component.

python -m benches.adversarial [--minutes 5] [--seed 1] [--only NAME ...] [--folder FOLDER]

Asks the build in FUNDSTELLE_DATA. Every slice of time is a process of its own, so that a long run
reads the code as it is by then; what it found is kept in FOLDER and carried on. Ends with 1 if an
input took longer than the limit.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from benches.adversarial.components import Component, open_components
from benches.adversarial.evolve import POPULATION, Input, confirm_time, search
from benches.results import write_results

LIMIT_MS = 250.0
NAMES = (
    *("parse", "find in a draft", "translate", "lookup", "quote", "quote of a miss"),
    *("batch with quotes", "search", "search in filters", "snippets", "context"),
    *("citing decisions", "laws", "contents", "completion", "resources"),
)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--slice", help=argparse.SUPPRESS)
    return parser.parse_args()


def name_file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(' ', '_')}.json"


def load(file: Path) -> list[Input]:
    if not file.exists():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [
        Input(tuple(tuple((p, t) for p, t in genome) for genome in genomes), number, cost)
        for genomes, number, cost in rows
    ]


def run_slice(component: Component, folder: Path, seconds: float, seed: int) -> None:
    """One stretch of the search for one component."""
    file = name_file(folder, component.name)
    component.call(["§ 433 BGB"] * len(component.limits), 1)  # what is built once
    found = search(component, seconds, Random(seed), load(file))
    found = [
        Input(each.genomes, each.number, confirm_time(component, each)) if rank < 4 else each
        for rank, each in enumerate(found)
    ]
    found.sort(key=lambda each: -each.cost_ms)
    rows = [(each.genomes, each.number, each.cost_ms) for each in found[:POPULATION]]
    file.write_text(json.dumps(rows), encoding="utf-8")
    print(f"{component.name:20}{found[0].describe()[:400]}", flush=True)


def run(minutes: float, seed: int, names: list[str], folder: Path) -> None:
    """Slices in turn until the time is up."""
    end = time.monotonic() + minutes * 60
    seconds = max(5.0, min(60.0, minutes * 60 / len(names) / 2))
    turn = 0
    while time.monotonic() < end:
        for name in names:
            turn += 1
            left = min(seconds, end - time.monotonic())
            if left > 0:
                command = [sys.executable, "-m", "benches.adversarial", "--slice", name]
                command += ["--folder", str(folder), "--minutes", str(left / 60)]
                subprocess.run([*command, "--seed", str(seed + turn)], check=False)


def main() -> int:
    arguments = read_arguments()
    if arguments.slice:
        component = next(one for one in open_components() if one.name == arguments.slice)
        run_slice(component, arguments.folder, arguments.minutes * 60, arguments.seed)
        return 0
    folder = arguments.folder or Path(mkdtemp(prefix="slow-inputs-"))
    folder.mkdir(exist_ok=True)
    run(arguments.minutes, arguments.seed, list(arguments.only), folder)
    worst = {name: found[0] for name in NAMES if (found := load(name_file(folder, name)))}
    for name, each in worst.items():
        print(f"{name:20}{each.describe()[:300]}")
    rows = {
        name: {"ms": round(each.cost_ms, 1), "genes": each.describe()[:1_000]}
        for name, each in worst.items()
    }
    print("kept in", write_results("slow_inputs", {"minutes": arguments.minutes, "worst": rows}))
    return int(any(each.cost_ms > LIMIT_MS for each in worst.values()))


if __name__ == "__main__":
    sys.exit(main())
