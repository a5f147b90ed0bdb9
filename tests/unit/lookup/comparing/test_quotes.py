"""Quotes of decisions, and quotes that stand in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from fundstelle.law.decisions import Decision
from fundstelle.lookup.comparing.elsewhere import _list_words
from fundstelle.lookup.comparing.quotes import QuoteCheck, check_quote
from fundstelle.lookup.comparing.wording import read_quote
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.search.index import SearchHit, SearchRequest, SearchResult
from tests.unit.lookup.decisions.test_texts import PARAGRAPHS, HeldDecisions
from tests.unit.lookup.invented import TODAY, InventedIndex, InventedStore, build_library

CITED = "BGH VI ZR 1/21 Rn. 2"


class NumberedDecisions(HeldDecisions):
    base = 1_000

    def get_by_ordinal(self, ordinals: Sequence[int]) -> list[Decision]:
        return [self.held[ordinal] for ordinal in ordinals]


@dataclass
class BothIndex(InventedIndex):
    """Names norms, and every decision whose paragraphs hold a word of the query."""

    def search(self, request: SearchRequest) -> SearchResult:
        found = super().search(request)
        text = " ".join(PARAGRAPHS)
        if request.filters or not any(word in text for word in request.query.split()):
            return found
        decisions = [SearchHit(1_000 + number, 1.0) for number in range(3)]
        return SearchResult((*found.hits, *decisions), found.total + len(decisions))


@pytest.fixture(scope="module")
def library() -> Library:
    plain = build_library()
    assert isinstance(plain.store, InventedStore)
    return Library(plain.store, BothIndex(plain.store), plain.names, NumberedDecisions())


def check(library: Library, citation: str, quote: str) -> QuoteCheck:
    (hit,) = resolve(library, citation, TODAY).hits
    return check_quote(library, quote, hit, TODAY)


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ("Er biss.", "verbatim"),
        ("Er  biss.", "normalised"),
        ("Er biss nicht.", "altered"),
        ("Das war § 1 MusterG.", "not_found"),
    ],
)
def test_a_quote_is_compared_with_the_cited_randnummer(
    library: Library, quote: str, status: str
) -> None:
    assert check(library, CITED, quote).status == status


def test_a_quote_of_another_randnummer_is_placed_there(library: Library) -> None:
    found = check(library, CITED, "Das war § 1 MusterG.").elsewhere

    assert found[0].citation == "BGH, Urteil vom 15.03.2022 - VI ZR 1/21, VI ZR 2/21, Rn. 3"


def test_a_quote_of_a_law_said_to_stand_in_a_decision_is_placed_in_the_law(
    library: Library,
) -> None:
    found = check(library, CITED, "Die Säge ist scharf.").elsewhere

    assert [each.citation for each in found] == ["§ 4 MusterG"]


def test_a_quote_of_decisions_said_to_stand_in_a_law_is_placed_in_them(library: Library) -> None:
    found = check(library, "§ 4 MusterG", "Ein Hund lief.").elsewhere

    assert len(found) == 3
    assert all(each.citation.endswith("Rn. 1") for each in found)


@pytest.mark.parametrize(
    ("part", "inside"),
    [
        ("er biss", ""),
        ("wer biss den Hund", "biss den"),
        ("wer  biss\nden Hund", "biss\nden"),
        (f"a {'%' * 1_900} b", "%" * 1_900),
    ],
)
def test_the_index_is_asked_for_what_stands_between_the_first_word_and_the_last(
    part: str, inside: str
) -> None:
    assert _list_words(read_quote(part)) == (inside or part)


def test_a_row_of_a_table_is_quoted_without_the_sign_between_its_cells() -> None:
    rows = "{abs 1|(1) Es kosten\n1. | Nägel aus Eisen | 2 Euro,\n2. | Leim | 3 Euro.}"
    plain = build_library(rows)
    (hit,) = resolve(plain, "§ 9 Abs. 1 MusterG", TODAY).hits
    told = [
        check_quote(plain, quote, hit, TODAY).status
        for quote in (
            "Nägel aus Eisen | 2 Euro",
            "Nägel aus Eisen 2 Euro",
            "1. Nägel aus Eisen 2 Euro, 2. Leim",
            "1. [...] \u00ad| [...] 2 Euro,",
            "Nägel aus Eisen 3 Euro",
            "|",
        )
    ]
    assert told == [*("verbatim", "normalised", "normalised", "verbatim"), "altered", "not_found"]
