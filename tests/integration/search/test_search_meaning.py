"""The semantic stage of the search: norms near by meaning beside those found by words."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from fundstelle.errors import EmbedderError
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult
from fundstelle.search.meaning.embedder import Vector, Vectors
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import FOLDER, HASH_BYTES, Card
from fundstelle.search.ranking.priors import write_priors
from tests.integration.search.test_search_index import BLANK

LAWS = 60
PER_LAW = 100
DEEDS = ("kaufen", "mieten", "erben", "bauen", "fahren")
DOCUMENTS = [
    replace(
        BLANK,
        ordinal=place,
        norm_id=f"de/g{place // PER_LAW:02}/{place:04}",
        heading=DEEDS[place % len(DEEDS)],
        law=f"Gesetz {place // PER_LAW}",
        text=f"Wer dies tut, meldet es der Behörde {place}.",
        statute_id=f"de/g{place // PER_LAW:02}",
        document_kind="statute" if place % 2 else "regulation",
    )
    for place in range(LAWS * PER_LAW)
]
MEANT = {"kaufen": 0, "mieten": 1, "erben": 2, "bauen": 3, "fahren": 4, "hinterlassen": 2}
"""What a word is about: ``hinterlassen`` stands in no norm, and means ``erben``."""


class TableEmbedder:
    """Knows what a few words are about."""

    name = "table/1"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.questions = 0
        self.fails = False
        self.knows = True
        self.meanwhile: Callable[[], object] = lambda: None

    def embed_questions(self, texts: Sequence[str]) -> list[Vector | None]:
        self.asked += texts
        self.questions += 1
        self.meanwhile()
        if self.fails:
            raise EmbedderError("the model sleeps; wake it")
        return [self._embed(text) if self.knows else None for text in texts]

    @staticmethod
    def _embed(text: str) -> Vector:
        vector = np.full(8, 0.1, np.float32)
        for word in text.split():
            if word in MEANT:
                vector[MEANT[word]] += 1
        unit: Vector = vector / np.linalg.norm(vector)
        return unit

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._embed(text) for text in texts])

    def close(self) -> None:
        """Nothing is open."""


def write_vectors(folder: Path, ordinals: Sequence[int], name: str = TableEmbedder.name) -> None:
    """As ``fundstelle embed`` does; the last law's norms are a little nearer than the others'."""
    vectors = TableEmbedder().embed_passages([DOCUMENTS[one].heading for one in ordinals])
    vectors[:, 7] += np.array([0.1 - DOCUMENTS[one].ordinal / 1e6 for one in ordinals])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    writer = VectorWriter.open(folder / FOLDER, Card(name, 8, len(DOCUMENTS)))
    writer.add(ordinals, [b"0" * HASH_BYTES] * len(ordinals), vectors.astype(np.float32))
    writer.close()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("meaning") / "index"
    folder.mkdir()
    engine = TantivyEngine()
    engine.build(DOCUMENTS, folder)
    write_priors(array("f", [1.0] * len(DOCUMENTS)), folder)
    engine.learn([], folder)
    return folder


@pytest.fixture
def folder(plain: Path, tmp_path: Path) -> Path:
    """The same index without the package's vectors, in a folder that takes those of others."""
    linked = tmp_path / "index"
    linked.mkdir()
    for path in plain.iterdir():
        if path.name != "passages":
            (linked / path.name).symlink_to(path)
    return linked


@pytest.fixture
def model() -> TableEmbedder:
    return TableEmbedder()


@pytest.fixture
def index(folder: Path, model: TableEmbedder) -> Iterator[SearchIndex]:
    opened = TantivyEngine().open(folder, model)
    yield opened
    opened.close()


def headings(result: SearchResult) -> list[str]:
    return [DOCUMENTS[hit.ordinal].heading for hit in result.hits]


def test_a_norm_that_holds_no_word_of_the_question_is_found_by_meaning(
    folder: Path, index: SearchIndex
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    by_words = len(DOCUMENTS) // len(DEEDS)
    result = index.search(SearchRequest("mieten hinterlassen", limit=2_000))
    found = {(DOCUMENTS[hit.ordinal].heading, hit.match) for hit in result.hits}
    assert found == {("mieten", "lexical"), ("erben", "semantic")}
    assert by_words < result.total <= by_words + 40
    assert result.stages == ("lexical", "semantic", "learned")


def test_every_page_is_a_part_of_one_list_as_long_as_its_total(
    folder: Path, index: SearchIndex
) -> None:
    write_vectors(folder, range(0, len(DOCUMENTS), 3))
    request = SearchRequest("mieten hinterlassen", filters={"document_kind": ["statute"]}, limit=70)
    pages = [index.search(replace(request, offset=at)) for at in range(0, 700, 70)]
    hits = [hit for page in pages for hit in page.hits]
    assert len({hit.ordinal for hit in hits}) == len(hits) == pages[0].total
    assert {page.total for page in pages} == {pages[0].total}
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert {hit.match for hit in hits} == {"lexical", "semantic"}


@pytest.mark.parametrize(
    ("narrowing", "admits"),
    [
        ({"filters": {"statute_id": ["de/g59"]}}, lambda o: o // PER_LAW == 59),
        ({"filters": {"document_kind": ["statute"]}}, lambda o: o % 2 == 1),
        ({"ordinals": list(range(5_000, 5_200))}, lambda o: 5_000 <= o < 5_200),
        ({"ordinals": list(range(1, 6_000))}, lambda o: o >= 1),
    ],
    ids=["few", "many", "some ordinals", "nearly all"],
)
def test_filters_act_before_meaning_so_that_it_fills_what_they_leave(
    folder: Path, index: SearchIndex, narrowing: dict[str, object], admits: object
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    request = replace(SearchRequest("fahren hinterlassen", limit=2_000), **narrowing)  # type: ignore[arg-type]  # a table
    result = index.search(request)
    assert callable(admits)
    assert all(admits(hit.ordinal) for hit in result.hits)
    found = [hit.ordinal for hit in result.hits if hit.match == "semantic"]
    left = sum(admits(d.ordinal) for d in DOCUMENTS if d.heading == "erben")
    assert len(found) >= min(20, left)
    assert {DOCUMENTS[ordinal].heading for ordinal in found} == {"erben"}


def test_vectors_that_come_and_grow_are_used_by_an_open_index(
    folder: Path, index: SearchIndex, model: TableEmbedder
) -> None:
    request = SearchRequest("mieten hinterlassen", limit=2_000)
    assert index.search(request).stages == ("lexical", "learned")
    assert not model.asked  # nothing to compare with: nothing is sent
    write_vectors(folder, [2])
    first = index.search(request)
    assert [hit.ordinal for hit in first.hits if hit.match == "semantic"] == [2]
    write_vectors(folder, [7, 12])
    grown = index.search(request)
    assert {hit.ordinal for hit in grown.hits if hit.match == "semantic"} == {2, 7, 12}
    assert model.asked == ["mieten hinterlassen"]  # its vector is kept


def test_a_model_that_fails_costs_a_search_its_semantic_stage_alone(
    folder: Path, index: SearchIndex, model: TableEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    request = SearchRequest("mieten hinterlassen", limit=2_000)
    by_words = index.search(request)
    write_vectors(folder, range(len(DOCUMENTS)))
    model.fails = True
    assert index.search(request) == by_words
    assert "hinterlassen" not in caplog.text
    assert "wake it" in caplog.text
    model.fails = False
    assert "semantic" in index.search(request).stages


def test_vectors_of_another_model_are_left_alone(
    folder: Path, index: SearchIndex, model: TableEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    write_vectors(folder, [2], name="other/1")
    for _ in range(2):
        assert index.search(SearchRequest("mieten hinterlassen")).stages == ("lexical", "learned")
    assert not model.asked
    assert [record.message for record in caplog.records if "other/1" in record.message] == [
        record.message for record in caplog.records
    ]
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("without", "ran"),
    [
        ((), ("lexical", "semantic", "learned")),
        (("semantic",), ("lexical", "learned")),
        (("learned",), ("lexical", "semantic")),
        (("learned", "semantic"), ("lexical",)),
    ],
)
def test_stages_that_are_left_out_do_not_run(
    folder: Path,
    index: SearchIndex,
    model: TableEmbedder,
    without: tuple[str, ...],
    ran: tuple[str, ...],
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    request = SearchRequest("mieten hinterlassen", limit=2_000, without=frozenset(without))
    result = index.search(request)
    assert result.stages == ran
    assert ("erben" in headings(result)) == ("semantic" in ran) == bool(model.asked)


def test_what_no_word_finds_is_not_guessed_by_meaning(folder: Path, index: SearchIndex) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    assert index.search(SearchRequest("hinterlassen")) == SearchResult((), 0)


def test_a_rephrasing_is_asked_for_its_meaning_too(folder: Path, index: SearchIndex) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    request = SearchRequest("bauen", rephrasings=("fahren hinterlassen",), limit=2_000)
    result = index.search(request)
    matches = {(DOCUMENTS[hit.ordinal].heading, hit.match) for hit in result.hits}
    assert ("erben", "semantic") in matches
    assert {match for heading, match in matches if heading != "erben"} == {"lexical"}


def test_all_texts_of_a_search_are_asked_for_at_once(
    folder: Path, index: SearchIndex, model: TableEmbedder
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    request = SearchRequest("mieten hinterlassen", rephrasings=("kaufen", "erben"))
    assert "semantic" in index.search(request).stages
    assert model.questions == 1
    assert sorted(model.asked) == ["erben", "kaufen", "mieten hinterlassen"]
    index.search(replace(request, offset=5))
    assert model.questions == 1


def test_a_text_of_which_the_model_says_nothing_is_asked_for_once_a_search(
    folder: Path, index: SearchIndex, model: TableEmbedder
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    model.knows = False
    request = SearchRequest("mieten hinterlassen", rephrasings=("kaufen",))
    assert "semantic" not in index.search(request).stages
    assert model.questions == 1
    model.knows = True
    assert "semantic" in index.search(request).stages


def test_a_search_goes_on_while_another_waits_for_the_model(
    folder: Path, index: SearchIndex, model: TableEmbedder
) -> None:
    write_vectors(folder, range(len(DOCUMENTS)))
    known = SearchRequest("mieten hinterlassen")
    index.search(known)
    waits, goes_on = Event(), Event()

    def wait() -> None:
        waits.set()
        assert goes_on.wait(30)

    model.meanwhile = wait
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(index.search, SearchRequest("kaufen"))
        assert waits.wait(30)
        assert "semantic" in index.search(known).stages
        assert not other.done()
        goes_on.set()
        assert "semantic" in other.result(30).stages


def test_without_a_model_of_the_ranking_meaning_still_counts(folder: Path) -> None:
    (folder / "ranker").unlink()
    (folder / "ranker").mkdir()
    (folder / "ranker" / "card.json").write_text('{"use": "none"}', encoding="utf-8")
    write_vectors(folder, range(len(DOCUMENTS)))
    index = TantivyEngine().open(folder, TableEmbedder())
    result = index.search(SearchRequest("mieten hinterlassen", limit=2_000))
    index.close()
    assert result.stages == ("lexical", "semantic")
    assert "erben" in headings(result)
