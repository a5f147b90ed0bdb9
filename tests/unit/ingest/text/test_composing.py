import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.ingest.text.composing import MOST_MARKS, TooManyMarks, compose

MARKS = "\u0300\u0316"  # of two classes, so that their order is put right


@given(st.text())
def test_a_text_is_given_in_its_composed_form(text: str) -> None:
    assert compose(text) == unicodedata.normalize("NFC", text)


def test_every_character_alone_is_composed() -> None:
    for code in range(0x110000):
        assert compose(chr(code)) == unicodedata.normalize("NFC", chr(code))


@pytest.mark.parametrize("letter", ["a", "ä", "\u0958", ""])
def test_more_marks_in_a_row_than_any_letter_has_are_refused(letter: str) -> None:
    most = letter + MARKS * (MOST_MARKS // 2)
    assert compose(most) == unicodedata.normalize("NFC", most)
    with pytest.raises(TooManyMarks, match="30 combining marks"):
        compose(f"Vorher. {most}\u0301 Nachher.")


def test_the_marks_of_every_script_are_counted() -> None:
    marks = [chr(code) for code in range(0x110000) if unicodedata.combining(chr(code))]
    for mark in marks:
        with pytest.raises(TooManyMarks):
            compose(mark * (MOST_MARKS + 1))
