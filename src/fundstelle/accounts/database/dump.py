"""An accounts database in PostgreSQL as one file and back, by PostgreSQL's own programs.

The programs are told where the database is by a service file that only its owner can read: what
stands in a command line or in the environment is seen by others.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from sqlalchemy import URL, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from fundstelle.accounts.database import engines, failures
from fundstelle.accounts.database.pepper_mark import read_mark
from fundstelle.errors import AccountsError

_SERVICE = "fundstelle"
_PACKAGES = Path("/usr/lib/postgresql")  # where Debian has each version's programs
_LOCK_MS = 10_000  # that a dump waits for a table that somebody changes
_MOST_SAID = 300  # characters of what a program says
_MAINTENANCE = "postgres"  # the database that every server has


def dump_database(url: str, target: Path) -> None:
    """Write a dump in PostgreSQL's custom format: one state, while servers go on writing.

    Args:
        url: of the database, as SQLAlchemy has it.
        target: a file that is not there yet; only its owner will be able to read it.

    Raises:
        AccountsError: it cannot be dumped, or ``pg_dump`` is missing.
    """
    target.touch(mode=0o600, exist_ok=False)
    with _service(url) as environment:
        arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--file={target}"]
        _run("pg_dump", [*arguments, f"--lock-wait-timeout={_LOCK_MS}", _name()], environment)


def check_dump(path: Path) -> list[str]:
    """What is wrong with a dump, empty if nothing: it is read to its end, into no database."""
    try:
        _run("pg_restore", ["--file=/dev/null", str(path)], dict(os.environ))
    except AccountsError as error:
        return [str(error)]
    return []


def restore_database(url: str, source: Path, begin: Callable[[], None]) -> None:
    """Fill an empty database from a dump, wholly or not at all; one that is missing is made.

    Args:
        url: of the database, as SQLAlchemy has it.
        source: the dump.
        begin: is called when the database is known to be empty, before anything is put into it.

    Raises:
        AccountsError: it holds tables, cannot be made or filled, or ``pg_restore`` is missing.
    """
    _require_empty(url)
    begin()
    with _service(url) as environment:
        arguments = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]
        _run("pg_restore", [*arguments, _name(), str(source)], environment)


def read_pepper_mark(url: str) -> str | None:
    """The fingerprint of the pepper that the database was made with.

    Raises:
        AccountsError: it cannot be read.
    """
    engine = engines.open_engine(url)
    try:
        with engine.connect() as connection:
            return read_mark(connection)
    except SQLAlchemyError as error:
        raise AccountsError(f"the accounts database cannot be read ({_describe(error)})") from None
    finally:
        engine.dispose()


def name_place(url: str) -> str:
    """Where a database is, without who signs in to it."""
    return make_url(url).set(username=None, password=None).render_as_string()


def _name() -> str:
    return f"--dbname=service={_SERVICE}"


def _require_empty(url: str) -> None:
    """See that the database is there and holds nothing."""
    engine = engines.open_engine(url)
    try:
        try:
            tables = inspect(engine).get_table_names()
        except SQLAlchemyError as error:
            _create(engine.url, error)
            tables = inspect(engine).get_table_names()
    except SQLAlchemyError as error:
        raise AccountsError(f"the accounts database cannot be read ({_describe(error)})") from None
    finally:
        engine.dispose()
    if tables:
        raise AccountsError(
            f"the database {engine.url.database} holds tables; a backup is restored into an empty"
            " one alone. Name another in FUNDSTELLE_DATABASE_URL, or drop this one"
        )


def _create(url: URL, reason: SQLAlchemyError) -> None:
    """Make a database that is missing; for any other reason it cannot be read the reason stands."""
    engine = engines.open_engine(url.set(database=_MAINTENANCE))
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            known = text("SELECT 1 FROM pg_database WHERE datname = :name")
            if connection.execute(known, {"name": url.database}).first() is not None:
                raise reason
            quoted = engine.dialect.identifier_preparer.quote_identifier(str(url.database))
            connection.exec_driver_sql(f"CREATE DATABASE {quoted}")
    finally:
        engine.dispose()


@contextmanager
def _service(url: str) -> Iterator[dict[str, str]]:
    """The environment that tells a program where the database is."""
    engine = engines.open_engine(url)
    engine.dispose()
    _, told = engine.dialect.create_connect_args(make_url(url))
    conninfo = import_module("psycopg.pq").Conninfo  # of the extra that the address needs
    known = {option.keyword.decode() for option in conninfo.get_defaults()} - {"service"}
    lines = [f"{key}={value}" for key, value in told.items() if key in known]
    if any("\n" in line or "\0" in line for line in lines):
        raise AccountsError("the address of the accounts database cannot be read")
    with tempfile.TemporaryDirectory(prefix="fundstelle-service-") as folder:
        file = Path(folder) / "service.conf"
        file.touch(mode=0o600)
        file.write_text("\n".join((f"[{_SERVICE}]", *lines, "")), encoding="utf-8")
        others = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        yield {**others, "PGSERVICEFILE": str(file)}


def _run(program: str, arguments: list[str], environment: dict[str, str]) -> None:
    command = [_find(program), *arguments]
    try:
        done = subprocess.run(  # noqa: S603 -- PostgreSQL's program, with arguments of our own
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise AccountsError(f"{program} cannot be run ({error.strerror})") from None
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())[:_MOST_SAID]
        raise AccountsError(f"{program} failed: {said or f'exit code {done.returncode}'}")


def _find(program: str) -> str:
    """The newest one there is: it reads older servers, and no newer ones."""
    found = [path for path in _PACKAGES.glob(f"*/bin/{program}") if path.parts[-3].isdigit()]
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    named = str(newest) if newest is not None else shutil.which(program)
    if named is None:
        raise AccountsError(
            f"{program} is not installed (Debian: apt-get install postgresql-client, no older than"
            " the server)"
        )
    return named


def _describe(error: SQLAlchemyError) -> str:
    return failures.describe(error, writing=False).cause
