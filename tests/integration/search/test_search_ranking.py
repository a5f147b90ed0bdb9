"""The learned ranking beside an index, on invented law and an invented court's sentences."""

import random
import shutil
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.errors import CorpusError
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import (
    CitingSentence,
    SearchDocument,
    SearchHit,
    SearchIndex,
    SearchRequest,
)
from fundstelle.search.ranking.priors import write_priors
from fundstelle.search.ranking.ranker import read_card, read_default
from tests.integration.search.test_search_index import BLANK, number

NORMS = 400
DECISIONS = 60
THINGS = [
    *("Drache", "Einhorn", "Fee", "Zwerg", "Hort", "Höhle", "Brand", "Flug", "Zauber"),
    *("Schatz", "Wald", "Turm", "Ring", "Trank"),
]
DEEDS = ["halten", "fangen", "melden", "verkaufen", "erben", "pachten", "löschen", "hüten"]


def build_documents() -> list[SearchDocument]:
    draw = random.Random(5)
    norms = [
        replace(
            BLANK,
            norm_id=f"de/g{place // 40}/{place}",
            heading=f"{draw.choice(THINGS)} {draw.choice(DEEDS)}",
            law=f"Gesetz {place // 40}",
            text=" ".join(draw.choices(THINGS + DEEDS, k=12)),
            statute_id=f"de/g{place // 40}",
            document_kind="statute" if place % 3 else "regulation",
        )
        for place in range(NORMS)
    ]
    decisions = [
        replace(
            BLANK,
            norm_id=f"de/bgh/{place}",
            text=" ".join(draw.choices(THINGS + DEEDS, k=60)),
            statute_id="",
            source_type="rii",
            document_kind="decision",
        )
        for place in range(DECISIONS)
    ]
    return [*number([*norms, *decisions])]


DOCUMENTS = build_documents()
OTHER = read_default().replace("max_feature_idx=22", "max_feature_idx=21")


def build_sentences(count: int) -> list[CitingSentence]:
    draw = random.Random(6)
    cited = [draw.randrange(NORMS) for _ in range(count)]
    return [
        CitingSentence(place // 10, f"{DOCUMENTS[norm].heading} {draw.choice(DEEDS)}", (norm,))
        for place, norm in enumerate(cited)
    ]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index as builds made it before there was a ranking."""
    folder = tmp_path_factory.mktemp("plain")
    TantivyEngine().build(DOCUMENTS, folder)
    write_priors(array("f", (1 + place % 7 / 10 for place in range(NORMS))), folder)
    return folder


@pytest.fixture(scope="module")
def folder(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index") / "index"
    shutil.copytree(plain, folder)
    TantivyEngine().learn(build_sentences(300), folder)
    return folder


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[SearchIndex]:
    opened = TantivyEngine().open(folder, meaning=False)
    yield opened
    opened.close()


queries = st.lists(st.sampled_from(THINGS + DEEDS), min_size=1, max_size=5).map(" ".join)
narrowings = st.sampled_from(
    [
        {},
        {"filters": {"document_kind": ["regulation"]}},
        {"filters": {"document_kind": ["decision"]}},
        {"filters": {"statute_id": ["de/g1", "de/g2"]}},
        {"ordinals": list(range(0, 460, 2))},
        {"prefer": ("de/g3",)},
        {"rephrasings": ("Drache halten", "Fee")},
    ]
)


@given(query=queries, narrowing=narrowings, sizes=st.lists(st.integers(1, 120), min_size=1))
@settings(max_examples=60, deadline=None)
def test_pages_show_every_hit_once_with_falling_scores(
    index: SearchIndex, query: str, narrowing: dict[str, object], sizes: list[int]
) -> None:
    request = replace(SearchRequest(query), **narrowing)  # type: ignore[arg-type]  # a table
    hits: list[SearchHit] = []
    total = index.search(request).total
    while len(hits) < total:
        size = sizes[len(hits) % len(sizes)]
        page = index.search(replace(request, limit=size, offset=len(hits)))
        assert page.total == total
        assert len(page.hits) == min(size, total - len(hits))
        hits += page.hits
    assert len({hit.ordinal for hit in hits}) == total
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert not scores or scores[-1] > 0


@given(query=queries, narrowing=narrowings)
@settings(max_examples=40, deadline=None)
def test_the_learned_order_holds_what_words_alone_find(
    index: SearchIndex, plain: Path, query: str, narrowing: dict[str, object]
) -> None:
    request = replace(SearchRequest(query, limit=500, facets=True), **narrowing)  # type: ignore[arg-type]  # a table
    by_words = TantivyEngine().open(plain, meaning=False).search(request)
    learned = index.search(request)
    assert {hit.ordinal for hit in learned.hits} == {hit.ordinal for hit in by_words.hits}
    assert (learned.total, learned.facets) == (by_words.total, by_words.facets)


def test_a_norm_that_courts_cite_for_these_words_comes_first(folder: Path, plain: Path) -> None:
    wanted = 123
    question = "Zauber hüten Turm"
    sentences = [CitingSentence(place, question, (wanted,)) for place in range(40)]
    again = folder.parent / "again"
    shutil.copytree(plain, again)
    TantivyEngine().learn(sentences, again)
    ranked = [
        TantivyEngine().open(each, meaning=False).search(SearchRequest(question))
        for each in (plain, again)
    ]
    before, after = (
        [hit.ordinal for hit in result.hits].index(wanted)
        if wanted in {hit.ordinal for hit in result.hits}
        else 99
        for result in ranked
    )
    assert after < before


def test_learning_twice_gives_the_same_ranking(folder: Path, plain: Path) -> None:
    again = folder.parent / "twice"
    shutil.copytree(plain, again)
    TantivyEngine().learn(build_sentences(300), again)
    assert read_card(again) == read_card(folder)
    for query in ("Drache halten", "Schatz", "Wald Turm Ring"):
        first, second = (
            TantivyEngine().open(each, meaning=False).search(SearchRequest(query))
            for each in (folder, again)
        )
        assert first == second


def test_a_corpus_without_decisions_uses_the_default_model(plain: Path, tmp_path: Path) -> None:
    shutil.copytree(plain, tmp_path / "index")
    said = TantivyEngine().learn([], tmp_path / "index")
    assert said.startswith("ranking: default, 0 sentences")
    assert read_card(tmp_path / "index")["use"] == "default"
    assert TantivyEngine().open(tmp_path / "index").search(SearchRequest("Drache")).hits


def test_a_build_made_before_ranks_by_words_alone(plain: Path, tmp_path: Path) -> None:
    old = tmp_path / "index"
    shutil.copytree(plain, old)
    shutil.rmtree(old / "forward")
    request = SearchRequest("Drache halten", rephrasings=("Fee",), limit=50)
    for query in (request, replace(request, rephrasings=())):
        assert TantivyEngine().open(old, meaning=False).search(query) == TantivyEngine().open(
            plain, meaning=False
        ).search(query)


@pytest.mark.parametrize("damage", ["tree\n", "", OTHER])
def test_a_damaged_model_is_refused_in_one_sentence(
    folder: Path, tmp_path: Path, damage: str
) -> None:
    shutil.copytree(folder, tmp_path / "index")
    held = tmp_path / "index" / "ranker"
    (held / "own.txt").write_text(damage, encoding="utf-8")
    (held / "card.json").write_text('{"use": "default+own"}', encoding="utf-8")
    with pytest.raises(CorpusError, match="a model of the ranking"):
        TantivyEngine().open(tmp_path / "index")
