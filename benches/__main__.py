"""All benchmarks: ``make bench``. Those whose data is absent say so and are left out."""

import subprocess
import sys
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
BENCHES = {
    "benches.cost.build": SHARED / "corpus" / "gii-xml.tar.zst",
    "benches.accuracy.citations": SHARED / "citations" / "dev.jsonl",
    "benches.accuracy.search": SHARED / "eval" / "norm_questions.jsonl.gz",
    "benches.speed": SHARED / "corpus" / "gii-xml.tar.zst",
}


def main() -> int:
    failed = 0
    for module, needs in BENCHES.items():
        print(f"\n== {module}", flush=True)
        if not needs.exists():
            print(f"left out: {needs.parent.name}/{needs.name} is not there")
            continue
        failed += subprocess.run([sys.executable, "-m", module], check=False).returncode != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
