"""A copy of an accounts database in SQLite, whole while servers write to the original."""

from pathlib import Path
from typing import Any

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from fundstelle.accounts.database import engines, failures
from fundstelle.errors import AccountsError


def copy_database(source: Path, target: Path) -> None:
    """Copy by SQLite's online backup: the copy is one state of the original, in one file.

    Args:
        source: the database.
        target: a file that is not there yet; only its owner will be able to read it.

    Raises:
        AccountsError: the database cannot be read, or the copy not be written.
    """
    target.touch(mode=0o600, exist_ok=False)
    original, copy = (
        engines.open_engine(URL.create("sqlite", database=str(path))) for path in (source, target)
    )
    try:
        with original.connect() as reading, copy.connect() as writing:
            raw: Any = reading.connection.driver_connection
            into: Any = writing.connection.driver_connection
            raw.backup(into)  # all pages in one step: a state that no writer is within
            into.execute("PRAGMA journal_mode = DELETE")  # no second file belongs to it
    except (SQLAlchemyError, original.dialect.loaded_dbapi.Error) as error:
        raise AccountsError(f"{source} cannot be copied ({_describe(error)})") from None
    finally:
        original.dispose()
        copy.dispose()


def check_database(path: Path) -> list[str]:
    """What SQLite finds wrong with the file, empty if nothing (``PRAGMA integrity_check``)."""
    engine = engines.open_engine(URL.create("sqlite", database=str(path)))
    try:
        with engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    except SQLAlchemyError as error:
        return [f"{path.name} cannot be read: {_describe(error)}"]
    finally:
        engine.dispose()
    problems = [f"{path.name}: {one}" for one in found if one != "ok"]
    return [*problems, *(f"{path.name}: a row of {row[0]} has lost its parent" for row in orphans)]


def _describe(error: Exception) -> str:
    if isinstance(error, SQLAlchemyError):
        return failures.describe(error, writing=False).cause
    return str(error)
