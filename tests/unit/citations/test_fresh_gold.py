"""Norms, and strings that are none: labelled before the parser had read them.

Written for this file, over the laws and spellings that lawyers use; schema as in the gold set.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse
from tests.unit.citations.test_fresh_gold_decisions import is_same

GOLD = Path(__file__).parents[2] / "golden" / "citations" / "norms.jsonl"
CASES = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_labelled_string_reads_as_its_targets(case: dict[str, Any]) -> None:
    found = [write_target(target) for target in parse(case["input"]).targets]
    wanted = [case["expected"], *case.get("accept", ())]
    assert any(is_same(one, found) for one in wanted), (case["input"], found)


def test_no_string_is_labelled_twice() -> None:
    inputs = [case["input"] for case in CASES]
    assert len(set(inputs)) == len(inputs)
