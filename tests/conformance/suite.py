"""Running the public conformance suite, and counting what it found."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.node.install import ROOT, ensure

REVISIONS = ("2025-11-25", "2026-07-28")
"""What the suite has frozen lists of required scenarios for."""

_HERE = Path(__file__).parent
_RESULTS = ROOT / "build" / "conformance"
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
    results = _RESULTS / name
    shutil.rmtree(results, ignore_errors=True)
    baseline = _HERE / f"{name}.yml"
    held = ("--expected-failures", str(baseline)) if baseline.exists() else ()
    done = _run("server", "--url", url, "--output-dir", str(results), *held, *options)
    printed = done.stdout + done.stderr
    verdicts = dict(_read_verdicts(results))
    assert verdicts, printed
    scored = dict(verdicts)
    if "--requirements" in options:
        required = list_required(options[options.index("--requirements") + 1])
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


def _read_verdicts(results: Path) -> Iterator[tuple[str, str]]:
    for path in results.glob("*/checks.json"):
        folder = _FOLDER.fullmatch(path.parent.name)
        assert folder is not None, path.parent.name
        statuses = {check["status"] for check in json.loads(path.read_text(encoding="utf-8"))}
        worst = (each for each in ("FAILURE", "WARNING") if each in statuses)
        yield folder[1], next(worst, "SUCCESS")
