"""An index that is opened by its first search."""

import time
from dataclasses import dataclass, field

import pytest

from fundstelle.errors import CorpusError
from fundstelle.mcp.budget import Budget
from fundstelle.search.deferred import DeferredIndex
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult


@dataclass
class Heard:
    said: list[str] = field(default_factory=list)

    def open(self) -> SearchIndex:
        self.said.append("open")
        return self

    def search(self, request: SearchRequest) -> SearchResult:
        self.said.append(request.query)
        return SearchResult((), 0)

    def close(self) -> None:
        self.said.append("close")


def test_it_is_opened_once_and_closed() -> None:
    heard = Heard()
    index = DeferredIndex(heard.open)
    index.search(SearchRequest("Verzug"))
    index.search(SearchRequest("Kauf"))
    index.close()
    assert heard.said == ["open", "Verzug", "Kauf", "close"]


def test_the_call_that_opens_it_pays_for_its_own_work_alone() -> None:
    """On a slow machine opening takes longer than a call may: none would ever get past it."""
    heard = Heard()

    def open_slowly() -> SearchIndex:
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass
        return heard

    budget = Budget(0.2)
    index = DeferredIndex(open_slowly)
    budget.run(lambda: index.search(SearchRequest("Verzug")))
    budget.close()
    assert heard.said == ["Verzug"]


def test_without_a_search_nothing_is_opened() -> None:
    heard = Heard()
    DeferredIndex(heard.open).close()
    assert heard.said == []


def test_one_that_cannot_be_opened_says_so_at_the_search() -> None:
    def fail() -> SearchIndex:
        raise CorpusError("damaged")

    with pytest.raises(CorpusError):
        DeferredIndex(fail).search(SearchRequest("Verzug"))
