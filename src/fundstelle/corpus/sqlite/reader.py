"""Reads one build: the port ``corpus.store.CorpusStore``."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.missing import MissingLaws
from fundstelle.corpus.rows import (
    Row,
    decode_fassung,
    decode_statute,
)
from fundstelle.corpus.sqlite import heirs, queries, tree
from fundstelle.corpus.sqlite.connection import Connection, Connections, translated
from fundstelle.corpus.sqlite.excerpts import KeptExcerpts
from fundstelle.corpus.sqlite.fassungen import Fassungen
from fundstelle.corpus.sqlite.leaves import Leaves
from fundstelle.corpus.sqlite.named import NormRows, Span
from fundstelle.corpus.sqlite.numbering import Numbering, build_numbering
from fundstelle.corpus.sqlite.parts import Parts
from fundstelle.corpus.store import (
    ChangedOn,
    Excerpt,
    FassungHead,
    Inclusion,
    OutlineEntry,
    Reference,
)
from fundstelle.errors import CorpusError
from fundstelle.law.identifiers import name_cited
from fundstelle.law.norms import Fassung, Norm, NormKind, Statute

_FASSUNGEN = 64  # kept in memory: one call may ask for the same long annex many times
_KINDS = 16  # lists likewise: of each recital or annex that a law lacks all of them are asked


class SqliteCorpusStore:
    """Reads one build. May be shared by threads: each has its own connection.

    ``immutable`` is False only while the build is still being written.
    """

    def __init__(
        self, path: Path, manifest: Manifest | None = None, *, immutable: bool = True
    ) -> None:
        self.path = path
        self._manifest = manifest
        self._connections = Connections(path, immutable=immutable)
        statutes: dict[str, Statute] = {}
        self._spans: dict[str, Span] = {}
        with translated(path):
            rows = self.connection.execute("SELECT * FROM statutes ORDER BY statute_id")
            for number, statute_id, first, last, header in rows:
                statutes[statute_id] = decode_statute(header)
                self._spans[statute_id] = Span(number, first, last)
        self._statutes = MappingProxyType(statutes)
        self._ids = tuple(statutes)  # by number, since both follow statute_id
        firsts = tuple(span.first for span in self._spans.values())
        self._named = NormRows(self._connections, self._spans)
        self._heirs: dict[str, tuple[str, int]] | None = None
        self._parts = Parts(self._connections, self._ids, firsts)
        self._norm = self._parts.build_norm
        laws = tuple(statutes.values())
        self.leaves = Leaves(self._connections, laws) if immutable else None
        self._fassungen = Fassungen(self._connections, self._norm, self.leaves)
        self._excerpts = KeptExcerpts(self._fassungen.list_excerpts)
        # Over what reads, not over a method of this store, which it would hold: see ``Parts``.
        read = self._fassungen.read
        self._fassung = lru_cache(maxsize=_FASSUNGEN)(read) if immutable else read
        listed = self._parts.list_of_kind
        self._of_kind = lru_cache(maxsize=_KINDS)(listed) if immutable else listed

    @property
    def connection(self) -> Connection:
        """This thread's connection, for reading the build as a whole."""
        return self._connections.get()

    @property
    def manifest(self) -> Manifest:
        """The build's own description."""
        if self._manifest is None:
            raise CorpusError(f"{self.path} is still being built; it has no manifest yet")
        return self._manifest

    @property
    def statutes(self) -> Mapping[str, Statute]:
        """Every statute by its id, in id order."""
        return self._statutes

    @property
    def missing(self) -> MissingLaws:
        """The laws that the publisher lists and this build does not hold; read once."""
        return self._parts.find_missing()

    def find_norm(self, norm_id: str) -> Norm | None:
        """A norm or heading, also by an id inside a range norm."""
        row = self._named.find(norm_id)
        return self._norm(row) if row else None

    def find_range(self, norm_id: str) -> Norm | None:
        """A norm that stands for several, that of this id among them."""
        row = self._named.find_range(norm_id)
        return self._norm(row) if row else None

    def list_same(self, norm_id: str) -> Sequence[Norm]:
        """The other norms of a law that bear the very same designation."""
        held = self._parts.find_doubles().get(norm_id, ())
        return [norm for other in held if (norm := self.find_norm(other)) is not None]

    def find_ordinal(self, norm_id: str) -> int | None:
        """The norm's number in the build."""
        row = self._named.find(norm_id)
        return row[0] if row else None

    def get_norms_by_ordinal(self, ordinals: Sequence[int]) -> list[Norm]:
        """The norms with these numbers, in the order asked; unknown numbers are left out."""
        rows = (self.connection.execute(queries.NORM_BY_ORDINAL, (n,)).fetchone() for n in ordinals)
        return [self._norm(row) for row in rows if row]

    def list_excerpts(self, ordinals: Sequence[int], on: date) -> list[Excerpt]:
        """The norms with these numbers and their texts of that day; unknown ones are left out."""
        return self._excerpts.get(ordinals, on)

    def find_fassung(self, norm_id: str, on: date | None = None) -> Fassung | None:
        """The version on that day (``None`` = the newest)."""
        row = self._named.find(norm_id)
        return None if row is None else self._fassung(row, on)

    def list_fassungen(self, norm_id: str) -> list[FassungHead]:
        """All versions held, oldest first."""
        row = self._named.find(norm_id)
        return [] if row is None else self._fassungen.list_of(row)

    def find_inclusion(self, fassung: Fassung) -> Inclusion | None:
        """The proof of a version; ``None`` where the build has no tree."""
        row = self._named.find(fassung.norm_id)
        number = None if row is None else self._fassungen.find_number(row[0], fassung)
        return None if number is None else tree.find_inclusion(self.connection, number)

    def list_heads(self, statute_id: str) -> dict[str, list[FassungHead]]:
        """All versions held of all norms of a statute, oldest first, by norm id."""
        span = self._spans.get(statute_id)
        return {} if span is None else self._fassungen.list_heads(span.first, span.last)

    def list_changed(self, first: date, last: date) -> list[ChangedOn]:
        """What changed on the days of ``[first, last]``, headings left out, oldest first."""
        return self._parts.list_changed(first, last)

    def list_norms(self, statute_id: str, kind: NormKind | None = None) -> list[Norm]:
        """All norms and headings of a statute, or those of a kind, in document order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        if kind is None:
            return self._norms(queries.NORMS_BETWEEN, (span.first, span.last))
        return list(self._of_kind(span.first, span.last, kind))

    def list_norms_on(self, statute_id: str, on: date) -> list[Norm]:
        """As ``list_norms``, each headed, and with the status that it had, on that day.

        The order, and the headings among them, are the newest.
        """
        span = self._spans.get(statute_id)
        return [] if span is None else self._fassungen.list_norms(span.first, span.last, on)

    def list_ids(self, statute_id: str, prefix: str, most: int) -> list[str]:
        """The first ids of a statute's norms that begin so, in document order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        bounds = (span.first, span.last, len(prefix), prefix, most)
        return [norm_id for (norm_id,) in self.connection.execute(queries.IDS, bounds)]

    def list_provisions(self, statute_id: str, first: int, last: int) -> list[Norm]:
        """Provisions whose position lies in ``[first, last]``, in document order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        low, high = span.first + max(first, 0), min(span.first + last, span.last)
        return self._norms(queries.PROVISIONS, (low, high))

    def list_outline(self, statute_id: str) -> Sequence[OutlineEntry]:
        """All provisions of a statute by their positions; kept for the laws asked for last."""
        span = self._spans.get(statute_id)
        return () if span is None else self._parts.list_outline(span.first, span.last)

    def find_neighbours(
        self, statute_id: str, number: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        """The norms around the place of ``number`` in the law's own numbering of that kind."""
        before, after = self._order(statute_id).find_around(number, kind)
        return self._at(before), self._at(after)

    def find_ends(
        self, statute_id: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        """First and last § or Artikel of a statute, by number."""
        first, last = self._order(statute_id).find_ends(kind)
        return self._at(first), self._at(last)

    def list_nested(self, statute_id: str, number: str) -> list[Norm]:
        """The §§ of that number below the Artikel of a statute, in document order."""
        return self.get_norms_by_ordinal(self._order(statute_id).nested.get(number, ()))

    def list_references_from(self, norm_id: str) -> list[Reference]:
        """References in this norm, in the order of the text."""
        ordinal = self.find_ordinal(norm_id)
        if ordinal is None:
            return []
        low = ordinal * queries.EDGES
        rows = self.connection.execute(
            queries.EDGE + "WHERE edge BETWEEN ? AND ? ORDER BY edge",
            (low, low + queries.EDGES - 1),
        ).fetchall()
        return [self._reference(row) for row in rows]

    def list_references_to(
        self, norm_id: str, limit: int, offset: int
    ) -> tuple[list[Reference], int]:
        """References to this norm (or statute) and their total number, by citing norm."""
        cited = self.find_cited(norm_id)
        if cited is None:
            return [], 0
        (total,) = self.connection.execute(
            "SELECT count(*) FROM edges WHERE cited = ?", (cited,)
        ).fetchone()
        if not limit:  # only how many is asked
            return [], total
        rows = self.connection.execute(
            queries.EDGE + "WHERE cited = ? ORDER BY edge LIMIT ? OFFSET ?", (cited, limit, offset)
        ).fetchall()
        return [self._reference(row) for row in rows], total

    def find_cited(self, cited_id: str) -> int | None:
        """What edges say of a norm or statute: its ordinal, or -1 - the statute's number.

        They say it of the German edition of an act of the EU, and mean every other one.
        """
        cited_id = name_cited(cited_id)
        span = self._spans.get(cited_id)
        return self.find_ordinal(cited_id) if span is None else -1 - span.statute

    def get_cited_id(self, cited: int | None) -> str | None:
        """The inverse of ``find_cited``."""
        if cited is None:
            return None
        if cited < 0:
            return self._ids[-1 - cited]
        row = self.connection.execute(
            "SELECT norm_id FROM norms WHERE ordinal = ?", (cited,)
        ).fetchone()
        return row[0] if row else None

    def find_headings(self, folded: str) -> list[int]:
        """Ordinals of headings whose label or title, folded, contains ``folded``."""
        rows = self.connection.execute(
            "SELECT ordinal FROM headings WHERE instr(folded, ?) ORDER BY ordinal", (folded,)
        )
        return [ordinal for (ordinal,) in rows]

    def iter_norms(self) -> Iterator[tuple[int, Norm, Fassung]]:
        """Every norm with its newest text, by ordinal."""
        return self.iter_between(0, self.count_norms() - 1)

    def iter_between(self, first: int, last: int) -> Iterator[tuple[int, Norm, Fassung]]:
        """As ``iter_norms`` for the ordinals ``[first, last]``."""
        return self._iter_between(queries.NEWEST, first, last)

    def iter_words(self, first: int, last: int) -> Iterator[tuple[int, Norm, Fassung]]:
        """The same of their words and days alone: no segments, tables and footnotes."""
        return self._iter_between(queries.NEWEST_WORDS, first, last)

    def _iter_between(
        self, newest: str, first: int, last: int
    ) -> Iterator[tuple[int, Norm, Fassung]]:
        with (
            closing(self.connection.cursor()) as norms,
            closing(self.connection.cursor()) as fassungen,
        ):
            for row in norms.execute(queries.NORMS_BETWEEN + " ORDER BY ordinal", (first, last)):
                found = fassungen.execute(newest, queries.versions(row[0])).fetchone()
                if found:
                    yield row[0], self._norm(row), decode_fassung(row[1], found[1:])

    def iter_ids(self) -> Iterator[tuple[int, str]]:
        """Every norm's ordinal and id."""
        return iter(self.connection.execute("SELECT ordinal, norm_id FROM norms ORDER BY ordinal"))

    def iter_ranges(self) -> Iterator[tuple[int, int, str, str]]:
        """Ordinal, statute's number and sort keys of every norm that stands for several."""
        return iter(
            self.connection.execute(
                "SELECT ordinal, statute, sort_key, range_key FROM norms"
                " WHERE range_key IS NOT NULL ORDER BY ordinal"
            )
        )

    def list_numbers(self, statute_id: str) -> list[tuple[str, int]]:
        """Sort key and ordinal of every §/Artikel of a statute, in no order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        return self.connection.execute(
            "SELECT sort_key, ordinal FROM norms WHERE statute = ? AND sort_key IS NOT NULL",
            (span.statute,),
        ).fetchall()

    def find_heir(self, norm_id: str) -> tuple[str, int] | None:
        """The norm that took the place of one that went, and per cent of its words that it has."""
        if self._heirs is None:
            self._heirs = heirs.read(self.connection)
        return self._heirs.get(norm_id)

    def count_norms(self) -> int:
        """Norms and headings."""
        (count,) = self.connection.execute("SELECT count(*) FROM norms").fetchone()
        return int(count)

    def close(self) -> None:
        """Close every thread's connection."""
        self._connections.close()

    def _order(self, statute_id: str) -> Numbering:
        span = self._spans.get(statute_id)
        return build_numbering(()) if span is None else self._parts.find_numbering(span.statute)

    def _at(self, ordinal: int | None) -> Norm | None:
        return None if ordinal is None else self.get_norms_by_ordinal([ordinal])[0]

    def _norms(self, select: str, arguments: tuple[int, ...]) -> list[Norm]:
        rows = self.connection.execute(select + " ORDER BY ordinal", arguments).fetchall()
        return [self._norm(row) for row in rows]

    def _reference(self, row: Row) -> Reference:
        edge, cited, path, text, start, end = row
        citing = self.get_cited_id(edge // queries.EDGES) or ""
        return Reference(citing, self.get_cited_id(cited), path, text, start, end)
