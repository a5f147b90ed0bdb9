"""Parts of a build that are small and asked for again and again: read once, then kept."""

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, lru_cache, partial
from itertools import groupby

import orjson

from fundstelle.corpus.missing import MissingLaw, MissingLaws
from fundstelle.corpus.rows import Row, decode_kind, decode_norm, decode_precision, encode_kind
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import Connections
from fundstelle.corpus.sqlite.numbering import Numbering, build_numbering
from fundstelle.corpus.store import ChangedOn, OutlineEntry
from fundstelle.errors import DamagedBuild
from fundstelle.law.norms import Norm, NormKind


class Parts:
    """The kept parts of one build. Threads may share them.

    Knows the connections and no store: a cache that held the store would outlive the build.

    Args:
        connections: to the build.
        statutes: the ids of its statutes, by their numbers.
        firsts: the ordinals of their first norms, likewise.
    """

    def __init__(
        self, connections: Connections, statutes: Sequence[str], firsts: Sequence[int]
    ) -> None:
        self._connections = connections
        self._statutes = statutes
        self._firsts = firsts
        self._find_place = lru_cache(maxsize=2048)(partial(_read_place, connections))
        self.find_numbering = lru_cache(maxsize=128)(partial(_read_numbering, connections))
        self.list_outline = lru_cache(maxsize=64)(partial(_read_outline, connections))
        self.find_doubles = cache(partial(_read_doubles, connections))
        self._find_changes = cache(partial(_read_changes, connections))
        self.find_missing = cache(partial(_read_missing, connections))

    def list_changed(self, first: date, last: date) -> list[ChangedOn]:
        """What changed on the days of ``[first, last]``, oldest first."""
        found = []
        for (day, is_exact), ordinals in self._find_changes().items():
            if first <= day <= last:
                by_statute = groupby(ordinals, lambda ordinal: bisect_right(self._firsts, ordinal))
                for behind, group in by_statute:
                    statute_id = self._statutes[behind - 1]
                    found.append(ChangedOn(statute_id, day, is_exact, tuple(group)))
        return found

    def list_of_kind(self, first: int, last: int, kind: NormKind) -> tuple[Norm, ...]:
        """The norms of that kind with the ordinals ``[first, last]``, in document order."""
        rows = self._connections.get().execute(queries.OF_KIND, (first, last, encode_kind(kind)))
        return tuple(map(self.build_norm, rows.fetchall()))

    def build_norm(self, row: Row) -> Norm:
        """The norm of a row of ``NORM_COLUMNS``, at its place in the law.

        Raises:
            DamagedBuild: it cannot be read.
        """
        try:
            parent_id, hierarchy = self._find_place(row[10])
            statute, first = self._statutes[row[2]], self._firsts[row[2]]
            return decode_norm(row, statute, first, parent_id, hierarchy)
        except (ValueError, TypeError, LookupError) as error:
            raise DamagedBuild("what is stored of a provision cannot be read") from error


def _read_place(connections: Connections, place: int) -> tuple[str | None, tuple[str, ...]]:
    parent_id, hierarchy = connections.get().execute(queries.PLACE, (place,)).fetchone()
    return parent_id, tuple(orjson.loads(hierarchy))


def _read_numbering(connections: Connections, statute: int) -> Numbering:
    rows = connections.get().execute(queries.NUMBERS, (statute,))
    return build_numbering([(decode_kind(kind), *rest) for kind, *rest in rows])


def _read_outline(connections: Connections, first: int, last: int) -> tuple[OutlineEntry, ...]:
    rows = connections.get().execute(queries.OUTLINE, (first, last))
    return tuple(
        OutlineEntry(ordinal - first, ordinal, decode_kind(kind), number, place)
        for ordinal, kind, number, place in rows
    )


def _read_changes(connections: Connections) -> Mapping[tuple[date, bool], Sequence[int]]:
    """By the days from which they have another text, or none, the ordinals of provisions.

    With the day: whether it is known to be the first in force.
    """
    found: dict[tuple[str, bool], list[int]] = {}
    before, ended = -1, ""
    for fassung, begins, ends, precision in sorted(connections.get().execute(queries.CHANGES)):
        ordinal = fassung // queries.VERSIONS
        if ended and (ordinal != before or begins != ended):
            found.setdefault((ended, False), []).append(before)
        if begins:
            is_exact = decode_precision(precision).is_in_force
            found.setdefault((begins, is_exact), []).append(ordinal)
        before, ended = ordinal, ends
    if ended:
        found.setdefault((ended, False), []).append(before)
    return {
        (date.fromisoformat(day), is_exact): array("l", sorted(ordinals))
        for (day, is_exact), ordinals in sorted(found.items())
    }


def _read_doubles(connections: Connections) -> dict[str, list[str]]:
    """The ids of further norms by the id of the first of that designation."""
    doubles: dict[str, list[str]] = {}
    for (norm_id,) in connections.get().execute(queries.DOUBLES):
        doubles.setdefault(norm_id.partition("~")[0], []).append(norm_id)
    return doubles


def _read_missing(connections: Connections) -> MissingLaws:
    # Builds of the first schema do not say.
    connection = connections.get()
    (known,) = connection.execute(queries.HAS_MISSING).fetchone()
    rows = connection.execute(queries.MISSING) if known else ()
    return MissingLaws(MissingLaw(*row) for row in rows)
