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

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    delete,
    false,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)

from fundstelle.errors import AccountsError

_MOST_KEYS = 500  # of one question; a database takes some ten thousand


class Turn(IntEnum):
    """What is done by one transaction after another where there is no row yet to lock."""

    LINKS = 0x66756E01
    POLICIES = 0x66756E02
    SIGNING_KEYS = 0x66756E03


def take_turn(connection: Connection, turn: Turn) -> None:
    """Wait until nobody else does the same; it is theirs when this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(turn))))


def lock(
    connection: Connection, table: Table, *which: ColumnElement[bool]
) -> Sequence[Row[*tuple[Any, ...]]]:
    """Lock rows that are about to be changed or deleted, in the one order there is; their keys."""
    key = list(table.primary_key)
    return connection.execute(select(*key).where(*which).order_by(*key).with_for_update()).all()


def change_all(
    connection: Connection, table: Table, *which: ColumnElement[bool], **values: Any
) -> int:
    """Change rows, and read back that it was done: whoever ends an access must know that it ended.

    Raises:
        AccountsError: the database has kept another value, as a trigger lets it.
    """
    keys = lock(connection, table, *which)
    done = connection.execute(update(table).where(*which).values(**values)).rowcount
    differs = [
        table.c[name].is_distinct_from(value)
        for name, value in values.items()
        if not isinstance(table.c[name].type, JSON)
    ]
    _refuse_left(connection, table, keys, or_(false(), *differs))
    return done


def delete_all(connection: Connection, table: Table, *which: ColumnElement[bool]) -> int:
    """Delete rows, and read back that they are gone; how many those were.

    Raises:
        AccountsError: the database has kept one, as a trigger lets it.
    """
    keys = lock(connection, table, *which)
    done = connection.execute(delete(table).where(*which)).rowcount
    _refuse_left(connection, table, keys, true())
    return done


def _refuse_left(
    connection: Connection,
    table: Table,
    keys: Sequence[Row[*tuple[Any, ...]]],
    differs: ColumnElement[bool],
) -> None:
    columns = list(table.primary_key)
    mine: Any = tuple_(*columns) if len(columns) > 1 else columns[0]
    for start in range(0, len(keys), _MOST_KEYS):
        some = keys[start : start + _MOST_KEYS]
        named = [tuple(key) if len(columns) > 1 else key[0] for key in some]
        left = select(columns[0]).where(mine.in_(named), differs).limit(1)
        if connection.execute(left).first() is not None:
            raise NotKept(table.name)


class NotKept(AccountsError):
    """What was written is not what the database holds: nothing of it was done."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"nothing was changed: the accounts database did not keep what was written to {table},"
            " as if a trigger took it back; 'fundstelle doctor' names what acts in it"
        )


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
