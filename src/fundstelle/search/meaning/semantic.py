"""The second stage: norms near a question by meaning, whatever words they use.

The vectors of a build may cover only a part of its norms, since they are computed beside the
running service. A norm without one is ranked by words.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fundstelle.errors import CorpusError, EmbedderError
from fundstelle.search.meaning.embedder import Vector
from fundstelle.search.meaning.vectors import Similarities
from fundstelle.search.ranking.forward import Floats, Numbers

Ranked = list[tuple[float, int]]  # cosine and ordinal, best first
Admit = Callable[[Sequence[int]], set[int]]
"""From ordinals to those of them that the filters of a request admit."""

_WIDENED = 8  # times as many are looked at while the filters leave too few
_KEPT = 256  # questions whose vectors are kept: the next page of an answer asks the same

_log = logging.getLogger(__name__)


class Near(Protocol):
    """Vectors of one build's norms."""

    @property
    def model(self) -> str:
        """The name of the model that made them."""

    @property
    def dimensions(self) -> int:
        """Of a vector."""

    @property
    def least(self) -> float:
        """The cosine from which on a norm is near."""

    def refresh(self) -> None:
        """See what has come to them."""

    def nearest(self, question: Vector, count: int) -> Ranked:
        """The nearest norms, best first."""

    def similarity(self, question: Vector, ordinals: npt.ArrayLike) -> Similarities:
        """The cosine of each of these norms, NaN of one without a vector."""

    def close(self) -> None:
        """Release files."""


class Questioned(Protocol):
    """A model that questions are given to: an ``Embedder``, or one that may know no word of one."""

    @property
    def name(self) -> str:
        """What tells this model from every other."""

    def embed_questions(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """The vectors of what one search asks; ``None`` where it cannot say anything of a text."""

    def close(self) -> None:
        """Release files and connections."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of one question, and the vectors that it can be compared with."""

    question: Vector
    near: Near
    decisions: Near | None = None  # vectors of decisions, where the model has made some

    def find(self, count: int, admit: Admit | None = None) -> Ranked:
        """The nearest norms inside the filters."""
        looked_at = count
        while True:
            near = self.near.nearest(self.question, looked_at)
            if admit is None:
                return near
            admitted = admit([ordinal for _, ordinal in near])
            found = [hit for hit in near if hit[1] in admitted][:count]
            if len(found) == count or len(near) < looked_at:
                return found
            looked_at *= _WIDENED

    def find_among(self, count: int, ordinals: Numbers) -> Ranked:
        """The nearest of some norms, as far as they are near."""
        cosines = self.near.similarity(self.question, ordinals)
        order = np.lexsort((ordinals, -cosines))[:count]  # those without a vector come last
        least = self.near.least  # which NaN is not above
        return [(float(cosines[at]), int(ordinals[at])) for at in order if cosines[at] >= least]

    def compare_decisions(self, ordinals: Sequence[int]) -> Floats | None:
        """How near decisions are, NaN without a vector; ``None`` if none has one."""
        if self.decisions is None:
            return None
        return self.decisions.similarity(self.question, ordinals).astype(np.float64)

    def rate(self, ordinals: Numbers) -> Floats:
        """How near norms are, against each other: mean 0 and deviation 1, 0 without a vector."""
        cosines = self.near.similarity(self.question, ordinals).astype(np.float64)
        known = ~np.isnan(cosines)
        if known.sum() < 2:
            return np.zeros(len(ordinals))
        mean, deviation = cosines[known].mean(), cosines[known].std()
        return np.where(known, (cosines - mean) / (deviation or 1.0), 0.0)


class Semantic:
    """A model and the vectors that it made of one build's norms. Not shared between threads.

    ``open_vectors`` is asked until there are some, since they may come beside a running server.
    """

    def __init__(
        self,
        open_vectors: Callable[[], Near | None],
        embedder: Questioned,
        decisions: Near | None = None,
    ) -> None:
        self._open_vectors = open_vectors
        self._embedder = embedder
        self._decisions = decisions
        self._vectors: Near | None = None
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._left: frozenset[str] = frozenset()  # of the search that prepared last
        self._is_other = False  # the vectors are of another model, or damaged

    def read(self, text: str) -> Meaning | None:
        """What a question means; ``None`` if there is nothing to compare it with just now.

        That is so without vectors, with those of another model, where the model fails, and where
        it knows no word of the question.
        """
        vectors = self._find_vectors()
        if vectors is None:
            return None
        vector = self._kept.get(text)
        if vector is None and text not in self._left:
            self._embed([text], vectors.dimensions)
            vector = self._kept.get(text)
        if vector is None:
            return None
        self._kept.move_to_end(text)
        return Meaning(vector, vectors, self._decisions)

    def prepare(self, texts: Sequence[str]) -> None:
        """Have the vectors of all that one search will read, by one question to the model.

        A text of which it gives none is not asked for again in that search.
        """
        vectors = self._find_vectors()
        if vectors is not None:
            new = [text for text in texts if text not in self._kept]
            self._embed(new, vectors.dimensions)
            self._left = frozenset(new) - self._kept.keys()

    def _embed(self, texts: Sequence[str], dimensions: int) -> None:
        """Keep the vectors of texts, where the model gives some."""
        if not texts:
            return
        try:
            given = self._embedder.embed_questions(texts)
        except EmbedderError as error:
            _log.warning("a search goes on without its semantic stage: %s", error)
            return
        for text, vector in zip(texts, given, strict=True):
            if vector is None:
                continue
            if vector.shape != (dimensions,):
                _log.warning("a search goes on without its semantic stage: vectors differ in size")
                return
            self._kept[text] = vector
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _find_vectors(self) -> Near | None:
        """Those of the build, also if they came, or grew, since the last question."""
        if self._vectors is not None:
            self._vectors.refresh()
            return self._vectors
        if self._is_other:
            return None
        try:
            vectors = self._open_vectors()
        except CorpusError as error:
            _log.warning("the semantic search is off: %s", error)
            self._is_other = True
            return None
        if vectors is not None and vectors.model != self._embedder.name:
            _log.warning(
                "the semantic search is off: the vectors are those of %s; 'fundstelle embed' "
                "computes those of %s, then restart",
                vectors.model,
                self._embedder.name,
            )
            vectors.close()
            self._is_other = True
            return None
        self._vectors = vectors
        return vectors

    def close(self) -> None:
        """Release the vectors and the model."""
        for vectors in (self._vectors, self._decisions):
            if vectors is not None:
                vectors.close()
        self._embedder.close()
