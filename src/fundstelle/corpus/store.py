"""The port to one corpus build.

Read-only, immutable, safe to share between requests of one thread.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.missing import MissingLaws
from fundstelle.law.norms import DatePrecision, Fassung, Norm, NormKind, NormStatus, Statute


@dataclass(frozen=True, slots=True)
class FassungHead:
    """A version of a norm without its text."""

    in_force_from: date | None
    in_force_until: date | None
    date_precision: DatePrecision
    text_sha256: str
    stand: date
    status: NormStatus = NormStatus.IN_FORCE


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That a text is a leaf of its release: the leaf as it was hashed, and its audit path."""

    leaf: str  # ``proof.leaf``
    index: int
    path: tuple[str, ...]  # 64 hex digits each, from the leaf to the root


class OutlineEntry(NamedTuple):
    """A provision in the outline of its law: ``place`` is the same of those below one heading."""

    position: int
    ordinal: int
    kind: NormKind
    number: str
    place: int | str | None


@dataclass(frozen=True, slots=True)
class Reference:
    """An edge of the citation graph between two norms.

    ``start``/``end`` are offsets of the matched text in the citing norm's stored text.
    ``cited_id`` is the norm's id, the statute's id where only a law is named, or ``None`` if it
    could not be resolved; then ``cited_text`` is all there is. ``cited_path`` is the part below
    the section, "abs=1/satz=2", or "".
    """

    citing_id: str
    cited_id: str | None
    cited_path: str
    cited_text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a list of hits shows of a norm; ``text`` is empty where none holds on the day.

    ``norm`` is headed, and has the status that it had, on that day.
    """

    norm: Norm
    text: str
    stand: date | None
    notes: tuple[str, ...] = ()  # of the publisher, on that text
    in_force_until: date | None = None  # of a text that another or none came behind


@dataclass(frozen=True, slots=True)
class ChangedOn:
    """The provisions of a law that have another text, or none, from a day on.

    ``is_exact``: it is their first day in force; else that of the look, or of the version, that
    showed them so.
    """

    statute_id: str
    day: date
    is_exact: bool
    ordinals: Sequence[int]


class CorpusStore(Protocol):
    """Everything a question needs from one build.

    Ids that are not there give ``None`` or nothing, never an error.
    """

    @property
    def manifest(self) -> Manifest:
        """The build's own description."""

    @property
    def statutes(self) -> Mapping[str, Statute]:
        """Every statute by its id, held in memory, in id order."""

    @property
    def missing(self) -> MissingLaws:
        """The laws that the publisher lists and the source of this build did not have."""

    def find_norm(self, norm_id: str) -> Norm | None:
        """A norm or heading. An id inside a range norm (``de/aktg/44``) gives the range norm."""

    def find_ordinal(self, norm_id: str) -> int | None:
        """The norm's number in the build (and in the search index)."""

    def find_range(self, norm_id: str) -> Norm | None:
        """A norm that stands for several, that of this id among them (§§ 12a und 12b)."""

    def list_same(self, norm_id: str) -> Sequence[Norm]:
        """The other norms of a law that bear the very same designation (``de/bgspersg/2~2``)."""

    def get_norms_by_ordinal(self, ordinals: Sequence[int]) -> list[Norm]:
        """The norms with these numbers, in the order asked."""

    def list_excerpts(self, ordinals: Sequence[int], on: date) -> list[Excerpt]:
        """The norms with these numbers and their texts of that day, in the order asked."""

    def find_fassung(self, norm_id: str, on: date | None = None) -> Fassung | None:
        """The version on that day (``None`` = the newest)."""

    def list_fassungen(self, norm_id: str) -> list[FassungHead]:
        """All versions held, oldest first."""

    def find_heir(self, norm_id: str) -> tuple[str, int] | None:
        """The norm that took the place of one that went, and per cent of its words that it has."""

    def find_inclusion(self, fassung: Fassung) -> Inclusion | None:
        """The proof of a version; ``None`` where the build has no tree."""

    def list_heads(self, statute_id: str) -> Mapping[str, Sequence[FassungHead]]:
        """All versions held of all norms of a statute that have one, oldest first, by norm id."""

    def list_changed(self, first: date, last: date) -> Sequence[ChangedOn]:
        """What changed on the days of ``[first, last]``, headings left out, oldest first."""

    def list_norms(self, statute_id: str, kind: NormKind | None = None) -> list[Norm]:
        """All norms and headings of a statute, or those of a kind, in document order."""

    def list_norms_on(self, statute_id: str, on: date) -> Sequence[Norm]:
        """As ``list_norms``, each headed, and with the status that it had, on that day."""

    def list_ids(self, statute_id: str, prefix: str, most: int) -> list[str]:
        """The first ids of a statute's norms that begin so, in document order, none decoded."""

    def list_provisions(self, statute_id: str, first: int, last: int) -> list[Norm]:
        """Provisions (no headings) whose position lies in ``[first, last]``, in document order."""

    def list_outline(self, statute_id: str) -> Sequence[OutlineEntry]:
        """All provisions of a statute by their positions; cheap when it is asked for again."""

    def find_neighbours(
        self, statute_id: str, number: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        """The norms around the place of ``number`` in the law's own numbering.

        A law may count §§ and Artikel side by side: ``kind`` says which is meant (``None`` = of
        which it has more), unless the number itself does (``229/5``, ``art-5``).
        """

    def find_ends(
        self, statute_id: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        """First and last § or Artikel of a statute; of the other kind if it has only that."""

    def list_nested(self, statute_id: str, number: str) -> Sequence[Norm]:
        """The §§ of that number below the Artikel of a statute (``229/5``), in document order."""

    def list_references_from(self, norm_id: str) -> list[Reference]:
        """References in this norm, in the order of the text."""

    def list_references_to(
        self, norm_id: str, limit: int, offset: int
    ) -> tuple[list[Reference], int]:
        """References to this norm (or statute), in any edition, and their number; stable order."""

    def find_headings(self, folded: str) -> list[int]:
        """Ordinals of headings whose label or title, folded, contains ``folded``."""

    def iter_norms(self) -> Iterator[tuple[int, Norm, Fassung]]:
        """Every norm with text, by ordinal; for index builds and checks."""

    def close(self) -> None:
        """Release files."""
