"""Pages of a draft that belong to the decision before them."""

import pytest

from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import DraftCheck, check_draft
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.decisions.test_pages import LIBRARY, ON


def check(text: str) -> DraftCheck:
    return check_draft(LIBRARY, text, ON)


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [
        (", NJW 2021, 55 Rn. 2", "ok"),
        (", NJW 2021, 55 Rn. 99", "wrong"),
        (" = BGHZ 228, 44 = NJW 2021, 55 Rn. 2", "ok"),
        (" (NJW 2021, 55 Rn. 99)", "wrong"),
    ],
)
def test_the_randnummer_behind_a_page_is_looked_for_in_the_decision(
    behind: str, verdict: str
) -> None:
    written = f"BGH, Urteil vom 15.03.2022 - VI ZR 1/21{behind}"
    text = f"Das folgt aus {written}."
    found = check(text)
    [judged] = found.judged
    assert text[judged.start : judged.end] == written
    assert (judged.verdict.verdict, found.total) == (verdict, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Das folgt aus BGH, VI ZR 1/21; NJW 2021, 55.",
        "Das folgt aus BGH, VI ZR 1/21, und NJW 2021, 55.",
        "Das folgt aus BGH, VI ZR 1/21, BAGE 228, 44.",
        "Das folgt aus BGH, VI ZR 1/21. NJW 2021, 55.",
        "Das folgt aus § 4 MusterG, NJW 2021, 55.",
    ],
)
def test_a_page_that_is_set_apart_is_a_citation_of_its_own(text: str) -> None:
    assert [each.verdict.verdict for each in check(text).judged] == ["ok", "not_held"]


@pytest.mark.parametrize(
    ("pages", "verdicts"),
    [
        (", NJW 2023, 123 Rn. 99", ["wrong", "wrong"]),
        (", NJW 2023, 123 Rn. 2", ["ok", "ok"]),
        (", VersR 2021, 7 = NJW 2023, 123 Rn. 99", ["wrong", "wrong"]),
        (", NJW 2023, 123 = VersR 2021, 7, Rn. 99", ["wrong", "ok", "not_held"]),
    ],
)
def test_a_page_that_is_known_is_judged_by_itself(pages: str, verdicts: list[str]) -> None:
    judged = check(f"So BGH, VI ZR 1/21{pages}.").judged
    assert [each.verdict.verdict for each in judged] == verdicts


@pytest.mark.parametrize(
    "pages", ["; NJW 2023, 123 Rn. 99", ", und NJW 2023, 123 Rn. 99", ". NJW 2023, 123 Rn. 99"]
)
def test_the_randnummer_of_another_page_is_not_the_decisions(pages: str) -> None:
    judged = check(f"So BGH, VI ZR 1/21{pages}.").judged
    assert [each.verdict.verdict for each in judged] == ["ok", "wrong"]


@pytest.mark.parametrize(
    "behind",
    [
        ", NJW 2021, 55 Rn. 2",
        " (NJW 2021, 55), Rn. 99",
        " = BGHZ 228, 44 = NJW 2021, 55 Rn. 99",
    ],
)
def test_a_decision_and_its_pages_are_judged_as_alone(behind: str) -> None:
    written = f"BGH, Urteil vom 15.03.2022 - VI ZR 1/21{behind}"
    [judged] = check(f"{written}.").judged
    alone = judge(LIBRARY, resolve(LIBRARY, written, ON))
    assert (judged.verdict.verdict, judged.verdict.why) == (alone.verdict, alone.why)


@pytest.mark.parametrize("page", ["NJW 2023, 123", "NJW 2023, 123 Rn. 2", "BGH NJW 2023, 123"])
def test_a_page_that_is_known_to_be_the_decisions_is_no_doubt_of_it(page: str) -> None:
    for written in (page, f"BGH, VI ZR 1/21, {page}", f"BGH, VI ZR 1/21 = {page}"):
        verdict = judge(LIBRARY, resolve(LIBRARY, written, ON))
        assert verdict.verdict == "ok", written
        assert "NJW 2023, 123 was read as" in verdict.why
