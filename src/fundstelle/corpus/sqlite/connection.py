"""Connections to the SQLite files of a build: the only module that imports ``sqlite3``.

The laws are in one file, the decisions in another beside it, attached as ``decided``; names of
tables are those of one database. Builds of before have all in the first.
"""

import errno
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

from fundstelle.corpus.soundness.check import DECISIONS
from fundstelle.errors import CorpusError, DamagedBuild, quote_error
from fundstelle.sharing import share

Connection = sqlite3.Connection

DECIDED = "decided"
"""What it is attached as."""

_READ = "?mode=ro"
_FINISHED = f"{_READ}&immutable=1"


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


def find_decisions(path: Path) -> Path:
    """The file of the decisions beside the file of the laws, whether it is there or not."""
    return path.with_name(DECISIONS)


def create(path: Path) -> Connection:
    """A new database with the schema, in two files, fast and not durable until ``seal``."""
    with closing(_begin(find_decisions(path), "decisions.sql")) as decisions:
        decisions.commit()
    database = _begin(path, "schema.sql")
    attach_decisions(database, path)
    database.execute(f"PRAGMA {DECIDED}.synchronous = OFF")
    database.execute(f"PRAGMA {DECIDED}.cache_size = -8000")
    return database


def _begin(path: Path, schema: str) -> Connection:
    database = sqlite3.connect(path.absolute().as_uri(), uri=True)
    # WAL: the index is built from the norms while the references are still being added.
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -8000")
    tables = files("fundstelle.corpus").joinpath(schema).read_text(encoding="utf-8")
    database.executescript(tables)
    return database


def attach_decisions(database: Connection, path: Path, mode: str = "") -> None:
    """Attach the decisions beside the laws in ``path``; ``mode`` is that of the address."""
    uri = find_decisions(path).absolute().as_uri() + mode
    database.execute(f"ATTACH DATABASE ? AS {DECIDED}", (uri,))


def share_decisions(database: Connection, path: Path, other: Path) -> None:
    """Put the decisions beside ``other`` in the place of those that a new database has none of.

    From then on they are read, and not written: another build has the same file.
    """
    database.commit()
    database.execute(f"DETACH DATABASE {DECIDED}")
    find_decisions(path).unlink()
    share(find_decisions(other), find_decisions(path))
    attach_decisions(database, path, _FINISHED)


@contextmanager
def attached(database: Connection, other: Path) -> Iterator[str]:
    """Tables of a finished file beside those of a build in the making; the name before theirs.

    What was added so far is committed, and so is what the block adds.
    """
    database.commit()  # neither is possible in the midst of a transaction
    uri = f"{other.absolute().as_uri()}{_FINISHED}"
    database.execute("ATTACH DATABASE ? AS held", (uri,))
    yield "held"
    database.commit()
    database.execute("DETACH DATABASE held")


def seal(database: Connection, *, is_shared: bool = False) -> None:
    """Flush everything into the files and close them; nobody else may have them open.

    ``is_shared``: the decisions are those of another build.
    """
    database.commit()
    for name in ("main",) if is_shared else ("main", DECIDED):
        database.execute(f"PRAGMA {name}.synchronous = FULL")
        database.execute(f"PRAGMA {name}.wal_checkpoint(TRUNCATE)")
        database.execute(f"PRAGMA {name}.journal_mode = DELETE")
    database.close()


# The second where SQLite quotes a damaged schema.
_UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)


class _Cursor(sqlite3.Cursor):
    """Says in the words of the house that a page cannot be read, whenever that comes to light."""

    def execute(self, sql: str, parameters: Any = (), /) -> Self:
        """As ``sqlite3``; a ``DamagedBuild`` where the file is not what it was."""
        try:
            return super().execute(sql, parameters)
        except _UNREADABLE as error:
            raise _explain(error) from error

    def fetchone(self) -> Any:
        """As ``execute``."""
        try:
            return super().fetchone()
        except _UNREADABLE as error:
            raise _explain(error) from error

    def fetchall(self) -> list[Any]:
        """As ``execute``."""
        try:
            return super().fetchall()
        except _UNREADABLE as error:
            raise _explain(error) from error

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        """As ``execute``."""
        try:
            return super().fetchmany(size)
        except _UNREADABLE as error:
            raise _explain(error) from error

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except _UNREADABLE as error:
            raise _explain(error) from error


class _ReadOnly(sqlite3.Connection):
    """A connection whose rows come through ``_Cursor``."""

    def cursor(self, factory: Any = _Cursor) -> Any:
        """As ``sqlite3``."""
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        """As ``sqlite3``, whose own takes a cursor without asking for it."""
        return super().cursor(_Cursor).execute(sql, parameters)


def _explain(error: Exception) -> DamagedBuild:
    return DamagedBuild(f"the store of the corpus build cannot be read ({quote_error(error)})")


class _Held:
    """The connection of one thread, closed with the thread if not before."""

    __slots__ = ("__weakref__", "connection")

    def __init__(self, path: Path, mode: str) -> None:
        # Only closing crosses threads.
        self.connection = sqlite3.connect(
            path.absolute().as_uri() + mode,
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            factory=_ReadOnly,
        )
        if find_decisions(path).exists():
            attach_decisions(self.connection, path, mode)

    def __del__(self) -> None:
        if hasattr(self, "connection"):  # not if it could not be opened
            self.connection.close()


class Connections:
    """Read-only connections to one build, one for each thread that asks, while the thread lives."""

    def __init__(self, path: Path, *, immutable: bool) -> None:
        self._path, self._mode = path, _FINISHED if immutable else _READ
        self._local = threading.local()
        self._all: WeakSet[_Held] = WeakSet()
        self._adding = threading.Lock()
        self._is_closed = False

    def get(self) -> Connection:
        """This thread's connection.

        Raises:
            DamagedBuild: its file is gone.
            CorpusError: all were closed before, or it cannot be opened.
        """
        try:
            connection: Connection = self._local.connection
        except AttributeError:
            connection = self._open()
        return connection

    def _open(self) -> Connection:
        with self._adding:
            if self._is_closed:
                raise CorpusError("this build was closed and is read no more")
            try:
                held = _Held(self._path, self._mode)
            except sqlite3.OperationalError as error:
                if not self._path.exists():
                    raise _explain(error) from error
                # too many open files, for one
                raise CorpusError(f"the store of the build cannot be opened ({error})") from error
            self._all.add(held)
        self._local.held = held  # what ends with the thread
        self._local.connection = held.connection
        return held.connection

    def close(self) -> None:
        """Close them all; once is enough, twice does no harm."""
        with self._adding:
            self._is_closed = True
            for held in self._all:
                held.connection.close()
