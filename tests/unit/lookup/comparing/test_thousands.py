"""How the thousands of a number are divided changes no number, and a digit more or less does."""

import time

import pytest

from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.resemblance import find_resemblance
from fundstelle.lookup.comparing.thousands import Undivided, join_thousands
from fundstelle.lookup.comparing.wording import Match, Wording, read_quote

SPELLINGS = (
    "20 000 000",
    "20\u00a0000\u00a0000",
    "20\u202f000\u202f000",
    "20\u2009000\u2009000",
    "20.000.000",
    "20'000'000",
    "20’000’000",
    "20,000,000",
    "20000000",
)


@pytest.mark.parametrize("stored", SPELLINGS)
@pytest.mark.parametrize("quoted", SPELLINGS)
def test_each_spelling_of_a_number_is_the_same_number(quoted: str, stored: str) -> None:
    text = f"Wer 1 200 Nägel stiehlt, zahlt bis zu {stored} Euro Buße, höchstens 3 500 je Nagel."
    match = Wording(text).find(read_quote(f"bis zu {quoted} Euro […] höchstens 3.500 je"))
    assert match is not None
    assert text[match.start : match.end] == f"bis zu {stored} Euro Buße, höchstens 3 500 je"
    assert not match.verbatim


@pytest.mark.parametrize("stored", SPELLINGS)
@pytest.mark.parametrize("quoted", ["2 000 000", "200.000.000", "20 000", "000 000", "2000000"])
def test_another_number_is_none_of_them(quoted: str, stored: str) -> None:
    text = f"Der Schmied zahlt bis zu {stored} Euro Buße an den Staat."
    assert Wording(text).find(read_quote(f"{quoted} Euro")) is None
    found = find_resemblance(text, [f"Der Schmied zahlt bis zu {quoted} Euro Buße an den Staat."])
    assert found is not None
    assert any(each.number for each in found.differences)


@pytest.mark.parametrize(
    "text",
    [
        "1,234 Meter",  # a decimal comma
        "0.125",
        "§ 5.1001",
        "2016 679",
        "Nr. 1.100.2",
        "1 234567",
        "5\n100",
        "5 | 100",
        "0,100 200",
        "1/100 000",
    ],
)
def test_what_is_no_thousands_stays(text: str) -> None:
    assert join_thousands(text) == text
    assert Undivided(text).is_stored


def test_cells_of_a_row_are_quoted_one_behind_the_other() -> None:
    match = Wording("Stufe 1 | 100 | 200 | 1 300").find(read_quote("1 100 200 1 300"))
    assert match == Match(6, 27, verbatim=False)


def test_numbers_are_joined_in_time_that_grows_with_the_text() -> None:
    for part in ("1 000 ", "111", "1 ", "1.000.", "1,000,"):
        begun = time.thread_time()
        Undivided(part * (300_000 // len(part)))
        assert time.thread_time() - begun < 0.5


@pytest.mark.parametrize("quoted", ["20.000", "20000", "20’000"])
def test_the_spelling_of_a_number_is_told_beside_no_other_difference(quoted: str) -> None:
    text = "Der Schmied zahlt dem Staat bis zu 20 000 Euro Buße für jeden krummen Nagel."
    found = find_resemblance(
        text, [f"Der Schmied zahlt dem Staat bis zu {quoted} DM Buße für jeden krummen Nagel."]
    )
    assert found is not None
    assert [each.number for each in found.differences] == [False]


def test_what_is_altered_has_a_difference() -> None:
    found = find_resemblance("Er zahlt bis zu 20 000 Euro.", ["Er zahlt bis zu 20. 000 Euro."])
    assert found is not None
    assert found.differences == (Difference(".", ""),)
