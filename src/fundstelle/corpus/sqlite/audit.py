"""Reads a build whole: what it counts, what it hashes to, whether it is sound."""

import hashlib

from fundstelle.corpus.rows import HEADING_CODE
from fundstelle.corpus.sqlite import queries, summary
from fundstelle.corpus.sqlite.citers import HAS_RANGED
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.enactments import ALL_ENACTMENTS, HAS_ENACTMENTS
from fundstelle.corpus.sqlite.heirs import HAS_HEIRS
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.errors import DamagedBuild

_COUNTS = ("norms", "fassungen", "references", "characters", "decisions", "citings")
_LAWS = (
    "SELECT statute_id, first, last, header FROM statutes ORDER BY statute",
    f"SELECT {queries.NORM_COLUMNS}, sort_key, range_key FROM norms ORDER BY ordinal",  # noqa: S608
    queries.MISSING,
    "SELECT * FROM places ORDER BY place",
    "SELECT * FROM headings ORDER BY ordinal",
    "SELECT * FROM fassungen ORDER BY fassung",
    "SELECT * FROM edges ORDER BY edge",
)


def count(store: SqliteCorpusStore) -> dict[str, int]:
    """What the manifest quotes: norms (headings not counted), fassungen, references, ..."""
    *laws, characters = store.connection.execute(
        f"SELECT (SELECT count(*) FROM norms WHERE kind <> {HEADING_CODE}),"  # noqa: S608
        " (SELECT count(*) FROM fassungen), (SELECT count(*) FROM edges),"
        " (SELECT coalesce(sum(length(text)), 0) FROM fassungen)"
    ).fetchone()
    held = summary.read(store.connection) or summary.work_out(store.connection)
    row = *laws, characters + held.characters, held.decisions, held.citings
    return dict(zip(_COUNTS, row, strict=True))


def hash_content(store: SqliteCorpusStore, *, anew: bool = True) -> str:
    """SHA-256 over everything the build holds, in order; 64 hex digits.

    Decisions in a file of their own have a hash of their own, which is hashed in their place; it
    is worked out, unless it is known (not ``anew``) that it is theirs.
    """
    with translated(store.path):
        connection = store.connection
        held = summary.read(connection)
        own = summary.TABLES if held is None else ()
        tables = [*_LAWS, *own]
        for condition, select in (
            (queries.HAS_FORMER_HEADINGS, "SELECT * FROM former_headings ORDER BY fassung"),
            (HAS_RANGED if held is None else "SELECT 0", summary.RANGED),
            (HAS_ENACTMENTS, f"{ALL_ENACTMENTS} ORDER BY fassung"),
            (HAS_HEIRS, "SELECT * FROM heirs ORDER BY ended"),
        ):
            (known,) = connection.execute(condition).fetchone()
            if known:
                tables.append(select)
        digest = hashlib.sha256()
        summary.add_rows(digest, connection, tables)
        if held is not None:
            digest.update(held.sha256)
            if anew and summary.work_out(connection) != held:
                digest.update(b"no longer")  # no release has such a name
    return digest.hexdigest()


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
