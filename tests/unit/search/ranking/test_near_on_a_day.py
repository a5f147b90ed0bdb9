"""What is near by meaning on a day: which texts that leaves is asked once, not for each search."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from fundstelle.search.engines.stages.order import Order
from fundstelle.search.engines.stages.queries import Queries
from fundstelle.search.index import SearchRequest

FEW = 4_000


class Texts:
    """Newest texts, so many of which the filters leave; keeps how many hits were asked for."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.asked: list[int] = []

    def iter_clauses(self, request: SearchRequest) -> list[str]:
        return list(request.filters)

    def limit(self, field: str, _low: int, high: int) -> str:
        return f"{field} {high}"

    def combine(self, clauses: Sequence[str]) -> str:
        return " ".join(clauses)

    def search(self, _query: str, limit: int, _offset: int = 0) -> tuple[list[Any], int]:
        self.asked.append(limit)
        return [(1.0, ordinal) for ordinal in range(min(limit, self.left))], self.left


class Near:
    """Says which way was taken, and among how many."""

    def find(self, count: int, admit: Callable[..., Any] | None = None) -> list[tuple[float, int]]:
        assert admit is not None
        return [(1.0, -count)]

    def find_among(self, _count: int, ordinals: Sequence[int]) -> list[tuple[float, int]]:
        return [(1.0, len(ordinals))]


def find_near(texts: Texts, requests: Sequence[SearchRequest]) -> list[int]:
    queries: Any = object.__new__(Queries)
    former = SimpleNamespace(differs_on=bool, iter_clauses=lambda _request: ())
    queries._newest, queries._former, queries._held_on = texts, former, {}
    reranker: Any = SimpleNamespace(
        known=SimpleNamespace(european=np.zeros(1)), forward=SimpleNamespace(indirect=np.zeros(1))
    )
    order = Order(queries, reranker, None, ())
    found = []
    for request in requests:
        reading = SimpleNamespace(filters=queries.read_filters(request))
        ((_, number),) = order._find_near(cast("Any", Near()), cast("Any", reading))
        found.append(number)
    return found


@pytest.mark.parametrize(
    ("left", "filters", "below", "asked"),
    [
        (FEW + 1, {}, None, [1]),
        (FEW, {}, None, [1, FEW, FEW, FEW]),
        (FEW + 1, {"statute_id": ("de/bgb",)}, None, [FEW] * 3),
        (FEW + 1, {}, 9_000, [FEW] * 3),
    ],
)
def test_of_a_day_alone_that_leaves_many_no_search_asks_again(
    left: int, filters: dict[str, tuple[str, ...]], below: int | None, asked: list[int]
) -> None:
    texts = Texts(left)
    request = SearchRequest("Haftung", filters=filters, below=below, as_of=20_261_127)
    found = find_near(texts, [request] * 3)
    assert texts.asked == asked
    assert all(number > 0 for number in found) == (left <= FEW)
