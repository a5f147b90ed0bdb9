"""Everyday words of a question: which terms are in it, and what the packaged table holds."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.search.words.everyday import Borne, Everyday, read_table

ENTRIES = [
    Borne(("Drachenflucht",), (1,), ("Entfernen vom Hort",)),
    Borne(("Recht am eigenen Feuer",), (2, 3), ("Feuer",)),
    Borne(("Feuer",), (4,), ("Flamme",)),
]
everyday = Everyday(ENTRIES)


def weigh_alike(_stem: str) -> float:
    return 1.0


def find(text: str) -> dict[int, float]:
    return everyday.find(text, weigh_alike).norms


def test_a_term_alone_means_its_norms_wholly() -> None:
    assert find("Drachenflucht") == {1: 1.0}
    assert everyday.find("drachenflucht?", weigh_alike).words == ("Entfernen vom Hort",)


def test_the_longest_term_counts_in_any_inflection_and_order() -> None:
    assert find("Recht am eigenen Feuer") == find("eigenes Feuer Recht") == {2: 1.0, 3: 1.0}
    assert find("Feuer") == {4: 1.0}


def test_a_term_among_other_words_means_less() -> None:
    assert find("Drachenflucht eines Zwerges") == {1: 0.5}


def test_words_that_tell_little_take_little_of_the_question() -> None:
    meant = everyday.find("Drachenflucht Zwerg", lambda stem: 1.0 if stem == "zwerg" else 3.0)
    assert meant.norms == {1: 0.75}


def test_a_compound_may_begin_with_a_term_and_no_part_of_it_counts() -> None:
    assert find("Drachenfluchtverfahren") == {1: 1.0}
    assert find("Flucht") == find("Drachen") == {}


def test_a_term_among_very_many_words_adds_none_to_the_question() -> None:
    meant = everyday.find("Drachenflucht " + "Zwerg " * 9, weigh_alike)
    assert (meant.words, meant.norms) == ((), {1: 0.1})


def test_other_words_mean_nothing() -> None:
    assert find("Zwerge und Einhörner") == {}
    assert Everyday([]).find("Drachenflucht", weigh_alike).norms == {}


@given(st.text(max_size=300))
def test_no_text_breaks_it_and_shares_stay_in_bounds(text: str) -> None:
    assert all(0 < share <= 1 for share in find(f"Drachenflucht {text} Feuer").values())


def test_every_row_of_the_table_names_norms_and_words() -> None:
    rows = list(read_table())
    assert sum(len(row.terms) for row in rows) >= 2_500
    for row in rows:
        assert row.terms
        assert row.norms
        assert row.words
        assert all(
            re.fullmatch(r"[a-z0-9.-]+/[^\s/]+|eu/[^\s/]+/[^\s/]+", one) for one in row.norms
        )
        assert all(text == text.strip() and text for text in (*row.terms, *row.words))
    pairs = [(term.casefold(), row.norms) for row in rows for term in row.terms]
    assert len(pairs) == len(set(pairs))
