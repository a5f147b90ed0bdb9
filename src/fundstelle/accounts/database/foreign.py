"""What is in an accounts database that acts by itself: no version of ours makes any of it.

A trigger can take back each revocation in the moment in which it is written, and leaves the audit
log whole. Whoever can write to the database can make one; a copy of it carries it along.

Sources: PostgreSQL, "System Catalogs"; SQLite, "The Schema Table".
"""

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import SQLAlchemyError

from fundstelle.accounts.database import failures
from fundstelle.accounts.database.engines import open_engine
from fundstelle.errors import AccountsError

NOT_OURS = (
    "the {}, which none of ours does: it may change what is written, or undo a revocation; use"
    " these accounts only if you know who made it"
)

_SQLITE = "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY 1, 2"
# What an extension brings is the operator's (deptype e), what a view does is its own rule.
_POSTGRES = """
WITH ours AS (
    SELECT oid FROM pg_namespace
    WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
)
SELECT 'trigger' AS kind, tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT 'event trigger', evtname::text FROM pg_event_trigger
UNION ALL
SELECT 'policy', polname::text FROM pg_policy
UNION ALL
SELECT 'function', proname::text FROM pg_proc AS one
WHERE pronamespace IN (SELECT oid FROM ours) AND NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = one.oid AND deptype = 'e'
)
UNION ALL
SELECT CASE WHEN rulename = '_RETURN' THEN 'view' ELSE 'rule' END,
    CASE WHEN rulename = '_RETURN' THEN relname ELSE rulename END::text
FROM pg_rewrite JOIN pg_class AS one ON one.oid = ev_class
WHERE relnamespace IN (SELECT oid FROM ours) AND NOT EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = one.oid AND deptype = 'e'
)
ORDER BY 1, 2
"""
_MOST = 20  # that are named


def find_foreign(url: str | URL) -> list[str]:
    """The same of a database that is there, in which nothing is made or changed.

    Raises:
        AccountsError: it cannot be read.
    """
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            return list_foreign(connection)
    except SQLAlchemyError as error:
        cause = failures.describe(error, writing=False, folder=None).cause
        raise AccountsError(f"the accounts database cannot be read: {cause}") from None
    finally:
        engine.dispose()


def list_foreign(connection: Connection) -> list[str]:
    """What acts in it, each as ``trigger keep``; a name as it may be printed."""
    query = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES
    rows = connection.execute(text(query)).all()
    found = [f"{kind} {name!a}" for kind, name in rows]
    return [*found[:_MOST], *([f"{len(found) - _MOST} others"] if len(found) > _MOST else [])]
