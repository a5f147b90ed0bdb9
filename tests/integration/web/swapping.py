"""``python -m tests.integration.web.swapping DATA SWAPS``: one process that swaps two builds.

Prints after each swap its private memory in KB and how many files it has open. A process of its
own: what other tests leave in memory would hide what a swap does.
"""

import os
import sys
import threading
from pathlib import Path

import orjson

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.heap import bound_heap
from fundstelle.search.index import SearchRequest
from fundstelle.settings import Settings
from fundstelle.tools.spec import CallContext
from fundstelle.web.following import Follower
from fundstelle.web.pen import Pen
from fundstelle.web.request_log import RequestLog

CALL = orjson.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "legal_search", "arguments": {"query": "Wort Eins Zwei"}},
    }
)


def measure() -> str:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    private = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return f"{private} {len(list(Path('/proc/self/fd').iterdir()))}"


def run(data: Path, swaps: int) -> None:
    releases = sorted(path.name for path in (data / "builds").iterdir())
    corpus = build_live_corpus(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    follower = Follower(corpus.poll, RequestLog(Pen(os.open(os.devnull, os.O_WRONLY))))
    bound_heap()
    for swap in range(swaps):
        (data / "active").write_text(releases[swap % 2])
        follower.refresh()
        assert follower.engine is not None
        assert follower.engine.release == releases[swap % 2]
        headers = {b"content-type": b"application/json"}
        follower.engine.handle(headers, CALL, CallContext("request", "key"), lambda _: None)
        with corpus.search() as library:
            assert library is not None
            library.index.search(SearchRequest("Wort"))
        for thread in threading.enumerate():
            if thread.name == "complete-check":  # it has files open, too
                thread.join(60)
        sys.stdout.write(f"{measure()}\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
