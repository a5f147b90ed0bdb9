"""No citation of five hundred characters takes long to answer, whatever stands in rows in it."""

import random
from datetime import date
from itertools import product

import pytest

from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.adversarial.test_patterns import TooLong, limited

ON = date(2026, 4, 29)
MOST = 20  # of a list, as tools ask for it
CHARS = 490  # of 500 that a citation may have
MOST_S = 0.06  # of the processor: twenty citations of a batch have a second; the worst took .009 s
SIGNS = ("§ 312 ", "§§ 1-9 ", "§§ 1, 2, 3 ", "Art. 3 ", "Anlage 1 ", "§ 9 Abs. 1 Nr. 1 lit. a ")
FOLLOWING = ("ff. ", "f. ", "", "bis 400 ", "Satz 1 ", "i.V.m. ")
LAWS = ("ZPO ", "BGB ", "SGB V ", "GG ", "BGB", "")
WORDS = ("x ", "x1 ", "BG", "; ", "(", "Anlage ", "2020 ", "1.1.2020 ", "vom Gesetz ", "")


@pytest.mark.parametrize("sign", SIGNS)
def test_no_row_takes_long(library: Library, sign: str) -> None:
    draw = random.Random(sign)
    some = draw.sample(list(product(FOLLOWING, LAWS, WORDS)), 40)
    slow = [one for one in some if is_slow(library, "".join((sign, *one)))]
    assert slow == []


def test_words_that_nobody_reads_are_held_against_what_was_found_at_once(library: Library) -> None:
    """Thirty-six of them and the days in the notes of twenty provisions once took .12 s."""
    assert not is_slow(library, "§ 312 ff. ZPO BG§§ 1-9O x ")


def is_slow(library: Library, row: str) -> bool:
    for turn in range(4):  # the first reads what is kept; another process may slow one down
        written = (row * CHARS)[:CHARS] + str(turn)
        try:
            with limited(MOST_S):
                resolve(library, written, ON, most=MOST)
        except TooLong:
            continue
        return False
    return True
