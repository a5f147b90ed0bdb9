"""Decisions, EU acts, reporters, gazettes: labelled strings that no rule was written from.

The strings are written for this file; Aktenzeichen in them may be invented. Schema and the sense
of "same set of targets" are those of the citation gold set.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse

GOLD = Path(__file__).parents[2] / "golden" / "citations" / "decisions_and_eu.jsonl"
CASES = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
PLACE = ("unit", "num", "num_end", "follow", "version")
ALTERNATIVES = (("law", "law_alt"), ("celex", "celex_alt"), ("court", "court_alt"))
NOT_COMPARED = {"type", "law_alt", "celex_alt", "court_alt", "celex", "law", "path"}


def fold(value: object) -> str | None:
    return "".join(str(value).casefold().split()) if value not in (None, "") else None


def canonicalise(target: dict[str, Any]) -> tuple[object, ...]:
    """What is compared of a target; a dot and a stroke in an Aktenzeichen are the same."""
    kind = target["type"]
    if kind in {"norm", "eu_act"}:
        name = target["law"] if kind == "norm" else target["celex"]
        path = tuple(tuple(map(fold, step)) for step in target["path"])
        return (kind, fold(name), *(fold(target[key]) for key in PLACE), path)
    values = {key: fold(value) for key, value in target.items() if key not in NOT_COMPARED}
    if kind == "decision":
        values["docket"] = (values["docket"] or "").replace(".", "/")
    return (kind, *sorted(values.items()))


def list_variants(target: dict[str, Any]) -> set[tuple[object, ...]]:
    named = [
        {**target, key: name} for key, others in ALTERNATIVES for name in target.get(others, ())
    ]
    return {canonicalise(variant) for variant in (target, *named)}


def is_same(wanted: list[dict[str, Any]], found: list[dict[str, Any]]) -> bool:
    left = [canonicalise(target) for target in found]
    for target in wanted:
        hit = next((one for one in left if one in list_variants(target)), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_labelled_string_reads_as_its_targets(case: dict[str, Any]) -> None:
    found = [write_target(target) for target in parse(case["input"]).targets]
    wanted = [case["expected"], *case.get("accept", ())]
    assert any(is_same(one, found) for one in wanted), (case["input"], found)


def test_no_string_is_labelled_twice() -> None:
    inputs = [case["input"] for case in CASES]
    assert len(set(inputs)) == len(inputs)
