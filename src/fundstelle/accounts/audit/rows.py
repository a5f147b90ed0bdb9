"""Lines of the log as rows of the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import orjson
from sqlalchemy import Connection, Dialect, Row, insert

from fundstelle.accounts.audit.chain import AuditLine
from fundstelle.accounts.schema_records import audit


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


def read_line(row: Row[Any]) -> AuditLine:
    """The line that a row of the whole table holds."""
    return AuditLine(**row._mapping)  # noqa: SLF001 -- a public member, in spite of its name


def identify(line: Mapping[Any, Any]) -> bytes:
    """All of a line but its place in the log."""
    members = [line[name] for name in ("time", "event", "actor", "object", "request", "details")]
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS)
