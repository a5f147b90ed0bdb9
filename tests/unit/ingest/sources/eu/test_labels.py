"""Letters and Roman numbers are told apart by the list that they stand in."""

import pytest

from fundstelle.citations.text.numerals import format_roman
from fundstelle.ingest.sources.eu.labels import read_labels
from fundstelle.law.norms import Level

LETTERS = [*"abcdefghijklmnopqrstuvwxyz", "aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii"]
ROMANS = [format_roman(number).lower() for number in range(1, 25)]


def read(labels: str, above: Level | None = Level.BUCHSTABE) -> str:
    ranks = read_labels([f"({label})" for label in labels.split()], above)
    return " ".join(f"{value}" for _, value in ranks)


@pytest.mark.parametrize("above", [None, Level.ABSATZ, Level.NUMMER, Level.BUCHSTABE])
@pytest.mark.parametrize("first", range(len(LETTERS) - 1))
def test_a_list_of_letters_has_nothing_but_letters(first: int, above: Level | None) -> None:
    labels = LETTERS[first:]
    ranks = read_labels([f"({label})" for label in labels], above)
    assert [value for _, value in ranks] == labels
    assert Level.NUMMER not in {level for level, _ in ranks}


@pytest.mark.parametrize("above", [None, Level.ABSATZ, Level.NUMMER, Level.BUCHSTABE])
def test_a_list_of_roman_numbers_has_nothing_but_numbers(above: Level | None) -> None:
    ranks = read_labels([f"{label})" for label in ROMANS], above)
    counted = [str(number) for number in range(1, 25)]
    values = counted if above is Level.BUCHSTABE else ROMANS  # "(i)" below no letter is cited so
    assert ranks == [(Level.NUMMER, value) for value in values]


@pytest.mark.parametrize("place", range(1, len(LETTERS) - 1))
@pytest.mark.parametrize("last", range(2, 12))
def test_numbers_behind_a_letter_end_where_the_letters_go_on(place: int, last: int) -> None:
    before, letter, following = LETTERS[place - 1 : place + 2]
    labels = f"{before} {letter} {' '.join(ROMANS[:last])} {following} i ii"
    numbers = " ".join(str(number) for number in range(1, last + 1))
    if (following, ROMANS[last - 1]) in {("v", "iv"), ("x", "ix")}:
        return  # "(v)" behind "(u)" and "(iv)" is either
    assert read(labels) == f"{before} {letter} {numbers} {following} 1 2"


@pytest.mark.parametrize(
    ("labels", "read_as"),
    [
        ("h i", "h i"),
        ("h i j", "h i j"),
        ("h i ii i", "h 1 2 i"),
        ("h i i ii j", "h i 1 2 j"),
        ("g i j", "g i j"),  # a letter that was repealed
        ("h ha i j", "h ha i j"),
        ("t v w", "t v w"),
        ("u i ii iii iv v w", "u 1 2 3 4 v w"),
        ("u i ii iii iv v vi v w", "u 1 2 3 4 5 6 v w"),
        ("a i ii iia iii b", "a 1 2 2a 3 b"),
        ("i ia ii", "1 1a 2"),
        ("z za aa", "z za aa"),
    ],
)
def test_what_stands_before_and_behind_tells(labels: str, read_as: str) -> None:
    assert read(labels) == read_as


def test_one_alone_is_a_number_below_a_letter() -> None:
    for label, value in (("i", "1"), ("v", "5"), ("x", "10")):
        assert read(label) == value
        assert read_labels([f"({label})"], Level.ABSATZ) == [(Level.BUCHSTABE, label)]


def test_a_roman_list_below_no_letter_has_numbers_as_they_are_printed() -> None:
    assert read("i ia ii iia iii", Level.ABSATZ) == "i ia ii iia iii"
    assert read("i ii iii", Level.SPIEGELSTRICH) == "i ii iii"
