"""Counts and durations for Prometheus; right with several workers, too.

With more than one worker ``PROMETHEUS_MULTIPROC_DIR`` is set before this module is imported, and
any worker then answers for all.
"""

import os

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

_SECONDS = Histogram(
    "fundstelle_request_seconds",
    "Seconds from the complete request to the answer; its count is the number of requests",
    ["method", "tool", "status", "error"],
    buckets=(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3),
)
_series: dict[tuple[str, str, int, str], Histogram] = {}


def observe(method: str, tool: str, status: int, error: str, seconds: float) -> None:
    """Count one request. All labels come from closed sets, never from the caller's words."""
    key = (method, tool, status, error)
    series = _series.get(key)
    if series is None:
        series = _series[key] = _SECONDS.labels(method, tool, str(status), error)
    series.observe(seconds)


def render() -> bytes:
    """Everything measured so far, in the text format of Prometheus."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # shipped untyped
    return generate_latest(registry)
