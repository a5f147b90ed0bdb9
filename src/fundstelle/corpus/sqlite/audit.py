"""Reads a build whole: what it counts, what it hashes to, whether it is sound."""

import hashlib
from itertools import chain

from fundstelle.corpus.rows import HEADING_CODE
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.citers import HAS_RANGED
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.enactments import ALL_ENACTMENTS, HAS_ENACTMENTS
from fundstelle.corpus.sqlite.heirs import HAS_HEIRS
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.errors import DamagedBuild

_ROWS = 500  # hashed together; the longest texts have a megabyte
_COUNTS = ("norms", "fassungen", "references", "characters", "decisions", "citings")


def count(store: SqliteCorpusStore) -> dict[str, int]:
    """What the manifest quotes: norms (headings not counted), fassungen, references, ..."""
    row = store.connection.execute(
        f"SELECT (SELECT count(*) FROM norms WHERE kind <> {HEADING_CODE}),"  # noqa: S608
        " (SELECT count(*) FROM fassungen), (SELECT count(*) FROM edges),"
        " (SELECT coalesce(sum(length(text)), 0) FROM fassungen)"
        " + (SELECT coalesce(sum(length(text)), 0) FROM decision_texts),"
        " (SELECT count(*) FROM decisions), (SELECT count(*) FROM citings)"
    ).fetchone()
    return dict(zip(_COUNTS, row, strict=True))


def hash_content(store: SqliteCorpusStore) -> str:
    """SHA-256 over everything the build holds, in order; 64 hex digits."""
    digest = hashlib.sha256()
    tables = [
        "SELECT statute_id, first, last, header FROM statutes ORDER BY statute",
        f"SELECT {queries.NORM_COLUMNS}, sort_key, range_key FROM norms ORDER BY ordinal",  # noqa: S608
        queries.MISSING,
        "SELECT * FROM places ORDER BY place",
        "SELECT * FROM headings ORDER BY ordinal",
        "SELECT * FROM fassungen ORDER BY fassung",
        "SELECT * FROM edges ORDER BY edge",
        "SELECT * FROM decisions ORDER BY decision",
        "SELECT * FROM decision_texts ORDER BY decision",
        "SELECT * FROM decision_names ORDER BY decision, is_docket, name",
        "SELECT * FROM citings ORDER BY citing",
    ]
    with translated(store.path):
        (known,) = store.connection.execute(queries.HAS_FORMER_HEADINGS).fetchone()
        if known:
            tables.append("SELECT * FROM former_headings ORDER BY fassung")
        (known,) = store.connection.execute(HAS_RANGED).fetchone()
        if known:
            tables.append("SELECT * FROM ranged ORDER BY citing")
        (known,) = store.connection.execute(HAS_ENACTMENTS).fetchone()
        if known:
            tables.append(f"{ALL_ENACTMENTS} ORDER BY fassung")
        (known,) = store.connection.execute(HAS_HEIRS).fetchone()
        if known:
            tables.append("SELECT * FROM heirs ORDER BY ended")
        for select in tables:
            digest.update(select.encode())
            rows = store.connection.execute(select)
            while some := rows.fetchmany(_ROWS):
                digest.update(b"".join(map(_pack, chain.from_iterable(some))))
    return digest.hexdigest()


def _pack(value: bytes | str | float | None) -> bytes:
    data = value if isinstance(value, bytes) else str(value).encode()
    return b"%d:%b" % (len(data), data)


def check(store: SqliteCorpusStore) -> list[str]:
    """What SQLite and the stored hashes say is wrong; empty if nothing is."""
    try:
        problems = [row[0] for row in store.connection.execute("PRAGMA integrity_check(5)")]
        problems = [] if problems == ["ok"] else problems
        for number, text, digest in store.connection.execute(
            "SELECT fassung, text, text_sha256 FROM fassungen"
        ):
            if hashlib.sha256(text.encode()).digest() != digest:
                problems.append(f"the text of norm {number // queries.VERSIONS} was changed")
        for number, text, digest in store.connection.execute(
            "SELECT decision, text, text_sha256 FROM decision_texts"
        ):
            if hashlib.sha256(text.encode()).digest() != digest:
                problems.append(f"the text of decision {number} was changed")
    except DamagedBuild as error:
        return [error.what]
    return problems
