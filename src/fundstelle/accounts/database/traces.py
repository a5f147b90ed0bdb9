"""What a data folder shows of a database that it had before, and the mark that a new one gets.

Who removes the database and what the server has seen of its audit log wipes the log: the new
database must not begin as if it were the first.
"""

from pathlib import Path

from sqlalchemy import Connection, update

from fundstelle.accounts.database.schema_records import audit_head

SPOOLS = "audit-spool"
BACKED_UP = "last-backup"

REPLACED = "made where another database had been"
"""Stands in the place of the seal of the log that has not begun."""


def find_traces(folder: Path, pepper: str) -> bool:
    """Whether a server has run on this folder, or a key been made; asked before the database is.

    Whoever starts first makes the pepper after the tables.
    """
    return any((folder / name).exists() for name in (pepper, SPOOLS, BACKED_UP))


def mark_replaced(connection: Connection) -> None:
    """Let the log of a new database begin with a finding."""
    connection.execute(
        update(audit_head).where(audit_head.c.id == 1).values(first=0, seal=REPLACED)
    )
