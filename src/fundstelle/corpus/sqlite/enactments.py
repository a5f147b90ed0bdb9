"""By which acts texts came, and what parliament's record says of their commencement."""

from datetime import date

from fundstelle.corpus.rows import read_day
from fundstelle.corpus.sqlite.connection import Connection
from fundstelle.law.norms import Enactment

HAS_ENACTMENTS = "SELECT count(*) FROM sqlite_master WHERE name = 'enactments'"
ALL_ENACTMENTS = "SELECT fassung, acts, without_day, seen_day, said_day FROM enactments"
_BETWEEN = f"{ALL_ENACTMENTS} WHERE fassung BETWEEN ? AND ?"
_SAID = f"{ALL_ENACTMENTS} WHERE said_day IS NOT NULL AND fassung = ?"


def read_between(connection: Connection, span: tuple[int, int]) -> dict[int, Enactment]:
    """Those of the fassungen with keys in ``span``, both ends included."""
    (known,) = connection.execute(HAS_ENACTMENTS).fetchone()
    if not known:  # a build that was made before there were any has no table
        return {}
    rows = connection.execute(_BETWEEN, span)
    return {fassung: _decode(*row) for fassung, *row in rows}


def has_said(connection: Connection) -> bool:
    """Whether parliament's record says anything of any text of the build."""
    (known,) = connection.execute(HAS_ENACTMENTS).fetchone()
    if not known:
        return False
    found = connection.execute("SELECT 1 FROM enactments WHERE said_day IS NOT NULL LIMIT 1")
    return found.fetchone() is not None


def find_said(connection: Connection, fassung: int) -> Enactment | None:
    """What parliament's record says of one, if it does."""
    row = connection.execute(_SAID, (fassung,)).fetchone()
    return None if row is None else _decode(*row[1:])


def _decode(acts: str, without: str, seen: str, said: str | None) -> Enactment:
    return Enactment(
        tuple(acts.split("\n")),
        date.fromisoformat(without),
        date.fromisoformat(seen),
        read_day(said),
    )
