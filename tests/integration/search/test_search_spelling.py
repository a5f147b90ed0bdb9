"""A slip of the finger finds what the word finds, and the answer says what was looked for."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchIndex, SearchRequest
from fundstelle.search.words.everyday import read_table
from fundstelle.search.words.spelling import iter_neighbours
from tests.integration.search.test_search_index import BLANK, number
from tests.unit.tools.calling import call

WORDS = sorted({t for entry in read_table() for t in entry.terms if t.isalpha() and len(t) > 8})
SLIP = "mietminderng"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    folder = tmp_path_factory.mktemp("spelling")
    engine = TantivyEngine()
    texts = ["Der Drachenhort.", "Ein Drachenhort.", "Kein Drachenhort.", "Zwergenhorte."]
    blank = [replace(BLANK, norm_id=f"de/g/{place}", text=text) for place, text in enumerate(texts)]
    engine.build([*number(blank)], folder)
    engine.learn([], folder)
    with closing(engine.open(folder)) as opened:
        yield opened


def test_a_slip_finds_what_the_word_finds_and_is_told(index: SearchIndex) -> None:
    found = index.search(SearchRequest("Drachenhrot"))
    assert found.read_as == {"drachenhrot": "drachenhort"}
    assert found.hits == index.search(SearchRequest("Drachenhort")).hits


def test_a_rephrasing_is_read_so_too(index: SearchIndex) -> None:
    found = index.search(SearchRequest("Drachenhort", rephrasings=("Drachenhotr",)))
    assert found.read_as == {"drachenhotr": "drachenhort"}


def test_words_that_are_hardly_established_are_not_read_for_others(index: SearchIndex) -> None:
    found = index.search(SearchRequest("Zwergenhorze"))
    assert (found.hits, found.read_as) == ((), {})


@pytest.mark.corpus
def test_the_answer_says_what_was_looked_for_and_is_not_sure(whole: Library) -> None:
    answer = call(whole, "legal_search", query=SLIP)
    assert f"'{SLIP}' stands nowhere; 'mietminderung' was looked for instead." in answer["warnings"]
    assert answer["confidence"] != "high"
    right = call(whole, "legal_search", query="mietminderung")
    assert [hit["norm_id"] for hit in answer["hits"]] == [hit["norm_id"] for hit in right["hits"]]


@pytest.mark.corpus
def test_slips_of_everyday_words_find_what_the_words_find(whole: Library) -> None:
    """Of slips that make another word nothing is asked; a few have two words near to them."""
    draw = random.Random(5)
    tried = same = 0
    for word in draw.sample(WORDS, 150):
        slip = draw.choice(sorted(set(iter_neighbours(word.lower()))))
        found = whole.index.search(SearchRequest(slip))
        if slip not in found.read_as:
            continue
        tried += 1
        meant = whole.index.search(SearchRequest(word.lower()))
        same += [hit.ordinal for hit in found.hits[:1]] == [hit.ordinal for hit in meant.hits[:1]]
    assert tried >= 75
    assert same >= 0.9 * tried
