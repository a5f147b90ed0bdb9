"""The ports of an ingestion: a build in the making, and one that is read from end to end."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple, Protocol

from fundstelle.corpus.decision_rows import EncodedDecision
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.corpus.missing import MissingLaw
from fundstelle.corpus.rows import EncodedStatute, Row
from fundstelle.corpus.store import CorpusStore
from fundstelle.corpus.stored import StoredTexts
from fundstelle.law.decisions import Decision, DecisionText
from fundstelle.law.norms import Fassung, Norm, Statute

Edge = tuple[int, int | None, str, str, int, int]
"""Ordinals of citing and cited norm (-1 - statute for a whole law, ``None`` for what is not held),
the cited path below the section, the words, and their offsets in the citing norm's text."""


DatedText = tuple[int, date, str]
"""A norm's ordinal, the day on which its text went or came, the text."""
HeirRow = tuple[int, int, int]
"""Ordinals of the norm that went and of its heir, per cent of the words that it has."""


class CitedNorm(NamedTuple):
    """Where a decision cites something; offsets as in ``Citing``."""

    citing: int  # number of the decision
    ordinal: int | None  # of the norm; ``None``: something else is cited, or a law as a whole
    start: int
    end: int
    sentence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Root:
    """The root of a build's Merkle tree, 64 hex digits, and how many leaves it has."""

    root: str
    size: int


class Designation(NamedTuple):
    """A norm as it is stored, without its numbers and its texts.

    Attributes:
        place: what other norms may be told from: its id, kind, numbers, label and keys.
        rest: what stands over it and beside it.
    """

    place: Row
    rest: Row

    @property
    def norm_id(self) -> str:
        """Its id."""
        return str(self.place[0])


class MarkedDecision(NamedTuple):
    """A decision by what it is cited by, and by what its own citations are read from.

    Attributes:
        names: its id and ECLI.
        dockets: keys of them.
        court: as stored.
        day: ISO.
        read: a hash of its words, and of where their parts and Randnummern lie.
    """

    decision_id: str
    names: tuple[str, ...]
    dockets: tuple[str, ...]
    court: str
    day: str | None
    read: bytes

    @property
    def named(self) -> tuple[object, ...]:
        """All but what it says."""
        return self[:-1]


@dataclass(frozen=True, slots=True)
class Renumbered:
    """What decisions of another build cite, by the numbers here; each pair is there, here.

    Attributes:
        kept: decisions that cite the same.
        decisions: all that are in both builds.
        norms: ordinals of norms (``-1 - statute`` for a law) that are the same.
    """

    kept: Sequence[tuple[int, int]]
    decisions: Sequence[tuple[int, int]]
    norms: Sequence[tuple[int, int]]


class TakeStatute(Protocol):
    """Stores a statute with all its norms as another build has them."""

    def __call__(self, span: tuple[int, int], statute: Statute, confirmed: date | None) -> None:
        """Store it under its own id, which is the same there.

        Args:
            span: ordinals of its first and last norm there.
            statute: how it is described now.
            confirmed: a look that found it unchanged: its newest texts were seen on that day.
        """


TakeDecisions = Callable[[range], None]
"""Stores the decisions with these numbers of another build as they are there."""


class CorpusWriter(Protocol):
    """Fills one new build: statutes and decisions, ``index``, then what cites what, ``finish``.

    Statutes come in the order of their ids, and so do decisions.
    """

    def add_statute(
        self, statute: Statute, norms: Iterable[tuple[Norm, Sequence[Fassung]]]
    ) -> None:
        """Store one statute with its norms in document order."""

    def add_encoded(self, statute: EncodedStatute) -> None:
        """Store what ``rows.encode_statute`` made, perhaps in another process."""

    def taking(self, database: Path) -> AbstractContextManager[TakeStatute]:
        """To store statutes of another build, those of ``find_unlike_new`` left out."""

    def add_missing(self, laws: Iterable[MissingLaw]) -> None:
        """Store what the publisher lists and the source does not have."""

    def add_decision(self, decision: EncodedDecision) -> None:
        """Store one decision."""

    def taking_decisions(self, database: Path) -> AbstractContextManager[TakeDecisions]:
        """To store decisions of another build as they are there, between others."""

    def share_decisions(self, database: Path) -> int:
        """Hold all decisions of another build, no other, and what they cite; how many.

        Norms and statutes have the same numbers here. What decisions cite is then not added.
        """

    def index_laws(self) -> None:
        """Make norms findable by id, number and heading; after the last statute."""

    def index(self) -> None:
        """The same for decisions, after the last of all; and for norms, if it is not done."""

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Store references between norms; those of one norm together, in order of the text."""

    def add_citings(self, citings: Iterable[Row]) -> None:
        """Store what decisions cite, those of one decision together, in order of the text.

        A row is the citing decision's number and the columns of ``citings`` from ``kind`` on.
        """

    def take_citings(self, database: Path, numbers: Renumbered) -> None:
        """Store what some decisions of another build cite as it was found there.

        Which decision a page is, is not taken over.
        """

    def add_ranged(self, citings: Iterable[tuple[int, int]]) -> None:
        """Say of rows, as in ``add_place``, that what they cite only lies within a range."""

    def add_place(self, key: str, decision: int | None, citing: tuple[int, int] | None) -> None:
        """Store whose page a page is: a decision held, a row that names it, or both.

        A row is the citing decision's number and its place among the rows added for it.
        """

    def resolve_citings(self, citings: Iterable[tuple[int, int]], decision: int) -> None:
        """Say of rows, as in ``add_place``, which decision they cite; none cites itself."""

    def add_heirs(self, heirs: Iterable[HeirRow]) -> None:
        """Store which provision took the place of which."""

    def commit(self) -> None:
        """Let readers see what was added so far."""

    def complete(self) -> None:
        """Index the references and make the tree, after the last of all; readers may watch on."""

    def finish(self) -> None:
        """Complete it, if it is not, and flush to disk."""

    def close(self) -> None:
        """Give up; what was written is of no use."""


class WholeStore(CorpusStore, Protocol):
    """A build whose norms are gone through one by one."""

    @property
    def decisions(self) -> "WholeDecisions":
        """The decisions of the same build."""

    def list_stored(self, statute_id: str) -> list[tuple[Norm, StoredTexts]] | None:
        """As ``list_histories`` with the texts as they are stored; ``None`` if days may change."""

    def list_histories(self, statute_id: str) -> list[tuple[Norm, tuple[Fassung, ...]]]:
        """Every norm of a statute in document order, with its fassungen, oldest first.

        Raises:
            CorpusError: the build is damaged.
        """

    def iter_former(self) -> Iterator[tuple[int, Fassung]]:
        """Every fassung that ended, with the ordinal of its norm, by ordinal and oldest first.

        Its headings are ``None`` where they are those of the norm.
        """

    def count_rows(self) -> dict[str, int]:
        """What a manifest counts, by its field."""

    def hash_content(self, *, anew: bool = True) -> str:
        """SHA-256 over everything the build holds, in order; 64 hex digits.

        ``anew``: decisions are read for it, whose own hash is kept beside them.
        """

    def find_root(self) -> Root | None:
        """The root as it was stored; ``None`` where the build has no tree."""

    def compute_root(self) -> Root | None:
        """The root of the texts, worked out anew; ``None`` where the stored tree is another.

        It is also ``None`` where the build has no tree.
        """

    def check(self) -> list[str]:
        """What the store and the stored hashes say is wrong; empty if nothing is."""

    def count_norms(self) -> int:
        """Norms and headings."""

    def iter_between(self, first: int, last: int) -> Iterator[tuple[int, Norm, Fassung]]:
        """As ``iter_norms`` for the ordinals ``[first, last]``."""

    def iter_words(self, first: int, last: int) -> Iterator[tuple[int, Norm, Fassung]]:
        """The same of their words and days alone: no segments, tables and footnotes."""

    def find_unlike_new(self) -> set[str]:
        """Statutes of which a new build may hold other rows, though nothing is new of them.

        They have a text whose day may change, or one of which not all is known, or a norm without
        a text.
        """

    def find_span(self, statute_id: str) -> tuple[int, int, int] | None:
        """A statute's number, and the ordinals of its first and last norm."""

    def list_designations(self, statute_id: str) -> list[Designation]:
        """Every norm of a statute in document order, as it is stored."""

    def list_hashes(self, first: int, last: int) -> dict[int, bytes]:
        """SHA-256 of the newest text of each norm with the ordinals ``[first, last]``."""

    def list_parts(self, first: int, last: int) -> dict[int, bytes]:
        """SHA-256 of the newest text of each of them, of where its parts lie, and of its status."""

    def list_texts(self, first: int, last: int) -> dict[int, str]:
        """The newest text of each norm with the ordinals ``[first, last]``."""

    def list_edges(self, first: int, last: int) -> list[Edge]:
        """The references out of the norms with the ordinals ``[first, last]``, in their order."""

    def iter_ids(self) -> Iterator[tuple[int, str]]:
        """Every norm's ordinal and id."""

    def iter_ranges(self) -> Iterator[tuple[int, int, str, str]]:
        """Ordinal, statute's number and sort keys of every norm that stands for several."""

    def iter_ended(self) -> Iterator[DatedText]:
        """Texts of provisions that no other one followed, with the day on which they went."""

    def iter_begun(self) -> Iterator[DatedText]:
        """Texts of provisions before which there was none, with the day on which they came."""

    def list_numbers(self, statute_id: str) -> list[tuple[str, int]]:
        """Sort key and ordinal of every §/Artikel of a statute, in no order."""


class WholeDecisions(DecisionStore, Protocol):
    """The decisions of a build, gone through one by one."""

    def iter_ids(self) -> Iterator[str]:
        """Every decision's id in the order of the numbers."""

    def iter_all(self) -> Iterator[Decision]:
        """Every decision in the order of the numbers."""

    def iter_texts(self, first: int, last: int) -> Iterator[tuple[int, Decision, DecisionText]]:
        """The decisions with the numbers ``[first, last]`` and their words."""

    def iter_cited_norms(self, first: int, last: int) -> Iterator[CitedNorm]:
        """Every citation in the decisions ``[first, last]``, in the order of their texts."""

    def iter_marked(self) -> Iterator[MarkedDecision]:
        """Every decision in the order of the numbers, which is that of their ids."""

    def list_days(self) -> list[int]:
        """The day of every decision, YYYYMMDD, 0 = unknown, in the order of the numbers."""

    def iter_hashes(self) -> Iterator[bytes]:
        """SHA-256 of what every decision is and says, in the order of the numbers."""

    def list_words(self, first: int, last: int) -> dict[int, str]:
        """The text of each decision with the numbers ``[first, last]``."""

    def list_cited(self, number: int) -> tuple[list[Row], list[tuple[int, int]]]:
        """What a decision cites as ``CorpusWriter`` takes it: citings, and those that are ranged.

        Which decision a page is, is left out.
        """

    def find_citing_others(self, norms: Container[int], gone: Iterable[int]) -> set[int]:
        """The numbers of decisions that cite a norm or law which is none of ``norms``.

        And of those that cite one of the decisions with the numbers ``gone`` by its name.
        """
