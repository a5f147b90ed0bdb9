"""Reads the fassungen of a build: the words of a day, and what stood above them on that day."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial

from fundstelle.corpus.rows import (
    Row,
    check_text,
    decode_fassung,
    decode_head,
    decode_headings,
    decode_notes,
    decode_precision,
    decode_status,
    read_day,
)
from fundstelle.corpus.sqlite import enactments, queries
from fundstelle.corpus.sqlite.connection import Connections
from fundstelle.corpus.sqlite.leaves import Leaves
from fundstelle.corpus.store import Excerpt, FassungHead
from fundstelle.errors import DamagedBuild
from fundstelle.law.norms import Fassung, Headings, Norm, NormStatus, name_later

_NORM_WIDTH = len(queries.NORM_COLUMNS.split(","))
_DAY_WIDTH = 5
_UNTIL = 1 + queries.FASSUNG_COLUMNS.split(", ").index("until_day")
_DIGEST, _FROM = 2, _UNTIL - 1


class Fassungen:
    """Reads fassungen by the rows of their norms, of ``NORM_COLUMNS``.

    ``build_norm`` makes a norm of such a row. What is read is held against ``leaves``; there are
    none while the build is being made. Knows the connections and no store: a
    cache over it must not outlive the build, and none lies in a circle, in which a build that was
    replaced would stay (``web.following`` hides builds from the collector).
    """

    def __init__(
        self,
        connections: Connections,
        build_norm: Callable[[Row], Norm],
        leaves: Leaves | None = None,
    ) -> None:
        self._connections = connections
        self._leaves = leaves
        self._build_norm = build_norm
        self._are_headings_held = cache(partial(_find_table, connections))
        self._is_dated = cache(lambda: enactments.has_said(connections.get()))

    def read(self, norm: Row, on: date | None) -> Fassung | None:
        """The version of a norm on that day (``None`` = the newest).

        Raises:
            DamagedBuild: its text does not fit its hash, or it does not fit its leaf, or cannot be
                read; or there is none, and those of other days do not fit theirs.
        """
        span = queries.versions(norm[0])
        connection = self._connections.get()
        if on is None:
            found = connection.execute(queries.NEWEST, span).fetchone()
        else:
            day = on.isoformat()
            found = connection.execute(queries.ON_DAY, (*span, day, day)).fetchone()
        held: Sequence[Row] | None = None
        if found is None or (on is None and found[_UNTIL] is not None):
            held = self._hold_all(norm)  # that it ended, and nothing followed, all of them say
        if found is None:
            if any(on is None or _holds(row, on.isoformat()) for row in held or ()):
                raise DamagedBuild(f"what is stored of {norm[1]} was not found")
            return None
        headings = self.find_headings(found[0], found[_UNTIL])
        if self._leaves is not None:
            title = norm[7] if headings is None else headings.title
            days = found[_FROM : _UNTIL + 2]
            head = (*days, found[_DIGEST], *found[_UNTIL + 2 :])
            self._leaves.hold_fassung(norm, found[0], title, head)
        said = enactments.find_said(connection, found[0]) if self._is_dated() else None
        try:
            return decode_fassung(norm[1], found[1:], headings, said)
        except (ValueError, TypeError, LookupError, AttributeError) as error:  # of its parts
            raise DamagedBuild(f"what is stored of {norm[1]} cannot be read") from error

    def list_of(self, norm: Row) -> list[FassungHead]:
        """The versions of a norm, oldest first.

        Raises:
            DamagedBuild: one does not fit its leaf, or lacks.
        """
        held = self._hold_all(norm)
        if held is not None:
            return [decode_head(row[1:7]) for row in held]
        rows = self._connections.get().execute(queries.HEADS, queries.versions(norm[0]))
        return [decode_head(row) for row in rows]

    def _hold_all(self, norm: Row) -> list[Row] | None:
        """The rows of ``TITLED_HEADS``, held against their leaves; ``None`` without any."""
        if self._leaves is None or not self._leaves.are_kept:
            return None
        rows: list[Row] = (
            self._connections.get()
            .execute(queries.TITLED_HEADS, queries.versions(norm[0]))
            .fetchall()
        )
        self._leaves.hold_all(norm, rows)
        return rows

    def find_number(self, ordinal: int, fassung: Fassung) -> int | None:
        """The key of a version of the norm with that ordinal, by its words and its days."""
        bounds = (fassung.in_force_from, fassung.in_force_until)
        days = (day and day.isoformat() for day in bounds)
        digest = bytes.fromhex(fassung.text_sha256)
        row = (
            self._connections.get()
            .execute(queries.NUMBER, (*queries.versions(ordinal), digest, *days))
            .fetchone()
        )
        return None if row is None else int(row[0])

    def find_headings(self, fassung: int, until: str | None) -> Headings | None:
        """What stood above a fassung that ended with ``until``; ``None`` where it is the newest.

        Builds that were made before this was kept do not know it.
        """
        if until is None:
            return None
        connection = self._connections.get()
        if self._are_headings_held():
            row = connection.execute(queries.FORMER_HEADINGS, (fassung,)).fetchone()
            if row is not None:
                return decode_headings(row)
        (newest,) = connection.execute(
            queries.NEWEST_KEY, queries.versions(fassung // queries.VERSIONS)
        ).fetchone()
        return None if newest == fassung else decode_headings(None)

    def list_excerpts(self, ordinals: Sequence[int], on: date) -> dict[int, Excerpt]:
        """The norms with these numbers as they were on that day."""
        day = on.isoformat()
        rows = self._connections.get().execute(
            queries.excerpts(len(ordinals)), (day, day, *ordinals)
        )
        found = {}
        for row in rows:  # the newest fassung comes last
            text, stand, digest, notes, begins, precision = row[_NORM_WIDTH + _DAY_WIDTH :]
            norm = self._set_back(row, day)
            fassung, ends, status = row[_NORM_WIDTH : _NORM_WIDTH + 3]
            if digest is None:
                self._hold_all(row[:_NORM_WIDTH])
            else:
                check_text(text, digest, row[1])
                if self._leaves is not None:
                    head = (begins, ends, precision, digest, stand, status)
                    self._leaves.hold_fassung(row, fassung, norm.title, head)
            until = read_day(row[_NORM_WIDTH + 1])
            found[row[0]] = Excerpt(norm, text or "", read_day(stand), decode_notes(notes), until)
        return found

    def list_heads(self, first: int, last: int) -> dict[str, list[FassungHead]]:
        """The versions of the norms with the ordinals ``[first, last]``, oldest first."""
        heads: dict[str, list[FassungHead]] = {}
        for norm_id, *row in self._connections.get().execute(queries.HEADS_OF_LAW, (first, last)):
            heads.setdefault(norm_id, []).append(decode_head(row))
        return heads

    def list_norms(self, first: int, last: int, on: date) -> list[Norm]:
        """The norms with the ordinals ``[first, last]``, headed and in force as on that day."""
        day = on.isoformat()
        rows = self._connections.get().execute(queries.NORMS_ON_DAY, (day, day, first, last))
        found = {row[0]: self._set_back(row, day) for row in rows}
        return [found[ordinal] for ordinal in sorted(found)]

    def _set_back(self, row: Row, day: str) -> Norm:
        """A norm of ``NORM_COLUMNS``, and what holds on a day, as it was then."""
        norm = self._build_norm(row[:_NORM_WIDTH])
        fassung, until, status, begins, precision = row[_NORM_WIDTH : _NORM_WIDTH + _DAY_WIDTH]
        if fassung is None:
            if begins is None or begins <= day:
                return replace(norm, status=NormStatus.REPEALED)
            return replace(norm, status=name_later(decode_precision(precision)))
        headings = self.find_headings(fassung, until)
        if headings is not None:
            norm = replace(norm, title=headings.title, hierarchy=headings.hierarchy)
        return replace(norm, status=decode_status(status))


def _holds(row: Row, day: str) -> bool:
    """Whether a fassung of ``TITLED_HEADS`` is the one of a day."""
    return (row[1] or "") <= day < (row[2] or "9999-99-99")


def _find_table(connections: Connections) -> bool:
    (known,) = connections.get().execute(queries.HAS_FORMER_HEADINGS).fetchone()
    return bool(known)
