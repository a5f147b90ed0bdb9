"""Running the public conformance suite, and counting what it found."""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.node.install import ensure

REVISIONS = ("2025-11-25", "2026-07-28")
"""What the suite has frozen lists of required scenarios for."""

_HERE = Path(__file__).parent
_TIMEOUT_S = 300
_FOLDER = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found: its exit code, the verdict of each scored scenario, what it printed."""

    exit_code: int
    verdicts: Mapping[str, str]  # scenario → SUCCESS, WARNING or FAILURE
    unscored: int
    printed: str

    def describe(self) -> str:
        found = list(self.verdicts.values())
        counts = (
            f"{found.count(verdict)} {word}"
            for verdict, word in (
                ("SUCCESS", "passed"),
                ("WARNING", "warned"),
                ("FAILURE", "failed"),
            )
        )
        return f"{len(found)} scenarios: {', '.join(counts)}; {self.unscored} run but not scored"


def run_suite(url: str, name: str, *options: str) -> Outcome:
    """Run the suite against a loopback address, held against ``<name>.yml`` if that is there."""
    baseline = _HERE / f"{name}.yml"
    held = ("--expected-failures", str(baseline)) if baseline.exists() else ()
    with TemporaryDirectory() as folder:
        done = _run("server", "--url", url, "--output-dir", folder, *held, *options)
        checks = dict(_read_checks(Path(folder)))
    complaints = "\n".join(_complain(scenario, each) for scenario, each in checks.items())
    printed = f"{done.stdout}{done.stderr}{complaints}"
    verdicts = {scenario: _judge(each) for scenario, each in checks.items()}
    scored = dict(verdicts)
    if "--requirements" in options:
        required = list_required(options[options.index("--requirements") + 1])
        assert required <= set(verdicts), printed  # a scenario that was not run has not passed
        scored = {scenario: each for scenario, each in verdicts.items() if scenario in required}
    return Outcome(done.returncode, scored, len(verdicts) - len(scored), printed)


@cache
def list_required(revision: str) -> frozenset[str]:
    """The server scenarios that a revision requires."""
    printed = _run("list", "--requirements", revision).stdout
    servers = printed.partition("Server scenarios")[2].partition("Client scenarios")[0]
    return frozenset(re.findall(r"^  - (\S+)", servers, re.MULTILINE))


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    programs = ensure()
    script = programs.package("@modelcontextprotocol/conformance") / "dist" / "index.js"
    return subprocess.run(
        [str(programs.node), str(script), *arguments],
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )


def _read_checks(results: Path) -> Iterator[tuple[str, list[Any]]]:
    for path in results.glob("*/checks.json"):
        folder = _FOLDER.fullmatch(path.parent.name)
        assert folder is not None, path.parent.name
        yield folder[1], json.loads(path.read_text(encoding="utf-8"))


def _judge(checks: list[Any]) -> str:
    statuses = {check["status"] for check in checks}
    return next((each for each in ("FAILURE", "WARNING") if each in statuses), "SUCCESS")


def _complain(scenario: str, checks: list[Any]) -> str:
    """What the suite found wrong, a line a check."""
    return "\n".join(
        f"{scenario}:{check['id']}: {check.get('errorMessage')}"
        for check in checks
        if check["status"] in {"FAILURE", "WARNING"}
    )
