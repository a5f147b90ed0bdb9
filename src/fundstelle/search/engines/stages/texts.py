"""What the stages ask of an engine: one index of texts, one of sentences, and how both are written.

Terms are made by ``search.words.german`` and divided by blanks: every engine sees the same words,
and none analyses anything itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fundstelle.search.index import HeldPart, SearchRequest

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
LAST_DAY = 99_999_999  # YYYYMMDD, behind all days
FACET_VALUES = 1_000

Query = Any
"""A query as an engine has it: only the index that made it reads it."""
Clause = Any
"""A filter of an engine, as ``Query``."""
Numbers = npt.NDArray[np.int64]
Ranked = list[tuple[float, int]]  # score and ordinal, best first
Facets = dict[str, dict[str, int]]


Values = Sequence[str] | Sequence[int]


def list_filters(request: SearchRequest) -> list[tuple[str, Values]]:
    """The fields of which a request admits some values only, and those values."""
    wanted: list[tuple[str, Values | None]] = [
        *request.filters.items(),
        ("ancestor", request.ancestors),
        ("ordinal", request.ordinals),
    ]
    return [(name, values) for name, values in wanted if values is not None]


@dataclass(frozen=True, slots=True)
class Described:
    """One text as it is indexed.

    ``values`` are those of ``VALUES`` that it has; ``numbers`` days (``day``, ``year``, ``since``,
    ``until``, as YYYYMMDD or YYYY). One that is not searchable keeps its place, and is never found.
    """

    ordinal: int
    searchable: bool = False
    terms: str = ""
    values: tuple[tuple[str, str], ...] = ()
    ancestors: tuple[int, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()


class NewPart(NamedTuple):
    """Decisions of one part of an index, in the order of their ordinals; they are read once."""

    part: int
    texts: Iterable[Described]


class Texts(Protocol):
    """One opened index of texts. Not shared between threads."""

    @property
    def searchable(self) -> int:
        """How many texts can be found."""

    @property
    def foresees(self) -> bool:
        """Whether it asks at once what was foreseen, since each question takes a way."""

    def foresee(self, query: Query, limit: int) -> None:
        """What will be searched later in this search."""

    def foresee_values(self, query: Query) -> None:
        """What will be counted later in this search."""

    def search(self, query: Query, limit: int, offset: int = 0) -> tuple[Ranked, int]:
        """The best hits and the number of all; equal scores in the order they were written."""

    def count(self, term: str) -> int:
        """In how many texts a term stands."""

    def weigh(self, term: str) -> float:
        """What BM25 makes of how rare a term is in this index."""

    def build(
        self,
        terms: Sequence[str],
        clauses: Sequence[Clause],
        *,
        every: bool = False,
        weights: Mapping[str, float] | None = None,
    ) -> Query:
        """Any of the terms, or every one, inside the filters; ``weights`` of terms, else 1."""

    def combine(self, clauses: Sequence[Clause]) -> Query:
        """The filters alone."""

    def narrow(self, query: Query, field: str, values: Sequence[Any]) -> Query:
        """A query inside one more filter, with the same scores."""

    def iter_clauses(self, request: SearchRequest) -> Iterator[Clause]:
        """One clause for each filter that excludes anything; none adds to the score."""

    def limit(self, field: str, low: int, high: int) -> Clause:
        """Only texts whose ``field`` lies in ``[low, high]``."""

    def raise_laws(self, statute_ids: Sequence[str]) -> Iterator[Clause]:
        """What lets norms of these laws score higher."""

    def count_values(self, query: Query) -> Facets:
        """How many of the texts found have which value, by facet."""

    def close(self) -> None:
        """Release files and connections; once is enough, twice does no harm."""


class NearSentences(Protocol):
    """One opened index of sentences. Not shared between threads."""

    def foresee(self, terms: Sequence[str], limit: int) -> None:
        """What will be found later in this search."""

    def find(self, terms: Sequence[str], limit: int) -> Sequence[tuple[float, int]]:
        """Score and number of the sentences that hold any of the terms, best first."""

    def close(self) -> None:
        """Release files and connections."""


class Storage(Protocol):
    """How an engine keeps indexes in a folder, or what leads to them."""

    def write_texts(self, texts: Iterable[Described], folder: Path) -> Texts:
        """A new index of texts in their order, checked, in the ``folder``, opened.

        Raises:
            CorpusError: it cannot be written, or did not keep the texts as they were given.
        """

    def write_parts(
        self,
        norms: Iterable[Described],
        decisions: Iterable[NewPart | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> Texts:
        """As ``write_texts``, of norms and of the decisions that count on from them, by part.

        ``same`` is the folder of an index whose ``find_parts`` has those that are held.

        Raises:
            CorpusError: it cannot be written, or did not keep the texts as they were given.
        """

    def find_parts(self, folder: Path) -> Mapping[int, Numbers]:
        """The ordinals of the decisions of the index in ``folder``, by part, if others may have it.

        Ascending; parts by their numbers.
        """

    def open_texts(self, folder: Path) -> Texts:
        """The index in ``folder``.

        Raises:
            CorpusError: there is none.
        """

    def write_sentences(self, sentences: Iterable[str], folder: Path) -> None:
        """A new index of the terms of sentences, numbered from 0, in the empty ``folder``."""

    def open_sentences(self, folder: Path) -> NearSentences:
        """The index of sentences in ``folder``."""
