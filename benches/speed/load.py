"""Load from one core on a server that has the other: wrk, or a small generator of our own."""

import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

HERE = Path(__file__).parent
LOAD_CORE = 1
CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Load:
    """What one run sent and saw. ``failed`` counts anything but a complete 200."""

    requests: int
    duration_us: int
    bytes: int
    p50_us: int
    p99_us: int
    max_us: int
    failed: int


def generator_name() -> str:
    return "wrk" if shutil.which("wrk") else "asyncio"


def run_load(url: str, bodies: Path, headers: Mapping[str, str], seconds: float) -> Load:
    """Send the lines of *bodies* in turn over 16 connections for some seconds."""
    pairs = [part for pair in headers.items() for part in pair]
    if shutil.which("wrk"):
        command = [
            "wrk",
            "-t1",
            f"-c{CONNECTIONS}",
            f"-d{max(1, round(seconds))}s",
            "--timeout=10s",
        ]
        command += ["-s", str(HERE / "load.lua"), url, "--", str(bodies), *pairs]
    else:
        command = [sys.executable, "-m", "benches.speed.load", url, str(bodies), str(seconds)]
        command += pairs
    done = subprocess.run(
        ["taskset", "-c", str(LOAD_CORE), *command],
        capture_output=True,
        text=True,
        timeout=seconds + 60,
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith('{"requests"'))
    return Load(**json.loads(line))


class _Connection(asyncio.Protocol):
    """Sends the next request as soon as the answer to the last is complete."""

    def __init__(self, run: "_Run") -> None:
        self._run = run
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self._begin = time.perf_counter_ns()
        self._transport.write(self._run.next_request())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, separator, body = bytes(self._buffer).partition(b"\r\n\r\n")
        if not separator or not _is_complete(head.lower(), body):
            return
        latency_us = (time.perf_counter_ns() - self._begin) // 1000
        self._run.note(latency_us, len(self._buffer), head.startswith(b"HTTP/1.1 200"))
        self._buffer.clear()
        if time.perf_counter() < self._run.end:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._run.open -= 1
        if self._run.open == 0:
            self._run.done.set()


def _is_complete(head: bytes, body: bytes) -> bool:
    _, found, rest = head.partition(b"content-length:")
    if found:
        return len(body) >= int(rest.split(b"\r\n", 1)[0])
    return body.endswith(b"0\r\n\r\n")  # chunked


class _Run:
    def __init__(self, requests: Sequence[bytes], seconds: float) -> None:
        self._requests = requests
        self._turn = 0
        self._latencies: list[int] = []
        self._bytes = 0
        self._failed = 0
        self.begin = time.perf_counter()
        self.end = self.begin + seconds
        self.open = CONNECTIONS
        self.done = asyncio.Event()

    def next_request(self) -> bytes:
        self._turn += 1
        return self._requests[self._turn % len(self._requests)]

    def note(self, latency_us: int, size: int, succeeded: bool) -> None:
        self._latencies.append(latency_us)
        self._bytes += size
        self._failed += not succeeded

    def measured(self) -> dict[str, Any]:
        latencies = sorted(self._latencies)
        return {
            "requests": len(latencies),
            "duration_us": round((time.perf_counter() - self.begin) * 1_000_000),
            "bytes": self._bytes,
            "p50_us": latencies[len(latencies) // 2],
            "p99_us": latencies[len(latencies) * 99 // 100],
            "max_us": latencies[-1],
            "failed": self._failed,
        }


async def _generate(host: str, port: int, requests: Sequence[bytes], seconds: float) -> None:
    run = _Run(requests, seconds)
    loop = asyncio.get_running_loop()
    for _ in range(CONNECTIONS):
        await loop.create_connection(lambda: _Connection(run), host, port)
    await run.done.wait()
    print(json.dumps(run.measured(), separators=(",", ":")))


def main() -> None:
    url, bodies, seconds, *pairs = sys.argv[1:]
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    lines = [f"POST {parts.path} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in zip(pairs[::2], pairs[1::2], strict=True)]
    head = "\r\n".join(lines)
    requests = [
        f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        for body in Path(bodies).read_bytes().splitlines()
    ]
    asyncio.run(_generate(parts.hostname, parts.port, requests, float(seconds)))


if __name__ == "__main__":
    main()
