"""Connections to the SQLite file of a build: the only module that imports ``sqlite3``."""

import errno
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from fundstelle.errors import CorpusError

Connection = sqlite3.Connection
DatabaseError = sqlite3.Error


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors in the words of the house; a full disk as the operating system says it.

    Raises:
        CorpusError: the file is damaged, locked or not a database.
        OSError: the disk is full (ENOSPC).
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, "No space left on device", str(path)) from error
        raise CorpusError(
            f"{path} cannot be used ({error}); check it with 'fundstelle corpus verify' and"
            " build it again with 'fundstelle ingest'"
        ) from error


def create(path: Path) -> Connection:
    """A new database with the schema, fast and not durable until ``seal``."""
    database = sqlite3.connect(path)
    # WAL: the index is built from the norms while the references are still being added.
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -32000")
    schema = files("fundstelle.corpus").joinpath("schema.sql").read_text(encoding="utf-8")
    database.executescript(schema)
    return database


def seal(database: Connection) -> None:
    """Flush everything into the one file and close it; nobody else may have it open."""
    database.commit()
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()


class Connections:
    """Read-only connections to one file, one for each thread that asks."""

    def __init__(self, path: Path, *, immutable: bool) -> None:
        self._uri = f"{path.absolute().as_uri()}?mode=ro" + ("&immutable=1" if immutable else "")
        self._local = threading.local()
        self._all: list[Connection] = []

    def get(self) -> Connection:
        """This thread's connection."""
        try:
            connection: Connection = self._local.connection
        except AttributeError:
            # Only close() crosses threads.
            connection = sqlite3.connect(
                self._uri, uri=True, check_same_thread=False, isolation_level=None
            )
            self._local.connection = connection
            self._all.append(connection)
        return connection

    def close(self) -> None:
        """Close them all."""
        while self._all:
            self._all.pop().close()
