"""Many swaps in one worker: memory, open files, and how long the event loop stood still.

``python -m benches.speed.swaps DATA [SWAPS]`` goes back and forth between the two newest builds in
the folder DATA, which must be a copy: it moves the pointer. Linux only.
"""

import asyncio
import os
import sys
import time
from pathlib import Path

import orjson
import uvloop

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.corpus import builds
from fundstelle.search.index import SearchRequest
from fundstelle.settings import Settings
from fundstelle.tools.spec import CallContext
from fundstelle.web import following
from fundstelle.web.following import Follower
from fundstelle.web.live import LiveCorpus
from fundstelle.web.pen import Pen
from fundstelle.web.request_log import RequestLog

_BEAT_S = 0.005
_SHOWN = (1, 2, 3, 5)
_CALLS = (
    ("legal_search", {"query": "Verzug des Schuldners", "top_k": 20}),
    ("legal_lookup", {"citation": "§ 823 BGB"}),
    ("legal_get_toc", {"law": "BGB"}),
)


def measure_private_mb() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private")) // 1024


def count_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 -- counted, not read


def call_tools(follower: Follower) -> None:
    assert follower.engine is not None
    headers = {b"content-type": b"application/json"}
    for name, arguments in _CALLS:
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        context = CallContext("bench", "bench")
        follower.engine.handle(headers, orjson.dumps(message), context, lambda _: None)


def make_page(corpus: LiveCorpus) -> None:
    with corpus.search() as library:
        assert library is not None
        library.index.search(SearchRequest("Kaufvertrag Sachmangel"))


def is_on(follower: Follower, release: str) -> bool:
    return follower.engine is not None and follower.engine.release == release


async def run(data: Path, swaps: int) -> None:
    releases = [manifest.release for manifest in builds.list_builds(data)[:2]]
    corpus = build_live_corpus(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    follower = Follower(corpus.poll, RequestLog(Pen(os.open(os.devnull, os.O_WRONLY))))
    following.POLL_S = 0.05
    worst_s = 0.0

    async def beat() -> None:
        nonlocal worst_s
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(_BEAT_S)
            worst_s = max(worst_s, time.perf_counter() - begun - _BEAT_S)

    ended = asyncio.Event()
    events = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, str]:
        event = next(events)
        if event == "lifespan.shutdown":
            await ended.wait()
        return {"type": event}

    async def send(_message: object) -> None:
        """Nobody listens."""

    builds.activate(data, releases[0])
    tasks = [asyncio.create_task(follower.live(receive, send)), asyncio.create_task(beat())]
    still: list[float] = []
    for swap in range(1, swaps + 1):
        worst_s, begun = 0.0, time.perf_counter()
        builds.activate(data, releases[swap % 2])
        while not is_on(follower, releases[swap % 2]):  # noqa: ASYNC110 -- a swap tells nobody
            await asyncio.sleep(0.01)
        took_s = time.perf_counter() - begun
        await asyncio.sleep(0.2)  # until the old one is closed
        still.append(worst_s)
        call_tools(follower)
        await asyncio.to_thread(make_page, corpus)
        if swap in _SHOWN or swap % 20 == 0 or swap == swaps:
            print(
                f"swap {swap}: {measure_private_mb()} MB private, {count_files()} files,"
                f" {took_s:.2f} s, loop still for {still[-1] * 1000:.0f} ms at most"
            )
    still.sort()
    print(f"loop still: median {still[len(still) // 2] * 1000:.0f} ms, most {still[-1] * 1000:.0f}")
    ended.set()
    tasks[1].cancel()
    await tasks[0]


if __name__ == "__main__":
    uvloop.run(run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200))
