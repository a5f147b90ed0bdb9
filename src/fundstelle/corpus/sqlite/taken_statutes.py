"""Rows of statutes that go from one build into the next as they are: nearly all of an update."""

from collections.abc import Iterator
from datetime import date

from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import Connection

ADD_NORM = "INSERT INTO main.norms VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_NORMS = (
    "SELECT norm_id, kind, number, number_end, label, title, citation, level, status, publisher_id,"
    " sort_key, range_key, parent_id, hierarchy"
    " FROM {held}.norms JOIN {held}.places USING (place) WHERE ordinal BETWEEN ? AND ?"
    " ORDER BY ordinal"
)
_HEADINGS = (
    "INSERT INTO main.headings SELECT ordinal + ?, folded FROM {held}.headings"
    " WHERE ordinal BETWEEN ? AND ? ORDER BY ordinal"
)
# The newest text of a norm, if it has not ended, was seen on the day given, if one is.
_TEXTS = (
    "INSERT INTO main.fassungen"  # noqa: S608 constants
    " SELECT fassung + ?1, text, text_sha256, segments, tables, footnotes, notes, from_day,"
    " until_day, precision, CASE WHEN ?4 IS NULL OR until_day IS NOT NULL OR EXISTS ("
    "SELECT 1 FROM {held}.fassungen b WHERE b.fassung = f.fassung + 1"
    f" AND b.fassung % {queries.VERSIONS}) THEN stand ELSE ?4 END, status"
    " FROM {held}.fassungen f WHERE fassung BETWEEN ?2 AND ?3 ORDER BY fassung"
)
_FORMER = (
    "INSERT INTO main.former_headings SELECT fassung + ?, title, hierarchy"
    " FROM {held}.former_headings WHERE fassung BETWEEN ? AND ? ORDER BY fassung"
)


class TakenStatutes:
    """Statutes of the build that is attached under a name."""

    def __init__(self, database: Connection, held: str) -> None:
        self._db = database
        self._norms, self._headings, self._texts, self._former = (
            select.replace("{held}", held) for select in (_NORMS, _HEADINGS, _TEXTS, _FORMER)
        )

    def iter_norms(self, span: tuple[int, int]) -> Iterator[tuple[Row, str | None, str]]:
        """The rows of the norms with these ordinals there, and the place of each."""
        for *row, parent_id, hierarchy in self._db.execute(self._norms, span).fetchall():
            yield tuple(row), parent_id, hierarchy

    def add_norm(self, row: Row) -> None:
        """Store one norm by its numbers here."""
        self._db.execute(ADD_NORM, row)

    def add_texts(self, span: tuple[int, int], first: int, confirmed: date | None) -> None:
        """Store headings and texts of the norms with these ordinals there, from ``first`` on."""
        moved = first - span[0]
        low, high = queries.versions(span[0])[0], queries.versions(span[1])[1]
        self._db.execute(self._headings, (moved, *span))
        seen = confirmed.isoformat() if confirmed else None
        self._db.execute(self._texts, (moved * queries.VERSIONS, low, high, seen))
        self._db.execute(self._former, (moved * queries.VERSIONS, low, high))
