"""What looks like a place in a decision, or like an act's own number, and is none."""

import re

import pytest

from fundstelle.citations.decisions.margins import PAGES
from fundstelle.citations.laws.own_numbers import find_other_number


@pytest.mark.parametrize(
    ("written", "is_page"),
    [("S. 12", True), ("Seite 3", True), ("12 S 12.12", False), ("12 S 1212/12", False)],
)
def test_a_sign_of_a_register_is_no_page(written: str, *, is_page: bool) -> None:
    assert (re.search(PAGES, f"OVG, Beschluss - {written} -") is not None) is is_page


def test_a_treaty_has_no_number_that_an_act_in_brackets_could_deny() -> None:
    text = "AEUV (Richtlinie 2004/38/EG)"
    assert find_other_number(text, 4, "12012E") is None
    assert find_other_number(text, 4, "32016R0679") is not None
