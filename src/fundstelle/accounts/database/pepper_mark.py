"""Which pepper a database was made with, so that no server goes on with another.

Two servers that are first started on one empty database each make a pepper; the database decides
which of them holds: its one row is a keyed hash of the pepper, which gives nothing of it away.
"""

import hmac
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, insert, inspect, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fundstelle.accounts.database import engines, failures
from fundstelle.accounts.database.schema import api_keys, pepper_mark
from fundstelle.accounts.database.schema_oauth import signing_keys
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.pepper import create_pepper, read_pepper
from fundstelle.accounts.secrets import Seal
from fundstelle.errors import AccountsError

SIGNING_KEYS = "signing-keys"  # the purpose that they are sealed for
_USED = (api_keys, users, signing_keys)  # a database with a row in one of them is in use


def fingerprint(pepper: bytes) -> str:
    """What the database keeps of a pepper: HMAC-SHA-256 of a fixed text, in hexadecimal."""
    return hmac.digest(pepper, b"pepper-fingerprint", "sha256").hex()


def get_pepper(engine: Engine, path: Path) -> bytes:
    """The pepper of this database, made and marked if both are new.

    A database from before peppers were marked takes the one it is opened with, unless that cannot
    open what was sealed in it.

    Raises:
        AccountsError: it is lost or cannot be read, or is that of another database.
    """
    with engine.connect() as connection:
        known, pepper = _compare(connection, path)
    if pepper is None:
        pepper = create_pepper(path)
    if known is None:
        known = _mark(engine, fingerprint(pepper))
    _require_same(known, pepper, path)
    return pepper


def compare_pepper(url: str | URL, path: Path) -> None:
    """See that a server could be opened with this pepper, and make and change nothing.

    Raises:
        AccountsError: it is lost or cannot be read, or is that of another database; or that
            cannot be read.
    """
    engine = engines.open_engine(url)
    try:
        with engine.connect() as connection:
            here = inspect(connection)
            if all(here.has_table(one.name) for one in (pepper_mark, *_USED)):
                known, pepper = _compare(connection, path)
                if known is not None and pepper is not None:
                    _require_same(known, pepper, path)
            else:  # an older version, or nobody yet, has opened it
                read_pepper(path)
    except SQLAlchemyError as error:
        cause = failures.describe(error, writing=False, folder=None).cause
        raise AccountsError(f"the accounts database cannot be read: {cause}") from None
    finally:
        engine.dispose()


def _compare(connection: Connection, path: Path) -> tuple[str | None, bytes | None]:
    """The mark of the database and the pepper, as far as they are there and may belong together."""
    known = read_mark(connection)
    is_used = known is not None or _is_used(connection)
    # The file is read second: who marks a database has written its pepper before.
    pepper = read_pepper(path)
    if pepper is None and is_used:
        raise AccountsError(
            f"{path} is lost, and every key with it; restore it from a backup, or copy it from"
            " the data folder of another server that uses this database"
        )
    if known is None and pepper is not None and not _opens(connection, pepper):
        raise _refuse(path)
    return known, pepper


def _require_same(known: str, pepper: bytes, path: Path) -> None:
    if not hmac.compare_digest(known, fingerprint(pepper)):
        raise _refuse(path)


def read_mark(connection: Connection) -> str | None:
    """The fingerprint that the database was marked with."""
    return connection.execute(select(pepper_mark.c.fingerprint)).scalar_one_or_none()


def _is_used(connection: Connection) -> bool:
    keys = (list(one.primary_key) for one in _USED)
    return any(connection.execute(select(*key).limit(1)).first() for key in keys)


def _opens(connection: Connection, pepper: bytes) -> bool:
    """Whether the pepper opens what is sealed in the database, if anything is."""
    seal = Seal(pepper, SIGNING_KEYS)
    sealed = connection.execute(select(signing_keys.c.private)).scalars().all()
    for one in sealed:
        try:
            seal.open(one)
        except AccountsError:
            continue
        return True
    return not sealed


def _mark(engine: Engine, mine: str) -> str:
    try:
        with engines.begin(engine) as connection:
            connection.execute(insert(pepper_mark).values(id=1, fingerprint=mine))
    except IntegrityError:  # another process was first
        with engine.connect() as connection:
            return read_mark(connection) or ""
    return mine


def _refuse(path: Path) -> AccountsError:
    return AccountsError(
        f"{path} is not the pepper of this database: another server was first. Copy the file"
        f" 'pepper' from that server's data folder, or from its backup, to {path} (mode 0600), or"
        " give this server a database of its own"
    )
