"""What would have to be read from end to end to be known of the decisions of a build."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from fundstelle.corpus.sqlite.citers import HAS_RANGED
from fundstelle.corpus.sqlite.connection import DECIDED, Connection

_ROWS = 500  # hashed together; the longest texts have a megabyte
_HAS_SUMMARY = "SELECT count(*) FROM pragma_table_info('summary')"
_COUNT = (
    "SELECT (SELECT count(*) FROM decisions), (SELECT count(*) FROM citings),"
    " (SELECT coalesce(sum(length(text)), 0) FROM decision_texts)"
)
TABLES = (
    "SELECT * FROM decisions ORDER BY decision",
    "SELECT * FROM decision_texts ORDER BY decision",
    "SELECT * FROM decision_names ORDER BY decision, is_docket, name",
    "SELECT * FROM citings ORDER BY citing",
)
RANGED = "SELECT * FROM ranged ORDER BY citing"


@dataclass(frozen=True, slots=True)
class Summary:
    """How much the decisions are, and what they hash to."""

    decisions: int
    citings: int
    characters: int
    sha256: bytes


def write(database: Connection) -> None:
    """Keep that of a new build beside its decisions, when all of them are written."""
    held = work_out(database)
    database.execute(
        f"INSERT INTO {DECIDED}.summary VALUES (?, ?, ?, ?)",  # noqa: S608 constants
        (held.decisions, held.citings, held.characters, held.sha256),
    )


def read(connection: Connection) -> Summary | None:
    """That of a build; ``None`` where its decisions are in one file with its laws."""
    (known,) = connection.execute(_HAS_SUMMARY).fetchone()
    if not known:
        return None
    row = connection.execute("SELECT * FROM summary").fetchone()
    return work_out(connection) if row is None else Summary(*row)


def work_out(connection: Connection) -> Summary:
    """The same, by reading all of it."""
    digest = hashlib.sha256()
    (has_ranged,) = connection.execute(HAS_RANGED).fetchone()
    add_rows(digest, connection, (*TABLES, RANGED) if has_ranged else TABLES)
    decisions, citings, characters = connection.execute(_COUNT).fetchone()
    return Summary(decisions, citings, characters, digest.digest())


def add_rows(digest: "hashlib._Hash", connection: Connection, selects: Sequence[str]) -> None:
    """Hash the rows of tables, and how they were asked for."""
    for select in selects:
        digest.update(select.encode())
        rows = connection.execute(select)
        while some := rows.fetchmany(_ROWS):
            digest.update(b"".join(map(_pack, chain.from_iterable(some))))


def _pack(value: bytes | str | float | None) -> bytes:
    data = value if isinstance(value, bytes) else str(value).encode()
    return b"%d:%b" % (len(data), data)
