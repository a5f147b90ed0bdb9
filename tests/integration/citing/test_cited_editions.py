"""What is cited of an act of the EU is cited in every edition: whichever id is asked for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.decisions import CitingRequest
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter, SqliteDecisions
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.library import Library
from fundstelle.search.index import SearchRequest, SearchResult
from fundstelle.tools import find_citing_decisions, get_context
from fundstelle.tools.inputs.scope import Scope, _limit_to_citing
from fundstelle.tools.spec import CallContext
from tests.unit.corpus.decision_values import make_decision, make_text
from tests.unit.corpus.values import MANIFEST, STATUTE, make_fassung, make_norm

TODAY = date(2025, 1, 1)
ACT = "eu/32099R0001"
EDITIONS = (ACT, f"{ACT}:en")


class NoIndex:
    """An index that is not asked."""

    def search(self, request: SearchRequest) -> SearchResult:  # noqa: ARG002
        return SearchResult((), 0)

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """§ 1 MusterG and a decision cite Art. 1 of an act that is held in two languages."""
    path: Path = tmp_path_factory.mktemp("editions") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    section = make_norm("1")
    writer.add_statute(
        STATUTE, [(section, [make_fassung(section.norm_id, "Nach Art. 1 MusterVO")])]
    )
    for statute_id, language in zip(EDITIONS, ("de", "en"), strict=True):
        act = replace(
            STATUTE,
            statute_id=statute_id,
            slug=statute_id.replace("/", "_").replace(":", "_"),
            abbreviation="MusterVO",
            source_type="eurlex",
            jurisdiction="eu",
            language=language,
        )
        article = replace(
            make_norm("art_1", statute_id=statute_id),
            norm_id=f"{statute_id}/art_1",
            citation="Art. 1 MusterVO",
        )
        writer.add_statute(act, [(article, [make_fassung(article.norm_id, f"Text ({language})")])])
    decision = make_decision("BGH", "1 ZR 1/20", date(2020, 1, 1))
    writer.add_decision(encode_decision(decision, make_text(decision, "Art. 1 MusterVO gilt.")))
    writer.index()
    writer.add_edges([(0, 1, "", "Art. 1 MusterVO", 5, 20), (0, -2, "", "MusterVO", 12, 20)])
    writer.add_citings([(0, "norm", 1, None, "", "Art. 1 MusterVO", 0, 15, "1", 0, 20, 0)])
    writer.finish()
    store = SqliteCorpusStore(path, MANIFEST)
    names = LawNames.build(store.statutes.values())
    return Library(store, NoIndex(), names, decisions=SqliteDecisions(store), sources=SOURCES)


def call(library: Library, module: Any, **arguments: Any) -> dict[str, Any]:
    called = module.build_tool(library, lambda: TODAY).call(arguments, CallContext("r", "p"))
    answer: dict[str, Any] = orjson.loads(called.structured)
    return answer


def limit(library: Library, norm_id: str) -> list[int] | None:
    scope = Scope()
    _limit_to_citing(scope, norm_id, library, TODAY)
    return scope.ordinals


ASKED: dict[str, Callable[[Library, str], Any]] = {
    "references": lambda library, held: library.store.list_references_to(held, 10, 0),
    "decisions": lambda library, held: library.decisions.list_citing(CitingRequest(held)),
    "filter": limit,
    "context": lambda library, held: [
        call(library, get_context, norm_id=held, include=["references_in"])[name]
        for name in ("references_in", "references_in_total")
    ],
    "citing": lambda library, held: call(library, find_citing_decisions, cited_norm=held)[
        "decisions"
    ],
}


@pytest.mark.parametrize("asked", ASKED)
def test_every_edition_has_the_same_citations(library: Library, asked: str) -> None:
    german, english = (ASKED[asked](library, f"{edition}/art_1") for edition in EDITIONS)

    assert german == english
    assert german not in ([], ([], 0), [[], 0])


def test_an_act_as_a_whole_has_the_same_citations(library: Library) -> None:
    german, english = (library.store.list_references_to(each, 10, 0) for each in EDITIONS)

    assert german == english
    assert german[1] == 1
