"""The peers of the citation engine, installed by name into an environment of their own.

`bundesrecht` normalises a citation to canonical strings ("§ 1 Abs. 2 Satz 3 BGB"), which are taken
apart here; a string that it passes on unread counts as nothing.
`legal-reference-extraction` gives law and number without the path, so it
is fair to compare it by section. Both are asked on the same texts in the same run.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "citation-peers"
PEERS = ("bundesrecht", "legal-reference-extraction")
SCRIPT = Path(__file__).parent / "peers" / "read_citations.py"
_LEVELS = {
    "Abs.": "abs",
    "UAbs.": "uabs",
    "Satz": "satz",
    "Halbs.": "hs",
    "Nr.": "nr",
    "Buchst.": "buchst",
    "Doppelbuchst.": "dbuchst",
    "Alt.": "alt",
    "Var.": "var",
}
_STEP = re.compile(rf"({'|'.join(map(re.escape, _LEVELS))}) (\w+)")
_CANONICAL = re.compile(
    r"(?P<unit>§|Art\.) (?P<number>\d+[a-z]?)"
    rf"(?P<path>(?: (?:{'|'.join(map(re.escape, _LEVELS))}) \w+)*) (?P<law>[A-ZÄÖÜ][\w .-]*)"
)
Case = dict[str, Any]


def install() -> Path:
    """The peers' interpreter; made once.

    Raises:
        subprocess.CalledProcessError: they cannot be installed.
    """
    python = FOLDER / "bin" / "python"
    if not (FOLDER / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=True)
        (FOLDER / "installed").touch()
    return python


def ask(cases: Sequence[Case], sentences: Sequence[str], texts: Sequence[str]) -> dict[str, Any]:
    """What the peers read; ``texts`` are timed."""
    asked = {
        "inputs": [case["input"] for case in cases],
        "sentences": list(sentences),
        "texts": list(texts),
    }
    done = subprocess.run(
        [str(install()), str(SCRIPT)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def score(
    cases: Sequence[Case],
    answers: Sequence[list[Any]],
    read: Callable[[list[Any]], list[Case]],
    judge: Callable[[Case, list[Case]], tuple[bool, bool]],
) -> dict[str, dict[str, float]]:
    """Exact and section rate per category."""
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case, answer in zip(cases, answers, strict=True):
        exact, section = judge(case, read(answer))
        for group in (case["category"], "TOTAL"):
            row = tally[group]
            row[0] += 1
            row[1] += exact
            row[2] += section
    return {
        group: {"n": n, "exact": round(exact / n, 4), "section": round(section / n, 4)}
        for group, (n, exact, section) in sorted(tally.items())
    }


def read_canonical(strings: list[Any]) -> list[Case]:
    """Targets of the canonical strings of `bundesrecht`; what it passes on unread gives none."""
    targets = []
    for text in strings:
        found = _CANONICAL.fullmatch(text)
        if found is not None:
            path = [[_LEVELS[level], value] for level, value in _STEP.findall(found["path"])]
            targets.append(
                {
                    "type": "norm",
                    "law": found["law"],
                    "unit": found["unit"].rstrip("."),
                    "num": found["number"],
                    "num_end": None,
                    "follow": None,
                    "version": None,
                    "path": path,
                }
            )
    return targets


def read_found(found: list[Any]) -> list[Case]:
    """Targets of `legal-reference-extraction`."""
    return [{**one["target"], "follow": None, "version": None} for one in found]
