"""In a draft a decision is judged as strictly as alone, whatever stands between its parts."""

import pytest

from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import TODAY, build_library

PLAIN = build_library()
LIBRARY = Library(PLAIN.store, PLAIN.index, PLAIN.names, HeldDecisions())
CASE = "Urteil vom 15. März 2022 - VI ZR 1/21"


def judge_in_draft(citation: str) -> tuple[str, str]:
    first = check_draft(LIBRARY, f"{citation}.", TODAY).judged[0].verdict
    return first.verdict, first.why


def judge_alone(citation: str) -> tuple[str, str]:
    found = judge(LIBRARY, resolve(LIBRARY, citation, TODAY))
    return found.verdict, found.why


@pytest.mark.parametrize(
    "citation",
    [
        "LAG Hamm, Urteil vom 15. März 2022 (Az. VI ZR 1/21)",
        "BGH, Beschluss vom 15.03.2022 (Az. VI ZR 1/21)",
        "BGH, Beschluss (Az. VI ZR 1/21)",
        f"LAG Hamm ({CASE})",
        "BGH, Urteil vom 15. März 2022 (Az. VI ZR 1/21), Rn. 99",
        f"BGH ({CASE}), Rn. 99",
        f"(BGH, {CASE}) Rn. 99",
        f"BGH, {CASE} (Hundebiss), Rn. 99",
        f"BGH, {CASE} (NJW 2024, 5), Rn. 99",
        f"BGH, {CASE}, NJW 2024, 5 Rn. 99",
        f"BGH, {CASE} = NJW 2024, 5 = VersR 2024, 7, Rn. 99",
        "Rn. 99 des Urteils des BGH vom 15. März 2022 - VI ZR 1/21",
        f"BGH, {CASE}, Rn. 1; 99",
    ],
)
def test_what_is_wrong_alone_is_wrong_in_a_draft(citation: str) -> None:
    assert judge_in_draft(citation) == judge_alone(citation)
    assert judge_in_draft(citation)[0] == "wrong"


def test_a_decision_of_another_day_is_told_with_the_day_in_a_bracket() -> None:
    citation = "BGH, Urteil vom 11.11.2023 (Az. VI ZR 1/21)"

    assert judge_in_draft(citation) == judge_alone(citation)
    assert "2022-03-15" in judge_in_draft(citation)[1]


@pytest.mark.parametrize(
    "citation",
    [
        "BGH, Urteil vom 15. März 2022 (Az. VI ZR 1/21), Rn. 3",
        f"BGH ({CASE}), Rn. 3",
        f"BGH, {CASE}, NJW 2024, 5 Rn. 3",
        f"BGH, {CASE}, Rn. 1; 3",
        "Rn. 3 des Urteils des BGH vom 15. März 2022 - VI ZR 1/21",
    ],
)
def test_what_is_so_is_in_order_in_both(citation: str) -> None:
    assert judge_in_draft(citation) == judge_alone(citation)
    assert judge_in_draft(citation)[0] == "ok"


@pytest.mark.parametrize("follow", ["f.", "ff."])
def test_nothing_follows_the_last_randnummer(follow: str) -> None:
    citation = f"BGH, {CASE}, Rn. 3 {follow}"

    assert judge_in_draft(citation) == ("wrong", "Nothing follows Rn. 3 there.")
    assert judge_alone(citation) == judge_in_draft(citation)
    assert judge_alone(f"BGH, {CASE}, Rn. 2 {follow}")[0] == "ok"
