import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.query import read_query
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import GermanAnalyzer, find_words

SPLITTER = CompoundSplitter.train(
    [("arbeit", 500), ("vertrag", 500), ("verträge", 90), ("kündigung", 400)]
)
ANALYZER = GermanAnalyzer(SPLITTER)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Käufer", "Kaeufer"),
        ("KÜNDIGUNG", "kuendigung"),
        ("Verträge", "Vertrag"),
        ("Vertraege", "Vertrags"),
        ("muß", "muss"),
        ("Straße", "Strasse"),
        ("Maßnahmen", "Massnahme"),
        ("Erklärung", unicodedata.normalize("NFD", "Erklärungen")),
    ],
)
def test_every_spelling_of_a_word_meets(one: str, other: str) -> None:
    assert ANALYZER.analyse(one) == ANALYZER.analyse(other)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("§ 823 BGB", ["§823", "823", "bgb"]),
        ("§§ 312g ff.", ["§312g", "312g", "ff"]),
        ("§823", ["§823", "823"]),
        ("§\u00a0823", ["§823", "823"]),
        ("nach Absatz 1 Satz 2", ["1", "2"]),
        ("2016/679", ["2016", "679"]),
        ("§", []),
        ("Wer ist wann wo?", []),
        ("Arbeitsvertrag", ["arbeitsvertrag", "arbeit", "vertrag"]),
        ("Arbeits- und Kündigungs-Recht", ["arbeit", "kundig", "recht"]),
    ],
)
def test_a_text_gives_these_terms(text: str, terms: list[str]) -> None:
    assert ANALYZER.analyse(text) == terms


def test_a_compound_holds_the_terms_of_its_parts() -> None:
    assert set(ANALYZER.analyse("Arbeitsverträge")) >= set(ANALYZER.analyse("Vertrag Arbeit"))


def test_a_query_has_each_term_once_and_not_too_many() -> None:
    assert read_query("Vertrag, Verträge und Arbeitsvertrag", ANALYZER) == (
        "vertrag",
        "arbeitsvertrag",
        "arbeit",
    )
    assert len(read_query(" ".join(f"w{number}x" for number in range(500)), ANALYZER)) == 64


@given(st.text())
def test_any_text_gives_terms_without_blanks(text: str) -> None:
    for term in ANALYZER.analyse(text):
        assert term
        assert term.split() == [term]


@given(st.text())
def test_unicode_forms_give_the_same_words(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert find_words(unicodedata.normalize("NFD", composed)) == find_words(composed)
