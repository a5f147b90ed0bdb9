"""Whether there are accounts at all, for whoever only looks at them: nothing is made for that.

Accounts that were made in a folder that was named wrongly would seem to be those of the server,
with nobody in them and a log that was wiped; and a restoration goes into an empty folder alone.
"""

from pathlib import Path

from sqlalchemy import Engine, inspect

from fundstelle.accounts.database.traces import find_traces
from fundstelle.errors import AccountsError

_HEADS = "audit-head*.json"  # what servers have seen of the audit log


def require_files(engine: Engine, data: Path, pepper: str) -> None:
    """See that the files of the accounts are there.

    Raises:
        AccountsError: one is not.
    """
    url = engine.url
    missing = [] if (data / pepper).exists() else [pepper]
    if url.get_backend_name() == "sqlite" and url.database:
        missing = [*missing, *([] if Path(url.database).exists() else [Path(url.database).name])]
        if len(missing) > 1 and not (find_traces(data, pepper) or any(data.glob(_HEADS))):
            raise _refuse(data)
    if missing:
        raise AccountsError(
            f"{data / missing[0]} is not there, so the accounts cannot be opened: set"
            " FUNDSTELLE_DATA to the folder of the server; if it is this one, restore a backup"
        )


def require_tables(engine: Engine, data: Path) -> None:
    """See that a server has opened the database before.

    Raises:
        AccountsError: none has.
    """
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            raise _refuse(data)


def _refuse(data: Path) -> AccountsError:
    return AccountsError(
        f"there are no accounts in {data} yet: set FUNDSTELLE_DATA to the folder of the server, or"
        " begin with 'fundstelle up', 'fundstelle keys create' or 'fundstelle users first-admin'"
    )
