"""All sentences that cite a norm, taken as one text, and how well a question fits it by BM25.

A near sentence tells what one court wrote; a norm's sentences together tell what it is cited for.
Only words are kept, in an inverted file of 32-bit hashes whose arrays are memory-mapped. What is
hidden is left out sentence by sentence, so that training sees just what a question would have met.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from fundstelle.search.index import CitingSentence
from fundstelle.search.meaning.arrays import ArrayFolder
from fundstelle.search.ranking.forward import Floats, Numbers, hash_term

Mask = npt.NDArray[np.bool_]
"""By number of the sentence."""

_K, _B = 1.2, 0.75  # of BM25


@dataclass(frozen=True, slots=True)
class Fit:
    """How well each norm that some sentence cites fits a question."""

    norms: Numbers  # ordinals in ascending order
    scores: Floats  # 0 if no visible sentence cites it
    order: Numbers  # places of the norms with a score, the best first

    def find(self, ordinals: Numbers) -> Floats:
        """The scores of some norms; 0 of those that no sentence cites."""
        return self._spread(ordinals, self.scores)

    def rank(self, ordinals: Numbers) -> Floats:
        """Their places, the best being 0; of those that no sentence cites the last place."""
        last = float(len(self.norms))
        places = np.zeros(len(self.norms))
        places[self.order] = np.arange(len(self.order)) - last
        return last + self._spread(ordinals, places)

    def list_best(self, count: int) -> list[int]:
        """The ordinals that fit best."""
        found: list[int] = self.norms[self.order[:count]].tolist()
        return found

    def _spread(self, ordinals: Numbers, values: Floats) -> Floats:
        if not len(self.norms):
            return np.zeros(len(ordinals))
        at = np.minimum(np.searchsorted(self.norms, ordinals), len(self.norms) - 1)
        return np.where(self.norms[at] == ordinals, values[at], 0.0)


@dataclass(frozen=True, slots=True)
class Contexts(ArrayFolder):
    """The inverted file: for each term the sentences that hold it, and what those cite."""

    NAME = "contexts"

    terms: npt.NDArray[np.uint32]  # in ascending order
    starts: Numbers  # of each term's postings, and the end of the last
    sentences: npt.NDArray[np.int32]
    counts: npt.NDArray[np.float32]  # how often the sentence holds the term
    lengths: npt.NDArray[np.float32]  # of each sentence, in terms
    norms: Numbers  # ordinals of all norms cited, in ascending order
    cited_starts: Numbers  # by sentence
    cited: npt.NDArray[np.int32]  # places in ``norms``

    @classmethod
    def build(
        cls, sentences: Sequence[CitingSentence], analyse: Callable[[str], list[str]]
    ) -> Self:
        """Read the sentences in their order."""
        postings: dict[int, list[tuple[int, int]]] = {}
        lengths = []
        for number, sentence in enumerate(sentences):
            terms = analyse(sentence.text)
            lengths.append(len(terms))
            for term, count in Counter(map(hash_term, terms)).items():
                postings.setdefault(term, []).append((number, count))
        ordered = sorted(postings)
        flat = [posting for term in ordered for posting in postings[term]]
        cited = [ordinal for sentence in sentences for ordinal in sentence.cited]
        norms, places = np.unique(np.array(cited, np.int64), return_inverse=True)
        return cls(
            terms=np.array(ordered, np.uint32),
            starts=_add_up([len(postings[term]) for term in ordered]),
            sentences=np.array([number for number, _ in flat], np.int32),
            counts=np.array([count for _, count in flat], np.float32),
            lengths=np.array(lengths, np.float32),
            norms=norms,
            cited_starts=_add_up([len(sentence.cited) for sentence in sentences]),
            cited=places.astype(np.int32),
        )

    def fit(self, terms: Sequence[str], lengths: Floats, hidden: Mask | None = None) -> Fit:
        """How well the norms fit some terms, without the sentences that are hidden.

        A sentence that cites many norms says less of each. ``lengths`` are those that ``measure``
        gives.
        """
        numbers, postings = self._find_postings(terms)
        found = self.sentences[postings]
        if hidden is not None:
            seen = ~hidden[found]
            numbers, postings, found = numbers[seen], postings[seen], found[seen]
        owners, norms, shares = self._expand(found)
        size = len(self.norms)
        counted = np.bincount(
            numbers[owners] * size + norms, self.counts[postings][owners] * shares
        )
        held = np.flatnonzero(counted > 0)  # few: most norms are cited with none of the terms
        term, norm = np.divmod(held, max(size, 1))
        known = int((lengths > 0).sum())
        average = lengths.sum() / max(known, 1) or 1.0
        holding = np.bincount(term, minlength=len(terms))
        weights = np.log1p((known - holding + 0.5) / (holding + 0.5))
        soft = _K * (1 - _B + _B * lengths[norm] / average)
        weighed = weights[term] * (counted[held] * (_K + 1) / (counted[held] + soft + 1e-9))
        scores = np.bincount(norm, weighed, size).astype(np.float64, copy=False)
        best = np.flatnonzero(scores > 0)
        return Fit(self.norms, scores, best[np.argsort(-scores[best], kind="stable")])

    def count(self, size: int, hidden: Mask | None = None) -> Numbers:
        """By ordinal below ``size`` how many sentences cite the norm."""
        cited = self.cited
        if hidden is not None:
            cited = cited[~np.repeat(hidden, np.diff(self.cited_starts))]
        return np.bincount(self.norms[cited], minlength=size)

    def _find_postings(self, terms: Sequence[str]) -> tuple[Numbers, Numbers]:
        """For each posting of the terms the number of the term, and its place."""
        hashed = np.array([hash_term(term) for term in terms], np.uint32)
        if not len(self.terms):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.terms, hashed), len(self.terms) - 1)
        held = np.flatnonzero(self.terms[at] == hashed)
        return _unfold(held, self.starts[at[held]], self.starts[at[held] + 1])

    def _expand(self, sentences: npt.NDArray[np.int32]) -> tuple[Numbers, Numbers, Floats]:
        """For each norm that each sentence cites: whose it is, its place, its share."""
        first, last = self.cited_starts[sentences], self.cited_starts[sentences + 1]
        owners, places = _unfold(np.arange(len(sentences)), first, last)
        shares = 1.0 / np.sqrt((last - first).astype(np.float64))
        return owners, self.cited[places].astype(np.int64), shares[owners]

    def measure(self, hidden: Mask | None = None) -> Floats:
        """The length of each norm's text: of all sentences that cite it and are not hidden."""
        count = np.diff(self.cited_starts)
        lengths = self.lengths / np.sqrt(count)
        if hidden is not None:
            lengths = np.where(hidden, 0.0, lengths)
        of_norms = np.bincount(self.cited, np.repeat(lengths, count), minlength=len(self.norms))
        return of_norms.astype(np.float64)


def _add_up(lengths: Sequence[int]) -> Numbers:
    return np.concatenate([[0], np.cumsum(np.array(lengths, np.int64))]).astype(np.int64)


def _unfold(owners: Numbers, first: Numbers, last: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers of the ranges ``[first, last)``, each with the owner of its range."""
    lengths = last - first
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(owners, lengths), np.arange(total) + np.repeat(last - ends, lengths)
