"""Figures for Prometheus: all that are documented exist, and all workers are told of."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fundstelle.accounts.audit.calls import CallLogState
from fundstelle.accounts.audit.log import AuditState
from fundstelle.accounts.database.availability import StoreState
from fundstelle.web import metrics
from fundstelle.web.health import (
    ACCOUNTS_AWAY,
    ACCOUNTS_READ_ONLY,
    AUDIT_BROKEN,
    AUDIT_NOT_COMPARED,
    CALLS_ENDANGERED,
    NOT_NEWEST,
    QUOTA_STORE_AWAY,
    Health,
    Surroundings,
)

DOCS = Path(__file__).parents[3] / "docs"
NAME = re.compile(r"\b(?:fundstelle|mcp_server)_[a-z_]+")
ON_PROC = not Path("/proc/self/stat").exists()
SUFFIXES = ("", "_count", "_sum", "_bucket")


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Every name that one of our metrics has in the text format."""
    metrics.observe("tools/list", "", 200, "", 0.1)
    metrics.get_quota_store_reachable()
    lines = metrics.render().decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if NAME.match(line)}


@pytest.mark.skipif(ON_PROC, reason="figures of processes come from /proc")
def test_every_metric_in_the_alerts_exists(names: set[str]) -> None:
    text = (DOCS / "alerts.yml").read_text(encoding="utf-8")
    rules = text.split("- alert: ")[1:]
    for rule in rules:
        assert NAME.search(rule.partition("expr:")[2].partition("annotations:")[0]), rule
        assert "summary: " in rule
    used = set(NAME.findall(text))
    assert len(used) > 10
    assert used <= names


@pytest.mark.skipif(ON_PROC, reason="figures of processes come from /proc")
def test_every_metric_of_the_dashboard_exists(names: set[str]) -> None:
    dashboard = json.loads((DOCS / "dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(asked) > 20
    for expression in asked:
        assert (used := set(NAME.findall(expression))), expression
        assert used <= names


def test_the_rules_are_ones_that_prometheus_takes() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (Debian: apt-get install prometheus)")
    command = [promtool, "check", "rules", str(DOCS / "alerts.yml")]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.skipif(ON_PROC, reason="figures of processes come from /proc")
def test_the_page_for_operators_names_every_metric_and_no_other(names: set[str]) -> None:
    documented = set(NAME.findall((DOCS / "operations.md").read_text(encoding="utf-8")))
    possible = {name + suffix for name in documented for suffix in SUFFIXES}
    assert documented <= names | {name.removesuffix("_count") for name in names}
    assert {name for name in names if not name.endswith("_created")} <= possible


def read(name: str) -> float:
    for line in metrics.render().decode().splitlines():
        if line.startswith(f"{name} "):
            return float(line.split()[1])
    raise AssertionError(name)


def build_health(**surroundings: Any) -> tuple[Health, dict[str, str]]:
    problems: dict[str, str] = {}
    return Health(Surroundings(**surroundings), problems), problems


def test_a_worker_on_another_build_is_degraded_and_says_which_is_newer() -> None:
    health, _ = build_health(newest=lambda: "b" * 16)
    body = health.describe("a" * 16)
    assert body == {
        "status": "degraded",
        "corpus_release": "a" * 16,
        "newest_release": "b" * 16,
        "problems": [NOT_NEWEST],
    }
    health.measure("a" * 16, 0.0)
    assert read("fundstelle_corpus_is_newest") == 0
    assert health.describe("b" * 16) == {"status": "ready", "corpus_release": "b" * 16}
    health.measure("b" * 16, 0.0)
    assert read("fundstelle_corpus_is_newest") == 1


@pytest.mark.parametrize(
    ("reachable", "writable", "problems"),
    [
        (True, True, []),
        (False, False, [ACCOUNTS_AWAY]),
        (True, False, [ACCOUNTS_READ_ONLY]),
    ],
)
def test_readiness_and_metrics_know_the_accounts(
    reachable: bool, writable: bool, problems: list[str]
) -> None:
    state = StoreState(reachable=reachable, writable=writable, since=0.0, last_error="secret")
    health, _ = build_health(accounts=lambda: state)
    assert health.list_problems("a") == problems
    assert "secret" not in str(health.describe("a"))
    health.measure("a", 0.0)
    assert read("fundstelle_accounts_reachable") == reachable
    assert read("fundstelle_accounts_writable") == writable


def test_readiness_and_metrics_know_the_quota_store() -> None:
    state = StoreState(reachable=False, writable=False, since=0.0, last_error="secret")
    health, _ = build_health(quota_store=lambda: state)
    assert health.list_problems("a") == [QUOTA_STORE_AWAY]
    health.measure("a", 0.0)
    assert read("fundstelle_quota_store_reachable") == 0


MEASURING = """
import sys
from fundstelle.accounts.database.availability import StoreState
from fundstelle.web import metrics
from fundstelle.web.health import Health, Surroundings
state = eval(sys.argv[1])
health = Health(Surroundings(quota_store=lambda: state), {})
health.measure("a", 0.0)
health.measure("a", 1.0)
print(metrics.render().decode())
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("None", []),
        ("StoreState(True, writable=True, since=0.0)", ["1.0"]),
        ("StoreState(False, writable=False, since=0.0)", ["0.0"]),
    ],
)
def test_a_quota_store_that_nobody_shares_is_not_measured(
    tmp_path: Path, state: str, told: list[str], workers: int
) -> None:
    """Else the rule that tells of its failure would hold on each server without one."""
    environ = {**os.environ}
    if workers > 1:
        environ["PROMETHEUS_MULTIPROC_DIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", MEASURING, state],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split() for line in done.stdout.splitlines() if "quota_store" in line]
    assert [values[-1] for values in lines if values[0] != "#"] == told
    assert bool(lines) == bool(told)


def test_the_last_poll_stands_still_while_something_is_wrong() -> None:
    health, problems = build_health(stand=lambda: date(2030, 1, 1), today=lambda: date(2030, 1, 11))
    health.measure("a", 100.0)
    problems["the newest build cannot be opened"] = "/secret/path: damaged"
    health.measure("a", 200.0)
    assert read("fundstelle_follower_last_success_timestamp_seconds") == 100
    assert read("fundstelle_worker_problems") == 1
    assert read("fundstelle_corpus_stand_age_days") == 10
    assert health.describe("a")["problems"] == ["the newest build cannot be opened"]


def test_losses_and_breaks_of_the_call_log_are_counted_once() -> None:
    calls, audit = CallLogState(7, 0, None, is_endangered=False), AuditState(0, is_comparable=True)
    health, _ = build_health(calls=lambda: calls, audit=lambda: audit)
    names = ("fundstelle_call_log_lost_total", "fundstelle_audit_breaks_total")
    before = [read(name) for name in names]
    for lost, breaks in ((3, 0), (3, 1), (5, 1)):
        calls, audit = (
            CallLogState(7, lost, None, is_endangered=False),
            AuditState(breaks, is_comparable=True),
        )
        health.measure("a", 0.0)
    assert [read(name) for name in names] == [before[0] + 5, before[1] + 1]
    assert read("fundstelle_call_log_waiting") == 7
    assert health.list_problems("a") == [AUDIT_BROKEN]
    audit = AuditState(1, is_comparable=False)
    assert health.list_problems("a") == [AUDIT_BROKEN, AUDIT_NOT_COMPARED]
    calls = CallLogState(7, 5, None, is_endangered=True)
    health.measure("a", 0.0)
    assert read("fundstelle_worker_problems") == 3
    assert health.describe("a")["problems"][0] == CALLS_ENDANGERED


WORKER = """
import sys
from fundstelle.web import metrics
metrics.observe("tools/list", "", 200, "", 0.1)
metrics.IS_NEWEST.set(int(sys.argv[1]))
metrics.CALLS_WAITING.set(5)
metrics.CALLS_LOST.inc(2)
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def worker(folder: Path, is_newest: int) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(is_newest)],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    yield process.pid
    process.communicate()


@pytest.mark.skipif(ON_PROC, reason="figures of processes come from /proc")
def test_one_answer_tells_of_all_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    with worker(tmp_path, 1) as first, worker(tmp_path, 0) as second:
        text = metrics.render().decode()
        assert read("fundstelle_corpus_is_newest") == 0, "one does not answer from the newest"
        assert read("fundstelle_call_log_waiting") == 10
        assert read("fundstelle_call_log_lost_total") == 4
    for pid in (first, second):
        for figure in ("resident_memory_bytes", "open_fds", "cpu_seconds_total"):
            found = re.search(rf'_process_{figure}{{worker="{pid}"}} (\S+)', text)
            assert found is not None
            assert float(found[1]) > 0
    assert text.count("# TYPE fundstelle_worker_process_open_fds gauge") == 1
