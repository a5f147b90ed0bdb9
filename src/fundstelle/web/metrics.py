"""Counts and durations for Prometheus; right with several workers, too.

With more than one worker ``PROMETHEUS_MULTIPROC_DIR`` is set before this module is imported, and
any worker then answers for all.
"""

import os
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

_REQUESTS = Counter(
    "fundstelle_requests", "Requests answered", ["method", "tool", "status", "error"]
)
_SECONDS = Histogram(
    "fundstelle_request_seconds",
    "Seconds from the complete request to the answer",
    ["method"],
    buckets=(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3),
)


@dataclass(slots=True)
class _Series:
    count: Counter
    seconds: Histogram


_series: dict[tuple[str, str, int, str], _Series] = {}


def observe(method: str, tool: str, status: int, error: str, seconds: float) -> None:
    """Count one request. All labels come from closed sets, never from the caller's words."""
    key = (method, tool, status, error)
    series = _series.get(key)
    if series is None:
        count = _REQUESTS.labels(method, tool, str(status), error)
        series = _series[key] = _Series(count, _SECONDS.labels(method))
    series.count.inc()
    series.seconds.observe(seconds)


def render() -> bytes:
    """Everything measured so far, in the text format of Prometheus."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # shipped untyped
    return generate_latest(registry)
