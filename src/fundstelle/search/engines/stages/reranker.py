"""From the hits of stage 1 to the learned order: candidates, what is known of them, the model."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path
from typing import Self

import numpy as np

from fundstelle.search.engines.stages.sentences import SentenceIndex
from fundstelle.search.engines.stages.texts import Ranked, Storage
from fundstelle.search.ranking.contexts import Contexts, Fit, Mask
from fundstelle.search.ranking.features import (
    Candidates,
    Evidence,
    Features,
    Known,
    Question,
    describe,
)
from fundstelle.search.ranking.forward import Floats, Forward, hash_term
from fundstelle.search.ranking.training import ENOUGH

_CITED = 30  # norms that the nearest sentences, and those that all sentences, add
# Sentences are those that cite German norms. That they never cite law of the Union says nothing of
# it, so its articles and acts count as cited this often.
_UNION_NORM, _UNION_LAW = 3, 100
_FOLLOWING = 0.3  # of the second to fourth sentence of a norm, against its first

FindMore = Callable[[Sequence[int]], Ranked]
"""From ordinals to those of them that the question finds inside the filters, with their score."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What sentences say of norms for a question, and those that they name first."""

    norms: Sequence[int] = ()
    evidence: Evidence = field(default_factory=dict)
    fit: Fit | None = None
    known: Known | None = None  # where sentences are hidden: what would be known without them


@dataclass(frozen=True, slots=True)
class Context:
    """Norms that may answer, and what sentences say of them."""

    candidates: Candidates
    cited: Cited


class Reranker:
    """What is known of the norms of one index. Not shared between threads."""

    def __init__(
        self,
        forward: Forward,
        priors: "array[float] | None",
        sentences: SentenceIndex | None,
        count: Callable[[str], int],
    ) -> None:
        self.forward = forward
        self.sentences = sentences
        self._count = count
        contexts = sentences.contexts if sentences is not None else None
        self._lengths = contexts.measure() if contexts is not None else np.zeros(0)
        self._is_norm = (forward.laws >= 0).tobytes()  # a byte is read faster than a number
        self._norms = int((forward.laws >= 0).sum())
        self.known = _count_cited(forward, priors, sentences)

    @classmethod
    def open(
        cls,
        folder: Path,
        storage: Storage,
        priors: "array[float] | None",
        count: Callable[[str], int],
    ) -> Self | None:
        """What lies beside an index; ``None`` if it was built without."""
        forward = Forward.read(folder)
        if forward is None:
            return None
        sentences = SentenceIndex(folder, storage) if SentenceIndex.exists(folder) else None
        return cls(forward, priors, sentences, count)

    def close(self) -> None:
        """Release the index of sentences; once is enough, twice does no harm."""
        if self.sentences is not None:
            self.sentences.close()

    def is_norm(self, ordinal: int) -> bool:
        """Whether it is a norm: decisions have no features."""
        return ordinal < len(self._is_norm) and bool(self._is_norm[ordinal])

    def is_german(self, ordinal: int) -> bool:
        """Whether it is a norm, and not the Union's."""
        return self.is_norm(ordinal) and not self.known.european[self.forward.laws[ordinal]]

    def foresee(self, terms: Sequence[str]) -> None:
        """What ``gather`` will ask of sentences."""
        if self.sentences is not None:
            self.sentences.foresee(terms)

    def cite(self, terms: Sequence[str], hidden: Mask | None = None) -> Cited:
        """What sentences say of norms for these terms, and which of them they name first."""
        if self.sentences is None:
            return Cited()
        evidence = self.sentences.find_evidence(terms, hidden)
        contexts = self.sentences.contexts
        if contexts is None:
            return Cited(_list_best(evidence), evidence)
        lengths = self._lengths if hidden is None else contexts.measure(hidden)
        fit = contexts.fit(terms, lengths, hidden)
        named = dict.fromkeys([*_list_best(evidence), *fit.list_best(_CITED)])
        return Cited(list(named), evidence, fit, self._count_visible(contexts, hidden))

    def gather(self, found: Ranked, cited: Cited, find_more: FindMore) -> Context:
        """The norms found, and those that near sentences cite or that fit by all of theirs."""
        held = {ordinal for _, ordinal in found}
        added = [one for one in cited.norms if one not in held]
        norms = [*found, *(find_more(added) if added else [])]
        candidates = Candidates(
            np.array([ordinal for _, ordinal in norms], np.int64),
            np.array([score for score, _ in norms], np.float64),
        )
        return Context(candidates, cited)

    def describe(self, terms: Sequence[str], context: Context) -> Features:
        """The features of all candidates."""
        question = self._weigh_all(terms)
        cited = context.cited
        known = cited.known or self.known
        return describe(question, context.candidates, cited.evidence, known, cited.fit)

    def _count_visible(self, contexts: Contexts, hidden: Mask | None) -> Known | None:
        """What would be known without the sentences that are hidden."""
        if hidden is None:
            return None
        cited = contexts.count(len(self.known.cited), hidden)
        norms = np.flatnonzero(cited)
        laws = self.forward.laws[norms]
        law_cited = np.bincount(laws, cited[norms], len(self.known.law_cited)).astype(np.int64)
        return replace(self.known, cited=cited, law_cited=law_cited)

    def weigh(self, term: str) -> float:
        """The weight of a term: as BM25 has it."""
        return weigh(self._count(term), self._norms)

    def _weigh_all(self, terms: Sequence[str]) -> Question:
        hashed = sorted((hash_term(term), self.weigh(term)) for term in terms)
        weights: Floats = np.array([weight for _, weight in hashed])
        numbers = np.array([number for number, _ in hashed], np.uint32)
        return Question(numbers, weights, float(weights.sum()) or 1.0)


def _count_cited(
    forward: Forward, priors: "array[float] | None", sentences: SentenceIndex | None
) -> Known:
    size, european = len(forward.laws), forward.european
    known = np.ones(size)
    if priors is not None:
        known[: len(priors)] = priors
    numbers = sentences.cited if sentences is not None else np.zeros(0, np.int64)
    cited = np.bincount(numbers, minlength=size)
    law_cited = np.bincount(forward.laws[numbers], minlength=len(forward.names))
    if sentences is not None and len(sentences) >= ENOUGH:
        law_cited[european] = np.maximum(law_cited[european], _UNION_LAW)
        norms = np.flatnonzero(forward.laws >= 0)
        articles = norms[european[forward.laws[norms]]]
        cited[articles] = np.maximum(cited[articles], _UNION_NORM)
    return Known(forward, known, cited, law_cited, european)


def weigh(count: int, total: int) -> float:
    """The weight of a term that ``count`` of ``total`` norms hold, never below 0."""
    return log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))


def _list_best(evidence: Evidence) -> list[int]:
    return sorted(evidence, key=lambda ordinal: -_sum_up(evidence[ordinal]))[:_CITED]


def _sum_up(scores: Sequence[float]) -> float:
    return scores[0] + _FOLLOWING * sum(scores[1:4])
