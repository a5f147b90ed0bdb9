"""The accounts database: SQLite beside the corpus by default, any SQLAlchemy URL otherwise."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import URL, Connection, Engine, event, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from fundstelle.accounts.database import engines, failures
from fundstelle.accounts.database.availability import Availability, StoreState
from fundstelle.accounts.database.pepper_mark import get_pepper
from fundstelle.accounts.database.presence import require_files, require_tables
from fundstelle.accounts.database.schema import HEAD
from fundstelle.accounts.database.traces import find_traces, mark_replaced
from fundstelle.disks import explain_refusal
from fundstelle.errors import AccountsError, AccountsUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["DATABASE", "PEPPER", "AccountsStore", "StoreState"]

DATABASE = "accounts.sqlite"
PEPPER = "pepper"

_log = logging.getLogger(__name__)

_MIGRATION_LOCK = 0x66756E64  # a number of our own among the locks that applications agree on


class AccountsStore:
    """An open database, migrated to the newest schema, and the pepper that belongs to it."""

    def __init__(self, engine: Engine, pepper: bytes, folder: Path) -> None:
        self._engine = engine
        self._name = _name(engine)
        self._beside = _find_folder(engine)
        self._availability = Availability(self._name)
        self._of_thread = threading.local()
        self.pepper = pepper
        self.folder = folder  # what a server keeps for itself beside the database

    @property
    def address(self) -> str:
        """Which database it is: its URL without user, password and options."""
        url = self._engine.url
        return f"{url.get_backend_name()}://{url.host or ''}:{url.port or ''}/{url.database}"

    @property
    def is_in_folder(self) -> bool:
        """Whether the database is a file in the data folder, and so of this server alone."""
        return _is_within(self._engine, self.folder)

    @classmethod
    def open(cls, data: Path, url: str | URL | None = None, *, makes: bool = True) -> Self:
        """Open, create or migrate the database; by default ``data/accounts.sqlite``.

        Args:
            data: the data folder.
            url: of another database.
            makes: create what is not there; else that is refused, and nothing written.

        Raises:
            AccountsError: it cannot be opened, or its pepper is lost.
        """
        engine = engines.open_engine(make_address(data) if url is None else url)
        if makes:
            try:
                data.mkdir(mode=0o700, parents=True, exist_ok=True)
                _create_file(engine.url)
            except OSError as error:
                raise AccountsError(explain_refusal(error, data)) from None
        else:
            require_files(engine, data, PEPPER)
        try:
            with _translated(engine):
                if not makes:
                    require_tables(engine, data)
                if not _is_current(engine):
                    _migrate(engine, data if _is_within(engine, data) else None)
                pepper = get_pepper(engine, data / PEPPER)
            return cls(engine, pepper, data)
        except BaseException:
            engine.dispose()
            raise

    @property
    def state(self) -> StoreState:
        """Whether the database answers, as far as the last questions told."""
        return self._availability.state

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database; nothing is committed.

        Raises:
            AccountsUnavailable: the database does not answer, or not in time.
            AccountsError: it refuses the statement.
        """
        with self._watched(writing=False), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, is_long: bool = False, may_be_lost: bool = False) -> Iterator[Connection]:
        """A connection in a transaction, which commits unless an exception leaves the block.

        Within ``together`` it is that transaction, which commits at its end. What is committed
        outlives a power cut.

        Args:
            is_long: for maintenance, which may take longer than a request can wait.
            may_be_lost: for what is counted, noted or cleared away all the time: it does not wait
                for the disk.

        Raises:
            AccountsUnavailable: the database does not answer, not in time, or cannot be written.
            AccountsError: it refuses the statement.
        """
        shared: Connection | None = getattr(self._of_thread, "connection", None)
        if shared is not None:
            yield shared
            return
        with (
            self._watched(writing=True),
            engines.begin(self._engine, is_long=is_long, may_be_lost=may_be_lost) as connection,
        ):
            yield connection

    @contextmanager
    def together(self) -> Iterator[Connection]:
        """One transaction for all that this thread writes within the block.

        Raises:
            AccountsUnavailable: as ``write``.
            AccountsError: as ``write``.
        """
        if getattr(self._of_thread, "connection", None) is not None:
            with self.write() as connection:
                yield connection
            return
        afterwards: list[Callable[[], None]] = []
        try:
            with self.write() as connection:
                self._of_thread.connection = connection
                self._of_thread.afterwards = afterwards
                try:
                    yield connection
                finally:
                    self._of_thread.connection = None
        finally:
            for task in afterwards:
                task()

    def run_afterwards(self, task: Callable[[], None]) -> None:
        """Do something quick once what this thread has written is there for all.

        That is at once, or within ``together`` when that has ended, however it did: a commit that
        failed may be under way. What reads the database before then finds it as it was.
        """
        if getattr(self._of_thread, "connection", None) is None:
            task()
        else:
            self._of_thread.afterwards.append(task)

    def close(self) -> None:
        """Give all connections back; what is under way gives its own back when it ends."""
        event.listen(self._engine, "checkin", _close)
        self._engine.dispose()

    @contextmanager
    def _watched(self, *, writing: bool) -> Iterator[None]:
        if not self._availability.is_open():
            self._availability.note_refusal()
            raise AccountsUnavailable(f"the accounts database {self._name} does not answer")
        begin = time.monotonic()
        try:
            yield
        except SQLAlchemyError as error:
            took_s = time.monotonic() - begin
            failure = failures.describe(error, writing=writing, folder=self._beside)
            message = f"the accounts database {self._name} cannot be used: {failure.cause}"
            if failure.refused:
                raise AccountsError(message) from None
            if failure.beaten:
                self._availability.note_answer(written=False, took_s=took_s)
                _log.warning("a change of accounts was in another's way: %s", failure.kind)
                raise AccountsUnavailable(message) from None
            self._availability.note_failure(failure, writing=writing, took_s=took_s)
            raise AccountsUnavailable(message) from None
        except Exception:
            self._availability.note_answer(written=False, took_s=time.monotonic() - begin)
            raise
        self._availability.note_answer(written=writing, took_s=time.monotonic() - begin)


def make_address(data: Path) -> URL:
    """The address of the database in a data folder."""
    return URL.create("sqlite", database=str(data / DATABASE))


def _create_file(url: URL) -> None:
    """Only here: a file that is removed later is missed and not made anew."""
    if url.get_backend_name() == "sqlite" and url.database:
        # SQLite gives the files beside it (WAL) the same rights.
        Path(url.database).touch(mode=0o600)


@contextmanager
def _translated(engine: Engine) -> Iterator[None]:
    """No statement and no parameter of a failed query gets into a message."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = failures.describe(error, writing=True, folder=_find_folder(engine)).cause
        raise AccountsError(
            f"the accounts database {_name(engine)} cannot be used: {cause}"
        ) from None


def _name(engine: Engine) -> str:
    """The database for messages, without its password, which may be among the options, too."""
    return engine.url.set(query={}).render_as_string(hide_password=True)


def _find_folder(engine: Engine) -> Path | None:
    """Where the database's file lies, if it is one."""
    url = engine.url
    is_file = url.get_backend_name() == "sqlite" and bool(url.database)
    return Path(str(url.database)).parent if is_file else None


def _is_current(engine: Engine) -> bool:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found: object = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found == HEAD


def _is_within(engine: Engine, data: Path) -> bool:
    """Whether the database is a file in the data folder, and so of this server alone."""
    beside = _find_folder(engine)
    return beside is not None and beside.resolve() == data.resolve()


def _migrate(engine: Engine, own: Path | None) -> None:
    """Bring the tables up to date; ``own`` is the folder of a database that has it for itself."""
    # Alembic takes longer to import than the store to open, and is rarely needed.
    command = import_module("alembic.command")
    config = import_module("alembic.config").Config()
    config.set_main_option("script_location", "fundstelle:accounts/migrations")
    try:
        with engines.begin(engine, is_long=True) as connection:
            if engine.dialect.name == "postgresql":
                # Processes that start together migrate one after another, as on SQLite.
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
            config.attributes["connection"] = connection
            is_new = not inspect(connection).has_table("alembic_version")
            is_replaced = is_new and own is not None and find_traces(own, PEPPER)
            command.upgrade(config, "head")
            if is_replaced:
                mark_replaced(connection)
    except import_module("alembic.util").CommandError as error:
        raise AccountsError(
            f"the accounts database is not one this version can read ({error}); "
            "run the newest version that has opened it"
        ) from None


def _close(connection: object, record: Any) -> None:
    """A connection of a store that is closed; its pool would keep it open."""
    del connection
    record.invalidate()
