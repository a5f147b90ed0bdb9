"""Pages of journals beside a decision that is held, of which nothing is known."""

import pytest

from fundstelle.lookup.answers import DecisionHit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.corpus.decision_values import DECISION
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import TODAY, build_library

ON = TODAY
PARTS = build_library()
LIBRARY = Library(PARTS.store, PARTS.index, PARTS.names, HeldDecisions())
CITED = "BGH, VI ZR 1/21"


@pytest.mark.parametrize(
    ("behind", "page"),
    [
        (", NJW 2021, 55 Rn. 2", "NJW 2021, 55"),
        (" = NJW 2021, 55 Rn. 2", "NJW 2021, 55"),
        (" (NJW 2021, 55 Rn. 2)", "NJW 2021, 55"),
        (" Rn. 2, BGHZ 228, 44 (47)", "BGHZ 228, 44"),
        (", BGHZ 228, 44, 47 = NJW 2021, 55 Rn. 2", "BGHZ 228, 44"),
    ],
)
def test_an_unknown_page_beside_a_decision_is_named_alone_and_denies_nothing(
    behind: str, page: str
) -> None:
    answer = resolve(LIBRARY, CITED + behind, ON)
    [hit] = answer.hits
    assert isinstance(hit, DecisionHit)
    assert hit.text[hit.start : hit.end] == "Er biss."
    assert answer.misses[0].citation == page
    assert answer.misses[0].reason.startswith(f"'{page}' is recognised")

    verdict = judge(LIBRARY, answer)
    assert (verdict.verdict, verdict.norm_id) == ("ok", DECISION.decision_id)
    assert verdict.why == f"What is printed at {page} is not known here."


def test_the_randnummer_behind_an_unknown_page_is_that_of_the_decision() -> None:
    verdict = judge(LIBRARY, resolve(LIBRARY, f"{CITED}, NJW 2021, 55 Rn. 99", ON))
    assert (verdict.verdict, verdict.norm_id) == ("wrong", DECISION.decision_id)


@pytest.mark.parametrize(
    "written",
    [
        f"{CITED}; NJW 2021, 55",  # set apart: another decision
        f"{CITED} und NJW 2021, 55",
        f"{CITED}, BAGE 228, 44",  # no decision of the BGH is printed there
        f"{CITED}, BAG NJW 2021, 55",
        "BGH, VI ZR 99/99, NJW 2021, 55",
        "NJW 2021, 55",
    ],
)
def test_a_page_of_another_decision_is_not_held(written: str) -> None:
    assert judge(LIBRARY, resolve(LIBRARY, written, ON)).verdict == "not_held"


def test_a_paper_of_parliament_is_named_alone() -> None:
    answer = resolve(LIBRARY, "§ 4 MusterG, BT-Drs. 17/12299", ON)
    assert [miss.citation for miss in answer.misses] == ["BT-Drs. 17/12299"]
    assert isinstance(answer.outcomes[-1], Miss)
