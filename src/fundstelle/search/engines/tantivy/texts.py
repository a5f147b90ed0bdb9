"""One index of tantivy: the terms of texts, what they are filtered by, and how they are asked."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.engines.stages.texts import (
    FACET_VALUES,
    FACETS,
    LAST_DAY,
    PREFERRED,
    VALUES,
    Facets,
    Ranked,
    list_filters,
)
from fundstelle.search.engines.tantivy.parts import DecisionParts
from fundstelle.search.index import SearchRequest

_SINGLY = 1_000  # ordinals looked up one by one, as a set walks through all there are
_TIED = (32, 4_000)  # hits beyond the last one that are looked at; the second where those tie

Clause = tuple[tantivy.Occur, tantivy.Query]


def build_schema() -> tantivy.Schema:
    """The fields of a text. Those of ``VALUES`` and ``ancestor`` filter, as days do."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    for name in VALUES:
        builder.add_text_field(
            name, tokenizer_name="raw", index_option="basic", fast=name in FACETS.values()
        )
    builder.add_unsigned_field("searchable", indexed=True)
    for name in ("ordinal", "number"):  # of a norm, of a decision
        builder.add_unsigned_field(name, indexed=True, fast=True)
    builder.add_unsigned_field("ancestor", indexed=True)
    for name in ("day", "year", "since", "until"):
        builder.add_unsigned_field(name, fast=True)
    return builder.build()


class TantivyTexts:
    """One opened index. Not shared between threads.

    Raises:
        CorpusError: there is no index in the folder.
    """

    foresees = False

    def __init__(self, folder: Path) -> None:
        if not tantivy.Index.exists(str(folder)):
            raise CorpusError(f"there is no search index in {folder.name}; build again")
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()
        self.searchable: int = self._searcher.doc_freq("searchable", 1)
        self._parts = DecisionParts.find(folder)

    def foresee(self, query: tantivy.Query, limit: int) -> None:
        """Nothing: what is asked is answered at once."""

    def foresee_values(self, query: tantivy.Query) -> None:
        """Nothing, as ``foresee``."""

    def search(self, query: tantivy.Query, limit: int, offset: int = 0) -> tuple[Ranked, int]:
        """The best hits and the number of all.

        Equal scores are in the order of ordinals; of more than some thousand that are equal to the
        last one, those of earlier parts come first.
        """
        end = offset + max(limit, 1)
        if self._parts is None or self._parts.is_one:  # tantivy's order is that of ordinals
            found: Any = self._searcher.search(query, end - offset, offset=offset)
            hits = self._rank(found.hits)
        else:
            found = self._search_beyond(query, end)
            hits = self._put_in_order(found.hits, offset, end)
        total: int = found.count
        return hits[:limit], total

    def _put_in_order(self, found: list[Any], start: int, end: int) -> Ranked:
        """Those at ``[start, end)``, where equal ones are in the order of ordinals."""
        scores = [-hit[0] for hit in found]
        if start >= len(scores):
            return []
        first = bisect_left(scores, scores[start])
        last = bisect_right(scores, scores[min(end, len(scores)) - 1])
        ranked = sorted(self._rank(found[first:last]), key=_in_order)
        return ranked[start - first : end - first]

    def _search_beyond(self, query: tantivy.Query, end: int) -> Any:
        """The best ones up to ``end``, and all that are as good as the last."""
        for more in _TIED:
            found: Any = self._searcher.search(query, end + more)
            hits = found.hits
            if len(hits) < end + more or hits[-1][0] < hits[end - 1][0]:
                break
        return found

    def _rank(self, hits: list[Any]) -> Ranked:
        ordinals = self._read_ordinals([at for _, at in hits])
        return [(hit[0], ordinal) for hit, ordinal in zip(hits, ordinals, strict=True)]

    def _read_ordinals(self, addresses: list[Any]) -> list[int]:
        ordinals: list[Any] = self._searcher.fast_field_values("ordinal", addresses)
        if self._parts is not None and None in ordinals:
            places = [place for place, ordinal in enumerate(ordinals) if ordinal is None]
            among = [addresses[place] for place in places]
            numbers: list[Any] = self._searcher.fast_field_values("number", among)
            for place, ordinal in zip(places, self._parts.read(numbers), strict=True):
                ordinals[place] = ordinal
        return ordinals

    def count(self, term: str) -> int:
        """In how many texts a term stands."""
        return self._searcher.doc_freq("terms", term)

    def weigh(self, term: str) -> float:
        """What BM25 makes of how rare a term is in this index."""
        count = self.count(term)
        return log(1 + (self._searcher.num_docs - count + 0.5) / (count + 0.5))

    def build(
        self,
        terms: Sequence[str],
        clauses: Sequence[Clause],
        *,
        every: bool = False,
        weights: Mapping[str, float] | None = None,
    ) -> tantivy.Query:
        """Any of the terms, or every one, inside the filters; ``weights`` of terms, else 1."""
        occur = tantivy.Occur.Must if every else tantivy.Occur.Should
        asked = [(term, self._find_term("terms", term)) for term in terms]
        if weights is not None:
            asked = [(t, tantivy.Query.boost_query(query, weights[t])) for t, query in asked]
        words = tantivy.Query.boolean_query([(occur, query) for _, query in asked])
        if not clauses:
            return words
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, words), *clauses])

    def combine(self, clauses: Sequence[Clause]) -> tantivy.Query:
        """The filters alone."""
        return tantivy.Query.boolean_query(list(clauses))

    def narrow(self, query: tantivy.Query, field: str, values: Sequence[Any]) -> tantivy.Query:
        """A query inside one more filter, with the same scores."""
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), self._keep(field, values)])

    def iter_clauses(self, request: SearchRequest) -> Iterator[Clause]:
        """One clause for each filter that excludes anything; none adds to the score."""
        for name, values in list_filters(request):
            if not self._is_everything(name, values):
                yield self._keep(name, values)
        if request.day_from is not None or request.day_to is not None:
            yield self.limit("day", request.day_from or 1, request.day_to or LAST_DAY)

    def limit(self, field: str, low: int, high: int) -> Clause:
        """Only texts whose ``field`` lies in ``[low, high]``."""
        kind = tantivy.FieldType.Unsigned
        query = tantivy.Query.range_query(self._schema, field, kind, low, high)
        return tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)

    def raise_laws(self, statute_ids: Sequence[str]) -> Iterator[Clause]:
        """What lets norms of these laws score higher."""
        for statute_id in statute_ids:
            query = self._find_term("statute_id", statute_id, "basic")
            yield tantivy.Occur.Should, tantivy.Query.const_score_query(query, PREFERRED)

    def count_values(self, query: tantivy.Query) -> Facets:
        """How many of the texts found have which value, by facet."""
        wanted = {
            facet: {"terms": {"field": field, "size": FACET_VALUES}}
            for facet, field in FACETS.items()
        }
        counted = self._searcher.aggregate(query, wanted)
        return {
            facet: {
                str(bucket.get("key_as_string", bucket["key"])): bucket["doc_count"]
                for bucket in counted[facet]["buckets"]
            }
            for facet in FACETS
        }

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self.__dict__.pop("_searcher", None)

    def _find_term(self, field: str, value: str | int, option: str = "freq") -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, option)

    def _keep(self, field: str, values: Sequence[Any]) -> Clause:
        among = self._find_any(field, values) if field != "ordinal" else self._find_those(values)
        return tantivy.Occur.Must, tantivy.Query.const_score_query(among, 0.0)

    def _find_any(self, field: str, values: Sequence[Any]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, field, list(values))

    def _find_those(self, ordinals: Sequence[int]) -> tantivy.Query:
        """The texts with these ordinals; decisions have numbers of their own."""
        wanted = {"ordinal": ordinals}
        if self._parts is not None and any(one >= self._parts.norms for one in ordinals):
            wanted = {
                "ordinal": [ordinal for ordinal in ordinals if ordinal < self._parts.norms],
                "number": self._parts.number(ordinals),
            }
        if not 0 < len(ordinals) <= _SINGLY:
            found = [self._find_any(name, numbers) for name, numbers in wanted.items()]
        else:
            found = [self._find_term(name, one) for name, held in wanted.items() for one in held]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in found])

    def _is_everything(self, name: str, values: Sequence[str] | Sequence[int]) -> bool:
        if not values or not isinstance(values[0], str):
            return False  # some of the norms, maybe very many
        return any(self._searcher.doc_freq(name, value) == self.searchable for value in values)


def _in_order(hit: tuple[float, int]) -> tuple[float, int]:
    score, ordinal = hit
    return -score, ordinal
