"""No draft of 20,000 characters takes long to read, whatever is written in rows in it."""

import random
from itertools import product

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from tests.adversarial.test_patterns import TooLong, limited

CHARS = 20_000
MOST_S = 0.5  # of the processor; the worst of all rows took .12 s
BEFORE = (
    *("", "§ ", "§§ ", "Art. ", "Artikel ", "Nr. ", "Abs. ", "Satz ", "Buchst. ", "Anlage "),
    *("BGB ", "VO (EU) ", "Richtlinie ", "Urteil vom ", "BGH, ", "BGHZ ", "NJW ", "ECLI:DE:"),
    *("C-", "Rn. ", "i.V.m. ", "Gesetz zur ", "in: ", "Kommentar zum ", "(", "„", "ABl. L "),
    *("Section ", "Article ", "point ", "IX ZR ", "Kapitel ", "vom ", "bis ", "§ 5 Abs. 1 "),
)
ROWS = (
    *("9", "0", "1.", "1,", "1 ", "1/", "1-", "a", "A", "Ab", "ä", "a ", "a-", "A.", ".", "-"),
    *(" ", "\u00a0", "\n", "(", "((", "[", '"', "„", "a) ", "1) ", "ff. ", "II", "x1", "1a"),
    *("E", "/", "§", "_", "<", "–", ", ", "; ", "und ", "bis ", "G", "GB", "\u00ad", "\u0301"),
)
BEHIND = ("", " BGB", "G", " Rn. 3", ". Auflage", " XYZG", ")", "“")
LENGTHS = (60, 960, CHARS - 100)
NAMES = LawNames.build(())


@pytest.mark.parametrize("before", BEFORE)
def test_no_row_takes_long(before: str) -> None:
    draw = random.Random(before)
    some = draw.sample(list(product(ROWS, BEHIND, LENGTHS)), 60)
    slow = [one for one in some if is_slow(before, *one)]
    assert slow == []


def is_slow(before: str, row: str, behind: str, length: int) -> bool:
    one = f"{before}{(row * (length // len(row) + 1))[:length]}{behind} "
    draft = (one * (CHARS // len(one) + 1))[:CHARS]
    for _ in range(3):  # another process may have slowed it down
        try:
            with limited(MOST_S):
                find(draft, NAMES)
        except TooLong:
            continue
        return False
    return True


def test_a_long_number_takes_no_longer_than_a_short_one() -> None:
    """Four thousand digits behind a § once took forty seconds."""
    assert not any(is_slow("§ ", "9", " BGB", length) for length in (5, 120, 960, 3_200))
