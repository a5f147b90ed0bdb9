"""Questions as queries of tantivy: their telling terms, inside the filters of a request."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.index import SearchRequest
from fundstelle.search.query import read_query
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import GermanAnalyzer

WORDS = "words.txt"
VALUES = (
    "source_type",
    "jurisdiction",
    "document_kind",
    "statute_id",
    "language",
    "court",
    "decision_type",
)
FACETS = {"source_type": "source_type", "court": "court", "year": "year"}  # the facet and its field
PREFERRED = 8.0  # what a norm of a named law scores beyond its words; a good one scores 15 to 30

_COMMON = 5  # a term in more than a fifth of the norms tells nothing beside a rarer one ...
_ALWAYS_RARE = 1_000  # ... unless it is in this few
_DEMANDED = 16  # terms that all must stand in a norm; more exclude hardly anything
_FACET_VALUES = 1_000
_FREQUENCIES = 100_000
_SINGLY = 1_000  # ordinals looked up one by one, as a set walks through all there are
_LAST_DAY = 99_999_999

Clause = tuple[tantivy.Occur, tantivy.Query]
Ranked = list[tuple[float, int]]  # score and ordinal, best first


@dataclass(frozen=True, slots=True)
class Filters:
    """Where a request may look, read once for all its texts.

    ``has_decisions`` is False where it is plain that no decision can be inside.
    """

    clauses: Sequence[Clause] = ()
    prefer: Sequence[str] = ()  # laws
    without: frozenset[str] = frozenset()  # stages
    has_decisions: bool = True

    @property
    def within(self) -> tantivy.Query | None:
        """The filters alone; ``None`` if there are none."""
        return tantivy.Query.boolean_query(list(self.clauses)) if self.clauses else None


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it is asked: its terms, inside the filters, and the laws it names."""

    text: str
    terms: tuple[str, ...]
    query: tantivy.Query
    filters: Filters


class Queries:
    """Asks one opened index. Not shared between threads.

    Raises:
        CorpusError: there is no index in the folder.
    """

    def __init__(self, folder: Path) -> None:
        if not tantivy.Index.exists(str(folder)):
            raise CorpusError(f"there is no search index in {folder.name}; build again")
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyzer = GermanAnalyzer(CompoundSplitter.read(folder / WORDS))
        self._searchable = self._searcher.doc_freq("searchable", 1)
        self._common = max(_ALWAYS_RARE, self._searchable // _COMMON)
        self._frequencies: dict[str, int] = {}

    def search(self, query: tantivy.Query, limit: int, offset: int = 0) -> tuple[Ranked, int]:
        """The best hits and the number of all."""
        found = self._searcher.search(query, max(limit, 1), offset=offset)
        hits = found.hits
        ordinals: list[Any] = self._searcher.fast_field_values("ordinal", [at for _, at in hits])
        ranked = [(hit[0], ordinal) for hit, ordinal in zip(hits, ordinals, strict=True)]
        total: int = found.count  # type: ignore[attr-defined]  # missing in its stubs
        return ranked[:limit], total

    def read(self, text: str) -> tuple[str, ...]:
        """The telling terms of a text.

        Telling are terms that at most a fifth of the norms hold, or all if there is no such.
        """
        counted = [
            (term, count)
            for term in read_query(text, self._analyzer)
            if (count := self.count(term))
        ]
        telling = tuple(term for term, count in counted if count <= self._common)
        return telling or tuple(term for term, _ in counted)

    def demand(self, text: str) -> tuple[str, ...]:
        """The terms of a text if each stands somewhere; of many the rarest."""
        counted = {term: self.count(term) for term in read_query(text, self._analyzer)}
        if not all(counted.values()):
            return ()
        return tuple(sorted(counted, key=counted.__getitem__)[:_DEMANDED])

    def count(self, term: str) -> int:
        """In how many norms and decisions a term stands."""
        count = self._frequencies.get(term)
        if count is None:
            if len(self._frequencies) >= _FREQUENCIES:
                self._frequencies.clear()
            count = self._frequencies[term] = self._searcher.doc_freq("terms", term)
        return count

    def build(
        self, terms: Sequence[str], clauses: Sequence[Clause], *, every: bool = False
    ) -> tantivy.Query:
        """Any of the terms, or every one, inside the filters."""
        occur = tantivy.Occur.Must if every else tantivy.Occur.Should
        words = tantivy.Query.boolean_query(
            [
                (occur, tantivy.Query.term_query(self._schema, "terms", term, "freq"))
                for term in terms
            ]
        )
        if not clauses:
            return words
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, words), *clauses])

    def ask(self, text: str, terms: tuple[str, ...], filters: Filters) -> Reading:
        """A reading of one text of a request."""
        query = self.build(terms, [*filters.clauses, *self._raise_preferred(filters)])
        return Reading(text, terms, query, filters)

    def narrow(self, reading: Reading, field: str, values: Sequence[Any]) -> tantivy.Query:
        """A reading inside one more filter, with the same scores."""
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, reading.query), self._keep(field, values)]
        )

    def find_among(self, reading: Reading, ordinals: Sequence[int]) -> Ranked:
        """Those of some norms that a reading finds, with their scores."""
        return self.search(self.narrow(reading, "ordinal", ordinals), len(ordinals))[0]

    def admit(self, within: tantivy.Query, ordinals: Sequence[int]) -> set[int]:
        """Those of some norms that the filters admit."""
        query = tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, within), self._keep("ordinal", ordinals)]
        )
        return {ordinal for _, ordinal in self.search(query, len(ordinals))[0]}

    def read_filters(self, request: SearchRequest) -> Filters:
        """One clause for each filter that excludes anything; none adds to the score."""
        clauses = tuple(self._iter_clauses(request))
        in_laws = request.ancestors is not None or "statute_id" in request.filters
        return Filters(clauses, request.prefer, request.without, has_decisions=not in_laws)

    def _iter_clauses(self, request: SearchRequest) -> Iterator[Clause]:
        wanted: list[tuple[str, Sequence[str] | Sequence[int] | None]] = [
            *request.filters.items(),
            ("ancestor", request.ancestors),
            ("ordinal", request.ordinals),
        ]
        for name, values in wanted:
            if values is not None and not self._is_everything(name, values):
                yield self._keep(name, values)
        if request.day_from is not None or request.day_to is not None:
            query = tantivy.Query.range_query(
                self._schema,
                "day",
                tantivy.FieldType.Unsigned,
                request.day_from or 1,
                request.day_to or _LAST_DAY,
            )
            yield tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)

    def count_values(self, query: tantivy.Query) -> dict[str, dict[str, int]]:
        """How many of the norms found have which value, by facet."""
        wanted = {
            facet: {"terms": {"field": field, "size": _FACET_VALUES}}
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

    def _raise_preferred(self, filters: Filters) -> Iterator[Clause]:
        for statute_id in filters.prefer:
            query = tantivy.Query.term_query(self._schema, "statute_id", statute_id, "basic")
            yield tantivy.Occur.Should, tantivy.Query.const_score_query(query, PREFERRED)

    def _keep(self, field: str, values: Sequence[Any]) -> Clause:
        if field == "ordinal" and 0 < len(values) <= _SINGLY:
            wanted = [tantivy.Query.term_query(self._schema, field, value) for value in values]
            among = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in wanted])
        else:
            among = tantivy.Query.term_set_query(self._schema, field, list(values))
        return tantivy.Occur.Must, tantivy.Query.const_score_query(among, 0.0)

    def _is_everything(self, name: str, values: Sequence[str] | Sequence[int]) -> bool:
        if not values or not isinstance(values[0], str):
            return False  # some of the norms, maybe very many
        return any(self._searcher.doc_freq(name, value) == self._searchable for value in values)
