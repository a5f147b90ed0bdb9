"""English texts of EU acts in German words: terms, the longest first, and nothing else."""

from dataclasses import replace

import pytest

from fundstelle.law.norms import NormKind
from fundstelle.search.words.gloss import gloss, has_gloss, read_pairs
from tests.unit.corpus.values import STATUTE, make_norm


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("The controller shall notify.", {"Verantwortlicher", "melden"}),
        ("Issuers of asset-referenced tokens", {"Emittent", "Stablecoin"}),
        ("a personal data breach", {"Datenpanne"}),
        ("Penalties", {"Sanktionen"}),
    ],
)
def test_terms_of_the_acts_are_said_in_words_of_the_acts_and_of_people(
    text: str, german: set[str]
) -> None:
    assert german <= set(gloss(text).split())


def test_the_longest_term_counts_alone() -> None:
    assert "Dritter" not in gloss("ICT third-party service provider").split()
    assert "IT-Dienstleister" in gloss("ICT third-party service provider").split()


def test_a_term_is_said_as_often_as_it_stands_there() -> None:
    assert gloss("a gatekeeper and another gatekeeper").split().count("Torwächter") == 2


def test_what_has_no_row_is_left_out() -> None:
    assert gloss("whereas, mutatis mutandis, xyzzy") == ""


def test_the_table_is_wide_and_its_rows_are_clean() -> None:
    pairs = dict(read_pairs())
    assert len(pairs) >= 2_900
    for english, german in pairs.items():
        assert english == english.lower().strip()
        assert all(term and term == term.strip() for term in german), english
        assert len(set(german)) == len(german), english


@pytest.mark.parametrize(
    ("statute_id", "language", "kind", "is_glossed"),
    [
        ("eu/32099R0001", "en", NormKind.ARTICLE, True),
        ("eu/32099R0001", "en", NormKind.OTHER, False),  # a recital
        ("eu/32099R0001", "de", NormKind.ARTICLE, False),
        ("eu/32099R0001:en", "en", NormKind.ARTICLE, False),  # held in German as well
        ("de/musterg", "de", NormKind.ARTICLE, False),
    ],
)
def test_articles_of_acts_that_are_held_in_english_only_are_glossed(
    statute_id: str, language: str, kind: NormKind, is_glossed: bool
) -> None:
    statute = replace(STATUTE, statute_id=statute_id, language=language)
    assert has_gloss(replace(make_norm("1"), kind=kind), statute) is is_glossed
