"""The corpus store in one SQLite file: the only module that speaks SQL."""

import errno
import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import orjson

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.rows import (
    HEADING_CODE,
    EncodedNorm,
    EncodedStatute,
    Row,
    decode_fassung,
    decode_head,
    decode_norm,
    decode_statute,
    encode_statute,
    sort_key,
)
from fundstelle.corpus.store import FassungHead, Reference
from fundstelle.errors import CorpusError
from fundstelle.law.norms import Fassung, Norm, Statute

_VERSIONS = 256  # most fassungen of a norm
_EDGES = 1 << 20  # most references in a norm

NORM_COLUMNS = (
    "ordinal, norm_id, statute, kind, number, number_end, label, title, citation, level, place,"
    " status, publisher_id"
)
FASSUNG_COLUMNS = (
    "text, text_sha256, segments, tables, footnotes, notes, from_day, until_day, precision,"
    " stand, status"
)
_NORM = f"SELECT {NORM_COLUMNS} FROM norms "  # noqa: S608 constants of this module
_NORM_BY_ID = _NORM + "WHERE norm_id = ?"
_NORM_BY_ORDINAL = _NORM + "WHERE ordinal = ?"
_NORMS_BETWEEN = _NORM + "WHERE ordinal BETWEEN ? AND ?"
_PROVISIONS = _NORMS_BETWEEN + f" AND kind <> {HEADING_CODE}"
_NUMBERED = _NORM + "WHERE statute = ? AND sort_key "
_BEFORE = _NUMBERED + "< ? ORDER BY sort_key DESC, ordinal DESC LIMIT 1"
_AFTER = _NUMBERED + "> ? ORDER BY sort_key, ordinal LIMIT 1"
_RANGE = (
    _NUMBERED + "<= ? AND range_key >= ? AND range_key IS NOT NULL ORDER BY sort_key DESC LIMIT 1"
)
_FASSUNG = f"SELECT {FASSUNG_COLUMNS} FROM fassungen WHERE fassung BETWEEN ? AND ? "  # noqa: S608
_NEWEST = _FASSUNG + "ORDER BY fassung DESC LIMIT 1"
_ON_DAY = (
    _FASSUNG + "AND coalesce(from_day, '') <= ? AND coalesce(until_day, '9999-99-99') > ?"
    " ORDER BY fassung DESC LIMIT 1"
)
_HEADS = (
    "SELECT from_day, until_day, precision, text_sha256, stand FROM fassungen"
    " WHERE fassung BETWEEN ? AND ?"
)
_EDGE = "SELECT edge, cited, cited_path, cited_text, start_at, end_at FROM edges "


@dataclass(frozen=True, slots=True)
class _Span:
    """The ordinals of a statute's norms, both ends included."""

    statute: int
    first: int
    last: int


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """SQLite's errors in the words of the house; a full disk as the operating system says it."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, "No space left on device", str(path)) from error
        raise CorpusError(
            f"{path} cannot be used ({error}); check it with 'fundstelle corpus verify' and"
            " build it again with 'fundstelle ingest'"
        ) from error


class SqliteCorpusWriter:
    """Fills a new build. Statutes come in the order of their ids; readers may watch meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[tuple[str | None, str], int] = {}
        self._ordinal = 0
        self._statute = 0
        self._ordinals: dict[str, int] = {}
        self._statutes: dict[str, int] = {}
        self._edges: dict[int, int] = {}
        with _translated(path):
            self._db = sqlite3.connect(path)
            # WAL: the index is built from the norms while the references are still being added.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")  # finish() makes it durable
            self._db.execute("PRAGMA cache_size = -32000")
            schema = files("fundstelle.corpus").joinpath("schema.sql").read_text(encoding="utf-8")
            self._db.executescript(schema)

    def add_statute(
        self, statute: Statute, norms: Iterable[tuple[Norm, Sequence[Fassung]]]
    ) -> None:
        """Store one statute with its norms in document order."""
        self.add_encoded(encode_statute(statute, norms))

    def add_encoded(self, statute: EncodedStatute) -> None:
        """Store what ``rows.encode_statute`` made, perhaps in another process."""
        first = self._ordinal
        with _translated(self._path):
            for norm in statute.norms:
                self._add_norm(norm)
            self._db.execute(
                "INSERT INTO statutes VALUES (?, ?, ?, ?, ?)",
                (self._statute, statute.statute_id, first, self._ordinal - 1, statute.header),
            )
        self._statutes[statute.statute_id] = self._statute
        self._statute += 1

    def _add_norm(self, norm: EncodedNorm) -> None:
        ordinal = self._ordinal
        place = self._places.get(norm.place)
        if place is None:
            place = self._places[norm.place] = len(self._places)
            self._db.execute("INSERT INTO places VALUES (?, ?, ?)", (place, *norm.place))
        norm_id, kind, number, number_end, label, title, citation, level, *rest = norm.row
        status, publisher_id, key, range_key = rest
        self._db.execute(
            "INSERT INTO norms VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(ordinal, norm_id, self._statute, kind, number, number_end, label, title),
                *(citation, level, place, status, publisher_id, key, range_key),
            ),
        )
        if norm.folded is not None:
            self._db.execute("INSERT INTO headings VALUES (?, ?)", (ordinal, norm.folded))
        self._db.executemany(
            "INSERT INTO fassungen VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            ((ordinal * _VERSIONS + v, *row) for v, row in enumerate(norm.fassungen)),
        )
        self._ordinals[norm_id] = ordinal
        self._ordinal += 1

    def add_references(self, references: Iterable[Reference]) -> None:
        """Store edges of the citation graph; those of one norm together, in order of the text."""
        self.add_edges(
            (
                self._ordinals[reference.citing_id],
                self._cited(reference.cited_id),
                reference.cited_path,
                reference.cited_text,
                reference.start,
                reference.end,
            )
            for reference in references
        )

    def add_edges(self, edges: Iterable[tuple[int, int | None, str, str, int, int]]) -> None:
        """As ``add_references``, by the ordinals of citing and cited norm (or -1 - statute)."""
        with _translated(self._path):
            self._db.executemany(
                "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)",
                ((self._number_edge(citing), *rest) for citing, *rest in edges),
            )

    def _number_edge(self, citing: int) -> int:
        count = self._edges.get(citing, 0)
        self._edges[citing] = count + 1
        return citing * _EDGES + count

    def _cited(self, cited_id: str | None) -> int | None:
        if cited_id is None:
            return None
        if cited_id in self._statutes:
            return -1 - self._statutes[cited_id]
        return self._ordinals.get(cited_id)

    def commit(self) -> None:
        """Let readers see what was added so far."""
        with _translated(self._path):
            self._db.commit()

    def index(self) -> None:
        """Make norms findable by id, number and heading; after the last statute."""
        with _translated(self._path):
            self._db.executescript(
                """
                CREATE UNIQUE INDEX norms_by_id ON norms (norm_id);
                CREATE INDEX norms_by_number ON norms (statute, sort_key)
                    WHERE sort_key IS NOT NULL;
                CREATE INDEX norms_by_range ON norms (statute, sort_key, range_key)
                    WHERE range_key IS NOT NULL;
                """
            )
            self._db.commit()

    def finish(self) -> None:
        """Index the references and flush to disk as one file."""
        with _translated(self._path):
            self._db.execute("CREATE INDEX edges_by_cited ON edges (cited) WHERE cited IS NOT NULL")
            self._db.execute("ANALYZE")
            self._db.commit()
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute("PRAGMA journal_mode = DELETE")
            self._db.close()

    def close(self) -> None:
        """Give up; what was written is of no use."""
        self._db.close()


class SqliteCorpusStore:
    """Reads one build. May be shared by threads: each has its own connection.

    ``immutable`` is False only while the build is still being written.
    """

    def __init__(
        self, path: Path, manifest: Manifest | None = None, *, immutable: bool = True
    ) -> None:
        self._path = path
        self._manifest = manifest
        self._uri = f"{path.absolute().as_uri()}?mode=ro" + ("&immutable=1" if immutable else "")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        statutes: dict[str, Statute] = {}
        self._spans: dict[str, _Span] = {}
        with _translated(path):
            rows = self._db.execute("SELECT * FROM statutes ORDER BY statute_id")
            for number, statute_id, first, last, header in rows:
                statutes[statute_id] = decode_statute(header)
                self._spans[statute_id] = _Span(number, first, last)
        self._statutes = MappingProxyType(statutes)
        self._ids = tuple(statutes)  # by number, since both follow statute_id
        self._firsts = tuple(span.first for span in self._spans.values())
        self._place = lru_cache(maxsize=2048)(self._read_place)

    @property
    def _db(self) -> sqlite3.Connection:
        try:
            connection: sqlite3.Connection = self._local.connection
        except AttributeError:
            connection = sqlite3.connect(
                self._uri, uri=True, check_same_thread=False, isolation_level=None
            )
            self._local.connection = connection
            self._connections.append(connection)
        return connection

    @property
    def manifest(self) -> Manifest:
        """The build's own description."""
        if self._manifest is None:
            raise CorpusError(f"{self._path} is still being built; it has no manifest yet")
        return self._manifest

    @property
    def statutes(self) -> Mapping[str, Statute]:
        """Every statute by its id, in id order."""
        return self._statutes

    def find_norm(self, norm_id: str) -> Norm | None:
        """A norm or heading, also by an id inside a range norm."""
        row = self._find_row(norm_id)
        return self._norm(row) if row else None

    def find_ordinal(self, norm_id: str) -> int | None:
        """The norm's number in the build."""
        row = self._find_row(norm_id)
        return row[0] if row else None

    def get_norms_by_ordinal(self, ordinals: Sequence[int]) -> list[Norm]:
        """The norms with these numbers, in the order asked; unknown numbers are left out."""
        rows = (self._db.execute(_NORM_BY_ORDINAL, (n,)).fetchone() for n in ordinals)
        return [self._norm(row) for row in rows if row]

    def find_fassung(self, norm_id: str, on: date | None = None) -> Fassung | None:
        """The version on that day (``None`` = the newest)."""
        row = self._find_row(norm_id)
        if row is None:
            return None
        low, high = _versions(row[0])
        if on is None:
            found = self._db.execute(_NEWEST, (low, high)).fetchone()
        else:
            day = on.isoformat()
            found = self._db.execute(_ON_DAY, (low, high, day, day)).fetchone()
        return decode_fassung(row[1], found) if found else None

    def list_fassungen(self, norm_id: str) -> list[FassungHead]:
        """All versions held, oldest first."""
        ordinal = self.find_ordinal(norm_id)
        if ordinal is None:
            return []
        return [decode_head(row) for row in self._db.execute(_HEADS, _versions(ordinal))]

    def list_norms(self, statute_id: str) -> list[Norm]:
        """All norms and headings of a statute in document order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        return self._norms(_NORMS_BETWEEN, (span.first, span.last))

    def list_provisions(self, statute_id: str, first: int, last: int) -> list[Norm]:
        """Provisions whose position lies in ``[first, last]``, in document order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        low, high = span.first + max(first, 0), min(span.first + last, span.last)
        return self._norms(_PROVISIONS, (low, high))

    def find_neighbours(self, statute_id: str, number: str) -> tuple[Norm | None, Norm | None]:
        """The sections around the place of ``number`` in the law's own numbering."""
        return self._around(statute_id, sort_key(number), sort_key(number))

    def find_ends(self, statute_id: str) -> tuple[Norm | None, Norm | None]:
        """First and last §/Artikel of a statute, by number."""
        last, first = self._around(statute_id, "~", "")
        return first, last

    def list_references_from(self, norm_id: str) -> list[Reference]:
        """References in this norm, in the order of the text."""
        ordinal = self.find_ordinal(norm_id)
        if ordinal is None:
            return []
        low = ordinal * _EDGES
        rows = self._db.execute(
            _EDGE + "WHERE edge BETWEEN ? AND ? ORDER BY edge", (low, low + _EDGES - 1)
        ).fetchall()
        return [self._reference(row) for row in rows]

    def list_references_to(
        self, norm_id: str, limit: int, offset: int
    ) -> tuple[list[Reference], int]:
        """References to this norm (or statute) and their total number, by citing norm."""
        span = self._spans.get(norm_id)
        cited = self.find_ordinal(norm_id) if span is None else -1 - span.statute
        if cited is None:
            return [], 0
        (total,) = self._db.execute(
            "SELECT count(*) FROM edges WHERE cited = ?", (cited,)
        ).fetchone()
        rows = self._db.execute(
            _EDGE + "WHERE cited = ? ORDER BY edge LIMIT ? OFFSET ?", (cited, limit, offset)
        ).fetchall()
        return [self._reference(row) for row in rows], total

    def find_headings(self, folded: str) -> list[int]:
        """Ordinals of headings whose label or title, folded, contains ``folded``."""
        rows = self._db.execute(
            "SELECT ordinal FROM headings WHERE instr(folded, ?) ORDER BY ordinal", (folded,)
        )
        return [ordinal for (ordinal,) in rows]

    def iter_norms(self) -> Iterator[tuple[int, Norm, Fassung]]:
        """Every norm with its newest text, by ordinal."""
        return self.iter_between(0, self.count_norms() - 1)

    def iter_between(self, first: int, last: int) -> Iterator[tuple[int, Norm, Fassung]]:
        """As ``iter_norms`` for the ordinals ``[first, last]``."""
        with closing(self._db.cursor()) as norms, closing(self._db.cursor()) as fassungen:
            for row in norms.execute(_NORMS_BETWEEN + " ORDER BY ordinal", (first, last)):
                found = fassungen.execute(_NEWEST, _versions(row[0])).fetchone()
                if found:
                    yield row[0], self._norm(row), decode_fassung(row[1], found)

    def iter_ids(self) -> Iterator[tuple[int, str]]:
        """Every norm's ordinal and id."""
        return iter(self._db.execute("SELECT ordinal, norm_id FROM norms ORDER BY ordinal"))

    def iter_ranges(self) -> Iterator[tuple[int, int, str, str]]:
        """Ordinal, statute's number and sort keys of every norm that stands for several."""
        return iter(
            self._db.execute(
                "SELECT ordinal, statute, sort_key, range_key FROM norms"
                " WHERE range_key IS NOT NULL ORDER BY ordinal"
            )
        )

    def list_numbers(self, statute_id: str) -> list[tuple[str, int]]:
        """Sort key and ordinal of every §/Artikel of a statute, in no order."""
        span = self._spans.get(statute_id)
        if span is None:
            return []
        return self._db.execute(
            "SELECT sort_key, ordinal FROM norms WHERE statute = ? AND sort_key IS NOT NULL",
            (span.statute,),
        ).fetchall()

    def count_norms(self) -> int:
        """Norms and headings."""
        (count,) = self._db.execute("SELECT count(*) FROM norms").fetchone()
        return int(count)

    def count(self) -> dict[str, int]:
        """What the manifest quotes: norms (headings not counted), fassungen, references, ..."""
        row = self._db.execute(
            f"SELECT (SELECT count(*) FROM norms WHERE kind <> {HEADING_CODE}),"  # noqa: S608
            " (SELECT count(*) FROM fassungen), (SELECT count(*) FROM edges),"
            " (SELECT coalesce(sum(length(text)), 0) FROM fassungen)"
        ).fetchone()
        return dict(zip(("norms", "fassungen", "references", "characters"), row, strict=True))

    def hash_content(self) -> str:
        """SHA-256 over everything the build holds, in order; 64 hex digits."""
        digest = hashlib.sha256()
        tables = (
            "SELECT statute_id, first, last, header FROM statutes ORDER BY statute",
            f"SELECT {NORM_COLUMNS}, sort_key, range_key FROM norms ORDER BY ordinal",  # noqa: S608
            "SELECT * FROM places ORDER BY place",
            "SELECT * FROM headings ORDER BY ordinal",
            "SELECT * FROM fassungen ORDER BY fassung",
            "SELECT * FROM edges ORDER BY edge",
        )
        with _translated(self._path):
            for select in tables:
                digest.update(select.encode())
                for row in self._db.execute(select):
                    for value in row:
                        data = value if isinstance(value, bytes) else str(value).encode()
                        digest.update(b"%d:" % len(data) + data)
        return digest.hexdigest()

    def check(self) -> list[str]:
        """What SQLite and the stored hashes say is wrong; empty if nothing is."""
        try:
            problems = [row[0] for row in self._db.execute("PRAGMA integrity_check(5)")]
            problems = [] if problems == ["ok"] else problems
            for number, text, digest in self._db.execute(
                "SELECT fassung, text, text_sha256 FROM fassungen"
            ):
                if hashlib.sha256(text.encode()).digest() != digest:
                    problems.append(f"the text of norm {number // _VERSIONS} was changed")
        except sqlite3.Error as error:
            return [str(error)]
        return problems

    def close(self) -> None:
        """Close every thread's connection."""
        while self._connections:
            self._connections.pop().close()

    def _find_row(self, norm_id: str) -> Row | None:
        row: Row | None = self._db.execute(_NORM_BY_ID, (norm_id,)).fetchone()
        return row if row is not None else self._find_range(norm_id)

    def _find_range(self, norm_id: str) -> Row | None:
        """The range norm that ``norm_id`` lies in: as deep as its ends, between them."""
        jurisdiction, _, rest = norm_id.partition("/")
        law, _, number = rest.partition("/")
        span = self._spans.get(f"{jurisdiction}/{law}")
        if span is None or not number[:1].isdigit():
            return None
        key = sort_key(number)
        row: Row | None = self._db.execute(_RANGE, (span.statute, key, key)).fetchone()
        return row if row is not None and row[4].count("/") == number.count("/") else None

    def _around(self, statute_id: str, before: str, after: str) -> tuple[Norm | None, Norm | None]:
        span = self._spans.get(statute_id)
        if span is None:
            return None, None
        low = self._db.execute(_BEFORE, (span.statute, before)).fetchone()
        high = self._db.execute(_AFTER, (span.statute, after)).fetchone()
        return self._norm(low) if low else None, self._norm(high) if high else None

    def _norms(self, select: str, arguments: tuple[int, int]) -> list[Norm]:
        rows = self._db.execute(select + " ORDER BY ordinal", arguments).fetchall()
        return [self._norm(row) for row in rows]

    def _norm(self, row: Row) -> Norm:
        parent_id, hierarchy = self._place(row[10])
        return decode_norm(row, self._ids[row[2]], self._firsts[row[2]], parent_id, hierarchy)

    def _read_place(self, place: int) -> tuple[str | None, tuple[str, ...]]:
        parent_id, hierarchy = self._db.execute(
            "SELECT parent_id, hierarchy FROM places WHERE place = ?", (place,)
        ).fetchone()
        return parent_id, tuple(orjson.loads(hierarchy))

    def _reference(self, row: Row) -> Reference:
        edge, cited, path, text, start, end = row
        return Reference(self._id(edge // _EDGES) or "", self._id(cited), path, text, start, end)

    def _id(self, ordinal: int | None) -> str | None:
        if ordinal is None:
            return None
        if ordinal < 0:
            return self._ids[-1 - ordinal]
        row = self._db.execute("SELECT norm_id FROM norms WHERE ordinal = ?", (ordinal,)).fetchone()
        return row[0] if row else None


def _versions(ordinal: int) -> tuple[int, int]:
    return ordinal * _VERSIONS, ordinal * _VERSIONS + _VERSIONS - 1
