"""Lines of the log as rows of the database."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import orjson
from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Dialect,
    Row,
    Select,
    Text,
    func,
    insert,
    select,
    true,
    type_coerce,
)
from sqlalchemy.exc import OperationalError

from fundstelle.accounts.audit.chain import AuditLine, AuditProblem
from fundstelle.accounts.database.schema_records import audit

UNREADABLE = "unreadable"
"""The event of a line of which nothing can be read."""

# What SQLAlchemy, its types and SQLite's driver raise where a value is of another kind.
_NONE_OF_OURS = (ValueError, TypeError, OverflowError, RecursionError, OperationalError)
_MOST_STRAYS = 20  # told of each kind
_DIGITS = ("-".join(["[0-9]" * 4, "[0-9]" * 2, "[0-9]" * 2]), ":".join(["[0-9]" * 2] * 3))
_TIME_FORM = " ".join(_DIGITS) + "." + "[0-9]" * 6  # as ``_write_time`` has it, for GLOB
_IS_OURS = "is_ours"
_NO_TIME = datetime(1, 1, 1, tzinfo=UTC)


def insert_lines(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Insert lines as ``chain`` made them.

    Handed to the driver as they are: what SQLAlchemy does for each row and member costs more than
    hashing the line and storing it.
    """
    statement, order = _compile(connection.dialect)
    rows = [
        {
            **line,
            "time": _write_time(line["time"], connection.dialect.name),
            "details": orjson.dumps(line["details"]).decode(),
        }
        for line in lines
    ]
    given: Any = rows
    if order is not None:
        given = [tuple(row[name] for name in order) for row in rows]
    connection.exec_driver_sql(statement, given)


@cache
def _compile(dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """The statement, and the order of its members if it does not name them."""
    compiled = insert(audit).compile(dialect=dialect)
    order = getattr(compiled, "positiontup", None)
    return str(compiled), None if order is None else tuple(order)


def _write_time(moment: datetime, dialect: str) -> datetime | str:
    """As SQLAlchemy stores it in SQLite: UTC without saying so, six places of a second."""
    if dialect != "sqlite":
        return moment
    return moment.replace(tzinfo=None).isoformat(" ", "microseconds")


def read_page(
    connection: Connection, query: Select[Any], *, as_written: bool = False
) -> list[AuditLine]:
    """The lines that a query of the whole table finds.

    SQLite takes any value in any column. A line whose values are no longer of their kind has
    nothing in it but its number and a name that no line has, so that it is seen to be changed.

    Args:
        connection: reads.
        query: of the table.
        as_written: a moment that is not written as a server writes it is none, either: it reads as
            the same, so that the hash fits, but sorts elsewhere.
    """
    if as_written:
        query = query.add_columns(is_moment_ours(connection).label(_IS_OURS))
    try:
        return [_read_line(row) for row in connection.execute(query)]
    except _NONE_OF_OURS:
        if connection.dialect.name != "sqlite":
            raise
        numbers = connection.scalars(query.with_only_columns(audit.c.number)).all()
        alone = select(*query.selected_columns)
        return [_read_alone(connection, alone, number) for number in numbers]


def is_moment_ours(connection: Connection) -> ColumnElement[bool]:
    """Rows whose time is stored as a server stores it; a condition."""
    if connection.dialect.name != "sqlite":
        return true()
    return type_coerce(audit.c.time, Text).op("GLOB", return_type=Boolean())(_TIME_FORM)


def list_strays(connection: Connection, first: int) -> list[AuditProblem]:
    """Rows that stand in no place of the log; who put them there can only be asked to go.

    Args:
        connection: reads.
        first: number of the oldest line; those before it have been removed.
    """
    is_one, number = is_numbered(connection), audit.c.number
    before = select(number).where(is_one, number < first).order_by(number).limit(_MOST_STRAYS)
    found = [
        AuditProblem("inserted", one, f"line {one} was inserted before the oldest; delete it")
        for one in connection.scalars(before)
    ]
    unnumbered = connection.scalar(select(func.count()).select_from(audit).where(~is_one))
    if unnumbered:
        text = f"{unnumbered} rows were inserted whose number is none; delete them"
        found.insert(0, AuditProblem("inserted", -1, text))
    return found


def is_numbered(connection: Connection) -> ColumnElement[bool]:
    """Rows that are not of those; a condition."""
    return (
        func.typeof(audit.c.number) == "integer" if connection.dialect.name == "sqlite" else true()
    )


def _read_alone(connection: Connection, query: Select[Any], number: int) -> AuditLine:
    try:
        return _read_line(connection.execute(query.where(audit.c.number == number)).one())
    except _NONE_OF_OURS:
        return AuditLine(number, _NO_TIME, UNREADABLE, "", "", "", {}, "", "")


def _read_line(row: Row[Any]) -> AuditLine:
    members = dict(row._mapping)  # noqa: SLF001 -- a public member, in spite of its name
    if not members.pop(_IS_OURS, True):
        raise TypeError
    line = AuditLine(**members)
    texts = (line.event, line.actor, line.object, line.request, line.previous, line.hash)
    if not isinstance(line.details, dict) or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return line


def identify(line: Mapping[Any, Any]) -> bytes:
    """All of a line but its place in the log."""
    members = [line[name] for name in ("time", "event", "actor", "object", "request", "details")]
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS)
