"""Both engines over the same documents: the same hits in the same order, counts and facets."""

import random
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import ClusterIndex, OpenSearchEngine
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import (
    CitingSentence,
    SearchDocument,
    SearchEngine,
    SearchIndex,
    SearchRequest,
)
from fundstelle.search.ranking.priors import write_priors
from tests.integration.search import test_search_of_a_day as of_a_day
from tests.integration.search import test_search_ranking as ranking
from tests.scale.search.nodes import Nodes

WORDS = ranking.THINGS + ranking.DEEDS
NARROWINGS: list[dict[str, Any]] = [
    {},
    {"facets": True},
    {"filters": {"document_kind": ["regulation"]}},
    {"filters": {"document_kind": ["decision"]}, "facets": True},
    {"filters": {"statute_id": ["de/g1", "de/g2"], "language": ["de"]}},
    {"filters": {"statute_id": []}},
    {"ordinals": list(range(0, 460, 2))},
    {"ordinals": []},
    {"prefer": ("de/g3",)},
    {"rephrasings": ("Drache halten", "Fee")},
    {"day_from": 20200101, "day_to": 20200101},
    {"day_from": 20300101},
    {"offset": 40, "limit": 30},
    {"offset": 110, "limit": 20, "rephrasings": ("Zwerg fangen",)},
    {"every": True},
    {"ranked": False, "limit": 1},
]


@dataclass(frozen=True, slots=True)
class Both:
    embedded: SearchIndex
    cluster: ClusterIndex


def build(engine: SearchEngine, documents: list[SearchDocument], folder: Path) -> None:
    folder.mkdir()
    engine.build(documents, folder)
    norms = sum(document.document_kind != "decision" for document in documents)
    write_priors(array("f", (1 + place % 7 / 10 for place in range(norms))), folder)


@contextmanager
def open_both(
    address: str,
    documents: list[SearchDocument],
    sentences: list[CitingSentence],
    folder: Path,
) -> Iterator[Both]:
    unhurried = replace(ClusterAddress.parse(address), timeout_s=60.0)  # no claim on time
    ours, theirs = TantivyEngine(), OpenSearchEngine(unhurried)
    engines: dict[str, SearchEngine] = {"embedded": ours, "cluster": theirs}
    for name, engine in engines.items():
        build(engine, documents, folder / name)
        if sentences:
            engine.learn(sentences, folder / name)
    embedded = ours.open(folder / "embedded")
    cluster = theirs.open(folder / "cluster")
    yield Both(embedded, cluster)
    embedded.close()
    cluster.close()


@pytest.fixture(scope="module")
def both(started: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("both")
    sentences = ranking.build_sentences(300)
    address = f"{started.address}/?prefix=same"
    with open_both(address, ranking.DOCUMENTS, sentences, folder) as both:
        yield both


def compare(both: Both, request: SearchRequest) -> None:
    ours, theirs = both.embedded.search(request), both.cluster.search(request)
    assert [hit.ordinal for hit in theirs.hits] == [hit.ordinal for hit in ours.hits]
    assert [hit.score for hit in theirs.hits] == pytest.approx(
        [hit.score for hit in ours.hits], rel=1e-4
    )
    assert [hit.match for hit in theirs.hits] == [hit.match for hit in ours.hits]
    assert (theirs.total, theirs.facets) == (ours.total, ours.facets)
    assert (theirs.stages, theirs.meant, theirs.read_as) == (ours.stages, ours.meant, ours.read_as)


@pytest.mark.parametrize("narrowing", NARROWINGS, ids=str)
def test_what_is_asked_is_answered_alike(both: Both, narrowing: dict[str, Any]) -> None:
    draw = random.Random(7)
    for length in (1, 2, 3, 5):
        query = " ".join(draw.choices(WORDS, k=length))
        compare(both, SearchRequest(query, **{"limit": 10, **narrowing}))


@pytest.mark.parametrize("query", ["", "der die das", "Zwergg", "Drachne halten", "Nirgendwort"])
def test_what_stands_nowhere_is_read_alike(both: Both, query: str) -> None:
    compare(both, SearchRequest(query, facets=True))


def test_pages_show_every_hit_once(both: Both) -> None:
    hits = [
        hit.ordinal
        for start in range(0, 200, 25)
        for hit in both.cluster.search(SearchRequest("Drache", limit=25, offset=start)).hits
    ]
    assert len(set(hits)) == len(hits)
    first = both.cluster.search(SearchRequest("Drache", limit=200))
    assert hits == [hit.ordinal for hit in first.hits][: len(hits)]


def test_the_texts_of_an_earlier_day_are_found_alike(
    started: Nodes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    documents = of_a_day.number(of_a_day.DOCUMENTS)
    folder = tmp_path_factory.mktemp("of-a-day")
    address = f"{started.address}/?prefix=day"
    with open_both(address, documents, [], folder) as both:
        for as_of in (None, of_a_day.BEFORE, of_a_day.BETWEEN, of_a_day.AFTER):
            for query in ("Drachen Kette", "Hortsteuer", "Höhle", "Ketten sind verboten"):
                compare(both, SearchRequest(query, as_of=as_of, facets=True))


def test_a_search_takes_few_ways_to_the_cluster(both: Both) -> None:
    cluster = both.cluster.cluster
    before = cluster.round_trips
    both.cluster.search(SearchRequest("Drache halten Höhle", facets=True))
    assert cluster.round_trips - before <= 3
