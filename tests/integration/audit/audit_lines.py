"""Lines of an audit log, and what somebody does to them who has the database alone."""

from sqlalchemy import text

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore


def fill(log: AuditLog, lines: int = 6) -> None:
    for number in range(1, lines + 1):
        log.record("key_created", "user_a", f"key_{number}", "req-1", name=f"Gerät {number} 💼")


def run(store: AccountsStore, *statements: str) -> None:
    with store.write() as connection:
        for statement in statements:
            connection.execute(text(statement))
