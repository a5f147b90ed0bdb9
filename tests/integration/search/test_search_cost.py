"""What a search asks of the index, counted."""

from typing import Any

import pytest

from fundstelle.lookup.library import Library
from fundstelle.search.engines.stages.queries import Queries
from tests.integration.search.test_search_behaviour import invented
from tests.unit.tools.calling import call

__all__ = ["invented"]

REPHRASED = ["Zwerg fangen", "Turm hüten", "Hort des Drachen", "Frist"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the questions to the index, in their order."""
    names: list[str] = []

    def note(name: str) -> None:
        method = getattr(Queries, name)

        def noted(self: Queries, *arguments: Any, **rest: Any) -> Any:
            names.append(name)
            return method(self, *arguments, **rest)

        monkeypatch.setattr(Queries, name, noted)

    for name in ("search", "read_filters", "ask"):
        note(name)
    return names


def test_filters_are_read_once_for_all_texts_of_a_search(
    invented: Library, asked: list[str]
) -> None:
    call(invented, "legal_search", query="Drachen", rephrasings=REPHRASED, chapter="Haltung")
    assert asked.count("read_filters") == 1


def test_below_headings_no_decision_is_looked_for(invented: Library, asked: list[str]) -> None:
    call(invented, "legal_search", query="Hort", rephrasings=REPHRASED)
    everywhere = asked.count("search")
    asked.clear()
    call(invented, "legal_search", query="Hort", rephrasings=REPHRASED, chapter="Haltung")
    assert asked.count("search") < everywhere


def test_a_cited_norm_that_is_on_another_page_costs_one_question_more_at_most(
    invented: Library, asked: list[str]
) -> None:
    rest: dict[str, Any] = {"rephrasings": REPHRASED, "top_k": 1}
    call(invented, "legal_search", query="Zwerg", **rest)
    without = asked.count("search")
    asked.clear()
    answer = call(invented, "legal_search", query="Zwerg § 3 DraG, § 9 BGB", **rest)
    assert answer["hits"][0]["match"] == "citation"
    assert asked.count("search") <= without + 1
