"""Norms and references as they are stored: what the next build compares, and takes over."""

from hashlib import sha256

from fundstelle.corpus.ingestion import Designation, Edge
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import Connection

_SPAN = "SELECT statute, first, last FROM statutes WHERE statute_id = ?"
_NORMS = (
    "SELECT norm_id, kind, number, number_end, label, level, status, sort_key, range_key,"
    " title, citation, publisher_id, parent_id, hierarchy"
    " FROM norms JOIN places USING (place) WHERE ordinal BETWEEN ? AND ? ORDER BY ordinal"
)
_OF_PLACE = 9  # columns
_HASHES = (
    "SELECT fassung, text_sha256 FROM fassungen WHERE fassung BETWEEN ? AND ? ORDER BY fassung"
)
_PARTS = (
    "SELECT fassung, text_sha256, segments, status FROM fassungen"
    " WHERE fassung BETWEEN ? AND ? ORDER BY fassung"
)
_TEXTS = "SELECT fassung, text FROM fassungen WHERE fassung BETWEEN ? AND ? ORDER BY fassung"
_EDGES = (
    f"SELECT edge / {queries.EDGES}, cited, cited_path, cited_text, start_at, end_at FROM edges"  # noqa: S608
    " WHERE edge BETWEEN ? AND ? ORDER BY edge"
)

# Texts that ended and whose headings are not known, texts by known acts, norms without a text.
_UNLIKE_NEW = f"""
    SELECT DISTINCT statute FROM norms WHERE ordinal IN (
        SELECT fassung / {queries.VERSIONS} FROM enactments
        UNION SELECT (fassung - 1) / {queries.VERSIONS} FROM fassungen
        WHERE fassung % {queries.VERSIONS}
            AND NOT EXISTS (SELECT 1 FROM former_headings h WHERE h.fassung = fassungen.fassung - 1)
    ) OR NOT EXISTS (
        SELECT 1 FROM fassungen WHERE fassung >= ordinal * {queries.VERSIONS}
            AND fassung < (ordinal + 1) * {queries.VERSIONS}
    )
"""  # noqa: S608 constants


def find_unlike_new(connection: Connection) -> set[int]:
    """Numbers of the statutes of which a new build may hold other rows."""
    return {number for (number,) in connection.execute(_UNLIKE_NEW).fetchall()}


def find_span(connection: Connection, statute_id: str) -> tuple[int, int, int] | None:
    """A statute's number, and the ordinals of its first and last norm."""
    row = connection.execute(_SPAN, (statute_id,)).fetchone()
    return None if row is None else (row[0], row[1], row[2])


def list_all(connection: Connection, statute_id: str) -> list[Designation]:
    """Every norm of a statute in document order, as it is stored."""
    span = find_span(connection, statute_id)
    if span is None:
        return []
    rows = connection.execute(_NORMS, span[1:]).fetchall()
    return [Designation(row[:_OF_PLACE], row[_OF_PLACE:]) for row in rows]


def list_hashes(connection: Connection, first: int, last: int) -> dict[int, bytes]:
    """SHA-256 of the newest text of each norm with the ordinals ``[first, last]``."""
    span = queries.versions(first)[0], queries.versions(last)[1]
    # the newest comes last
    return {
        key // queries.VERSIONS: digest
        for key, digest in connection.execute(_HASHES, span).fetchall()
    }


def list_parts(connection: Connection, first: int, last: int) -> dict[int, bytes]:
    """SHA-256 of the newest text of each of them, of where its parts lie, and of its status."""
    span = queries.versions(first)[0], queries.versions(last)[1]
    return {
        key // queries.VERSIONS: sha256(b"%b%d%b" % (digest, status, segments or b"")).digest()
        for key, digest, segments, status in connection.execute(_PARTS, span).fetchall()
    }


def list_texts(connection: Connection, first: int, last: int) -> dict[int, str]:
    """The newest text of each norm with the ordinals ``[first, last]``."""
    span = queries.versions(first)[0], queries.versions(last)[1]
    return {
        key // queries.VERSIONS: text for key, text in connection.execute(_TEXTS, span).fetchall()
    }


def list_edges(connection: Connection, first: int, last: int) -> list[Edge]:
    """The references out of the norms with the ordinals ``[first, last]``, in their order."""
    span = first * queries.EDGES, (last + 1) * queries.EDGES - 1
    return connection.execute(_EDGES, span).fetchall()
