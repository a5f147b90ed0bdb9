"""Lines of the log as rows of the database."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Dialect, Row, Select, func, insert, select, true
from sqlalchemy.exc import OperationalError

from fundstelle.accounts.audit.chain import AuditLine
from fundstelle.accounts.database.schema_records import audit

UNREADABLE = "unreadable"
"""The event of a line of which nothing can be read."""

# What SQLAlchemy, its types and SQLite's driver raise where a value is of another kind.
_NONE_OF_OURS = (ValueError, TypeError, OverflowError, RecursionError, OperationalError)
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


def read_page(connection: Connection, query: Select[Any]) -> list[AuditLine]:
    """The lines that a query of the whole table finds.

    SQLite takes any value in any column. A line whose values are no longer of their kind has
    nothing in it but its number and a name that no line has, so that it is seen to be changed.
    """
    try:
        return [_read_line(row) for row in connection.execute(query)]
    except _NONE_OF_OURS:
        if connection.dialect.name != "sqlite":
            raise
        numbers = query.with_only_columns(audit.c.number)
        return [_read_alone(connection, number) for number in connection.scalars(numbers).all()]


def count_unnumbered(connection: Connection) -> int:
    """Rows whose number is none, which stand in no place of the log."""
    if connection.dialect.name != "sqlite":
        return 0
    kind = func.typeof(audit.c.number)
    query = select(func.count()).select_from(audit).where(kind != "integer")
    return connection.execute(query).scalar_one()


def is_numbered(connection: Connection) -> ColumnElement[bool]:
    """Rows that are not of those; a condition."""
    return (
        func.typeof(audit.c.number) == "integer" if connection.dialect.name == "sqlite" else true()
    )


def _read_alone(connection: Connection, number: int) -> AuditLine:
    try:
        return _read_line(connection.execute(select(audit).where(audit.c.number == number)).one())
    except _NONE_OF_OURS:
        return AuditLine(number, _NO_TIME, UNREADABLE, "", "", "", {}, "", "")


def _read_line(row: Row[Any]) -> AuditLine:
    line = AuditLine(**row._mapping)  # noqa: SLF001 -- a public member, in spite of its name
    texts = (line.event, line.actor, line.object, line.request, line.previous, line.hash)
    if not isinstance(line.details, dict) or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return line


def identify(line: Mapping[Any, Any]) -> bytes:
    """All of a line but its place in the log."""
    members = [line[name] for name in ("time", "event", "actor", "object", "request", "details")]
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS)
