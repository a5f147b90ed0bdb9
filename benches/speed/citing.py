"""How long a page of citing decisions takes: ``python -m benches.speed.citing [DECISIONS]``.

A store is made in which that many decisions (89,180 unless told) cite one norm; each line is the
best of three of one thread, in milliseconds, and how many decisions there are in all.
"""

import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.integration.citing.citing_store import CITED, build_store

from fundstelle.corpus.decisions import CitingOrder, CitingRequest

COUNT = 89_180


def main(count: int) -> None:
    with TemporaryDirectory() as folder:
        decisions = build_store(Path(folder) / "corpus.sqlite", count)
        far = count - 100
        plain = CitingRequest(CITED)
        for name, request in {
            "first page": plain,
            "far page": replace(plain, offset=far),
            "100 of a far page": replace(plain, offset=far, limit=100),
            "one court": replace(plain, court="BGH"),
            "one court, far": replace(plain, court="BGH", offset=count // 3 - 50),
            "since a day, far": replace(plain, day_from=date(1990, 1, 1), offset=far),
            "one Absatz, far": replace(plain, path="abs=1", offset=count // 3),
        }.items():
            for order in CitingOrder:
                asked = replace(request, order=order)
                best = float("inf")
                for _ in range(3):
                    begun = time.thread_time()
                    _, total = decisions.list_citing(asked)
                    best = min(best, time.thread_time() - begun)
                print(f"{name:20} {order:10} {best * 1000:8.2f} ms  {total:8,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
