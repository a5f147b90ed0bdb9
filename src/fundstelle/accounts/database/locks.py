"""Locks on several rows, taken so that no two transactions can wait for each other.

PostgreSQL locks rows as it comes to them: two statements that change the same rows in another order
each wait for the other, until one is ended as a deadlock. So whoever changes several rows of a
table locks them first in the order of their primary key, as the database sorts it, and whoever only
clears away takes what nobody holds and waits for nobody.

Of several tables, the revision of the keys comes first, then people, links, sessions, grants, keys
and last the end of the audit log; a grant before its codes and tokens. SQLite has one writer at a
time anyway.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, select, tuple_


class Turn(IntEnum):
    """What is done by one transaction after another where there is no row yet to lock."""

    LINKS = 0x66756E01
    POLICIES = 0x66756E02
    SIGNING_KEYS = 0x66756E03


def take_turn(connection: Connection, turn: Turn) -> None:
    """Wait until nobody else does the same; it is theirs when this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(turn))))


def lock(connection: Connection, table: Table, *which: ColumnElement[bool]) -> None:
    """Lock rows that are about to be changed or deleted, in the one order there is."""
    key = list(table.primary_key)
    connection.execute(select(*key).where(*which).order_by(*key).with_for_update()).all()


def clear(
    connection: Connection,
    table: Table,
    *which: ColumnElement[bool],
    oldest: Sequence[ColumnElement[Any]] = (),
    most: int | None = None,
) -> int:
    """Delete rows that nobody holds; how many those were. What is held is left for another time.

    Args:
        connection: in a transaction that writes.
        table: from which.
        which: rows may go.
        oldest: in which order they go, with ``most``.
        most: how many may go; ``None`` = all.
    """
    key = list(table.primary_key)
    some: Select[Any] = select(*key).where(*which)
    some = some.order_by(*oldest).limit(most)
    mine = tuple_(*key) if len(key) > 1 else key[0]
    if connection.dialect.name != "postgresql":  # nobody else writes
        return connection.execute(delete(table).where(mine.in_(some))).rowcount
    # A table expression is worked out once, however the deletion is planned.
    free = some.with_for_update(skip_locked=True).cte()
    return connection.execute(delete(table).where(mine.in_(select(*free.c)))).rowcount
