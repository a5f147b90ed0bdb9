"""Counts, durations and states for Prometheus; right with several workers, too.

With more than one worker ``PROMETHEUS_MULTIPROC_DIR`` is set before this module is imported, and
any worker then answers for all: sums, or the worst of all workers, as each metric says.
"""

import os
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from fundstelle.web.counters import FOLDER, locked_sums

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

# Name and labels as the OpenTelemetry conventions have them (mcp.server.operation.duration). The
# buckets are finer than theirs, which begin where our slowest answers end.
_SECONDS = Histogram(
    "mcp_server_operation_duration_seconds",
    "Seconds from the complete request to the answer; its count is the number of requests",
    ["mcp_method_name", "gen_ai_tool_name", "http_response_status_code", "error_type"],
    buckets=(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3),
)
SWAP_SECONDS = Histogram(
    "fundstelle_corpus_swap_seconds",
    "Seconds from another build being seen to its being in use; its count is the number of swaps",
    buckets=(0.1, 0.3, 1, 3, 10, 30, 100),
)
IS_NEWEST = Gauge(
    "fundstelle_corpus_is_newest",
    "1 if every worker answers from the build that is to be live, 0 if one does not",
    multiprocess_mode="livemin",
)
STAND_AGE_DAYS = Gauge(
    "fundstelle_corpus_stand_age_days",
    "Days since the Stand of the build in use, of the oldest one",
    multiprocess_mode="livemax",
)
UPDATE_FAILURES = Gauge(
    "fundstelle_update_failures",
    "Sources, and documents of them, that the last update could not bring up to date",
    multiprocess_mode="livemax",
)
LAST_UPDATE = Gauge(
    "fundstelle_update_last_timestamp_seconds",
    "When the last update began, 0 if there was none",
    multiprocess_mode="livemax",
)
LAST_POLL = Gauge(
    "fundstelle_follower_last_success_timestamp_seconds",
    "When a worker last followed the live build without an error, of the worker longest ago",
    multiprocess_mode="livemin",
)
PROBLEMS = Gauge(
    "fundstelle_worker_problems",
    "How many things do not work just now, of the worker with most; /readyz names them",
    multiprocess_mode="livemax",
)
ACCOUNTS_REACHABLE = Gauge(
    "fundstelle_accounts_reachable",
    "1 if the accounts database answers every worker, 0 if it does not",
    multiprocess_mode="livemin",
)
ACCOUNTS_WRITABLE = Gauge(
    "fundstelle_accounts_writable",
    "1 if every worker can write into the accounts database, 0 if one cannot",
    multiprocess_mode="livemin",
)
CALLS_WAITING = Gauge(
    "fundstelle_call_log_waiting",
    "Tool calls that are answered and not yet in the audit log, of all workers",
    multiprocess_mode="livesum",
)
CALLS_LOST = Counter(
    "fundstelle_call_log_lost",
    "Tool calls that were answered and could not be recorded, since the server began",
)
AUDIT_BREAKS = Counter(
    "fundstelle_audit_breaks",
    "How often the audit log was found broken when something was to be added to it",
)
_series: dict[tuple[str, str, int, str], Histogram] = {}


@cache
def get_quota_store_reachable() -> Gauge:
    """There only where servers share a store: a gauge that nobody sets is 0, as if it failed."""
    return Gauge(
        "fundstelle_quota_store_reachable",
        "1 if the shared quota store answers every worker and takes what is counted, 0 if one"
        " counts on its own; missing where none is shared",
        multiprocess_mode="livemin",
    )


def observe(method: str, tool: str, status: int, error: str, seconds: float) -> None:
    """Count one request. All labels come from closed sets, never from the caller's words."""
    key = (method, tool, status, error)
    series = _series.get(key)
    if series is None:
        series = _series[key] = _SECONDS.labels(method, tool, str(status), error)
    series.observe(seconds)


def render() -> bytes:
    """Everything measured so far, in the text format of Prometheus."""
    return generate_latest(choose_registry())


def choose_registry() -> CollectorRegistry:
    """What there is to be read, of all workers."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return REGISTRY
    registry = CollectorRegistry()
    _OfAllWorkers(registry, folder)  # type: ignore[no-untyped-call]  # shipped untyped
    registry.register(_Processes(Path(folder)))
    return registry


class _OfAllWorkers(MultiProcessCollector):
    """What all workers have counted, those that have ended among them."""

    def collect(self) -> Iterable[Metric]:
        with locked_sums(Path(self._path)):
            return list(super().collect())  # type: ignore[no-untyped-call]


class _Processes(Collector):
    """Memory, files and processor of every worker, from ``/proc``; nothing where that is absent.

    Workers are those that have a file of their own in ``folder``; without one it is this process.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        found: dict[str, Metric] = {}
        for pid in self._list_workers():
            figures = ProcessCollector("fundstelle_worker", partial(str, pid), registry=None)
            for family in figures.collect():
                metric = found.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type)
                )
                for sample in family.samples:
                    metric.add_sample(sample.name, {"worker": pid}, sample.value)
        return found.values()

    def _list_workers(self) -> list[str]:
        if self._folder is None:
            return [str(os.getpid())]
        return sorted(
            {file.stem.rpartition("_")[2] for file in self._folder.glob("gauge_live*.db")}
        )


REGISTRY.register(_Processes())
