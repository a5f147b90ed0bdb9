"""One index of a cluster: the same questions as the embedded engine's, with the same scores.

Both rank by BM25 with k1 = 1.2 and b = .75, and differ in three things. tantivy has a factor of
k1 + 1, OpenSearch 2 one of k1' + 1, OpenSearch 3 none; it counts all documents, Lucene those that
have the field; and so it does for the average length. The first two are a boost of each term, the
third is k1 and b of the index, chosen when it was written (``indexes``), so that::

    k1' (1 - b')         =  k1 (1 - b)
    k1' b' / average'    =  k1 b / average

Among equal scores the order is that of ``position``, in which they were written.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

from fundstelle.errors import CorpusError
from fundstelle.search.engines.opensearch.frequencies import Frequencies
from fundstelle.search.engines.opensearch.session import Session
from fundstelle.search.engines.stages.texts import (
    FACET_VALUES,
    FACETS,
    LAST_DAY,
    PREFERRED,
    Facets,
    Ranked,
    list_filters,
)
from fundstelle.search.index import SearchRequest

K1, B = 1.2, 0.75

Query = dict[str, Any]
Clause = tuple[str, Query]
"""``filter`` or ``should``, and a query."""

_ORDER = [{"_score": "desc"}, {"position": "asc"}, {"ordinal": "asc"}]  # the last one is read


def adapt(texts: int, worded: int) -> tuple[float, float]:
    """k1 and b of Lucene for an index of ``texts``, of which ``worded`` hold a term at least."""
    ratio = texts / max(worded, 1)
    k1 = K1 * (1 - B) + K1 * B * ratio
    return k1, K1 * B * ratio / k1


class OpenSearchTexts:
    """One opened index; what it is called in the cluster, and its counts, lie in ``folder``.

    Raises:
        CorpusError: there is none in the folder.
    """

    foresees = True

    def __init__(self, folder: Path, session: Session) -> None:
        if not Frequencies.exists(folder):
            raise CorpusError(
                f"there is no index of a search cluster in {folder.name}; build again"
            )
        self._frequencies = Frequencies(folder)
        self._session = session
        self.searchable = self._frequencies.searchable

    def foresee(self, query: Query, limit: int) -> None:
        """What will be searched later in this search."""
        self._session.announce(self._frequencies.index, self._write(query, limit, 0))

    def foresee_values(self, query: Query) -> None:
        """What will be counted later in this search."""
        self._session.announce(self._frequencies.index, self._write_counts(query))

    def search(self, query: Query, limit: int, offset: int = 0) -> tuple[Ranked, int]:
        """The best hits and the number of all.

        Raises:
            SearchUnavailable: the cluster has not answered.
        """
        answer = self._session.ask(self._frequencies.index, self._write(query, limit, offset))
        found = answer["hits"]
        hits = found.get("hits", ())
        return [(hit["sort"][0], hit["sort"][2]) for hit in hits], found["total"]["value"]

    def count(self, term: str) -> int:
        """In how many texts a term stands."""
        return self._frequencies.count(term)

    def weigh(self, term: str) -> float:
        """What BM25 makes of how rare a term is in this index."""
        return _weigh(self.count(term), self._frequencies.texts)

    def build(
        self,
        terms: Sequence[str],
        clauses: Sequence[Clause],
        *,
        every: bool = False,
        weights: Mapping[str, float] | None = None,
    ) -> Query:
        """Any of the terms, or every one, inside the filters; ``weights`` of terms, else 1."""
        asked = [
            {"term": {"terms": {"value": term, "boost": self._boost(term, weights)}}}
            for term in terms
        ]
        words: Query = {"must": asked} if every else {"should": asked, "minimum_should_match": 1}
        if not clauses:
            return {"bool": words}
        return {"bool": {"must": [{"bool": words}], **_gather(clauses)}}

    def combine(self, clauses: Sequence[Clause]) -> Query:
        """The filters alone."""
        return {"bool": _gather(clauses)}

    def narrow(self, query: Query, field: str, values: Sequence[Any]) -> Query:
        """A query inside one more filter, with the same scores."""
        return {"bool": {"must": [query], "filter": [{"terms": {field: list(values)}}]}}

    def iter_clauses(self, request: SearchRequest) -> Iterator[Clause]:
        """One clause for each filter that excludes anything; none adds to the score."""
        for name, values in list_filters(request):
            if not self._is_everything(name, values):
                yield "filter", {"terms": {name: list(values)}}
        if request.day_from is not None or request.day_to is not None:
            yield self.limit("day", request.day_from or 1, request.day_to or LAST_DAY)

    def limit(self, field: str, low: int, high: int) -> Clause:
        """Only texts whose ``field`` lies in ``[low, high]``."""
        return "filter", {"range": {field: {"gte": low, "lte": high}}}

    def raise_laws(self, statute_ids: Sequence[str]) -> Iterator[Clause]:
        """What lets norms of these laws score higher."""
        for statute_id in statute_ids:
            query = {"term": {"statute_id": statute_id}}
            yield "should", {"constant_score": {"filter": query, "boost": PREFERRED}}

    def count_values(self, query: Query) -> Facets:
        """How many of the texts found have which value, by facet.

        Raises:
            SearchUnavailable: the cluster has not answered.
        """
        answer = self._session.ask(self._frequencies.index, self._write_counts(query))
        counted = answer.get("aggregations", {})
        return {
            facet: {
                str(bucket["key"]): bucket["doc_count"]
                for bucket in counted.get(facet, {}).get("buckets", ())
            }
            for facet in FACETS
        }

    def close(self) -> None:
        """Nothing: connections are the cluster's."""

    def _write(self, query: Query, limit: int, offset: int) -> Query:
        size = {"size": limit, "from": offset} if limit else {"size": 0}
        ordered = {"sort": _ORDER, "track_scores": False} if limit else {}
        return self._finish({"query": query, **size, **ordered})

    def _write_counts(self, query: Query) -> Query:
        counted = {
            facet: {"terms": {"field": field, "size": FACET_VALUES}}
            for facet, field in FACETS.items()
        }
        return self._finish({"query": query, "size": 0, "aggs": counted})

    def _finish(self, body: Query) -> Query:
        timeout_ms = round(self._session.timeout_s * 1000)
        body |= {"_source": False, "track_total_hits": True, "timeout": f"{timeout_ms}ms"}
        if self._frequencies.shards > 1:  # each shard weighs terms by all of the index
            body["search_type"] = "dfs_query_then_fetch"
        return body

    def _boost(self, term: str, weights: Mapping[str, float] | None) -> float:
        count = self.count(term)
        ours = _weigh(count, self._frequencies.texts)
        theirs = _weigh(count, self._frequencies.worded)
        boost = self._frequencies.factor * ours / theirs if theirs > 0 else 0.0
        return boost * (weights[term] if weights is not None else 1.0)

    def _is_everything(self, name: str, values: Sequence[str] | Sequence[int]) -> bool:
        if not values or not isinstance(values[0], str):
            return False  # some of the norms, maybe very many
        counts = (self._frequencies.count_value(name, str(value)) for value in values)
        return any(count == self.searchable for count in counts)


class OpenSearchSentences:
    """One opened index of sentences, whose ordinals are their numbers."""

    def __init__(self, folder: Path, session: Session) -> None:
        self._texts = OpenSearchTexts(folder, session)

    def foresee(self, terms: Sequence[str], limit: int) -> None:
        """What will be found later in this search."""
        self._texts.foresee(self._texts.build(terms, ()), limit)

    def find(self, terms: Sequence[str], limit: int) -> Sequence[tuple[float, int]]:
        """Score and number of the sentences that hold any of the terms, best first.

        Raises:
            SearchUnavailable: the cluster has not answered.
        """
        return self._texts.search(self._texts.build(terms, ()), limit)[0]

    def close(self) -> None:
        """Nothing: connections are the cluster's."""


def _weigh(count: int, texts: int) -> float:
    return log(1 + max(texts - count + 0.5, 0.0) / (count + 0.5))


def _gather(clauses: Sequence[Clause]) -> Query:
    gathered: Query = {}
    for occur, query in clauses:
        gathered.setdefault(occur, []).append(query)
    return gathered
