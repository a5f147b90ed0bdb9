"""The accounts database: SQLite beside the corpus by default, any SQLAlchemy URL otherwise."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

import orjson
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from fundstelle.accounts.pepper import create_pepper, read_pepper
from fundstelle.accounts.schema import HEAD, api_keys
from fundstelle.errors import AccountsError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DATABASE = "accounts.sqlite"
PEPPER = "pepper"

_BUSY_TIMEOUT_S = 5
_CONNECT_TIMEOUT_S = 3
_MIGRATION_LOCK = 0x66756E64  # a number of our own among the locks that applications agree on
_WRITES = "fundstelle_writes"  # our execution option


class AccountsStore:
    """An open database, migrated to the newest schema, and the pepper that belongs to it."""

    def __init__(self, engine: Engine, pepper: bytes) -> None:
        self._engine = engine
        self.pepper = pepper

    @classmethod
    def open(cls, data: Path, url: str | URL | None = None) -> Self:
        """Open, create or migrate the database; by default ``data/accounts.sqlite``.

        Raises:
            AccountsError: it cannot be opened, or its pepper is lost.
        """
        try:
            data.mkdir(parents=True, exist_ok=True)
            if url is None:
                # SQLite gives the files beside it (WAL) the same rights.
                (data / DATABASE).touch(mode=0o600)
        except OSError as error:
            raise AccountsError(f"{data} cannot be used ({error.strerror})") from None
        engine = _create_engine(url or URL.create("sqlite", database=str(data / DATABASE)))
        try:
            with _translated(engine):
                if not _is_current(engine):
                    _migrate(engine)
                with engine.connect() as connection:
                    has_keys = connection.execute(select(api_keys.c.id).limit(1)).first()
            return cls(engine, _get_pepper(data / PEPPER, may_create=has_keys is None))
        except BaseException:
            engine.dispose()
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database; nothing is committed.

        Raises:
            AccountsError: the database cannot be used.
        """
        with _translated(self._engine), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in a transaction, which commits unless an exception leaves the block.

        Raises:
            AccountsError: the database cannot be used.
        """
        with _translated(self._engine), _begin(self._engine) as connection:
            yield connection

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()


def _get_pepper(path: Path, *, may_create: bool) -> bytes:
    pepper = read_pepper(path)
    if pepper is None and not may_create:
        raise AccountsError(f"{path} is lost, and every key with it; restore it from a backup")
    return pepper or create_pepper(path)


@contextmanager
def _translated(engine: Engine) -> Iterator[None]:
    """No statement and no parameter of a failed query gets into a message."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or type(error).__name__)
        database = engine.url.render_as_string(hide_password=True)
        raise AccountsError(f"the accounts database {database} cannot be used: {cause}") from None


@contextmanager
def _begin(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
        yield connection


def _create_engine(url: str | URL) -> Engine:
    try:
        return _prepare_engine(url)
    except ImportError:
        raise AccountsError(
            "the accounts database needs a package that is not installed; for PostgreSQL: "
            "pip install 'fundstelle[postgres]'"
        ) from None
    except SQLAlchemyError:  # its message would repeat the address and the password in it
        raise AccountsError("the address of the accounts database cannot be read") from None


def _prepare_engine(url: str | URL) -> Engine:
    if make_url(url).get_backend_name() == "postgresql":
        # A connection that the server has closed is replaced, one that cannot be had given up soon.
        return create_engine(
            url,
            hide_parameters=True,
            json_serializer=_write_json,
            pool_pre_ping=True,
            connect_args={"connect_timeout": _CONNECT_TIMEOUT_S},
        )
    engine = create_engine(url, hide_parameters=True, json_serializer=_write_json)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _write_json(value: object) -> str:
    return orjson.dumps(value).decode()


def _prepare_sqlite(connection: Any, record: object) -> None:
    """WAL, so that readers never wait for a writer; SQLAlchemy, not the driver, says BEGIN."""
    del record
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_S * 1000}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once: a transaction that asks for it later may be refused."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _is_current(engine: Engine) -> bool:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found: object = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found == HEAD


def _migrate(engine: Engine) -> None:
    # Alembic takes longer to import than the store to open, and is rarely needed.
    command = import_module("alembic.command")
    config = import_module("alembic.config").Config()
    config.set_main_option("script_location", "fundstelle:accounts/migrations")
    try:
        with _begin(engine) as connection:
            if engine.dialect.name == "postgresql":
                # Processes that start together migrate one after another, as on SQLite.
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except import_module("alembic.util").CommandError as error:
        raise AccountsError(
            f"the accounts database is not one this version can read ({error}); "
            "run the newest version that has opened it"
        ) from None
