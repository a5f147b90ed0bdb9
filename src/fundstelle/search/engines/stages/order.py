"""The first hits in their final order: by words, by meaning, and as the models have learned it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fundstelle.search.engines.stages.queries import Filters, Queries, Reading
from fundstelle.search.engines.stages.reranker import Reranker
from fundstelle.search.engines.stages.texts import PREFERRED, Ranked
from fundstelle.search.index import LEARNED, SEMANTIC
from fundstelle.search.meaning.semantic import Meaning, Semantic
from fundstelle.search.ranking.features import FEATURES, Features
from fundstelle.search.ranking.forward import Floats, Numbers
from fundstelle.search.ranking.merge import merge, place_decisions, rate
from fundstelle.search.ranking.ranker import Ranker
from fundstelle.search.words.everyday import Meant
from fundstelle.search.words.terms import translate
from fundstelle.search.words.union import says_union

CANDIDATES = 100  # hits whose order is learned

_PREFERRED_LEARNED = 6.0  # of a norm of a named law; the models give -6 to 6
_UNION = 2.0  # of law of the Union where a question says that it is meant ...
_INDIRECT = -2.0  # ... and of what federal law makes of it where it does not
_DECISIONS = 10  # that are looked at beside norms
_MEANT = 9.0  # of a norm that all words of a question mean
_NEAR = 40  # norms that meaning adds to the candidates
_FEW = 4_000  # norms, of all that filters leave, that are compared one by one
_MEANING = 1.5  # what one deviation of meaning counts against the models' numbers
_NEAREST_UNKNOWN = 0.3  # cosine of the nearest norm where none is near
_BY_WORDS = 6.0  # what the best words count where there is no model
_WEIGHED = list(FEATURES).index("weighed")


@dataclass(frozen=True, slots=True)
class Head:
    """The first hits, best first, and those of them that hold no word of the question."""

    hits: Ranked
    by_meaning: frozenset[int] = frozenset()
    is_semantic: bool = False  # whether meaning was looked at


@dataclass(frozen=True, slots=True)
class _More:
    """What one more query has found among the norms that meaning, sentences or people name."""

    found: Ranked

    def list_among(self, ordinals: Collection[int]) -> Ranked:
        """Those of some norms, the best first."""
        wanted = set(ordinals)
        return [hit for hit in self.found if hit[1] in wanted]

    def add_near(self, norms: Ranked, near: Sequence[int]) -> tuple[Ranked, frozenset[int]]:
        """Norms and what is near by meaning, and which of that no word has found."""
        held = {ordinal for _, ordinal in norms}
        added = [ordinal for ordinal in near if ordinal not in held]
        more = self.list_among(added)
        by_meaning = set(added) - {ordinal for _, ordinal in more}
        unheard = [(0.0, ordinal) for ordinal in added if ordinal in by_meaning]
        return [*norms, *more, *unheard], frozenset(by_meaning)


class Order:
    """Orders the candidates of one index. Not shared between threads."""

    def __init__(
        self,
        queries: Queries,
        reranker: Reranker,
        ranker: Ranker | None,
        models: Sequence[Semantic],
    ) -> None:
        self._queries = queries
        self._reranker = reranker
        self._ranker = ranker
        self._models = tuple(models)
        known, forward = reranker.known, reranker.forward
        self._said = known.european.astype(np.float64) * _UNION  # by law
        self._unsaid = forward.indirect.astype(np.float64) * _INDIRECT

    def order(self, reading: Reading, found: Ranked) -> Head:
        """The first hits, and what sentences and meaning add to them, in their final order."""
        if not found:
            return Head([])
        reranker = self._reranker
        norms = [hit for hit in found if reranker.is_norm(hit[1])]
        decisions = self._find_decisions(reading, found)
        best = max((score for score, _ in norms), default=0.0)
        cited = reranker.cite(reading.terms)
        meaning = self._read_meaning(reading)
        near = self._find_near(meaning, reading) if meaning is not None else []
        near_norms = [ordinal for _, ordinal in near]
        more = self._find_more(reading, norms, (*reading.meant.norms, *near_norms, *cited.norms))
        norms += more.list_among(reading.meant.norms)
        nearness = None
        if meaning is not None:
            # the few German words of an article of the Union are nearer than any text can be
            federal = [hit for hit in near if reranker.is_german(hit[1])]
            nearness = _compare_decisions(meaning, federal, decisions)
        norms, by_meaning = more.add_near(norms, near_norms)
        context = reranker.gather(norms, cited, more.list_among)
        ordinals = context.candidates.ordinals
        preferred = self._find_preferred(ordinals, reading.filters.prefer)
        raised = PREFERRED * preferred * (context.candidates.scores > 0)
        plain = replace(context.candidates, scores=context.candidates.scores - raised)
        features = reranker.describe(reading.terms, replace(context, candidates=plain))
        values = self._score(features, reading) + _PREFERRED_LEARNED * preferred
        values = values + _rate_meant(ordinals, reading.meant)
        values = values + self._rate_union(ordinals, reading.text)
        if meaning is not None:
            values = values + _MEANING * meaning.rate(ordinals)
        order = ordinals[np.argsort(-values, kind="stable")].tolist()
        is_question = "?" in reading.text and not translate(reading.text)  # decisions are German
        decisions, places = place_decisions(
            decisions, best, len(reading.terms), nearness, is_question=is_question
        )
        merged = merge(order, [ordinal for _, ordinal in decisions], places)
        learned = dict(zip(ordinals.tolist(), values.tolist(), strict=True))
        hits = rate(merged, learned, found[-1][0])
        return Head(hits, by_meaning, meaning is not None)

    def prepare(self, readings: Sequence[Reading]) -> None:
        """Have the meaning of all texts of one search worked out together."""
        texts = [one.text for one in readings if SEMANTIC not in one.filters.without]
        if texts and self._models:
            self._models[0].prepare(tuple(dict.fromkeys(texts)))

    def foresee(self, reading: Reading) -> None:
        """What ``order`` will ask beside the hits, as far as that is known before they are."""
        if reading.filters.has_decisions:
            decisions = self._queries.narrow_to_decisions(reading)
            self._queries.foresee(decisions, _DECISIONS)
        within = reading.filters.within
        if self._models and within is not None and not self._leaves_many(reading.filters):
            self._queries.foresee(within, _FEW)
        self._reranker.foresee(reading.terms)

    def close(self) -> None:
        """Release the vectors."""
        for model in self._models:
            model.close()

    def list_stages(self) -> frozenset[str]:
        """The stages beside words that there are."""
        semantic = {SEMANTIC} if self._models else set()
        return frozenset(semantic | ({LEARNED} if self._ranker is not None else set()))

    def _read_meaning(self, reading: Reading) -> Meaning | None:
        """By the first model that can say what is near to the question."""
        if SEMANTIC in reading.filters.without:
            return None
        read = (model.read(reading.text) for model in self._models)
        return next(filter(None, read), None)

    def _score(self, features: Features, reading: Reading) -> Floats:
        if self._ranker is not None and LEARNED not in reading.filters.without:
            return self._ranker.score(features)
        return _BY_WORDS * features[:, _WEIGHED].astype(np.float64)

    def _find_more(self, reading: Reading, norms: Ranked, named: Iterable[int]) -> _More:
        """Those of the named norms that words have not brought so far, if they hold any of them."""
        held = {ordinal for _, ordinal in norms}
        wanted = [ordinal for ordinal in dict.fromkeys(named) if ordinal not in held]
        return _More(self._queries.find_among(reading, wanted) if wanted else [])

    def _find_near(self, meaning: Meaning, reading: Reading) -> Ranked:
        """The nearest norms inside the filters.

        Where those leave few, these are compared; otherwise some of the nearest are among them.
        """
        within = reading.filters.within
        if within is None:
            found = meaning.find(_NEAR)
        elif self._leaves_many(reading.filters):
            found = meaning.find(_NEAR, partial(self._queries.admit, within))
        else:
            few, total = self._queries.search(within, _FEW)
            if total <= _FEW:
                ordinals = np.array([ordinal for _, ordinal in few], np.int64)
                found = meaning.find_among(_NEAR, ordinals)
            else:
                found = meaning.find(_NEAR, partial(self._queries.admit, within))
        return found

    def _leaves_many(self, filters: Filters) -> bool:
        """Whether that is known without a search: a day alone, as each of today's has one."""
        return self._queries.count_on_day(filters) > _FEW

    def _find_preferred(self, ordinals: Numbers, prefer: Sequence[str]) -> Floats:
        if not prefer:
            return np.zeros(len(ordinals))
        return self._reranker.forward.is_of(ordinals, prefer).astype(np.float64)

    def _rate_union(self, ordinals: Numbers, text: str) -> Floats:
        """What a question adds to law of the Union by saying, or not saying, that it is meant."""
        by_law = self._said if says_union(text) else self._unsaid
        rated: Floats = by_law[self._reranker.forward.laws[ordinals]]
        return rated

    def _find_decisions(self, reading: Reading, found: Ranked) -> Ranked:
        """The decisions among the hits, and the best ones if norms have crowded them out."""
        if not reading.filters.has_decisions:
            return []
        decisions = [hit for hit in found if not self._reranker.is_norm(hit[1])]
        if len(found) < CANDIDATES or len(decisions) >= _DECISIONS:
            return decisions
        query = self._queries.narrow_to_decisions(reading)
        held = {ordinal for _, ordinal in decisions}
        best, _ = self._queries.search(query, _DECISIONS)
        return decisions + [hit for hit in best if hit[1] not in held]


def _compare_decisions(meaning: Meaning, near: Ranked, decisions: Ranked) -> Floats | None:
    """How much nearer each decision is to the question than the nearest one of ``near``, or NaN."""
    compared = meaning.compare_decisions([ordinal for _, ordinal in decisions])
    if compared is None:
        return None
    return compared - (near[0][0] if near else _NEAREST_UNKNOWN)


def _rate_meant(ordinals: Numbers, meant: Meant) -> Floats:
    """What everyday words add to the models' numbers: much only where a question is no more."""
    shares: Floats = np.array([meant.norms.get(one, 0.0) for one in ordinals.tolist()])
    return _MEANT * shares * shares
