"""What the learned ranking knows of each norm, by ordinal, without opening the corpus.

Terms of headings, of the headings above and of the law's names are kept as 32-bit hashes in flat
arrays, each with an array of where a row begins. Neighbours share the headings above and their
law: those rows are kept once, and a norm holds their number. All files are memory-mapped, so
that the workers of a server share them.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

from fundstelle.search.meaning.arrays import ArrayFolder

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_EU = "eu/"
_INDIRECT = re.compile(r"eu/(?:1|3\d{4}[LF])")  # CELEX: treaties, directives, framework decisions


def hash_term(term: str) -> int:
    """32 bits of a term, the same in every process."""
    return crc32(term.encode())


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of hashed terms, one behind the other."""

    starts: npt.NDArray[np.int64]  # of each row, and the end of the last
    terms: npt.NDArray[np.uint32]  # of a row in ascending order, each once

    def sum_weights(self, rows: Numbers, terms: npt.NDArray[np.uint32], weights: Floats) -> Floats:
        """For each of the ``rows`` the sum of ``weights`` of those ``terms`` that it holds.

        ``terms`` are in ascending order.
        """
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        if not total or not len(terms):
            return np.zeros(len(rows))
        places = np.arange(total) + np.repeat(self.starts[rows] - ends + lengths, lengths)
        found = self.terms[places]
        at = np.minimum(np.searchsorted(terms, found), len(terms) - 1)
        held = np.where(terms[at] == found, weights[at], 0.0)
        owners = np.repeat(np.arange(len(rows)), lengths)
        return np.bincount(owners, held, len(rows)).astype(np.float64)


class _RowsWriter:
    def __init__(self) -> None:
        self._starts = array("q", [0])
        self._terms = array("I")
        self._known: dict[bytes, int] = {}
        self.add(())  # row 0 holds nothing

    def __len__(self) -> int:
        return len(self._known)

    def add(self, terms: Iterable[str]) -> int:
        """The number of a row with these terms."""
        row = array("I", sorted({hash_term(term) for term in terms}))
        key = row.tobytes()
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._known)
            self._terms.extend(row)
            self._starts.append(len(self._terms))
        return number

    def freeze(self) -> Rows:
        return Rows(np.array(self._starts, np.int64), np.array(self._terms, np.uint32))


@dataclass(frozen=True, slots=True)
class Forward(ArrayFolder):
    """Arrays by ordinal, and the rows that they point to. Decisions have the law -1."""

    NAME = "forward"

    laws: npt.NDArray[np.int32]  # number of the law
    sizes: npt.NDArray[np.float32]  # ln(1 + characters of the text)
    headings: npt.NDArray[np.int32]  # row of its own heading ...
    heading_weights: npt.NDArray[np.float32]  # ... and the sum of the weights of its terms
    hierarchies: npt.NDArray[np.int32]  # row of the headings above it
    names: npt.NDArray[np.int32]  # by law: row of its names
    statute_ids: npt.NDArray[np.str_]  # by law
    row_starts: npt.NDArray[np.int64]
    row_terms: npt.NDArray[np.uint32]

    @property
    def rows(self) -> Rows:
        """The rows of terms."""
        return Rows(self.row_starts, self.row_terms)

    @property
    def european(self) -> npt.NDArray[np.bool_]:
        """By law, whether it is the Union's."""
        return np.char.startswith(self.statute_ids, _EU)

    @property
    def indirect(self) -> npt.NDArray[np.bool_]:
        """By law, whether it is law of the Union that people meet as federal law makes it.

        Treaties, directives and framework decisions, unlike regulations.
        """
        found = [_INDIRECT.match(statute_id) is not None for statute_id in self.statute_ids]
        return np.array(found, np.bool_)

    def is_of(self, ordinals: Numbers, statute_ids: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which of the norms belong to one of the laws."""
        wanted = np.isin(self.statute_ids, list(statute_ids))
        return wanted[self.laws[ordinals]]


class ForwardWriter:
    """Collects the arrays while an index is built; documents come in any order."""

    def __init__(self) -> None:
        self._places = array("q")  # five numbers a norm
        self._rows = _RowsWriter()
        self._laws: dict[str, int] = {}
        self._names = array("i")
        self._headings: dict[int, str] = {}  # terms, divided by blanks
        self._last = -1  # ordinal

    def add(  # noqa: PLR0913, PLR0917 of one norm
        self,
        ordinal: int,
        statute_id: str,
        characters: int,
        law: Iterable[str],
        heading: Iterable[str],
        hierarchy: Iterable[str],
    ) -> None:
        """Note one norm: characters of its text, terms of its headings and its law's names.

        A decision is none, as it has no law.
        """
        self._last = max(self._last, ordinal)
        if not statute_id:
            return
        number = self._laws.setdefault(statute_id, len(self._names))
        if number == len(self._names):
            self._names.append(0)
        if not self._names[number]:  # what cannot be searched tells no names
            self._names[number] = self._rows.add(law)
        terms = sorted(set(heading))
        row = self._rows.add(terms)
        self._headings.setdefault(row, " ".join(terms))
        above = self._rows.add(hierarchy)
        self._places.extend((ordinal, number, characters, row, above))

    def pass_over(self, ordinals: Sequence[int]) -> None:
        """These are decisions, which are noted nowhere."""
        self._last = max(self._last, *ordinals[-1:])

    def finish(self, weigh: Callable[[str, int], float]) -> Forward:
        """The arrays; ``weigh`` gives the weight of a term among so many norms."""
        count = self._last + 1
        norms = len(self._places) // 5
        weights = np.zeros(len(self._rows))
        for row, terms in self._headings.items():
            weights[row] = sum(weigh(term, norms) for term in terms.split())
        columns = np.full((4, count), -1, np.int64)
        if self._places:
            ordinals, *values = np.array(self._places, np.int64).reshape(-1, 5).T
            columns[:, ordinals] = values
        laws, characters, headings, hierarchies = columns
        rows = self._rows.freeze()
        return Forward(
            laws=laws.astype(np.int32),
            sizes=np.log1p(np.maximum(characters, 0)).astype(np.float32),
            headings=headings.astype(np.int32),
            heading_weights=weights[headings].astype(np.float32),
            hierarchies=hierarchies.astype(np.int32),
            names=np.array(self._names, np.int32),
            statute_ids=np.array(list(self._laws), np.str_),
            row_starts=rows.starts,
            row_terms=rows.terms,
        )
