"""Engines for SQLite and PostgreSQL that wait for nothing longer than a request may."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

from fundstelle.accounts.database.writers import Writers
from fundstelle.errors import AccountsError

TIMEOUT_S = 2  # for a connection, for a lock, for the answer to a statement

_LONG_S = 600  # maintenance and migrations
_IDLE_IN_TRANSACTION_S = 30  # a frozen process of ours must not hold its locks for ever
_WRITES = "fundstelle_writes"  # our execution options: of a connection
_MAY_BE_LOST = "fundstelle_may_be_lost"
_WRITERS = "fundstelle_writers"  # and of an engine of SQLite
_FILE = "fundstelle_file"  # what a connection remembers of its file
_POSTGRES = {
    "connect_timeout": TIMEOUT_S,
    "tcp_user_timeout": TIMEOUT_S * 1000,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}


def open_engine(url: str | URL) -> Engine:
    """An engine; nothing is connected yet.

    Raises:
        AccountsError: the address cannot be read, or a package is missing.
    """
    try:
        return _prepare(make_url(url))
    except ImportError:
        raise AccountsError(
            "the accounts database needs a package that is not installed; for PostgreSQL: "
            "pip install 'fundstelle[postgres]'"
        ) from None
    except (SQLAlchemyError, ValueError):  # its message would repeat the address and its password
        raise AccountsError("the address of the accounts database cannot be read") from None


@contextmanager
def begin(
    engine: Engine, *, is_long: bool = False, may_be_lost: bool = False
) -> Iterator[Connection]:
    """A transaction that writes, and commits unless an exception leaves the block.

    Args:
        engine: of the database.
        is_long: wait as long as maintenance does, not as long as a request.
        may_be_lost: SQLite does not wait for the disk: a power cut may undo it, whole.
    """
    writers = engine.get_execution_options().get(_WRITERS)
    turn = writers.turn(_LONG_S if is_long else TIMEOUT_S) if writers else nullcontext()
    options = {_WRITES: True, _MAY_BE_LOST: may_be_lost}
    with turn, engine.connect().execution_options(**options) as connection:
        if not is_long:
            with connection.begin():
                yield connection
            return
        with _patient(connection), connection.begin():
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            yield connection


def _shorten_patience(connection: Any, record: object) -> None:
    """A connection that lay idle is asked whether it is alive before it is used again."""
    del record
    if connection is not None:  # it was closed
        connection.patience_s = connection.ping_patience_s


def _restore_patience(connection: Any, record: object, proxy: object) -> None:
    del record, proxy
    connection.patience_s = connection.usual_patience_s


@contextmanager
def _patient(connection: Connection) -> Iterator[None]:
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        raw.execute(f"PRAGMA busy_timeout = {_LONG_S * 1000}")
        try:
            yield
        finally:
            raw.execute(f"PRAGMA busy_timeout = {TIMEOUT_S * 1000}")
        return
    before, raw.patience_s = raw.patience_s, _LONG_S
    try:
        yield
    finally:
        raw.patience_s = before


def _prepare(url: URL) -> Engine:
    options: dict[str, Any] = {
        "hide_parameters": True,
        "json_serializer": _write_json,
        "pool_timeout": TIMEOUT_S,
    }
    if url.get_backend_name() == "postgresql":
        given = {name: value for name, value in _POSTGRES.items() if name not in url.query}
        # A connection that the server has closed is replaced.
        engine = create_engine(url, **options, pool_pre_ping=True, connect_args=given)
        event.listen(engine, "do_connect", _connect_postgres)
        event.listen(engine, "connect", _prepare_postgres)
        event.listen(engine, "checkin", _shorten_patience)
        event.listen(engine, "checkout", _restore_patience)
        return engine
    engine = create_engine(url, **options)
    if engine.dialect.name == "sqlite":
        engine.update_execution_options(**{_WRITERS: Writers()})
        event.listen(engine, "do_connect", _find_file)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "checkout", _check_file)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _write_json(value: object) -> str:
    return orjson.dumps(value).decode()


def _connect_postgres(
    dialect: Dialect, record: object, arguments: tuple[Any, ...], parameters: dict[str, Any]
) -> Any:
    del dialect, record
    bounded = import_module("fundstelle.accounts.database.bounded")  # imports an optional package
    return bounded.BoundedConnection.connect(*arguments, **parameters)


def _prepare_postgres(connection: Any, record: object) -> None:
    """Said in SQL: between us and the server may be a pool that takes no options."""
    del record
    connection.autocommit = True
    connection.execute(f"SET statement_timeout = {TIMEOUT_S * 1000}")
    connection.execute(f"SET idle_in_transaction_session_timeout = {_IDLE_IN_TRANSACTION_S * 1000}")
    connection.autocommit = False


def _find_file(dialect: Any, record: Any, arguments: list[Any], parameters: dict[str, Any]) -> None:
    """A file that was removed is missed, not made anew: an empty one would know no key."""
    del parameters
    try:
        record.info[_FILE] = _identify(Path(arguments[0]))
    except OSError as error:
        raise dialect.dbapi.OperationalError(f"{arguments[0]}: {error.strerror}") from None


def _check_file(connection: object, record: Any, proxy: object) -> None:
    """What was written into a file that was removed or replaced would be lost without a word."""
    del connection, proxy
    path, *held = record.info[_FILE]
    try:
        if _identify(path)[1:] == tuple(held):
            return
    except OSError:
        pass
    raise DisconnectionError


def _identify(path: Path) -> tuple[Path, int, int]:
    found = path.stat()
    return path, found.st_dev, found.st_ino


def _prepare_sqlite(connection: Any, record: object) -> None:
    """WAL, so that readers never wait for a writer; SQLAlchemy, not the driver, says BEGIN."""
    del record
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {TIMEOUT_S * 1000}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # bytes that are no text were put there by somebody else: they are read, and seen to be wrong
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once: a transaction that asks for it later may be refused."""
    options = connection.get_execution_options()
    if not options.get(_WRITES, False):
        connection.exec_driver_sql("BEGIN")
        return
    # Said each time, for connections are used again, and before BEGIN: within a transaction it
    # cannot be changed.
    level = "NORMAL" if options.get(_MAY_BE_LOST, False) else "FULL"
    connection.exec_driver_sql(f"PRAGMA synchronous = {level}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
