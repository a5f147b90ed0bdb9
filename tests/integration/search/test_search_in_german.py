"""German questions on articles that are held in English only, in an index of invented law."""

from array import array
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SEMANTIC, SearchDocument, SearchIndex, SearchRequest
from fundstelle.search.ranking.priors import write_priors
from fundstelle.search.ranking.ranker import DEFAULT, write_ranking
from tests.integration.search.test_search_index import BLANK

REGULATION, DIRECTIVE = "eu/32099R0001", "eu/32099L0002"
UNION = replace(BLANK, jurisdiction="eu", source_type="eurlex", language="en")
MATTER = "Haltung feuerspeiender Tiere"
ASKED = "Drachen im Garten, Erlaubnis"
HELD = {
    "eu/32099L0002/art_1": (DIRECTIVE, "Dragons shall be kept in stables.", "Unterbringung"),
    "eu/32099R0001/art_1": (REGULATION, "Keepers shall hold a licence.", MATTER),
    "eu/32099R0001/art_2": (REGULATION, "Unicorns shall not be sold.", "Verkauf von Einhörnern"),
    "eu/32099R0001/art_3": (REGULATION, "Dragons shall be kept in stables.", "Unterbringung"),
}


def build_documents() -> Iterator[SearchDocument]:
    yield replace(
        BLANK,
        norm_id="de/drg/1",
        law="Stallgesetz",
        heading="Unterbringung",
        text="Drachen leben in Ställen.",
    )
    for place, (norm_id, (law, text, matter)) in enumerate(HELD.items(), 1):
        yield replace(
            UNION,
            ordinal=place,
            norm_id=norm_id,
            statute_id=law,
            law="Dragon Act",
            text=text,
            matter=matter,
            asked=ASKED if matter == MATTER else "",
        )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    """A federal section, an article of a directive, three of a regulation."""
    folder = tmp_path_factory.mktemp("german")
    documents = list(build_documents())
    TantivyEngine().build(documents, folder)
    write_priors(array("f", [1.0] * len(documents)), folder)
    write_ranking(folder, {"use": DEFAULT}, None)
    opened = TantivyEngine().open(folder)
    yield opened
    opened.close()


def find(index: SearchIndex, query: str, *without: str) -> list[str]:
    ids = [document.norm_id for document in build_documents()]
    request = SearchRequest(query, limit=10, without=frozenset(without))
    return [ids[hit.ordinal] for hit in index.search(request).hits]


@pytest.mark.parametrize(
    "query",
    [
        "Darf ich feuerspeiende Tiere halten?",  # what it is about
        "Erlaubnis für den Drachen im Garten",  # what people ask
        "licence of keepers",  # its own words
    ],
)
def test_an_article_is_found_by_its_words_in_both_languages(index: SearchIndex, query: str) -> None:
    assert find(index, query)[0] == "eu/32099R0001/art_1"


def test_words_of_people_are_those_of_their_article_alone(index: SearchIndex) -> None:
    assert find(index, "Garten") == ["eu/32099R0001/art_1"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Unterbringung", "de/drg/1"),
        ("Unterbringung nach EU-Recht", "eu/32099L0002/art_1"),
    ],
)
def test_a_directive_comes_first_where_the_union_is_named(
    index: SearchIndex, query: str, first: str
) -> None:
    assert find(index, query, SEMANTIC)[0] == first


def test_a_directive_comes_behind_a_regulation_where_the_union_is_not_named(
    index: SearchIndex,
) -> None:
    found = find(index, "Unterbringung", SEMANTIC)
    assert found.index("eu/32099R0001/art_3") < found.index("eu/32099L0002/art_1")
