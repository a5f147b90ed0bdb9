"""Asking an index through all stages; ``building`` says how it is made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fundstelle.search.engines.stages.damage import says_damage
from fundstelle.search.engines.stages.order import CANDIDATES, Head, Order
from fundstelle.search.engines.stages.queries import Asked, Filters, Queries, Reading
from fundstelle.search.engines.stages.reranker import Reranker
from fundstelle.search.engines.stages.texts import Facets, Ranked, Storage
from fundstelle.search.index import (
    LEARNED,
    LEXICAL,
    SEMANTIC,
    CitingSentence,
    SearchHit,
    SearchRequest,
    SearchResult,
)
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.meaning.passages import DECISIONS, Passages
from fundstelle.search.meaning.semantic import Semantic
from fundstelle.search.meaning.student import Pupil, read_student
from fundstelle.search.meaning.vectors import FOLDER, Vectors
from fundstelle.search.ranking.contexts import Mask
from fundstelle.search.ranking.features import Features
from fundstelle.search.ranking.forward import Numbers
from fundstelle.search.ranking.fusion import fuse, keep_firsts
from fundstelle.search.ranking.priors import read_priors
from fundstelle.search.ranking.ranker import Ranker
from fundstelle.search.words.terms import translate

_RERANKED = 30  # hits whose order the priors can change, where there is no learned ranking
_UNRANKED = 0.8  # of a decision: at equal words the norm stands first
_FUSED = 200  # hits of each ranking that are fused
_QUERY_WEIGHT = 1.2  # the query itself, against 1 for a rephrasing, or less so that all have ...
_REPHRASED = 2.0  # ... no more than this: many poor ones must not outweigh it


@dataclass(frozen=True, slots=True)
class _Page:
    """Hits of one page, the number of all, those that meaning alone has found."""

    hits: Ranked
    total: int
    by_meaning: frozenset[int] = frozenset()
    is_semantic: bool = False


class StagedIndex:
    """One opened index. Threads share it by a ``Baton``."""

    def __init__(
        self,
        folder: Path,
        storage: Storage,
        embedder: Embedder | None = None,
        *,
        meaning: bool = True,
    ) -> None:
        self._queries = Queries(folder, storage)
        self._priors = read_priors(folder)
        self._reranker = Reranker.open(folder, storage, self._priors, self._queries.count)
        ranker = Ranker.read(folder) if self._reranker is not None else None
        self._order: Order | None = None
        models = list(self._open_models(folder, embedder)) if meaning else []
        if self._reranker is not None and (ranker is not None or models):
            self._order = Order(self._queries, self._reranker, ranker, models)
        self._stages = self._order.list_stages() if self._order is not None else frozenset()

    def _open_models(self, folder: Path, embedder: Embedder | None) -> Iterator[Semantic]:
        """The models that can say what is near, the preferred one first."""
        if embedder is not None:
            yield Semantic(partial(Vectors.open, folder / FOLDER), embedder)
        passages = Passages.open(folder)
        if passages is not None:
            pupil = Pupil(read_student(), self._queries.analyse)
            yield Semantic(lambda: passages, pupil, Passages.open(folder, DECISIONS))

    @says_damage
    def search(self, request: SearchRequest) -> SearchResult:
        """Rank what holds a telling term of the query (or of a rephrasing), or is near to it.

        ``total`` is the exact number of those inside the filters: of the norms that are near
        by meaning alone, it counts the ones that are looked at.

        Raises:
            DamagedBuild: a file of the index is not what was written.
        """
        if request.every:
            return self._search_every(request)
        queries = self._queries
        filters = queries.read_filters(request)
        request, read_as = self._mend(request)
        asked = self._read(request, filters)
        if not asked:
            return SearchResult((), 0)
        end = request.offset + request.limit
        readings = [reading for _, reading in asked]
        everything = queries.join(readings, filters)
        if queries.foresees:
            self._foresee(request, asked, everything)
        if not request.ranked:
            found, total = queries.search(everything.query, request.limit, request.offset)
            return SearchResult(_list_hits(found), total, stages=(LEXICAL,))
        if self._order is not None:
            self._order.prepare(readings)
        if len(asked) == 1:
            page = self._rank_reading(asked[0][1], request.offset, end)
        else:
            page = self._fuse(asked, everything, request.offset, end)
        stages = (
            LEXICAL,
            *((SEMANTIC,) if page.is_semantic else ()),
            *((LEARNED,) if LEARNED in self._stages - request.without else ()),
        )
        return SearchResult(
            tuple(
                SearchHit(ordinal, score, SEMANTIC if ordinal in page.by_meaning else LEXICAL)
                for score, ordinal in page.hits
            ),
            page.total,
            self._count_values(request, everything, page) if request.facets else {},
            stages,
            tuple(dict.fromkeys(word for one in readings for word in one.meant.words)),
            read_as,
            page.by_meaning,
        )

    def _count_values(self, request: SearchRequest, everything: Reading, page: _Page) -> Facets:
        """The facets of all matches: those that hold a word, and those near by meaning alone."""
        counted = self._queries.count_values(everything.query)
        if not page.by_meaning:
            return counted
        near = replace(request, ordinals=sorted(page.by_meaning), ancestors=None)
        within = self._queries.read_filters(near).within
        assert within is not None
        more = self._queries.count_values(within)
        return {
            name: dict((Counter(values) + Counter(more.get(name, {}))).most_common())
            for name, values in counted.items()
        }

    def _foresee(
        self,
        request: SearchRequest,
        asked: Sequence[tuple[float, Reading]],
        everything: Reading,
    ) -> None:
        """What is asked in any case, said beforehand: all of it takes one way to the engine."""
        queries = self._queries
        if request.facets:
            queries.foresee_values(everything.query)
        if not request.ranked:
            return
        end = request.offset + request.limit if len(asked) == 1 else _FUSED
        for _, reading in asked:
            if self._order is not None and self._stages - request.without:
                queries.foresee(reading.query, max(CANDIDATES, end))
                self._order.foresee(reading)

    def _mend(self, request: SearchRequest) -> tuple[SearchRequest, dict[str, str]]:
        """The request without slips of the finger; English words are left as they are."""
        read_as = dict[str, str]()
        texts = []
        for text in (request.query, *request.rephrasings):
            mended, read = (text, {}) if translate(text) else self._queries.mend(text)
            texts.append(mended)
            read_as.update(read)
        return replace(request, query=texts[0], rephrasings=tuple(texts[1:])), read_as

    def _read(self, request: SearchRequest, filters: Filters) -> list[tuple[float, Reading]]:
        """The readings of a request with their weights: its texts, English ones in German too."""
        readings: dict[tuple[str, ...], tuple[float, Reading]] = {}
        others = min(1.0, _REPHRASED / max(len(request.rephrasings), 1))
        for number, text in enumerate((request.query, *request.rephrasings)):
            weight = others if number else _QUERY_WEIGHT
            for version in filter(None, (text, " ".join(translate(text)))):
                terms = self._queries.read(version, filters)
                reading = self._queries.ask(version, terms, filters)
                readings.setdefault(reading.terms, (weight, reading))
        readings.pop((), None)
        return list(readings.values())

    def _search_every(self, request: SearchRequest) -> SearchResult:
        """Rank what holds all words of the query; of many words the rarest."""
        terms = self._queries.demand(request.query)
        if not terms:
            return SearchResult((), 0)
        query = self._queries.build(terms, self._queries.read_filters(request), every=True)
        ranked, total = self._rank(query, request.offset, request.offset + request.limit)
        return SearchResult(_list_hits(ranked), total, stages=(LEXICAL,))

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self._queries.close()
        if self._order is not None:
            self._order.close()
            self._order = None
        if self._reranker is not None:
            self._reranker.close()
            self._reranker = None

    def _rank(self, query: Asked, start: int, end: int) -> tuple[Ranked, int]:
        """The hits ``[start, end)`` and the number of all; priors order the first ones anew.

        Priors of norms are never below 1, so those first ones stay in front of all others.
        """
        if self._priors is None or start >= _RERANKED:
            return self._queries.search(query, end - start, start)
        ranked, total = self._queries.search(query, max(end, _RERANKED))
        priors = self._priors
        known = len(priors)  # norms; decisions have none
        best = [
            (score * (priors[number] if number < known else _UNRANKED), number)
            for score, number in ranked[:_RERANKED]
        ]
        best.sort(key=_get_score, reverse=True)  # stable: ties keep the order of ordinals
        return (best + ranked[_RERANKED:])[start:end], total

    @property
    def laws(self) -> npt.NDArray[np.int32]:
        """The number of each norm's law, by ordinal; -1 of decisions."""
        assert self._reranker is not None
        return self._reranker.forward.laws

    def describe(self, sentence: CitingSentence, hidden: Mask) -> tuple[Numbers, Features]:
        """Candidates of a sentence and their features, as if those ``hidden`` were not held.

        Sentences are known by the German norms that they cite, so that articles of the Union
        are no wrong answers: they are left out.
        """
        assert self._reranker is not None
        reranker, terms = self._reranker, self._queries.read(sentence.text)
        reading = self._queries.ask(sentence.text, terms, Filters())
        found, _ = self._queries.search(reading.query, CANDIDATES)
        norms = [hit for hit in found if reranker.is_german(hit[1])]
        find_more = partial(self._queries.find_among, reading)
        context = reranker.gather(norms, reranker.cite(terms, hidden), find_more)
        return context.candidates.ordinals, reranker.describe(terms, context)

    def _rank_reading(self, reading: Reading, start: int, end: int) -> _Page:
        """The hits ``[start, end)``: the learned order, then that of stage 1."""
        if self._order is None or not self._stages - reading.filters.without:
            return _Page(*self._rank(reading.query, start, end))
        ranked, total = self._queries.search(reading.query, max(CANDIDATES, end))
        head = self._order.order(reading, ranked[:CANDIDATES])
        hits = _append(head, ranked[CANDIDATES:])
        total += len(head.by_meaning)
        return _Page(hits[start:end], total, head.by_meaning, head.is_semantic)

    def _fuse(
        self,
        asked: Sequence[tuple[float, Reading]],
        everything: Reading,
        start: int,
        end: int,
    ) -> _Page:
        """The best of each ranking fused, then the rest in the order of all terms together."""
        rankings = []
        near: set[int] = set()
        is_semantic = False
        for weight, reading in asked:
            page = self._rank_reading(reading, 0, _FUSED)
            rankings.append((weight, [ordinal for _, ordinal in page.hits]))
            near |= page.by_meaning
            is_semantic |= page.is_semantic
        if near:  # one text may hold no word of a norm, and another one may
            near -= {ordinal for _, ordinal in self._queries.find_among(everything, sorted(near))}
        scored = fuse(rankings)
        order = keep_firsts([one for one, _ in scored], [ranking for _, ranking in rankings])
        fused = [(score, one) for (_, score), one in zip(scored, order, strict=True)]
        rest, total = self._rank(everything.query, 0, len(fused) + end)
        if fused and end > len(fused):
            seen = {ordinal for _, ordinal in fused}
            last = fused[-1][0]
            others = [ordinal for _, ordinal in rest if ordinal not in seen]
            fused += [(last / (rank + 1), ordinal) for rank, ordinal in enumerate(others, 1)]
        return _Page(fused[start:end], total + len(near), frozenset(near), is_semantic)


def _list_hits(ranked: Ranked) -> tuple[SearchHit, ...]:
    return tuple(SearchHit(ordinal, score) for score, ordinal in ranked)


def _append(head: Head, ranked: Ranked) -> Ranked:
    """The ordered hits, then what follows in stage 1."""
    held = {ordinal for _, ordinal in head.hits}
    return head.hits + [hit for hit in ranked if hit[1] not in held]


def _get_score(hit: tuple[float, int]) -> float:
    return hit[0]
