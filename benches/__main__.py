"""All benchmarks: ``make bench``. Those whose data is absent say so and are left out.

The first builds federal law into ``build/bench``; the others ask that build.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
SHARED = CHECKOUT.parent / "shared"
DATA = CHECKOUT / "build" / "bench"
ARCHIVE = SHARED / "corpus" / "gii-xml.tar.zst"
BENCHES = {
    ("benches.cost.build", "--data", str(DATA)): ARCHIVE,
    ("benches.accuracy.citations",): SHARED / "citations" / "dev.jsonl",
    ("benches.accuracy.spans",): SHARED / "citations" / "spans_dev.jsonl",
    ("benches.accuracy.references",): ARCHIVE,
    ("benches.accuracy.decision_text",): SHARED / "corpus" / "decisions.tar.zst",
    ("benches.accuracy.resolution",): SHARED / "corpus" / "decisions.tar.zst",
    ("benches.accuracy.search",): SHARED / "eval" / "norm_questions.jsonl.gz",
    ("benches.cost.quotes",): ARCHIVE,
    ("benches.cost.sizes",): ARCHIVE,
    ("benches.speed",): ARCHIVE,
    ("benches.speed.search_load",): SHARED / "eval" / "norm_questions.jsonl.gz",
    ("benches.cost.ranking",): ARCHIVE,
    ("benches.cost.starting",): ARCHIVE,
}


def main() -> int:
    failed = 0
    shutil.rmtree(DATA, ignore_errors=True)
    environ = {**os.environ, "FUNDSTELLE_DATA": str(DATA)}
    for command, needs in BENCHES.items():
        print(f"\n== {command[0]}", flush=True)
        if not needs.exists():
            print(f"left out: {needs.parent.name}/{needs.name} is not there")
            continue
        done = subprocess.run([sys.executable, "-m", *command], env=environ, check=False)
        failed += done.returncode != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
