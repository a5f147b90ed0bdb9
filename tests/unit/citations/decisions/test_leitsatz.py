"""A numbered Leitsatz of a decision is a place that nothing reads, however it is written."""

import pytest

from fundstelle.citations.parse import parse

DECISIONS = ("BGH, Urteil vom 20.01.2021 - VI ZR 1/21", "BGH, NJW 2004, 1234")


@pytest.mark.parametrize("cited", DECISIONS)
@pytest.mark.parametrize(
    "place", ["Leitsatz 9", "Leitsatz 12", "LS 9", "Ls. 9", "9. Leitsatz", "Leitsätze 1 und 2"]
)
def test_a_numbered_leitsatz_is_not_passed_over(cited: str, place: str) -> None:
    parsed = parse(f"{cited}, {place}")
    assert parsed.targets == parse(cited).targets
    assert parsed.unparsed == (place,)


@pytest.mark.parametrize("cited", DECISIONS)
@pytest.mark.parametrize("behind", [", Leitsatz", " (Ls.)"])
def test_that_a_leitsatz_is_meant_names_no_place(cited: str, behind: str) -> None:
    assert parse(cited + behind).unparsed == ()


def test_a_leitsatz_behind_another_place_is_not_passed_over_either() -> None:
    assert parse(f"{DECISIONS[0]}, Rn. 5, Leitsatz 3").unparsed == ("Leitsatz 3",)
