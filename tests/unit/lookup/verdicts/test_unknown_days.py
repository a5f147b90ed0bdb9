"""A decision that is held without its day confirms no day that is cited."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.lookup.answers import DecisionHit
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.corpus.decision_values import make_decision
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import TODAY, build_library

UNDATED = replace(make_decision("LG Köln", "3 O 1/18", date(2018, 1, 1)), issued_on=None)
SAYS = replace(
    make_decision("VG Köln", "13 K 26/11", date(2012, 12, 6)),
    issued_on=None,
    ecli="ECLI:DE:VGK:2012:1206.13K26.11.00",
)


class UndatedDecisions(HeldDecisions):
    held = (*HeldDecisions.held, UNDATED, SAYS)


LIBRARY = replace(build_library(), decisions=UndatedDecisions())


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ("LG Köln, Urteil vom 5.5.2019 - 3 O 1/18", "unclear"),
        ("LG Köln, Urteil vom 1.1.2018 - 3 O 1/18", "unclear"),
        ("LG Köln, Urteil - 3 O 1/18", "ok"),
        ("LG Köln - 3 O 1/18", "ok"),
        ("VG Köln, Urteil vom 6.12.2012 - 13 K 26/11", "ok"),
        ("VG Köln, Urteil vom 7.12.2012 - 13 K 26/11", "unclear"),
    ],
)
def test_a_day_that_cannot_be_compared_is_said(written: str, verdict: str) -> None:
    resolution = resolve(LIBRARY, written, TODAY)
    judged = judge(LIBRARY, resolution)
    assert judged.verdict == verdict
    [hit] = resolution.outcomes
    assert isinstance(hit, DecisionHit)
    said = "day of this decision is not known"
    assert any(said in each for each in hit.warnings) == (verdict == "unclear")
    assert (said in judged.why) == (verdict == "unclear")
