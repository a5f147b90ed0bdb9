"""The search index as built and opened by its engine, on invented law."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fundstelle.errors import CorpusError
from fundstelle.search.engines.stages.sentences import write_sentences
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.engines.tantivy.storage import TantivyStorage
from fundstelle.search.index import (
    CitingSentence,
    SearchDocument,
    SearchHit,
    SearchIndex,
    SearchRequest,
)
from fundstelle.search.ranking.priors import write_priors

BLANK = SearchDocument(
    ordinal=0,
    norm_id="",
    citation="",
    heading="",
    law="",
    hierarchy="",
    text="",
    ancestors=(),
    statute_id="de/drg",
    source_type="gii",
    jurisdiction="de",
    document_kind="statute",
    language="de",
    day=20200101,
)
LAW = "DrG Drachengesetz"
DOCUMENTS = [
    replace(BLANK, norm_id="de/drg/teil-1", heading="Haltung", law=LAW, searchable=False),
    replace(
        BLANK,
        norm_id="de/drg/1",
        citation="§ 1 DrG",
        heading="Begriff des Drachens",
        law=LAW,
        hierarchy="Teil 1 Haltung",
        text="Ein Drache ist ein feuerspeiendes Tier.",
        ancestors=(0,),
    ),
    replace(
        BLANK,
        norm_id="de/drg/2",
        citation="§ 2 DrG",
        heading="Erlaubnis",
        law=LAW,
        hierarchy="Teil 1 Haltung",
        text="Wer einen Drachen hält, braucht die Erlaubnis der Behörde.",
        ancestors=(0,),
        day=20240615,
    ),
    replace(
        BLANK,
        norm_id="de/drg/3",
        citation="§ 3 DrG",
        heading="Brandschaden",
        law=LAW,
        text="Der Halter ersetzt den Schaden. Die Behörde setzt die Entschädigung fest.",
    ),
    replace(
        BLANK,
        norm_id="de/drg/4",
        citation="§ 4 DrG",
        law=LAW,
        text="Diese Vorschrift über Drachen ist aufgehoben.",
        searchable=False,
    ),
    replace(
        BLANK,
        norm_id="de/efv/1",
        citation="§ 1 EFV",
        heading="Fang",
        law="EFV Einhornfangverordnung",
        text="Einhörner fängt niemand; die Erlaubnis der Behörde bleibt vorbehalten.",
        statute_id="de/efv",
        document_kind="regulation",
        day=0,
    ),
    replace(
        BLANK,
        norm_id="eu/1/art_1",
        citation="Art. 1 Feenrichtlinie",
        heading="Gegenstand",
        law="Feenrichtlinie",
        text="Feen bedürfen keiner Erlaubnis einer Behörde.",
        statute_id="eu/1",
        source_type="eurlex",
        jurisdiction="eu",
        document_kind="directive",
    ),
]


def number(documents: list[SearchDocument]) -> Iterator[SearchDocument]:
    return (replace(document, ordinal=place) for place, document in enumerate(documents))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    TantivyEngine().build(number(DOCUMENTS), folder)
    return folder


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[SearchIndex]:
    opened = TantivyEngine().open(folder, meaning=False)
    yield opened
    opened.close()


def find(index: SearchIndex, query: str, **rest: object) -> list[str]:
    request = replace(SearchRequest(query, limit=50), **rest)  # type: ignore[arg-type]  # a table
    result = index.search(request)
    assert result.total == len(result.hits)
    return [DOCUMENTS[hit.ordinal].norm_id for hit in result.hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Wann brauche ich eine Erlaubnis für einen Drachen?", "de/drg/2"),
        ("EINHOERNER", "de/efv/1"),
        ("Einhorn", "de/efv/1"),
        ("§ 3 DrG", "de/drg/3"),
        ("Drachengesetz Brandschaden", "de/drg/3"),
        ("Gegenstand", "eu/1/art_1"),
        ("feuerspeiend", "de/drg/1"),
    ],
)
def test_the_norm_that_is_asked_for_comes_first(index: SearchIndex, query: str, first: str) -> None:
    assert find(index, query)[0] == first


@pytest.mark.parametrize("query", ["", "der die das", "§", "Zwerg", "???", "Zwerg der"])
def test_a_query_without_a_known_word_finds_nothing(index: SearchIndex, query: str) -> None:
    result = index.search(SearchRequest(query, rephrasings=(query,), facets=True))
    assert (result.hits, result.total) == ((), 0)


def test_what_is_not_searchable_is_never_found(index: SearchIndex) -> None:
    found = find(index, "Vorschrift aufgehoben Haltung Drachen DrG")
    assert found
    assert not {"de/drg/4", "de/drg/teil-1"} & set(found)


@pytest.mark.parametrize(
    ("narrowing", "found"),
    [
        ({"filters": {"source_type": ["eurlex"]}}, {"eu/1/art_1"}),
        ({"filters": {"jurisdiction": ["de"]}}, {"de/drg/2", "de/drg/3", "de/efv/1"}),
        ({"filters": {"document_kind": ["regulation", "directive"]}}, {"de/efv/1", "eu/1/art_1"}),
        ({"filters": {"statute_id": ["de/drg"]}}, {"de/drg/2", "de/drg/3"}),
        ({"filters": {"language": ["de"], "statute_id": ["de/efv"]}}, {"de/efv/1"}),
        ({"filters": {"language": ["en"]}}, set()),
        ({"filters": {"statute_id": []}}, set()),
        ({"ancestors": [0]}, {"de/drg/2"}),
        ({"ancestors": []}, set()),
        ({"ordinals": [3, 5, 999]}, {"de/drg/3", "de/efv/1"}),
        ({"ordinals": [3], "ancestors": [0]}, set()),
        ({"day_from": 20240615}, {"de/drg/2"}),
        ({"day_to": 20240614}, {"de/drg/3", "eu/1/art_1"}),
        ({"day_from": 20240616, "day_to": 20250101}, set()),
    ],
)
def test_filters_narrow_what_is_found(
    index: SearchIndex, narrowing: dict[str, object], found: set[str]
) -> None:
    assert set(find(index, "Behörde", **narrowing)) == found


def test_a_filter_does_not_change_scores(index: SearchIndex) -> None:
    everywhere = {hit.ordinal: hit.score for hit in index.search(SearchRequest("Behörde")).hits}
    narrowed = index.search(SearchRequest("Behörde", filters={"statute_id": ["de/drg"]}))
    for hit in narrowed.hits:
        assert hit.score == pytest.approx(everywhere[hit.ordinal])


def test_a_preferred_law_comes_first_and_nothing_is_lost(index: SearchIndex) -> None:
    plain = find(index, "Erlaubnis der Behörde")
    for statute_id in ("de/drg", "de/efv", "eu/1"):
        preferred = find(index, "Erlaubnis der Behörde", prefer=(statute_id,))
        assert preferred[0].startswith(statute_id)
        assert sorted(preferred) == sorted(plain)


def test_a_rephrasing_finds_what_the_query_does_not_say(index: SearchIndex) -> None:
    assert find(index, "Feuer im Hort") == []
    found = find(index, "Feuer im Hort", rephrasings=("Schaden durch Brand", "Feen"))
    assert found[:2] == ["de/drg/3", "eu/1/art_1"]


def test_the_query_counts_more_than_a_rephrasing(index: SearchIndex) -> None:
    assert find(index, "Feen", rephrasings=("Einhörner",))[0] == "eu/1/art_1"
    assert find(index, "Einhörner", rephrasings=("Feen",))[0] == "de/efv/1"


def test_facets_count_everything_that_is_found(index: SearchIndex) -> None:
    result = index.search(SearchRequest("Behörde", limit=1, facets=True))
    assert result.total == 4
    assert result.facets["source_type"] == {"gii": 3, "eurlex": 1}
    assert result.facets["year"] == {"2020": 2, "2024": 1}


def test_a_build_of_the_same_documents_ranks_the_same(index: SearchIndex, tmp_path: Path) -> None:
    TantivyEngine().build(number(DOCUMENTS), tmp_path)
    again = TantivyEngine().open(tmp_path, meaning=False)
    for query in ("Behörde", "Drachen Erlaubnis", "Haltung"):
        request = SearchRequest(query, rephrasings=("Schaden",), facets=True)
        assert again.search(request) == index.search(request)


def test_an_empty_corpus_finds_nothing(tmp_path: Path) -> None:
    TantivyEngine().build([], tmp_path)
    assert TantivyEngine().open(tmp_path, meaning=False).search(SearchRequest("Drache")).total == 0


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        TantivyEngine().open(tmp_path, meaning=False)


def test_every_file_can_be_read_by_whom_the_umask_lets(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    TantivyEngine().build(DOCUMENTS, folder)
    write_sentences([CitingSentence(1, "Ein Drache", (1,))], str.split, folder, TantivyStorage())
    usual = tmp_path / "usual"
    usual.touch()
    held = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.name for path in held} >= {"meta.json", ".managed.json"}
    assert {path.stat().st_mode for path in held} == {usual.stat().st_mode}


def test_an_index_may_be_closed_twice(folder: Path) -> None:
    index = TantivyEngine().open(folder, meaning=False)
    index.close()
    index.close()


def test_what_stops_the_engine_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{", encoding="utf-8")
    with pytest.raises(CorpusError, match="the search index cannot be written"):
        TantivyEngine().build(number(DOCUMENTS), tmp_path)


def build_hoard(count: int) -> list[SearchDocument]:
    """Norms of which many are equally good; ids do not sort as the numbers do."""
    words = ("Horte", "Horte und Höhlen", "Höhlen der Horte, Horte der Höhlen")
    return [
        replace(BLANK, norm_id=f"de/hort/{place}", text=f"{words[place % 3]} Nummer {place}")
        for place in range(count)
    ]


@pytest.mark.parametrize("rephrasings", [(), ("Höhlen", "Horte der Höhlen")])
@pytest.mark.parametrize("weighed", [False, True])
def test_pages_show_every_hit_once_in_a_stable_order(
    tmp_path: Path, *, rephrasings: tuple[str, ...], weighed: bool
) -> None:
    hoard = build_hoard(1_200)
    TantivyEngine().build(number(hoard), tmp_path)
    if weighed:
        write_priors(array("f", (1 + place % 7 / 10 for place in range(1_200))), tmp_path)
    index = TantivyEngine().open(tmp_path, meaning=False)
    hits: list[SearchHit] = []
    for size in (1, 50, 49, 40, 17, 50):
        for _ in range(4):
            request = SearchRequest("Horte", rephrasings, limit=size, offset=len(hits))
            hits += index.search(request).hits
    while len(hits) < 1_050:
        request = SearchRequest("Horte", rephrasings, limit=50, offset=len(hits))
        hits += index.search(request).hits
    assert len({hit.ordinal for hit in hits}) == len(hits)
    order = [(-hit.score, hit.ordinal) for hit in hits]
    assert order == sorted(order)
    assert index.search(request).total == 1_200


def test_norms_that_others_refer_to_come_first_among_equals(tmp_path: Path) -> None:
    TantivyEngine().build(number(build_hoard(30)), tmp_path)
    write_priors(array("f", [1.0] * 26 + [1.2] + [1.0] * 3), tmp_path)
    index = TantivyEngine().open(tmp_path, meaning=False)
    assert index.search(SearchRequest("Höhlen Nummer", limit=1)).hits[0].ordinal == 26


def test_words_in_most_norms_do_not_decide_what_is_found(tmp_path: Path) -> None:
    hoard = [replace(document, text=document.text + " Gold") for document in build_hoard(1_500)]
    hoard.append(replace(BLANK, norm_id="de/hort/x", text="Silber"))
    TantivyEngine().build(number(hoard), tmp_path)
    index = TantivyEngine().open(tmp_path, meaning=False)
    assert index.search(SearchRequest("Gold und Silber")).total == 1
    assert index.search(SearchRequest("Gold")).total == 1_500


def test_the_total_is_what_paging_gives_however_many_words_are_asked(tmp_path: Path) -> None:
    """The texts of a request have more words together than are read of one."""
    words = [f"{first}{last}wort" for first in "bdfgklmnprst" for last in ("abe", "ilo", "umo")]
    words += [f"{word}{end}" for word in words for end in ("haus", "turm", "wald")]
    documents = [
        replace(BLANK, norm_id=f"de/w/{place}", text=word, source_type=f"source-{place % 3}")
        for place, word in enumerate(words)
    ]
    TantivyEngine().build(number(documents), tmp_path)
    index = TantivyEngine().open(tmp_path, meaning=False)
    texts = [" ".join(words[start : start + 40]) for start in range(0, len(words), 40)]
    request = SearchRequest(texts[0], tuple(texts[1:]), limit=10, facets=True)
    held: set[int] = set()
    while found := index.search(replace(request, offset=len(held))).hits:
        held |= {hit.ordinal for hit in found}
    answer = index.search(request)
    assert len(held) == answer.total == len(documents)
    assert sum(answer.facets["source_type"].values()) == answer.total
    counted = index.search(replace(request, ranked=False))
    assert counted.total == answer.total
    index.close()
