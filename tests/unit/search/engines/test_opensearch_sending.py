"""Texts on their way to an index: in small requests, and again where a node had no room."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from fundstelle.errors import CorpusError, SearchUnavailable
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Cluster
from fundstelle.search.engines.opensearch.sending import MOST_BYTES, MOST_TEXTS, Line, send

Judge = Callable[[int, str], int]
"""Number of the request, id of the text: the status that it gets."""


class Taking(Cluster):
    """A cluster that takes what it is told to take."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(ClusterAddress.parse("opensearch://127.0.0.1:9"))
        self.held: list[str] = []
        self.sizes: list[tuple[int, int]] = []
        self._judge = judge

    def work(self, method: str, path: str, body: Any = None, **_more: Any) -> Any:
        assert (method, path) == ("POST", "/texts/_bulk")
        ids = [orjson.loads(line)["index"]["_id"] for line in body.splitlines()[::2]]
        self.sizes.append((len(ids), len(body)))
        found = [self._judge(len(self.sizes), one) for one in ids]
        if found[0] < 0:
            raise SearchUnavailable("status", status=-found[0])
        self.held += [one for one, status in zip(ids, found, strict=True) if status == 201]
        items = [
            {"index": {"status": one, **({"error": {"type": "odd"}} if one != 201 else {})}}
            for one in found
        ]
        return {"errors": any(one != 201 for one in found), "items": items}


def make(count: int, characters: int = 1) -> list[tuple[Line, Line]]:
    return [
        ({"index": {"_id": str(number)}}, {"terms": "a" * characters}) for number in range(count)
    ]


def test_a_request_has_so_many_texts_and_bytes_at_most() -> None:
    many, long = Taking(lambda *_: 201), Taking(lambda *_: 201)
    send(many, "texts", make(2 * MOST_TEXTS + 1))
    send(long, "texts", make(9, MOST_BYTES // 3))

    assert [texts for texts, _ in many.sizes] == [MOST_TEXTS, MOST_TEXTS, 1]
    assert all(size <= MOST_BYTES for _, size in long.sizes)
    assert long.held == [str(number) for number in range(9)]


def test_a_text_longer_than_a_request_is_sent_alone() -> None:
    cluster = Taking(lambda *_: 201)
    send(cluster, "texts", make(2, MOST_BYTES))

    assert [texts for texts, _ in cluster.sizes] == [1, 1]


@pytest.mark.parametrize("status", [429, 503])
def test_what_had_no_room_is_sent_again_and_only_that(status: int) -> None:
    waited: list[float] = []
    cluster = Taking(lambda request, one: status if one == "2" and request < 3 else 201)
    send(cluster, "texts", make(4), waited.append)

    assert [texts for texts, _ in cluster.sizes] == [4, 1, 1]
    assert sorted(cluster.held) == ["0", "1", "2", "3"]
    assert waited == sorted(waited)
    assert len(waited) == 2


def test_a_request_that_had_no_room_as_a_whole_is_sent_again() -> None:
    cluster = Taking(lambda request, _: -429 if request == 1 else 201)
    send(cluster, "texts", make(3), lambda _: None)

    assert cluster.held == ["0", "1", "2"]


def test_a_text_that_is_refused_for_good_ends_it_with_the_reason() -> None:
    waited: list[float] = []
    cluster = Taking(lambda _, one: 400 if one == "1" else 429)

    with pytest.raises(CorpusError, match=r"\(odd\)"):
        send(cluster, "texts", make(2), waited.append)
    assert not waited


def test_a_cluster_without_room_for_minutes_is_given_up_with_advice() -> None:
    waited: list[float] = []
    with pytest.raises(CorpusError, match="more memory"):
        send(Taking(lambda *_: 429), "texts", make(1), waited.append)

    assert 100 <= sum(waited) <= 200


def test_a_cluster_that_does_not_answer_is_not_waited_for() -> None:
    def say(_seconds: float) -> None:
        pytest.fail("it waits")

    with pytest.raises(SearchUnavailable):
        send(Taking(lambda *_: -502), "texts", make(1), say)


def test_nothing_is_sent_of_nothing() -> None:
    cluster = Taking(lambda *_: 201)
    send(cluster, "texts", [])

    assert not cluster.sizes
