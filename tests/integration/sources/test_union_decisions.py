"""An act of the Union that is called a decision is no decision of a court, wherever both stand."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import withhold_decisions
from fundstelle.portal.public.finding import Asked, show_hit
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Registry
from tests.integration.corpora.building import build

TOLD = "This key reaches no court decisions; ask its owner."
ARTICLES = 120  # more than there are hits whose order is learned
ARTICLE = (
    "<ARTICLE IDENTIFIER='{0:03}'><TI.ART>Artikel {0}</TI.ART>"
    "<ALINEA>Der Papierdrachen Nummer {0} wird beschädigt gemeldet.</ALINEA></ARTICLE>"
)


def write_act(articles: int) -> str:
    """A Beschluss of the Union with that many articles, as its publisher writes them."""
    held = "".join(ARTICLE.format(number) for number in range(1, articles + 1))
    return (
        "<ACT><BIB.INSTANCE><LG.DOC>DE</LG.DOC><DATE ISO='20200102'>2.1.2020</DATE></BIB.INSTANCE>"
        "<TITLE><TI><P>Beschluss (EU) 2020/7 über Papierdrachen</P></TI></TITLE>"
        f"<ENACTING.TERMS>{held}</ENACTING.TERMS></ACT>"
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The invented laws and decisions, and that Beschluss."""
    carried: Path = tmp_path_factory.mktemp("carried")
    (folder := carried / "eurlex" / "32020D0007" / "oj").mkdir(parents=True)
    (folder / "L_2020001.01000101.xml").write_text(write_act(ARTICLES), encoding="utf-8")
    data: Path = tmp_path_factory.mktemp("data")
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        demonstration.open_decisions(),
        *find_collections(carried),
    ]
    build(data, sources, engine=TantivyEngine())
    opened = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    assert opened.store.statutes["eu/32020D0007"].document_kind == "decision"
    assert opened.decisions.count() > 1
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def whole(library: Library) -> Registry:
    return build_registry(library, today=lambda: date(2026, 5, 1), base_url="https://x.test")


@pytest.fixture(scope="module")
def limited(library: Library, whole: Registry) -> Registry:
    laws = withhold_decisions(library)
    return build_registry(
        laws, today=lambda: date(2026, 5, 1), base_url="https://x.test", whole=whole
    )


def search(registry: Registry, **asked: Any) -> dict[str, Any]:
    (tool,) = [tool for tool in registry.tools if tool.name == "legal_search"]
    answered = tool.call({"response_format": "detailed", **asked}, CallContext("", ""))
    answer: dict[str, Any] = orjson.loads(answered.structured or b"")
    return answer


def page_to_the_end(registry: Registry, **asked: Any) -> tuple[list[str], dict[str, Any]]:
    """The ids of all hits, and the last page."""
    answer = search(registry, **asked)
    ids = [hit["norm_id"] for hit in answer["hits"]]
    while "next_offset" in answer:
        answer = search(registry, offset=answer["next_offset"], **asked)
        ids += [hit["norm_id"] for hit in answer["hits"]]
    return ids, answer


@pytest.mark.parametrize(
    "asked",
    [
        {"query": "Papierdrachen"},
        {"query": "Papierdrachen Klägerin", "top_k": 50},
        {"query": "Mustertaler"},
        {"query": "Klägerin", "document_kind": "decision"},
        {"query": "Mustertaler", "document_kind": "decision", "offset": 1_000},
        {"query": "Papierdrachen", "rephrasings": ["Klägerin Mustertaler"]},
        {"query": "Papierdrachen", "date_from": "2001-01-01"},
        {"query": "Papierdrachen", "as_of": "2025-06-01"},
    ],
)
def test_a_key_without_decisions_finds_the_act_and_no_judgment(
    library: Library, whole: Registry, limited: Registry, asked: dict[str, Any]
) -> None:
    answer = search(limited, **asked)
    assert answer["facets"]["court"] == {}
    assert all(library.store.find_norm(hit["norm_id"]) for hit in answer["hits"])
    assert answer["total"] == sum(answer["facets"]["source_type"].values())
    of_all = search(whole, **asked)["facets"]
    assert of_all["court"] or asked["query"] == "Papierdrachen"
    assert TOLD in answer["warnings"]


def test_the_facets_of_such_a_key_are_those_of_laws(whole: Registry, limited: Registry) -> None:
    mine, of_all = (search(one, query="Mustertaler Papierdrachen") for one in (limited, whole))
    assert sum(of_all["facets"]["court"].values()) == of_all["total"] - mine["total"] > 0
    among_acts = search(limited, query="Papierdrachen", document_kind="decision")
    assert among_acts["total"] == ARTICLES


@pytest.mark.parametrize("kind", [None, "decision"])
def test_every_hit_comes_once_and_the_total_is_theirs(whole: Registry, kind: str | None) -> None:
    for asked in ({"query": "Papierdrachen beschädigt"}, {"query": "Papierdrachen Klägerin"}):
        ids, last = page_to_the_end(whole, top_k=50, document_kind=kind, **asked)
        assert [one for one, count in Counter(ids).items() if count > 1] == []
        assert len(ids) == last["total"] > ARTICLES


def test_judgments_are_looked_at_beside_as_many_articles(whole: Registry) -> None:
    answer = search(whole, query="Papierdrachen beschädigt Klägerin", top_k=50)
    assert [hit for hit in answer["hits"] if "court" in hit]


def test_the_portal_leads_to_the_act_as_to_a_law(whole: Registry) -> None:
    asked = Asked("Papierdrachen Klägerin", "", "decision", None, 1)
    answer = search(whole, query=asked.query, document_kind=asked.kind, top_k=50)
    paths = {show_hit(hit, asked).path for hit in answer["hits"]}
    assert any(path.startswith("/n/eu/32020D0007") for path in paths)
    assert any(path.startswith("/d/") for path in paths)
    assert not any(path.startswith("/d/eu/32020D0007") for path in paths)
