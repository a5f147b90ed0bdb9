"""The port to one search index.

Ordinals are those of the corpus store: norms first, then decisions, which count on from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # with numpy, 80 ms that looking a norm up does not need
    from fundstelle.search.meaning.embedder import Embedder

LEXICAL = "lexical"
"""Found by words; as a stage: BM25 on stems and compound parts."""
SEMANTIC = "semantic"
"""Found by meaning alone; as a stage: nearness of vectors."""
LEARNED = "learned"
"""The stage that orders what the others have found."""


@dataclass(frozen=True, slots=True)
class FormerText:
    """What the index takes of a text that a norm had once, on the days ``[since, until)``.

    Days are YYYYMMDD; ``since`` 0 = from the beginning, ``until`` 0 = not known to have ended.
    """

    heading: str
    hierarchy: str
    text: str
    since: int
    until: int
    day: int  # as ``SearchDocument.day``


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """What the index takes of one norm or decision: its newest text, and former ones.

    A decision has no ``statute_id`` and comes behind all norms. Norms are added in the order of
    ``ordinal``, decisions part by part and each part in that order; then there are no gaps. Hits
    of equal score come in the order of ``ordinal``.
    """

    ordinal: int
    norm_id: str
    citation: str  # "§ 823 BGB"
    heading: str  # the norm's own title
    law: str  # abbreviations and titles of its statute
    hierarchy: str  # headings above it
    text: str
    ancestors: tuple[int, ...]  # ordinals of the headings above it
    statute_id: str
    source_type: str
    jurisdiction: str
    document_kind: str
    language: str
    day: int  # date as YYYYMMDD for date_from/date_to, 0 = unknown
    # False: headings without text and empty norms keep their ordinal, never hit
    searchable: bool = True
    court: str = ""  # of a decision
    decision_type: str = ""  # of a decision, which always has one
    since: int = 0  # YYYYMMDD; the first day that ``text`` can be given for, 0 = any
    former: tuple[FormerText, ...] = ()  # oldest first; their days do not overlap
    matter: str = ""  # what it is about, in German where its text is not; part of no text
    asked: str = ""  # words of people who ask for it; part of no text
    part: int = 0  # of a decision: which part of the index it goes into, below 2**31


@dataclass(frozen=True, slots=True)
class HeldPart:
    """A part of another index that has just these decisions, in the place of their documents.

    Attributes:
        part: its number, which is the same there.
        ordinals: what they have now, in ascending order.
    """

    part: int
    ordinals: Sequence[int]


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence of a decision without its citations, and what it cites."""

    source: int  # number of the decision, or of a part of a collection
    text: str
    cited: tuple[int, ...]  # ordinals of norms, in ascending order
    collection: str = ""  # where it comes from if its decision is not held


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. All filters are ANDed; inside one filter any value matches."""

    query: str
    rephrasings: tuple[str, ...] = ()
    limit: int = 5
    offset: int = 0
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Keys: source_type, jurisdiction, document_kind, statute_id, language, court,
    decision_type."""
    ancestors: Sequence[int] | None = None  # norms below any of these headings
    ordinals: Sequence[int] | None = None  # only these norms
    below: int | None = None  # only ordinals under this: that of the first decision leaves norms
    as_of: int | None = None  # YYYYMMDD; only texts of that day, None = the newest
    day_from: int | None = None  # YYYYMMDD, inclusive
    day_to: int | None = None
    facets: bool = False
    prefer: Sequence[str] = ()  # statute_ids that the query names: their norms score higher
    without: frozenset[str] = frozenset()  # stages to leave out, to see what the others find
    every: bool = False  # only what holds every word of the query; rephrasings are not read
    ranked: bool = True  # False: any order will do, since only the number of hits is asked


@dataclass(frozen=True, slots=True)
class SearchHit:
    """``ordinal`` of the norm, its ``score`` (higher is better), how it was found."""

    ordinal: int
    score: float
    match: str = LEXICAL


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in order (score, then ordinal), the number of all matches, counts per filter value.

    ``stages`` are those that ran; ``meant`` the words of the law for everyday words of the query;
    ``read_as`` says of words that stand nowhere which ones they were read as; ``by_meaning`` are
    the ordinals of all matches that hold none of the words.
    """

    hits: tuple[SearchHit, ...]
    total: int
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    stages: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    read_as: Mapping[str, str] = field(default_factory=dict)
    by_meaning: frozenset[int] = frozenset()


class SearchIndex(Protocol):
    """A read-only index beside a corpus build."""

    def search(self, request: SearchRequest) -> SearchResult:
        """Rank; a query without any word that can be searched gives an empty result."""

    def close(self) -> None:
        """Release files."""


class SearchEngine(Protocol):
    """Builds and opens indexes; one per technology."""

    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> None:
        """Write a new index into the empty ``folder``.

        ``same`` is the folder of an index, made by the same program, that gives the ``HeldPart`` of
        these documents; they are some of ``list_parts``.
        """

    def list_parts(self, folder: Path) -> frozenset[int]:
        """The parts that the index in ``folder`` can give; none where it gives none."""

    def learn(
        self, sentences: Sequence[CitingSentence], folder: Path, same: Path | None = None
    ) -> str:
        """Learn from sentences how to rank, beside the index in ``folder``; says what was learnt.

        The priors are there already. Without this call an index ranks by words alone. ``same`` is
        the folder of an index that learnt from the same sentences, which cite by the same ordinals,
        by the same program: what it learnt may be taken from there.
        """

    def verify(self, folder: Path) -> None:
        """See that what an index keeps outside of its ``folder`` is there.

        Raises:
            CorpusError: it is not.
            SearchUnavailable: that cannot be known now.
        """

    def keep(self, builds: Iterable[Path]) -> None:
        """Say that the indexes in the folders ``builds`` are needed here.

        What they keep outside of them then stays for days, whoever settles; a server says it again
        and again. Nothing where they keep nothing there.

        Raises:
            SearchUnavailable: that cannot be said now.
        """

    def settle(self, live: Path | None, builds: Iterable[Path]) -> Sequence[str]:
        """After builds were made live or deleted: put what is kept outside of them in order.

        ``live`` is the folder of the live build's index, ``builds`` those of all builds there are.
        Says what was done, a line each, also where it could not be done just now.
        """

    def open(
        self, folder: Path, embedder: "Embedder | None" = None, *, meaning: bool = True
    ) -> SearchIndex:
        """Open it for reading.

        It also finds what is near by meaning, unless ``meaning`` is False: by the model given and
        the vectors made of it, and where there are none (yet), by the model of the package. It
        closes the one given.
        """
