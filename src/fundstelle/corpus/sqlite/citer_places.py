"""Places of citing decisions in the orders that pages come in, worked out on whole columns.

SQLite sorts what cites a unit together; what comes then takes it twice as long as arrays do.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite.connection import Connection
from fundstelle.corpus.sqlite.queries import EDGES

_Column = npt.NDArray[np.int64]

_ROWS = 200_000  # taken at once, and what is left of a unit that goes on
_NAMED = "SELECT unit, citing, within FROM named ORDER BY unit"
_DECIDED = (
    "SELECT decision, court_level, court, type, jurisdiction, day FROM decisions"
    " ORDER BY day IS NULL, day DESC, decision"
)


def iter_citers(database: Connection) -> Iterator[Row]:
    """The rows of ``citers``, in their order, of what ``named`` holds: unit, citing, within."""
    decided = _Decided.read(database)
    for unit, citing, within in _iter_units(database):
        yield from decided.place(unit, citing, within)


def _iter_units(database: Connection) -> Iterator[tuple[_Column, _Column, _Column]]:
    """Columns of some units at a time, all rows of each together, in the order of the texts."""
    rows = database.execute(_NAMED)
    held = np.empty((0, 3), np.int64)
    while some := rows.fetchmany(_ROWS):
        held = np.concatenate((held, np.array(some, np.int64)))
        behind = int(np.searchsorted(held[:, 0], held[-1, 0]))  # where the last unit begins
        yield _sort(held[:behind])
        held = held[behind:]
    yield _sort(held)


def _sort(rows: npt.NDArray[np.int64]) -> tuple[_Column, _Column, _Column]:
    unit, citing, within = rows[np.lexsort((rows[:, 1], rows[:, 0]))].T
    return unit, citing, within


@dataclass(frozen=True, slots=True)
class _Decided:
    """All decisions, by their numbers.

    Attributes:
        newest: the place of each among all of them, newest first, those without a day last.
        level: 1 = highest court.
        said: court, type, jurisdiction and day of each.
    """

    newest: _Column
    level: _Column
    said: list[tuple[str | None, ...]]

    @classmethod
    def read(cls, database: Connection) -> "_Decided":
        """From ``decisions``, whose numbers have no gap."""
        rows = database.execute(_DECIDED).fetchall()
        newest, level = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        said: list[tuple[str | None, ...]] = [()] * len(rows)
        for place, (number, court_level, *words) in enumerate(rows):
            newest[number], level[number] = place, court_level
            said[number] = tuple(word and sys.intern(word) for word in words)
        return cls(newest, level, said)

    def place(self, unit: _Column, citing: _Column, within: _Column) -> Iterator[Row]:
        """The rows of some units; those that name a unit come before those with it in a range."""
        decision = citing // EDGES
        is_first = np.ones(len(unit), bool)
        is_first[1:] = (unit[1:] != unit[:-1]) | (decision[1:] != decision[:-1])
        starts = np.flatnonzero(is_first)
        if not len(starts):
            return
        times = np.diff(starts, append=len(unit))
        never = np.iinfo(np.int64).max
        naming = np.minimum.reduceat(np.where(within == 0, citing, never), starts)
        first = np.where(naming == never, citing[starts], naming)
        within = np.minimum.reduceat(within, starts)
        unit, decision = unit[starts], decision[starts]
        newest = self.newest[decision]
        relevance = np.lexsort((newest, -times, self.level[decision], within, unit))
        begins = np.searchsorted(unit, unit)  # of the unit of each row
        at = np.arange(len(unit))
        relevant = np.empty_like(at)
        relevant[relevance] = at - begins
        order = np.lexsort((newest, within, unit))
        columns = (unit[order], at - begins, relevant[order], decision[order], first[order])
        lists = [column.tolist() for column in (*columns, times[order])]
        for row in zip(*lists, strict=True):
            yield (*row, *self.said[row[3]])
