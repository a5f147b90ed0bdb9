"""Everyday words lead to the norms that bear them out, and only to texts that do."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.ranking import everyday as bearing
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchIndex, SearchRequest
from fundstelle.search.words.everyday import Borne, Entry, Everyday, read_table, write_everyday
from fundstelle.settings import Settings
from tests.integration.search.test_search_index import BLANK, number

DOCUMENTS = [
    *number(
        [
            replace(BLANK, norm_id=f"de/g/{place}", heading=heading, text=text, statute_id="de/g")
            for place, (heading, text) in enumerate(
                [
                    ("Drachen", "Drachen sind anzumelden, ihr Hort ist zu melden."),
                    ("Unerlaubtes Entfernen", "Wer sich vom Hort entfernt, haftet."),
                    ("Zwerge", "Zwerge melden die Flucht eines Drachen."),
                ]
            )
        ]
    )
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    folder = tmp_path_factory.mktemp("everyday")
    engine = TantivyEngine()
    engine.build(DOCUMENTS, folder)
    engine.learn([], folder)
    write_everyday([Borne(("Drachenausbruch",), (1,), ("Entfernen", "Hort"))], folder)
    with closing(engine.open(folder)) as opened:
        yield opened


@pytest.fixture(scope="module")
def database(whole_corpus: Settings) -> Path:
    """The texts of all federal law."""
    release = builds.get_live(whole_corpus.data)
    assert release is not None
    return builds.get_folder(whole_corpus.data, release) / builds.DATABASE


def test_a_word_that_stands_nowhere_finds_the_norm_it_means_first(index: SearchIndex) -> None:
    found = index.search(SearchRequest("Drachenausbruch"))
    assert found.hits[0].ordinal == 1
    assert found.meant == ("Entfernen", "Hort")
    assert found.total >= len(found.hits)


def test_a_filter_keeps_it_out_all_the_same(index: SearchIndex) -> None:
    found = index.search(SearchRequest("Drachenausbruch", ordinals=[0, 2]))
    assert 1 not in {hit.ordinal for hit in found.hits}


def test_other_questions_are_not_touched(index: SearchIndex) -> None:
    assert index.search(SearchRequest("Zwerge")).meant == ()
    assert index.search(SearchRequest("Zwerge")).hits[0].ordinal == 2


def test_pages_show_every_hit_once(index: SearchIndex) -> None:
    whole = index.search(SearchRequest("Drachenausbruch melden", limit=10))
    pages = [
        index.search(SearchRequest("Drachenausbruch melden", limit=1, offset=at)).hits
        for at in range(whole.total)
    ]
    assert [hit.ordinal for page in pages for hit in page] == [hit.ordinal for hit in whole.hits]


def test_the_whole_corpus_bears_every_row_out(database: Path, tmp_path: Path) -> None:
    assert bearing.write_meanings(database, tmp_path) == ()
    borne = Everyday.open(tmp_path)
    for row in read_table():
        for term in row.terms:
            assert borne.find(term, lambda _stem: 1.0).norms, term


def test_a_norm_that_no_longer_uses_the_words_is_told(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        Entry(("Fahrerflucht",), ("stgb/142",), ("Wortlaut von gestern",)),
        Entry(("Kaution",), ("bgb/551", "bgb/99999"), ("Mietsicherheiten",)),
        Entry(("Nirgends",), ("gibtesnicht/1",), ("Wort",)),
    ]
    monkeypatch.setattr(bearing, "read_table", lambda: iter(entries))
    (told,) = bearing.write_meanings(database, tmp_path)
    assert "Fahrerflucht (de/stgb/142)" in told
    assert "Kaution (de/bgb/99999)" in told
    assert "gibtesnicht" not in told
    borne = Everyday.open(tmp_path)
    assert borne.find("Fahrerflucht", lambda _stem: 1.0).norms == {}
    with closing(open_whole(database, is_written=False)) as store:
        assert list(borne.find("Kaution", lambda _stem: 1.0).norms) == [
            store.find_ordinal("de/bgb/551")
        ]


def test_a_layman_s_word_finds_the_law(whole: Library) -> None:
    for word, norm_id in (
        ("Taschengeldparagraph", "de/bgb/110"),
        ("Kautionsrückzahlung", "de/bgb/551"),
    ):
        found = whole.index.search(SearchRequest(word))
        assert found.hits[0].ordinal == whole.store.find_ordinal(norm_id), word
