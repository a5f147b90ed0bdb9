"""How concise answers save: words are cut behind a word, headings each by the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.tools.answers.budgets import SEPARATOR, measure, say_place, shorten


@pytest.mark.parametrize(
    ("words", "most", "shown"),
    [
        ("Kauf, Tausch", 12, "Kauf, Tausch"),
        ("Kauf, Tausch", 11, "Kauf …"),
        ("Rechtsverhältnisse", 10, "Rechtsve …"),
        ("", 3, ""),
    ],
)
def test_words_are_cut_behind_a_word(words: str, most: int, shown: str) -> None:
    assert shorten(words, most) == shown


@given(st.text(max_size=60), st.integers(2, 70))
def test_what_is_cut_is_never_longer_than_asked(words: str, most: int) -> None:
    shown = shorten(words, most)

    assert len(shown) <= most
    assert shown == words or words.startswith(shown.removesuffix(" …"))


def test_every_heading_keeps_its_beginning() -> None:
    headings = ("Buch 2 Recht der Schuldverhältnisse", "Titel 27 Unerlaubte Handlungen")

    assert say_place(headings) == SEPARATOR.join(headings)
    assert say_place(headings, 40) == "Buch 2 Recht … > Titel 27 …"


def test_characters_are_those_of_json_and_not_its_bytes() -> None:
    assert measure({"a": "§ä"}) == len('{"a":"§ä"}')
