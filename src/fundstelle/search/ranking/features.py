"""The 30 numbers by which the learned ranking tells a good norm from a bad one.

Their order is that of the trained models: a change of order or meaning needs new models. New ones
come last, since a model reads as many as it was trained on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fundstelle.search.ranking.contexts import Fit
from fundstelle.search.ranking.forward import Floats, Forward, Numbers

FEATURES = {
    "score": "BM25 of stage 1",
    "score_share": "the same, as a share of the best candidate's",
    "rank": "place in the order of stage 1 with priors, from 0",
    "weighed": "BM25 times prior, as a share of the best BM25",
    "prior": "how often other norms refer to the norm and its law",
    "cited": "ln(1 + sentences of decisions that cite the norm)",
    "law_cited": "ln(1 + citations of any norm of its law)",
    "sentence": "score of the sentence nearest to the question that cites the norm",
    "sentence_share": "the same, as a share of the best norm's",
    "sentences": "sum of the scores of all near sentences that cite the norm",
    "sentence_count": "how many near sentences cite it",
    "heading_held": "share of the question's weight that its heading holds",
    "heading_covered": "that weight as a share of the heading's own",
    "hierarchy_held": "share of the question's weight that the headings above hold",
    "law_held": "share of the question's weight that the names of its law hold",
    "length": "ln(1 + characters of its text)",
    "terms": "telling terms of the question",
    "weight": "their weight in all",
    "european": "1 for law of the Union",
    "law_sentences": "share of its law in what all near sentences say",
    "law_score": "share of its law in the first 20 of stage 1",
    "distance": "norms between it and the best cited norm of its law, 99 if there is none",
    "heading_score": "heading_held times score_share",
    "contexts": "BM25 of all sentences that cite the norm, taken as one text",
    "contexts_share": "the same, as a share of the best norm's",
    "contexts_rank": "place by it among all norms cited, from 0",
    "contexts_of_law": "share of its law in what contexts say",
    "contexts_best_of_law": "contexts_share of the best norm of its law",
    "nearest": "sum of the 4th powers of sentence_share of all near sentences that cite it",
    "nearest_share": "the same, as a share of the best norm's",
}
PLAIN = 23  # features of the default model; what follows says how courts write, not how people ask

_FIRST = 20  # of stage 1 that say which law is meant
_BEST = 5  # cited norms whose neighbours are looked at
_FAR = 99.0
_STEP = 3.0  # of contexts: a norm that fits so much worse counts e times less for its law
_UNION_SHARE = 0.7  # sentences never name law of the Union: its words stand in for its contexts

Features = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Question:
    """The telling terms of a question, as hashes in ascending order, each with its weight."""

    terms: npt.NDArray[np.uint32]
    weights: Floats
    total: float  # sum of the weights, at least a little


@dataclass(frozen=True, slots=True)
class Candidates:
    """Norms that may answer, in the order of stage 1, with their BM25."""

    ordinals: Numbers
    scores: Floats

    def __len__(self) -> int:
        return len(self.ordinals)


@dataclass(frozen=True, slots=True)
class Known:
    """What does not depend on the question, by ordinal or by number of the law."""

    forward: Forward
    priors: Floats
    cited: Numbers  # sentences that cite the norm
    law_cited: Numbers  # citations of the norms of the law
    european: npt.NDArray[np.bool_]  # by law


Evidence = Mapping[int, Sequence[float]]
"""By ordinal the scores of the near sentences that cite it, best sentence first."""


def describe(
    question: Question,
    candidates: Candidates,
    evidence: Evidence,
    known: Known,
    fit: Fit | None = None,
) -> Features:
    """One row a candidate, one column a feature."""
    forward, ordinals = known.forward, candidates.ordinals
    laws = forward.laws[ordinals].astype(np.int64)
    weighed = candidates.scores * known.priors[ordinals]
    order = np.argsort(-weighed, kind="stable")
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    share = candidates.scores / (candidates.scores.max(initial=0.0) or 1.0)
    held, covered = _compare_headings(question, ordinals, forward)
    hierarchy = _sum(question, forward.hierarchies[ordinals], forward)
    names = _sum(question, forward.names[laws], forward)
    columns = (
        candidates.scores,
        share,
        rank,
        weighed / (candidates.scores.max(initial=0.0) or 1.0),
        known.priors[ordinals],
        np.log1p(known.cited[ordinals]),
        np.log1p(known.law_cited[laws]),
        *_read_sentences(ordinals, evidence),
        held,
        covered,
        hierarchy,
        names,
        forward.sizes[ordinals],
        np.full(len(ordinals), len(question.terms)),
        np.full(len(ordinals), question.total),
        known.european[laws],
        *_compare_laws(laws, weighed, order, evidence, forward),
        _measure_distance(ordinals, laws, evidence, forward),
        held * share,
        *_read_contexts(ordinals, known, fit, share, rank),
        *_read_nearest(ordinals, evidence),
    )
    return np.column_stack(columns).astype(np.float32)


def _sum(question: Question, rows: npt.NDArray[np.int32], forward: Forward) -> Floats:
    """The share of the question's weight that each row holds."""
    numbers = rows.astype(np.int64)
    found = forward.rows.sum_weights(numbers, question.terms, question.weights)
    return found / question.total


def _compare_headings(
    question: Question, ordinals: Numbers, forward: Forward
) -> tuple[Floats, Floats]:
    held = _sum(question, forward.headings[ordinals], forward)
    own = forward.heading_weights[ordinals].astype(np.float64)
    return held, held * question.total / np.where(own > 0, own, 1.0)


def _read_sentences(ordinals: Numbers, evidence: Evidence) -> tuple[Floats, ...]:
    said = [evidence.get(ordinal, ()) for ordinal in ordinals.tolist()]
    first = np.array([scores[0] if scores else 0.0 for scores in said])
    best = max((scores[0] for scores in evidence.values()), default=0.0) or 1.0
    total = np.array([sum(scores) for scores in said], np.float64)
    return first, first / best, total, np.array([len(scores) for scores in said], np.float64)


def _compare_laws(
    laws: Numbers, weighed: Floats, order: Numbers, evidence: Evidence, forward: Forward
) -> tuple[Floats, Floats]:
    count = len(forward.names)
    cited = np.fromiter(evidence, np.int64, len(evidence))
    said = np.array([sum(scores) for scores in evidence.values()], np.float64)
    by_sentences = np.bincount(forward.laws[cited], said, count)
    first = order[:_FIRST]
    by_score = np.bincount(laws[first], weighed[first], count)
    return (
        by_sentences[laws] / (by_sentences.sum() or 1.0),
        by_score[laws] / (by_score.sum() or 1.0),
    )


def _measure_distance(
    ordinals: Numbers, laws: Numbers, evidence: Evidence, forward: Forward
) -> Floats:
    best = sorted(evidence, key=lambda ordinal: -evidence[ordinal][0])[:_BEST]
    if not best:
        return np.full(len(ordinals), _FAR)
    at = np.array(best, np.int64)
    apart = np.abs(ordinals[:, None] - at[None, :]).astype(np.float64)
    same = laws[:, None] == forward.laws[at][None, :]
    nearest = np.where(same, apart, np.inf).min(axis=1)
    return np.where(np.isinf(nearest), _FAR, nearest)


def _read_contexts(
    ordinals: Numbers, known: Known, fit: Fit | None, share: Floats, rank: Floats
) -> tuple[Floats, ...]:
    laws, count = known.forward.laws[ordinals], len(known.forward.names)
    best = float(fit.scores.max(initial=0.0)) if fit is not None else 0.0
    if fit is None or not best:
        nothing = np.zeros(len(ordinals))
        return (nothing,) * 5
    scores = fit.scores[fit.order]
    of_norms = known.forward.laws[fit.norms[fit.order]]
    by_law = np.bincount(of_norms, np.exp((scores - best) / _STEP), count)
    best_of_law = np.zeros(count)
    best_of_law[of_norms[::-1]] = scores[::-1] / best  # the best of each law comes last
    own, places = fit.find(ordinals), fit.rank(ordinals)
    european = known.european[laws]
    own = np.where(european, _UNION_SHARE * best * share, own)
    places = np.where(european, rank, places)
    return own, own / best, places, by_law[laws] / by_law.sum(), best_of_law[laws]


def _read_nearest(ordinals: Numbers, evidence: Evidence) -> tuple[Floats, Floats]:
    best = max((scores[0] for scores in evidence.values()), default=0.0) or 1.0
    sums = {
        ordinal: sum((score / best) ** 4 for score in scores)
        for ordinal, scores in evidence.items()
    }
    own = np.array([sums.get(ordinal, 0.0) for ordinal in ordinals.tolist()], np.float64)
    return own, own / (max(sums.values(), default=0.0) or 1.0)
