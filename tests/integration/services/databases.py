"""Real PostgreSQL and Redis servers for the accounts tests, from the distribution's packages.

Each server is started on first use, on a port and in a folder of its own, and stopped at the end of
the run. Where its package is missing the tests skip, but not in CI (``FUNDSTELLE_CI``), which
installs it.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import NoReturn, Protocol

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import delete

from fundstelle.accounts.database import availability, engines
from fundstelle.accounts.database.bounded import BoundedConnection
from fundstelle.accounts.database.schema import pepper_mark
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.errors import AccountsError

_ATTEMPTS = 3  # a port that was free may be taken before the server has it, a start be slow
_USER = "fundstelle"
_PATIENCE_S = 30

only_on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


class Database(Protocol):
    """Where the accounts of one test are."""

    @property
    def url(self) -> str | None:
        """``None`` = a file in the data folder."""

    def open(self, data: Path) -> AccountsStore:
        """Open it once more, as another server process does."""

    def away(self, data: Path) -> AbstractContextManager[None]:
        """For as long as the block lasts, nobody can use it."""

    def dump(self, data: Path) -> bytes:
        """All that it holds."""

    def copy(self, data: Path, to: Path) -> "Database":
        """Another copy of it, opened in another folder; nobody may use it meanwhile."""


class SqliteDatabase:
    """A file in the data folder, which the first to open it finds with or without tables."""

    url: str | None = None

    def __init__(self, *, is_migrated: bool = True) -> None:
        self._is_migrated = is_migrated

    def open(self, data: Path) -> AccountsStore:
        if not self._is_migrated:
            return AccountsStore.open(data)
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # it is opened once more
            descriptor = os.open(data / DATABASE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(migrate_once())
        return AccountsStore.open(data)

    @contextmanager
    def away(self, data: Path) -> Iterator[None]:
        (data / DATABASE).rename(data / "away")
        (data / DATABASE).mkdir()
        try:
            yield
        finally:
            (data / DATABASE).rmdir()
            (data / "away").rename(data / DATABASE)

    def dump(self, data: Path) -> bytes:
        return b"".join(path.read_bytes() for path in data.glob(f"{DATABASE}*"))

    def copy(self, data: Path, to: Path) -> "SqliteDatabase":
        to.mkdir(mode=0o700)
        shutil.copy(data / PEPPER, to)
        with closing(sqlite3.connect(data / DATABASE)) as connection:
            connection.execute("VACUUM INTO ?", (str(to / DATABASE),))
        return SqliteDatabase()


@cache
def migrate_once() -> bytes:
    """An empty SQLite database of today's schema: every test of the accounts begins with one."""
    with tempfile.TemporaryDirectory(prefix="fundstelle-accounts-") as folder:
        _leave_empty(AccountsStore.open(Path(folder)))
        return (Path(folder) / DATABASE).read_bytes()


def _leave_empty(migrated: AccountsStore) -> None:
    """Forget whose it was: the next to open it marks it with a pepper of its own."""
    with migrated.write() as connection:
        connection.execute(delete(pepper_mark))
    migrated.close()


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for PostgreSQL much longer than a server does: other tests may have all processors."""
    monkeypatch.setattr(engines, "TIMEOUT_S", _PATIENCE_S)
    monkeypatch.setitem(engines._POSTGRES, "connect_timeout", _PATIENCE_S)
    for name in ("usual_patience_s", "ping_patience_s", "patience_s"):
        monkeypatch.setattr(BoundedConnection, name, _PATIENCE_S + 1)
    monkeypatch.setattr(availability, "SLOW_S", _PATIENCE_S)


class PostgresDatabase:
    """A fresh database of the test's server."""

    def __init__(self, server: "PostgresServer", name: str) -> None:
        self._server = server
        self.name = name
        self.url: str | None = server.get_url(name).replace(
            "postgresql://", "postgresql+psycopg://", 1
        )

    def open(self, data: Path) -> AccountsStore:
        """Wait longer than a server does: all processors may be busy with other tests."""
        for _ in range(_ATTEMPTS):
            try:
                return AccountsStore.open(data, self.url)
            except AccountsError as error:
                if "timeout" not in str(error):
                    raise
        return AccountsStore.open(data, self.url)

    def renamed(self, name: str) -> "PostgresDatabase":
        """A database of the same server that nobody has made."""
        return PostgresDatabase(self._server, name)

    @contextmanager
    def away(self, data: Path) -> Iterator[None]:
        del data
        name = sql.Identifier(self.name)
        self._server.run(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        self._server.run(
            sql.SQL(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}"
            ).format(sql.Literal(self.name))
        )
        try:
            yield
        finally:
            self._server.run(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))

    def dump(self, data: Path) -> bytes:
        del data
        program = str(self._server.programs / "pg_dump")
        command = [program, self._server.get_url(self.name)]
        return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout

    def copy(self, data: Path, to: Path) -> "PostgresDatabase":
        to.mkdir(mode=0o700)
        shutil.copy(data / PEPPER, to)
        with self.away(data):
            return self._server.copy(self.name)


class PostgresServer:
    """A running server; databases are made as tests need them."""

    def __init__(self, programs: Path, port: int, password: str, data: Path) -> None:
        self.programs = programs
        self._data = data
        self._address = f"postgresql://{_USER}:{password}@127.0.0.1:{port}"
        self._numbers = count(1)

    def get_url(self, database: str) -> str:
        return f"{self._address}/{database}"

    def run(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.get_url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def frozen(self) -> AbstractContextManager[None]:
        """For as long as the block lasts, no process of the server runs; its kernel does."""
        pid = int((self._data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        return frozen(pid)

    def create(self) -> PostgresDatabase:
        """A database of today's schema, with nothing in it."""
        return self._create(self._migrated)

    def create_empty(self) -> PostgresDatabase:
        """A database without a table."""
        return self._create("template1")

    def copy(self, name: str) -> PostgresDatabase:
        """Another database that holds the same."""
        return self._create(name)

    def _create(self, template: str) -> PostgresDatabase:
        name = f"accounts_{next(self._numbers)}"
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self.run(create.format(sql.Identifier(name), sql.Identifier(template)))
        return PostgresDatabase(self, name)

    @cached_property
    def _migrated(self) -> str:
        """The database that the others are copies of."""
        made = self.create_empty()
        with tempfile.TemporaryDirectory(prefix="fundstelle-accounts-") as folder:
            _leave_empty(made.open(Path(folder)))
        return made.name


@contextmanager
def start_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; it refuses to run as root, so then it runs as its package's user."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    on_path = shutil.which("postgres")
    if not found and on_path is None:
        refuse("postgresql")
    programs = found[-1].parent if found else Path(str(on_path)).parent
    user = "postgres" if os.geteuid() == 0 else None
    # not below pytest's own folder, which no other user may enter
    with tempfile.TemporaryDirectory(prefix="fundstelle-postgres-") as folder:
        password = secrets.token_hex(16)
        secret = Path(folder) / "password"
        secret.write_text(password, encoding="ascii")
        if user is not None:
            owner = pwd.getpwnam(user)
            for path in (Path(folder), secret):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        data = Path(folder) / "data"
        _run(
            programs / "initdb", "-D", data, "-U", _USER, "-A", "scram-sha-256", "--pwfile", secret,
            "-E", "UTF8", "--locale", "C", "--no-sync", user=user,
        )  # fmt: skip
        control = [programs / "pg_ctl", "-D", data, "-w", "-s"]
        port = _start_postgres(control, Path(folder) / "log", user)
        try:
            yield PostgresServer(programs, port, password, data)
        finally:
            _run(*control, "-m", "immediate", "stop", user=user)


def _start_postgres(control: Sequence[object], log: Path, user: str | None) -> int:
    for attempt in range(1, _ATTEMPTS + 1):
        port = find_free_port()
        options = f"-h 127.0.0.1 -p {port} -k '' -F -c full_page_writes=off -c max_connections=40"
        try:
            _run(*control, "-l", log, "-o", options, "start", user=user)
        except subprocess.CalledProcessError:
            if attempt == _ATTEMPTS:
                raise
        else:
            return port
    raise AssertionError


@contextmanager
def frozen(parent: int) -> Iterator[None]:
    """Stop a process and its children for as long as the block lasts."""
    stopped = []
    try:
        for pid in _with_children(parent):  # the parent first: then there are no new ones
            os.kill(pid, signal.SIGSTOP)
            stopped.append(pid)
        yield
    finally:
        for pid in reversed(stopped):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def _with_children(parent: int) -> Iterator[int]:
    yield parent
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, rest = path.read_text(encoding="ascii", errors="replace").rpartition(")")
            if int(rest.split()[1]) == parent:
                yield int(path.parent.name)


@dataclass(frozen=True, slots=True)
class RedisServer:
    """A running server."""

    url: str
    pid: int


@contextmanager
def start_redis() -> Iterator[str]:
    """A Redis (or Valkey) server, in memory alone; its address."""
    with start_redis_server() as server:
        yield server.url


@contextmanager
def start_redis_server() -> Iterator[RedisServer]:
    """The same, with its process id."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        refuse("redis-server")
    port = find_free_port()
    command = [str(program), "--bind", "127.0.0.1", "--port", str(port), "--save", ""]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as server:
        assert server.stdout is not None
        started = any("Ready to accept connections" in line for line in server.stdout)
        try:
            assert started
            yield RedisServer(f"redis://127.0.0.1:{port}/0", server.pid)
        finally:
            server.terminate()
            server.communicate(timeout=30)


def refuse(package: str) -> NoReturn:
    """Skip for want of a package; in CI that is a failure."""
    reason = f"the package {package} is not installed"
    if os.environ.get("FUNDSTELLE_CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _run(*command: object, user: str | None) -> None:
    subprocess.run(
        [str(part) for part in command],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # inherited by a server that goes on: never a pipe
        stderr=subprocess.DEVNULL,
        timeout=120,
        cwd="/",
        user=user,
        group=None if user is None else pwd.getpwnam(user).pw_gid,
        extra_groups=None if user is None else [],
    )
