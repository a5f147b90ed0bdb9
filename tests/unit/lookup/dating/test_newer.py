"""``n. F.`` on a day on which another text held than the one after the change."""

from datetime import date, timedelta

import pytest

from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import STAND, TODAY, build_library

LIBRARY = build_library()  # § 8 MusterG changed on the day of its Stand
BEFORE = STAND - timedelta(days=30)


def ask(written: str, on: date) -> ProvisionHit:
    [hit] = resolve(LIBRARY, written, on).outcomes
    assert isinstance(hit, ProvisionHit)
    return hit


@pytest.mark.parametrize("mark", ["n.F.", "n. F.", "nF", "(neue Fassung)"])
def test_a_text_that_has_ended_is_not_passed_off_as_the_new_one(mark: str) -> None:
    hit = ask(f"§ 8 MusterG {mark}", BEFORE)
    assert hit.fassung.in_force_until == STAND
    assert any(f"held until {STAND.isoformat()}" in each for each in hit.warnings)
    verdict = judge(LIBRARY, resolve(LIBRARY, f"§ 8 MusterG {mark}", BEFORE))
    assert verdict.verdict == "unclear"
    assert "n.F." in verdict.why


def test_the_text_that_goes_on_is_the_new_one() -> None:
    now = f"held until {STAND.isoformat()}"
    assert not any(now in each for each in ask("§ 8 MusterG n.F.", TODAY).warnings)
    assert not any(now in each for each in ask("§ 8 MusterG", BEFORE).warnings)
    assert not any("n.F." in each for each in ask("§ 4 MusterG n.F.", BEFORE).warnings)
