"""Finds the rows of norms by their ids; what an index leads to is what was asked for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fundstelle.corpus.rows import Row, first_number, last_number, sort_key
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import Connections
from fundstelle.errors import DamagedBuild

_NUMBERS = re.compile(r"\d+[a-z]*")


@dataclass(frozen=True, slots=True)
class Span:
    """The ordinals of a statute's norms, both ends included."""

    statute: int
    first: int
    last: int


class NormRows:
    """Rows of ``NORM_COLUMNS``. Threads may share them.

    Args:
        connections: to the build.
        spans: of its statutes, by their ids.
    """

    def __init__(self, connections: Connections, spans: Mapping[str, Span]) -> None:
        self._connections = connections
        self._spans = spans
        self._latest: tuple[str, Row | None] = "", None

    def find(self, norm_id: str) -> Row | None:
        """The row of a norm or heading, also by an id inside a range norm.

        Raises:
            DamagedBuild: an index leads to another one, or has lost it.
        """
        latest = self._latest
        if latest[0] == norm_id:  # a norm is mostly followed by its fassung
            return latest[1]
        row: Row | None = self._connections.get().execute(queries.NORM_BY_ID, (norm_id,)).fetchone()
        if row is not None and row[1] != norm_id:
            raise DamagedBuild(f"the index of the norms leads from {norm_id} to another one")
        if row is None:
            self._hold_absent(norm_id)
            row = self.find_range(norm_id)
        self._latest = norm_id, row
        return row

    def _hold_absent(self, norm_id: str) -> None:
        """See that the index of numbers has no § or Artikel either that the index of ids lacks.

        Raises:
            DamagedBuild: it has one of that id.
        """
        span, number = self._split(norm_id)
        if span is None:
            return
        rows = self._connections.get().execute(queries.OF_NUMBER, (span.statute, sort_key(number)))
        if (norm_id,) in rows.fetchall():
            raise DamagedBuild(f"the index of the norms has lost {norm_id}")

    def _split(self, norm_id: str) -> tuple[Span | None, str]:
        """The span of the law of a § or Artikel, and its number; no span if it is none of a law."""
        jurisdiction, _, rest = norm_id.partition("/")
        law, _, number = rest.partition("/")
        return (self._spans.get(f"{jurisdiction}/{law}") if number[:1].isdigit() else None), number

    def find_range(self, norm_id: str) -> Row | None:
        """The range norm that ``norm_id`` lies in: as deep as its ends, between them."""
        span, number = self._split(norm_id)
        if span is None:
            return None
        key = sort_key(number)
        row: Row | None = (
            self._connections.get().execute(queries.RANGE, (span.statute, key, key)).fetchone()
        )
        if row is None or not _is_inside(number, row[4], row[6]):
            return None
        if not (span.first <= row[0] <= span.last and _lies_between(key, row[4], row[5])):
            raise DamagedBuild(f"the index of the ranges leads from {norm_id} to another one")
        return row


def _is_inside(number: str, held: str, label: str) -> bool:
    """Whether a norm that stands for several stands for ``number``, which lies between its ends.

    ``§§ 43 und 44`` are two sections; ``§§ 67 bis 70b`` all that there were.
    """
    if held.count("/") != number.count("/"):
        return False
    is_open = "bis" in label or "-" in label
    return is_open or number.rpartition("/")[2] in _NUMBERS.findall(label.lower())


def _lies_between(key: str, number: str, number_end: str | None) -> bool:
    """Whether a sort key lies between those of the ends of a norm that stands for several."""
    first = sort_key(first_number(number, number_end))
    return number_end is not None and first <= key <= sort_key(last_number(number, number_end))
