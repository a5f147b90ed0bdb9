"""One opened index of a cluster: its searches, their deadlines, and what is asked at once."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import orjson

from fundstelle.errors import SearchUnavailable
from fundstelle.search.engines.opensearch.cluster import WORK_S, Cluster, Gone
from fundstelle.search.engines.stages.baton import Baton

Body = Mapping[str, Any]
Answer = Mapping[str, Any]

_READ = (  # what is read of an answer
    "responses.status",
    "responses.error.type",
    "responses.timed_out",
    "responses._shards",
    "responses.hits.total.value",
    "responses.hits.hits.sort",
    "responses.aggregations.*.buckets",
)


class _Search(threading.local):
    """The search of this thread."""

    deadline: float | None = None  # None outside of one: an index is being made

    def __init__(self) -> None:
        self.announced: dict[bytes, bytes] = {}
        self.foreseen: dict[bytes, Answer] = {}


class Session:
    """Asks the cluster for one opened index and the ones beside it."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._baton = Baton()
        self._search = _Search()

    @contextmanager
    def begin(self) -> Iterator[None]:
        """One search, within the cluster's time.

        Raises:
            SearchUnavailable: the cluster is away, or others have not laid the baton down in time.
        """
        if not self.cluster.breaker.admit():
            raise SearchUnavailable("it is away")
        timeout_s = self.cluster.address.timeout_s
        search = self._search
        search.deadline = time.monotonic() + timeout_s
        try:
            with self._baton.hold(timeout_s):
                yield
        finally:
            search.deadline = None
            search.announced.clear()
            search.foreseen.clear()

    @contextmanager
    def wait_aside(self) -> Iterator[None]:
        """Wait for somebody else than the cluster, whose time that does not take."""
        begin = time.monotonic()
        with self._baton.lay_down():
            yield
        if self._search.deadline is not None:
            self._search.deadline += time.monotonic() - begin

    @property
    def timeout_s(self) -> float:
        """How long a shard may take: as long as the search, or what makes an index."""
        return WORK_S if self._search.deadline is None else self.cluster.address.timeout_s

    def announce(self, index: str, body: Body) -> None:
        """What will be asked later in this search: it is asked along with the next question."""
        if self._search.deadline is None:
            return
        header, line = _write(index, body)
        key = header + line
        if key not in self._search.foreseen:
            self._search.announced[key] = key

    def ask(self, index: str, body: Body) -> Answer:
        """The answer of an index, with its hits and counts.

        Raises:
            SearchUnavailable: there is none, or not of all of the index.
        """
        search = self._search
        header, line = _write(index, body)
        key = header + line
        if key not in search.foreseen:
            search.announced.pop(key, None)
            asked = [key, *search.announced]
            search.announced.clear()
            search.foreseen.update(zip(asked, self._send(asked), strict=True))
        if search.deadline is None:
            return search.foreseen.pop(key)
        return search.foreseen[key]

    def _send(self, asked: Sequence[bytes]) -> Sequence[Answer]:
        deadline = self._search.deadline
        if deadline is None:
            return self._perform(asked, WORK_S)
        left_s = deadline - time.monotonic()
        with self._baton.lay_down():
            return self._perform(asked, left_s)

    def _perform(self, asked: Sequence[bytes], left_s: float) -> Sequence[Answer]:
        try:
            answer = self.cluster.ask(
                "POST", "/_msearch", b"".join(asked), left_s=left_s, filter_path=",".join(_READ)
            )
        except Gone as error:
            raise SearchUnavailable("it does not hold the index of this build") from error
        answers: Sequence[Answer] = answer.get("responses", ())
        if len(answers) != len(asked):
            raise SearchUnavailable("an answer is not whole")
        for each in answers:
            _require_whole(each)
        return answers


def _write(index: str, body: Body) -> tuple[bytes, bytes]:
    """Header and body of a search, a line each.

    The node that is asked answers from its own copy of the index where it has one.
    """
    header = {"index": index, "preference": "_local", "allow_partial_search_results": False}
    if body.get("search_type"):
        header["search_type"] = body["search_type"]
        body = {name: value for name, value in body.items() if name != "search_type"}
    return orjson.dumps(header) + b"\n", orjson.dumps(body) + b"\n"


def _require_whole(answer: Answer) -> None:
    """See that all shards have answered: hits that are missing are no answer.

    Raises:
        SearchUnavailable: one has not.
    """
    if answer.get("status") == 404:
        raise SearchUnavailable("it does not hold the index of this build")
    if "error" in answer or answer.get("status") != 200:
        kind = answer.get("error", {}).get("type", "none")
        raise SearchUnavailable(f"status {answer.get('status')}, {kind}")
    shards = answer.get("_shards", {})
    whole = shards.get("total", 0) > 0 and shards.get("successful") == shards.get("total")
    if answer.get("timed_out", True) or shards.get("failed", 1) or not whole:
        raise SearchUnavailable("not all shards have answered in time")
