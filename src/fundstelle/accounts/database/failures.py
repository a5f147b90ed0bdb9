"""What a failure of the database means for those who asked, in words without a secret."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from fundstelle.disks import has_room, say_full

# The statement was refused, the database is well.
_REFUSED = (IntegrityError, DataError, ProgrammingError, NotSupportedError)
_FULL = "SQLITE_FULL"
_OF_THE_DISK = "SQLITE_IOERR"  # a full one says so too: of the index beside the log of changes
# Another transaction was in the way: serialization_failure, deadlock_detected.
_BEATEN = ("40001", "40P01")
# Who meets these when reading cannot ask at all; a writer may meet them where readers go on.
_UNREADABLE = (
    "SQLITE_BUSY",
    "SQLITE_CANTOPEN",
    "SQLITE_CORRUPT",
    "SQLITE_IOERR",
    "SQLITE_NOTADB",
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of the database.

    ``kind`` names it without its message. ``away``: the database cannot be asked at all.
    ``refused``: it is well, and the statement was wrong. ``beaten``: it is well, and another
    transaction was in the way: the same may work a moment later.
    """

    kind: str
    cause: str
    away: bool = False
    refused: bool = False
    beaten: bool = False


def describe(error: SQLAlchemyError, *, writing: bool, folder: Path | None = None) -> Failure:
    """What *error* means; no statement and no parameter of a query gets into it.

    Args:
        error: as SQLAlchemy raised it.
        writing: whether a transaction that writes met it.
        folder: where the database lies, if it is a file: of which disk a full one is.
    """
    if isinstance(error, NoFreeConnection):
        return Failure("NoFreeConnection", "others of this process were before it for too long")
    origin = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(error, StatementError) and not isinstance(error, DBAPIError):
        # what was given could not be made a parameter: the database was not asked
        return Failure("StatementError", type(error.orig).__name__, refused=True)
    if not isinstance(error, DBAPIError) or origin is None:
        return Failure(type(error).__name__, type(error).__name__)
    code = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None) or ""
    kind = f"{type(origin).__name__} {code}".strip()
    if isinstance(error, _REFUSED):
        return Failure(kind, str(origin), refused=True)
    if code in _BEATEN:
        return Failure(kind, str(origin), beaten=True)
    if code.startswith("SQLITE_"):
        away = code.startswith(_UNREADABLE) and (not writing or error.statement is None)
    else:
        away = error.connection_invalidated or (error.statement is None and not code)
    return Failure(kind, _explain(origin, code, folder), away)


def _explain(origin: BaseException, code: str, folder: Path | None) -> str:
    """What the driver said; of a disk also which one, and what to do."""
    if folder is None or not code.startswith((_FULL, _OF_THE_DISK)):
        return str(origin)
    if code.startswith(_FULL) or not has_room(folder):
        return say_full(folder)
    return (
        f"{origin} ({code}); see what the system's log says of the disk that holds {folder}, and"
        " whether there is room on it for this user"
    )
