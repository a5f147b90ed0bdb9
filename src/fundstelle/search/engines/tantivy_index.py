"""Asking a tantivy index; ``engines.tantivy`` says how it is made."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tantivy

from fundstelle.errors import CorpusError
from fundstelle.search.compounds import CompoundSplitter
from fundstelle.search.engines.tantivy_reranker import Reranker
from fundstelle.search.features import Features
from fundstelle.search.forward import Floats, Numbers
from fundstelle.search.fusion import fuse
from fundstelle.search.german import GermanAnalyzer
from fundstelle.search.index import CitingSentence, SearchHit, SearchRequest, SearchResult
from fundstelle.search.merge import find_places, merge, rate
from fundstelle.search.priors import read_priors
from fundstelle.search.query import read_query
from fundstelle.search.ranker import Ranker

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

_COMMON = 5  # a term in more than a fifth of the norms tells nothing beside a rarer one ...
_ALWAYS_RARE = 1_000  # ... unless it is in this few
_RERANKED = 30  # hits whose order the priors can change, where there is no learned ranking
_CANDIDATES = 100  # hits whose order the learned ranking can change
_UNRANKED = 0.8  # of a decision: at equal words the norm stands first
_FUSED = 200  # hits of each ranking that are fused
_QUERY_WEIGHT = 2.0  # the query itself, against 1 for a rephrasing
_PREFERRED = 8.0  # a good norm scores 15 to 30 ...
_PREFERRED_LEARNED = 4.0  # ... and the model gives -6 to 6
_DEMANDED = 16  # terms that all must stand in a norm; more exclude hardly anything
_FACET_VALUES = 1_000
_DECISIONS = 10  # that are looked at beside norms
_IS_DECISION = "document_kind"
_FREQUENCIES = 100_000
_LAST_DAY = 99_999_999

_Clause = tuple[tantivy.Occur, tantivy.Query]
_Ranked = list[tuple[float, int]]  # score and ordinal, best first


@dataclass(frozen=True, slots=True)
class _Reading:
    """A question as it is asked: its terms, inside the filters, and the laws it names."""

    terms: tuple[str, ...]
    query: tantivy.Query
    prefer: Sequence[str] = ()


class TantivyIndex:
    """One opened index. Not shared between threads."""

    def __init__(self, folder: Path) -> None:
        if not tantivy.Index.exists(str(folder)):
            raise CorpusError(f"there is no search index in {folder.name}; build again")
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyzer = GermanAnalyzer(CompoundSplitter.read(folder / WORDS))
        self._priors = read_priors(folder)
        self._searchable = self._searcher.doc_freq("searchable", 1)
        self._common = max(_ALWAYS_RARE, self._searchable // _COMMON)
        self._frequencies: dict[str, int] = {}
        self._reranker = Reranker.open(folder, self._priors, self._count)
        self._ranker = Ranker.read(folder) if self._reranker is not None else None

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank the norms that hold a telling term of the query (or of a rephrasing).

        Telling are terms that at most a fifth of the norms hold, or all if there is no such.
        ``total`` is the exact number of those norms inside the filters.
        """
        if request.every:
            return self._search_every(request)
        texts = (request.query, *request.rephrasings)
        readings = list(dict.fromkeys(filter(None, map(self._read, texts))))
        if not readings:
            return SearchResult((), 0)
        clauses = list(self._read_filters(request))
        everything = self._build_query(tuple(dict.fromkeys(sum(readings, ()))), clauses)
        end = request.offset + request.limit
        asked = [
            _Reading(terms, self._build_query(terms, clauses), request.prefer) for terms in readings
        ]
        if len(asked) == 1:
            ranked, total = self._rank_reading(asked[0], request.offset, end)
        else:
            ranked, total = self._fuse(asked, everything, request.offset, end)
        facets = self._count_values(everything) if request.facets else {}
        hits = tuple(SearchHit(ordinal, score) for score, ordinal in ranked)
        return SearchResult(hits, total, facets)

    def _search_every(self, request: SearchRequest) -> SearchResult:
        """Rank what holds all words of the query; of many words the rarest."""
        counted = {term: self._count(term) for term in read_query(request.query, self._analyzer)}
        if not counted or not all(counted.values()):
            return SearchResult((), 0)
        terms = sorted(counted, key=counted.__getitem__)[:_DEMANDED]
        demanded = [(tantivy.Occur.Must, self._read_term(term)) for term in terms]
        query = tantivy.Query.boolean_query([*demanded, *self._read_filters(request)])
        ranked, total = self._rank(query, request.offset, request.offset + request.limit)
        return SearchResult(tuple(SearchHit(number, score) for score, number in ranked), total)

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self.__dict__.pop("_searcher", None)

    def _read(self, text: str) -> tuple[str, ...]:
        """The telling terms of a text."""
        counted = [
            (term, count)
            for term in read_query(text, self._analyzer)
            if (count := self._count(term))
        ]
        telling = tuple(term for term, count in counted if count <= self._common)
        return telling or tuple(term for term, _ in counted)

    def _count(self, term: str) -> int:
        count = self._frequencies.get(term)
        if count is None:
            if len(self._frequencies) >= _FREQUENCIES:
                self._frequencies.clear()
            count = self._frequencies[term] = self._searcher.doc_freq("terms", term)
        return count

    def _rank(self, query: tantivy.Query, start: int, end: int) -> tuple[_Ranked, int]:
        """The hits ``[start, end)`` and the number of all; priors order the first ones anew.

        Priors of norms are never below 1, so those first ones stay in front of all others.
        """
        if self._priors is None or start >= _RERANKED:
            found = self._searcher.search(query, max(end - start, 1), offset=start)
            ranked = self._name(found)[: end - start]
        else:
            found = self._searcher.search(query, max(end, _RERANKED))
            ranked = self._name(found)
            priors = self._priors
            known = len(priors)  # norms; decisions have none
            best = [
                (score * (priors[number] if number < known else _UNRANKED), number)
                for score, number in ranked[:_RERANKED]
            ]
            best.sort(key=_get_score, reverse=True)  # stable: ties keep the order of norm_id
            ranked = (best + ranked[_RERANKED:])[start:end]
        total: int = found.count  # type: ignore[attr-defined]  # missing in its stubs
        return ranked, total

    @property
    def laws(self) -> npt.NDArray[np.int32]:
        """The number of each norm's law, by ordinal; -1 of decisions."""
        assert self._reranker is not None
        return self._reranker.forward.laws

    def describe(
        self, sentence: CitingSentence, hidden: Callable[[int], bool]
    ) -> tuple[Numbers, Features]:
        """Candidates of a sentence and their features, as if its decision were not held.

        Sentences are known by the German norms that they cite, so that articles of the Union
        are no wrong answers: they are left out.
        """
        assert self._reranker is not None
        reranker, terms = self._reranker, self._read(sentence.text)
        reading = _Reading(terms, self._build_query(terms, []))
        found = self._name(self._searcher.search(reading.query, _CANDIDATES))
        norms = [hit for hit in found if reranker.is_german(hit[1])]
        context = reranker.gather(terms, norms, partial(self._find_more, reading), hidden)
        features = reranker.describe(terms, context, reranker.leave_out(sentence.source))
        return context.candidates.ordinals, features

    def _rank_reading(self, reading: _Reading, start: int, end: int) -> tuple[_Ranked, int]:
        """The hits ``[start, end)`` and the number of all: the learned order, then stage 1."""
        if self._ranker is None:
            return self._rank(reading.query, start, end)
        found = self._searcher.search(reading.query, max(_CANDIDATES, end))
        total: int = found.count  # type: ignore[attr-defined]  # missing in its stubs
        ranked = self._name(found)
        head = self._order(reading, ranked[:_CANDIDATES])
        if end > len(head):
            held = {ordinal for _, ordinal in head}
            head += [hit for hit in ranked[_CANDIDATES:] if hit[1] not in held]
        return head[start:end], total

    def _order(self, reading: _Reading, found: _Ranked) -> _Ranked:
        """The first hits and what sentences add to them, in the learned order."""
        assert self._reranker is not None
        assert self._ranker is not None
        if not found:
            return []
        reranker = self._reranker
        norms = [hit for hit in found if reranker.is_norm(hit[1])]
        decisions = self._find_decisions(reading, found)
        best = max((score for score, _ in norms), default=0.0)
        context = reranker.gather(reading.terms, norms, partial(self._find_more, reading))
        ordinals = context.candidates.ordinals
        preferred = self._find_preferred(ordinals, reading.prefer)
        plain = replace(
            context.candidates, scores=context.candidates.scores - _PREFERRED * preferred
        )
        features = reranker.describe(reading.terms, replace(context, candidates=plain))
        values = self._ranker.score(features) + _PREFERRED_LEARNED * preferred
        order = ordinals[np.argsort(-values, kind="stable")].tolist()
        places = find_places([score for score, _ in decisions], best, len(reading.terms))
        merged = merge(order, [ordinal for _, ordinal in decisions], places)
        learned = dict(zip(ordinals.tolist(), values.tolist(), strict=True))
        return rate(merged, learned, found[-1][0])

    def _find_preferred(self, ordinals: Numbers, prefer: Sequence[str]) -> Floats:
        assert self._reranker is not None
        if not prefer:
            return np.zeros(len(ordinals))
        return self._reranker.forward.is_of(ordinals, prefer).astype(np.float64)

    def _find_decisions(self, reading: _Reading, found: _Ranked) -> _Ranked:
        """The decisions among the hits, and the best ones if norms have crowded them out."""
        assert self._reranker is not None
        reranker = self._reranker
        decisions = [hit for hit in found if not reranker.is_norm(hit[1])]
        if len(found) < _CANDIDATES or len(decisions) >= _DECISIONS:
            return decisions
        best = self._searcher.search(self._narrow(reading, _IS_DECISION, ["decision"]), _DECISIONS)
        held = {ordinal for _, ordinal in decisions}
        return decisions + [hit for hit in self._name(best) if hit[1] not in held]

    def _find_more(self, reading: _Reading, ordinals: Sequence[int]) -> _Ranked:
        """Those of some norms that a reading finds, with their scores."""
        query = self._narrow(reading, "ordinal", ordinals)
        return self._name(self._searcher.search(query, len(ordinals)))

    def _narrow(
        self, reading: _Reading, field: str, values: Sequence[int] | Sequence[str]
    ) -> tantivy.Query:
        """A reading inside one more filter, with the same scores."""
        among = tantivy.Query.term_set_query(self._schema, field, list(values))
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, reading.query),
                (tantivy.Occur.Must, tantivy.Query.const_score_query(among, 0.0)),
            ]
        )

    def _fuse(
        self, readings: Sequence[_Reading], everything: tantivy.Query, start: int, end: int
    ) -> tuple[_Ranked, int]:
        """The best of each ranking fused, then the rest in the order of all terms together."""
        rankings = []
        for number, reading in enumerate(readings):
            best, _ = self._rank_reading(reading, 0, _FUSED)
            weight = 1.0 if number else _QUERY_WEIGHT
            rankings.append((weight, [ordinal for _, ordinal in best]))
        fused = [(score, ordinal) for ordinal, score in fuse(rankings)]
        rest, total = self._rank(everything, 0, len(fused) + end)
        if fused and end > len(fused):
            seen = {ordinal for _, ordinal in fused}
            last = fused[-1][0]
            others = [ordinal for _, ordinal in rest if ordinal not in seen]
            fused += [(last / (rank + 1), ordinal) for rank, ordinal in enumerate(others, 1)]
        return fused[start:end], total

    def _build_query(self, terms: Sequence[str], clauses: Sequence[_Clause]) -> tantivy.Query:
        """Any of the terms, inside the filters."""
        any_term = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._read_term(term)) for term in terms]
        )
        if not clauses:
            return any_term
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, any_term), *clauses])

    def _read_term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "terms", term, "freq")

    def _read_filters(self, request: SearchRequest) -> Iterator[_Clause]:
        """One clause for each filter that excludes anything; none adds to the score."""
        wanted: list[tuple[str, Sequence[str] | Sequence[int] | None]] = [
            *request.filters.items(),
            ("ancestor", request.ancestors),
            ("ordinal", request.ordinals),
        ]
        for name, values in wanted:
            if values is not None and not self._is_everything(name, values):
                query = tantivy.Query.term_set_query(self._schema, name, list(values))
                yield tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)
        if request.day_from is not None or request.day_to is not None:
            query = tantivy.Query.range_query(
                self._schema,
                "day",
                tantivy.FieldType.Unsigned,
                request.day_from or 1,
                request.day_to or _LAST_DAY,
            )
            yield tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)
        for statute_id in request.prefer:
            query = tantivy.Query.term_query(self._schema, "statute_id", statute_id, "basic")
            yield tantivy.Occur.Should, tantivy.Query.const_score_query(query, _PREFERRED)

    def _is_everything(self, name: str, values: Sequence[str] | Sequence[int]) -> bool:
        return any(
            isinstance(value, str) and self._searcher.doc_freq(name, value) == self._searchable
            for value in values
        )

    def _name(self, found: tantivy.SearchResult) -> _Ranked:
        hits = found.hits
        ordinals: list[Any] = self._searcher.fast_field_values("ordinal", [at for _, at in hits])
        return [(hit[0], ordinal) for hit, ordinal in zip(hits, ordinals, strict=True)]

    def _count_values(self, query: tantivy.Query) -> dict[str, dict[str, int]]:
        """How many of the norms found have which value."""
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


def _get_score(hit: tuple[float, int]) -> float:
    return hit[0]
