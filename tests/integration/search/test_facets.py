"""What facets and filter values count is what the same words find inside that filter."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.errors import InvalidFilter
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from fundstelle.tools.registry import build_tools
from fundstelle.tools.resources import list_filter_values
from fundstelle.tools.spec import CallContext

TODAY = date(2026, 5, 1)
QUERIES = (
    "Informationszugang Geschäftsgeheimnis",
    "Vertrag",
    "§ 3 Nr. 4 IFG",
    "BVerwG 7 C 4.11 § 5 IFG Auskunft",
    "Schadensersatz wegen Pflichtverletzung",
    "right of access by the data subject",
    "EGMR Meinungsfreiheit",
    "§ 433 BGB Umweltinformation",
)
BY_MEANING = 40  # norms near by meaning alone that a search may add inside its filter
Ask = Callable[..., Mapping[str, Any]]

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def library(every_source: Path) -> Iterator[Library]:
    opened = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def ask(library: Library) -> Ask:
    tools = {tool.name: tool for tool in build_tools(library, lambda: TODAY)}

    def call(name: str, **arguments: object) -> Mapping[str, Any]:
        structured = tools[name].call(arguments, CallContext("test", "test")).structured
        assert structured is not None
        answer: Mapping[str, Any] = orjson.loads(structured)
        return answer

    return call


def limit(facet: str, value: str) -> dict[str, str]:
    if facet == "year":
        return {"date_from": f"{value}-01-01", "date_to": f"{value}-12-31"}
    return {facet: value}


def count(ask: Ask, query: str, **filters: str) -> Mapping[str, Any]:
    return ask("legal_search", query=query, top_k=1, response_format="detailed", **filters)


def test_every_value_of_a_facet_is_a_filter_that_finds_as_many(ask: Ask) -> None:
    compared = 0
    for query in QUERIES:
        found = count(ask, query)
        assert sum(found["facets"]["source_type"].values()) == found["total"], query
        for facet, values in found["facets"].items():
            for value, counted in values.items():
                total = count(ask, query, **limit(facet, value))["total"]
                assert counted <= total <= counted + BY_MEANING, (query, facet, value)
                if facet == "court":
                    assert total == counted, (query, value)
                compared += total == counted
    assert compared > 300


def test_every_value_that_is_told_is_a_filter_under_which_as_many_are_held(
    library: Library, ask: Ask
) -> None:
    told = list_filter_values(library)["filters"]
    decisions = {row["value"]: row["documents"] for row in told["court"]}
    assert decisions == {
        court: sum(years.values()) for court, years in library.decisions.count_by_court().items()
    }
    assert {row["value"] for row in told["jurisdiction"]} == {"de", "eu", "int"}
    laws = len(library.store.statutes)
    for name in ("source_type", "jurisdiction"):
        documents = sum(row["documents"] for row in told[name])
        assert documents == laws + library.decisions.count(), name
    for name in ("court", "jurisdiction", "source_type", "document_kind", "decision_type"):
        for row in told[name]:
            count(ask, "Verfahren", **{name: row["value"]})
            if name in {"court", "jurisdiction", "decision_type"}:
                ask("legal_find_citing_decisions", cited_norm="§ 3 IFG", **{name: row["value"]})


def test_the_eight_decisions_of_the_court_of_human_rights_have_a_jurisdiction(ask: Ask) -> None:
    beyond = count(ask, "applicant freedom of expression", jurisdiction="int")
    assert set(beyond["facets"]["court"]) == {"EGMR"}
    assert beyond["total"] == beyond["facets"]["court"]["EGMR"]


def test_another_court_is_refused_with_those_that_are_known(ask: Ask) -> None:
    assert count(ask, "Verfahren", court="vg berlin")["total"] > 0
    with pytest.raises(InvalidFilter) as refused:
        count(ask, "Verfahren", court="VG Atlantis")
    assert {"BGH", "VG Berlin", "OVG Nordrhein-Westfalen"} <= set(refused.value.allowed_values)
