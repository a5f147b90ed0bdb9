"""The audit log: append-only, each line chained to the one before it.

The chain shows what was changed by whoever cannot rewrite all of it. The number and hash of the
newest line stand in a row of their own, sealed with the pepper: who has the database but not the
pepper can neither cut the end off nor hash the whole log anew. Who has both can, so a hash that was
kept elsewhere may be given to ``verify``.
"""

import hashlib
import hmac
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row, insert, select, update

from fundstelle.accounts.audit_chain import (
    START,
    AuditLine,
    AuditProblem,
    Entry,
    chain,
    check_line,
    describe,
)
from fundstelle.accounts.schema_records import audit, audit_head
from fundstelle.accounts.store import AccountsStore

__all__ = ["SYSTEM", "AuditLine", "AuditLog", "AuditProblem", "Entry"]

SYSTEM = "system"  # the actor of what is done on the command line, or by the server itself

_PAGE = 1_000
_ATTEMPTS = 10  # to see the log while others write to it


class AuditLog:
    """The log of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        is_on: without it nothing is recorded.
    """

    def __init__(
        self, store: AccountsStore, clock: Callable[[], float] = time.time, *, is_on: bool = True
    ) -> None:
        self._store = store
        self._clock = clock
        self._is_on = is_on
        self._seal_key = hmac.digest(store.pepper, b"audit-head", "sha256")

    def record(
        self,
        event: str,
        actor: str,
        object: str = "",  # noqa: A002 -- called so in the log
        request: str = "",
        **details: Any,
    ) -> None:
        """Append one line. ``details`` hold ids and names of things, never secrets or questions.

        Raises:
            AccountsError: the database cannot be used.
        """
        self.append([Entry(self.now(), event, actor, object, request, details)])

    def now(self) -> datetime:
        """The time that a line recorded now has."""
        return datetime.fromtimestamp(self._clock(), UTC)

    def append(self, entries: Iterable[Entry]) -> None:
        """Append lines in one transaction.

        Raises:
            AccountsError: the database cannot be used.
        """
        waiting = list(entries)
        if not waiting or not self._is_on:
            return
        with self._store.write() as connection:
            # Raised before it is read: the row is locked, and lines are written one after another.
            connection.execute(update(audit_head).values(number=audit_head.c.number + len(waiting)))
            head = connection.execute(select(audit_head)).one()
            lines: list[dict[str, Any]] = []
            previous = head.hash
            for number, entry in enumerate(waiting, start=head.number - len(waiting) + 1):
                lines.append(chain(entry, number, previous))
                previous = lines[-1]["hash"]
            connection.execute(insert(audit), lines)
            connection.execute(
                update(audit_head).values(hash=previous, seal=self._seal(head.number, previous))
            )

    def export(self, since: datetime | None = None) -> Iterator[dict[str, Any]]:
        """The lines, oldest first, as JSON objects.

        Raises:
            AccountsError: the database cannot be used.
        """
        for line in self._read(since=since):
            yield describe(line)

    def export_lines(self, since: datetime | None = None) -> Iterator[bytes]:
        """The lines as JSON, each ended by a newline."""
        for line in self.export(since):
            yield orjson.dumps(line, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)

    def latest(self) -> Iterator[AuditLine]:
        """The lines, newest first."""
        number = self.read_head()[0] + 1
        while number > 1:
            with self._store.read() as connection:
                page = connection.execute(
                    select(audit)
                    .where(audit.c.number < number)
                    .order_by(audit.c.number.desc())
                    .limit(_PAGE)
                ).all()
            if not page:
                return
            yield from map(_to_line, page)
            number = page[-1].number

    def read_head(self) -> tuple[int, str]:
        """The number and the hash of the newest line; 0 and zeros while there is none."""
        with self._store.read() as connection:
            head = connection.execute(select(audit_head)).one_or_none()
        return (0, START) if head is None else (head.number, head.hash)

    def verify(self, head: str | None = None) -> AuditProblem | None:
        """Read the whole log: the first thing that is wrong with it, ``None`` if nothing is.

        Args:
            head: the hash of a line that was the newest once, kept outside the database.

        Raises:
            AccountsError: the database cannot be used.
        """
        number, previous = 0, START
        seen = head is None or head == START
        for _ in range(_ATTEMPTS):
            before = number
            for line in self._read(after=number):
                problem = check_line(line, number + 1, previous)
                if problem is not None:
                    return problem
                number, previous = line.number, line.hash
                seen = seen or previous == head
            # Read after the lines, so others may have written between: then there are more lines.
            with self._store.read() as connection:
                newest = connection.execute(select(audit_head)).one_or_none()
            if newest is None or newest.number <= number or number == before:
                break
        problem = self._check_end(newest, number, previous)
        if problem is None and not seen:
            return AuditProblem(
                "truncated",
                number + 1,
                f"none of the {number} lines has the hash that was remembered: the end of the log "
                "was removed, or it was written anew",
            )
        return problem

    def _check_end(
        self, newest: Row[Any] | None, number: int, previous: str
    ) -> AuditProblem | None:
        kind, at, text = "rewritten", number, ""
        if newest is None:
            text = "the row with the newest hash is missing"
        elif newest.number > number:
            kind, at = "truncated", number + 1
            text = f"the log ends with line {number}, but line {newest.number} had been written"
        elif newest.number < number:
            kind, at = "inserted", newest.number + 1
            text = f"line {at} was not written by this server"
        elif newest.hash != previous:
            text = f"line {number} was replaced by another"
        elif number and not hmac.compare_digest(newest.seal, self._seal(number, previous)):
            text = "the newest hash was not sealed with this server's pepper"
        return AuditProblem(kind, at, text) if text else None

    def _seal(self, number: int, newest: str) -> str:
        return hmac.new(self._seal_key, f"{number}:{newest}".encode(), hashlib.sha256).hexdigest()

    def _read(self, *, after: int = 0, since: datetime | None = None) -> Iterator[AuditLine]:
        """The lines in pages, so that no transaction lasts as long as its reader takes."""
        query = select(audit).order_by(audit.c.number).limit(_PAGE)
        if since is not None:
            query = query.where(audit.c.time >= since)
        while True:
            with self._store.read() as connection:
                page = _fetch(connection, query.where(audit.c.number > after))
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].number


def _fetch(connection: Connection, query: Any) -> list[AuditLine]:
    return [_to_line(row) for row in connection.execute(query)]


def _to_line(row: Row[Any]) -> AuditLine:
    return AuditLine(**row._mapping)  # noqa: SLF001 -- a public member, in spite of its name
