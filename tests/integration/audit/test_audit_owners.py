"""Who has made which key is found among many calls without reading them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, insert, text

from fundstelle.accounts.audit.events import CALL
from fundstelle.accounts.audit.ownership import find_owned
from fundstelle.accounts.database.schema_records import audit
from fundstelle.accounts.database.store import AccountsStore
from tests.integration.services.databases import Database

LINES = 20_000
OTHERS = 50  # one line in so many tells of a key
THEN = datetime(2030, 1, 1, tzinfo=UTC)


def fill(store: AccountsStore) -> None:
    lines = [
        {
            "number": number,
            "time": THEN + timedelta(seconds=number),
            "event": CALL if number % OTHERS else "key_created",
            "actor": f"usr_{number % 7}",
            "object": f"key_{number}",
            "request": "",
            "details": {},
            "previous": "0" * 64,
            "hash": "0" * 64,
        }
        for number in range(1, LINES + 1)
    ]
    with store.write() as connection:
        connection.execute(insert(audit), lines)
        if connection.dialect.name == "postgresql":  # as it does by itself; SQLite never does
            connection.execute(text("ANALYZE audit"))


@pytest.mark.parametrize("owner", [None, "usr_1"])
def test_owners_are_found_without_reading_the_calls(
    tmp_path: Path, database: Database, owner: str | None
) -> None:
    store = database.open(tmp_path)
    fill(store)
    asked: list[tuple[str, object]] = []
    engine = store._engine
    listen = ("before_cursor_execute", lambda _c, _r, sql, values, *_: asked.append((sql, values)))
    event.listen(engine, *listen)
    found = find_owned(store, owner)
    event.remove(engine, *listen)
    assert len(found) == (LINES // OTHERS if owner is None else len(range(50, LINES + 1, 350)))
    [(statement, values)] = [one for one in asked if "FROM audit" in one[0]]
    word = "EXPLAIN" if engine.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
    with store.read() as connection:
        rows = connection.exec_driver_sql(f"{word} {statement}", values)  # type: ignore[arg-type]  # as they were
        plan = "\n".join(str(row[-1]) for row in rows)
    assert "ix_audit_event" in plan, plan
    assert "Seq Scan" not in plan
    assert "SCAN audit" not in plan
    store.close()
