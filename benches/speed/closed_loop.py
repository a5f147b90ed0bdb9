"""Some clients that each wait for an answer before they ask again; a program of its own.

python -m benches.speed.closed_loop reads a ``Plan`` as JSON from its standard input, since a file
would keep the key that is in the headers. Prints one line of JSON: the time of each answer in the
order of asking, and what this program itself took of the processor, so that the reader can see
that it was not the bottleneck.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

import uvloop

_LONGEST_S = 240


@dataclass(frozen=True, slots=True)
class Plan:
    """Which bodies are sent: ``requests`` of them in turn from number ``start`` on."""

    url: str
    headers: Mapping[str, str]
    bodies: Sequence[str]
    clients: int
    requests: int
    start: int = 0


@dataclass(frozen=True, slots=True)
class Answers:
    """``took_us`` is in the order of asking; ``cpu_s`` is of the clients' own process.

    ``failed`` counts all but a complete 200 with a result that is no error.
    """

    took_us: Sequence[int]
    duration_s: float
    cpu_s: float
    failed: int


def run_clients(plan: Plan) -> Answers:
    """Run them in a process of their own."""
    fields = {name: getattr(plan, name) for name in Plan.__slots__}
    command = [sys.executable, "-m", "benches.speed.closed_loop"]
    done = subprocess.run(
        command, input=json.dumps(fields), stdout=subprocess.PIPE, text=True, check=True
    )
    return Answers(**json.loads(done.stdout))


class _Run:
    """What all clients of a run share."""

    def __init__(self, requests: Sequence[bytes], plan: Plan) -> None:
        self._requests = requests
        self._start = plan.start
        self._next = 0
        self.took_us = [0] * plan.requests
        self.succeeded = 0
        self.open = plan.clients
        self.done = asyncio.Event()

    def take(self) -> tuple[int, bytes] | None:
        """The next request and its number, until all are sent."""
        number = self._next
        if number >= len(self.took_us):
            return None
        self._next += 1
        return number, self._requests[(self._start + number) % len(self._requests)]

    def leave(self) -> None:
        self.open -= 1
        if self.open == 0:
            self.done.set()


class _Client(asyncio.Protocol):
    """One connection that is kept alive."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._number = -1
        self._wanted = -1  # bytes of the whole answer, once its head is there
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass of it
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._run.leave()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._wanted < 0:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self._buffer[:end]).lower()
            self._wanted = end + 4 + int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(self._buffer) < self._wanted:
            return
        self._run.took_us[self._number] = (time.perf_counter_ns() - self._begin) // 1000
        is_answer = self._buffer.startswith(b"HTTP/1.1 200") and b'"result":' in self._buffer
        self._run.succeeded += is_answer and b'"isError":true' not in self._buffer
        self._buffer.clear()
        self._wanted = -1
        self._ask()

    def _ask(self) -> None:
        taken = self._run.take()
        if taken is None:
            self._transport.close()
            return
        self._number, request = taken
        self._begin = time.perf_counter_ns()
        self._transport.write(request)


async def _run(plan: Plan) -> Answers:
    parts = urlsplit(plan.url)
    assert parts.hostname is not None
    assert parts.port is not None
    lines = [f"POST {parts.path} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in plan.headers.items()]
    head = "\r\n".join(lines)
    bodies = [body.encode() for body in plan.bodies]
    requests = [f"{head}\r\nContent-Length: {len(b)}\r\n\r\n".encode() + b for b in bodies]
    run = _Run(requests, plan)
    loop = asyncio.get_running_loop()
    before, begin = _cpu_s(), time.perf_counter()
    for _ in range(plan.clients):
        await loop.create_connection(lambda: _Client(run), parts.hostname, parts.port)
    async with asyncio.timeout(_LONGEST_S):
        await run.done.wait()
    took = time.perf_counter() - begin
    return Answers(run.took_us, took, _cpu_s() - before, plan.requests - run.succeeded)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Read the plan, carry it out."""
    plan = Plan(**json.loads(sys.stdin.read()))
    answers = uvloop.run(_run(plan))
    print(json.dumps({name: getattr(answers, name) for name in Answers.__slots__}))


if __name__ == "__main__":
    main()
