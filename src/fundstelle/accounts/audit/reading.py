"""Reads lines of the log in pages, so that no transaction lasts as long as its reader takes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select

from fundstelle.accounts.audit.chain import AuditLine, Entry, chain
from fundstelle.accounts.audit.events import CALL
from fundstelle.accounts.audit.head import Head
from fundstelle.accounts.audit.rows import identify, is_moment_ours, is_numbered, read_page
from fundstelle.accounts.database.schema_records import audit
from fundstelle.accounts.database.store import AccountsStore

_PAGE = 1_000
_LOOKED_UP = 100  # lines a query
_LOOKED_THROUGH = 200_000  # lines a page of a search


def iter_lines(
    store: AccountsStore,
    first: int = 0,
    since: datetime | None = None,
    *,
    as_written: bool = False,
) -> Iterator[AuditLine]:
    """The lines from a number, and a moment, on, oldest first; ``as_written`` as ``read_page``.

    Raises:
        AccountsError: the database cannot be used.
    """
    query = select(audit).order_by(audit.c.number).limit(_PAGE)
    while True:
        with store.read() as connection:
            numbered = query.where(audit.c.number >= first, is_numbered(connection))
            page = read_page(connection, numbered, as_written=as_written)
        # Compared here: as SQLite keeps a moment, one may sort elsewhere than it reads.
        yield from (line for line in page if since is None or line.time >= since)
        if len(page) < _PAGE:
            return
        first = page[-1].number + 1


def iter_newest(store: AccountsStore, head: Head) -> Iterator[AuditLine]:
    """The lines between the ends that *head* names, newest first.

    Raises:
        AccountsError: the database cannot be used.
    """
    number = head.number + 1
    query = select(audit).order_by(audit.c.number.desc()).limit(_PAGE)
    while number > head.first:
        with store.read() as connection:
            kept = (audit.c.number < number, audit.c.number >= head.first)
            page = read_page(connection, query.where(*kept, is_numbered(connection)))
        if not page:
            return
        yield from page
        number = page[-1].number


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines are looked for; ``None`` = whatever it is."""

    calls: bool | None = None  # tool calls alone, or all but these
    ids: frozenset[str] | None = None  # one of which did it, or had it done to
    # of ids that were somebody else's in between: the lines from a number, before a number
    spans: Mapping[str, Sequence[tuple[int, int | None]]] = field(default_factory=dict)
    since: datetime | None = None
    until: datetime | None = None  # before that moment

    def fits(self, line: AuditLine) -> bool:
        """Whether a line is one of them."""
        return (
            (self.calls is None or self.calls == (line.event == CALL))
            and (self.ids is None or self._names(line))
            and (self.since is None or line.time >= self.since)
            and (self.until is None or line.time < self.until)
        )

    def _names(self, line: AuditLine) -> bool:
        named = {line.actor, line.object}
        return bool(named & (self.ids or frozenset())) or any(
            since <= line.number and (until is None or line.number < until)
            for id_ in named & self.spans.keys()
            for since, until in self.spans[id_]
        )

    def name_rows(self) -> ColumnElement[bool]:
        """The rows that name one of the ids; a condition."""
        ids = self.ids or frozenset()
        found = audit.c.actor.in_(ids) | audit.c.object.in_(ids)
        for id_, spans in self.spans.items():
            for since, until in spans:
                within = audit.c.number >= since
                if until is not None:
                    within &= audit.c.number < until
                found |= within & ((audit.c.actor == id_) | (audit.c.object == id_))
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """Some lines, newest first, and the number that older ones are below; ``None`` = no more."""

    lines: tuple[AuditLine, ...]
    before: int | None


def find_newest(
    store: AccountsStore, head: Head, wanted: Wanted, most: int, before: int | None = None
) -> Found:
    """The newest lines that are wanted, of those below a number.

    At most ``_LOOKED_THROUGH`` lines are looked through: further ones are the next page's.

    Raises:
        AccountsError: the database cannot be used.
    """
    top = head.number + 1 if before is None else min(before, head.number + 1)
    floor = max(head.first, top - _LOOKED_THROUGH)
    query = select(audit).where(audit.c.number < top, audit.c.number >= floor)
    if wanted.calls is not None:
        query = query.where((audit.c.event == CALL) == wanted.calls)
    if wanted.ids is not None:
        query = query.where(wanted.name_rows())
    with store.read() as connection:
        is_odd = ~is_moment_ours(connection)  # which may sort elsewhere than it reads
        if wanted.since is not None:
            query = query.where((audit.c.time >= wanted.since) | is_odd)
        if wanted.until is not None:
            query = query.where((audit.c.time < wanted.until) | is_odd)
        numbered = query.where(is_numbered(connection))
        newest = numbered.order_by(audit.c.number.desc()).limit(most)
        page = [line for line in read_page(connection, newest) if wanted.fits(line)]
    if len(page) == most:
        return Found(tuple(page), page[-1].number)
    return Found(tuple(page), floor if floor > head.first else None)


def has_line_between(store: AccountsStore, first: datetime, last: datetime) -> bool:
    """Whether anything is recorded of the time from ``first`` to ``last``.

    Raises:
        AccountsError: the database cannot be used.
    """
    with store.read() as connection:
        query = select(audit.c.number).where(audit.c.time >= first, audit.c.time <= last)
        return connection.execute(query.limit(1)).first() is not None


def find_missing(store: AccountsStore, entries: Iterable[Entry]) -> list[Entry]:
    """Those that are not in the log yet, each told by all that a line says of it.

    Raises:
        AccountsError: the database cannot be used.
    """
    missing: list[Entry] = []
    found: Counter[Any] = Counter()
    looked_up: set[Any] = set()
    waiting = list(entries)
    for start in range(0, len(waiting), _LOOKED_UP):
        some = waiting[start : start + _LOOKED_UP]
        wanted = [identify(chain(entry, 0, "")) for entry in some]
        # a line stands for one entry, even if those of one moment are looked up in two goes
        times = {chain(entry, 0, "")["time"] for entry in some} - looked_up
        looked_up |= times
        with store.read() as connection:
            rows = connection.execute(select(audit).where(audit.c.time.in_(times)))
            found.update(identify(row) for row in rows.mappings())
        for entry, identity in zip(some, wanted, strict=True):
            found[identity] -= 1
            if found[identity] < 0:
                missing.append(entry)
    return missing


def has_calls(store: AccountsStore) -> bool:
    """Whether a tool call was ever recorded."""
    with store.read() as connection:
        found = connection.execute(select(audit.c.number).where(audit.c.event == CALL).limit(1))
        return found.first() is not None
