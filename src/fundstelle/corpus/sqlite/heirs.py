"""Provisions that went on the day on which others came: read for comparison, kept as pairs."""

from collections.abc import Iterable, Iterator
from datetime import date

from fundstelle.corpus.ingestion import DatedText, HeirRow
from fundstelle.corpus.rows import PROVISIONS, encode_kind
from fundstelle.corpus.sqlite.connection import Connection
from fundstelle.corpus.sqlite.queries import VERSIONS

HAS_HEIRS = "SELECT count(*) FROM sqlite_master WHERE name = 'heirs'"
_KINDS = ", ".join(str(encode_kind(kind)) for kind in PROVISIONS)
_FEWEST, _EMPTY = 120, 60  # characters: of a text that can be told apart, of a "(weggefallen)"
# Fassungen of one norm have numbers in a row, those of another begin at the next multiple.
_ENDED = f"""
    SELECT f.fassung / {VERSIONS}, f.until_day, f.text FROM fassungen f
    JOIN norms n ON n.ordinal = f.fassung / {VERSIONS}
    LEFT JOIN fassungen next ON next.fassung = f.fassung + 1
    WHERE f.until_day IS NOT NULL AND length(f.text) >= {_FEWEST} AND n.kind IN ({_KINDS})
        AND (next.fassung IS NULL OR length(next.text) < {_EMPTY})
    ORDER BY f.fassung
"""  # noqa: S608 - constants alone
_BEGUN = f"""
    SELECT f.fassung / {VERSIONS}, f.from_day, f.text FROM fassungen f
    JOIN norms n ON n.ordinal = f.fassung / {VERSIONS}
    LEFT JOIN fassungen before ON before.fassung = f.fassung - 1
    WHERE f.from_day IS NOT NULL AND length(f.text) >= {_FEWEST} AND n.kind IN ({_KINDS})
        AND (before.fassung IS NULL OR length(before.text) < {_EMPTY})
    ORDER BY f.from_day, f.fassung
"""  # noqa: S608 - constants alone
_PAIRS = """
    SELECT ended.norm_id, heir.norm_id, share FROM heirs
    JOIN norms ended ON heirs.ended = ended.ordinal JOIN norms heir ON heir.ordinal = heirs.heir
"""


def iter_ended(connection: Connection) -> Iterator[DatedText]:
    """Texts of provisions that no other one followed, with the day on which they went."""
    yield from _iter(connection, _ENDED)


def iter_begun(connection: Connection) -> Iterator[DatedText]:
    """Texts of provisions before which there was none, with the day on which they came.

    They come in the order of their days.
    """
    yield from _iter(connection, _BEGUN)


def add(connection: Connection, heirs: Iterable[HeirRow]) -> None:
    """Keep which provision took the place of which."""
    connection.executemany("INSERT INTO heirs VALUES (?, ?, ?)", heirs)


def read(connection: Connection) -> dict[str, tuple[str, int]]:
    """The id of each heir and per cent of the words that it has, by the id of what went.

    There are some dozens: nearly all that goes has none.
    """
    (known,) = connection.execute(HAS_HEIRS).fetchone()
    if not known:  # a build that was made before there were any has no table
        return {}
    return {ended: (heir, share) for ended, heir, share in connection.execute(_PAIRS)}


def _iter(connection: Connection, select: str) -> Iterator[DatedText]:
    for ordinal, day, text in connection.execute(select):
        yield ordinal, date.fromisoformat(day), text
