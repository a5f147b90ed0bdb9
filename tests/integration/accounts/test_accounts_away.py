"""The accounts database frozen, locked, full, removed: nothing waits for it without end."""

import logging
import time
from pathlib import Path

import pytest
from sqlalchemy import event, text

from fundstelle.accounts.database.availability import RETRY_S
from fundstelle.accounts.database.engines import TIMEOUT_S
from fundstelle.accounts.database.store import DATABASE, AccountsStore
from fundstelle.errors import AccountsUnavailable
from tests.integration.services.databases import PostgresServer

_GENEROUS_S = 5 * TIMEOUT_S  # a bound far below the minutes for which TCP would wait


def read(store: AccountsStore) -> None:
    with store.read() as connection:
        connection.execute(text("SELECT revision FROM key_revision")).scalar_one()


def write(store: AccountsStore) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE key_revision SET revision = revision + 1"))


def end_pause(store: AccountsStore) -> None:
    store._availability._ticks = lambda: time.monotonic() + RETRY_S


def test_a_frozen_server_is_given_up_and_found_again(
    tmp_path: Path, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = postgres.create().open(tmp_path)
    read(store)
    assert store.state.reachable
    with postgres.frozen():
        begin = time.monotonic()
        with pytest.raises(AccountsUnavailable, match="cannot be used"):
            read(store)
        assert time.monotonic() - begin < _GENEROUS_S
        assert not store.state.reachable
        for _ in range(1000):  # nobody else waits, so this ends
            with pytest.raises(AccountsUnavailable, match="does not answer"):
                read(store)
    assert len(caplog.records) == 1
    end_pause(store)
    read(store)
    write(store)
    assert store.state.reachable
    assert store.state.writable
    assert "can be used again (1000 failures were not said)" in caplog.messages[-1]
    store.close()


def test_a_server_that_freezes_within_a_transaction_is_given_up(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    store = postgres.create().open(tmp_path)
    begin = time.monotonic()
    with pytest.raises(AccountsUnavailable), store.write() as connection:  # noqa: PT012  # steps
        connection.execute(text("UPDATE key_revision SET revision = 7"))
        with postgres.frozen():
            connection.execute(text("SELECT 1"))
    assert time.monotonic() - begin < _GENEROUS_S
    end_pause(store)
    read(store)
    store.close()


def test_a_row_that_another_holds_is_not_waited_for_without_end(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    database = postgres.create()
    one, other = database.open(tmp_path), database.open(tmp_path)
    with one.write() as connection:
        connection.execute(text("UPDATE key_revision SET revision = 7"))
        with pytest.raises(AccountsUnavailable, match="timeout"):
            write(other)
        read(other)
        assert other.state.reachable
        assert not other.state.writable
    write(other)
    assert other.state.writable
    one.close()
    other.close()


def test_connections_that_the_server_refuses_are_an_answer_at_once(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    database = postgres.create()
    store = database.open(tmp_path)
    with database.away(tmp_path):
        for _ in range(3):
            with pytest.raises(AccountsUnavailable):
                read(store)
        assert not store.state.reachable
    read(store)
    assert store.state.reachable
    store.close()


def test_a_locked_file_is_an_error_soon_and_readers_go_on(tmp_path: Path) -> None:
    one, other = AccountsStore.open(tmp_path), AccountsStore.open(tmp_path)
    with one.write() as connection:
        connection.execute(text("UPDATE key_revision SET revision = 7"))
        with pytest.raises(AccountsUnavailable, match="locked"):
            write(other)
        read(other)
        assert other.state.reachable
        assert other.state.last_error == "OperationalError SQLITE_BUSY"
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("pragma", "match"),
    [("max_page_count = 1", "disk that holds .* is full; free"), ("query_only = ON", "readonly")],
)
def test_a_disk_that_takes_nothing_more_leaves_readers_alone(
    tmp_path: Path, pragma: str, match: str
) -> None:
    AccountsStore.open(tmp_path).close()
    store = AccountsStore.open(tmp_path)
    store.close()
    event.listen(store._engine, "connect", lambda raw, _: raw.execute(f"PRAGMA {pragma}"))
    with pytest.raises(AccountsUnavailable, match=match), store.write() as connection:
        connection.execute(text("CREATE TABLE more AS SELECT zeroblob(10000000) AS content"))
    read(store)
    assert store.state.reachable
    assert not store.state.writable
    store.close()


def test_a_file_that_was_removed_is_missed_and_not_written_into(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path)
    read(store)
    kept = {path.name: path.read_bytes() for path in tmp_path.glob(f"{DATABASE}*")}
    for name in kept:
        (tmp_path / name).unlink()
    for use in (read, write, read):
        with pytest.raises(AccountsUnavailable, match="No such file"):
            use(store)
    assert not (tmp_path / DATABASE).exists()
    assert not store.state.reachable
    for name, content in kept.items():
        (tmp_path / name).write_bytes(content)
    write(store)
    assert store.state.writable
    store.close()


def test_what_goes_on_failing_is_one_line_a_minute(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = AccountsStore.open(tmp_path)
    now = 0.0
    store._availability._complaints._ticks = lambda: now
    (tmp_path / DATABASE).rename(tmp_path / "away")
    with caplog.at_level(logging.WARNING):
        for second in range(180):
            now = float(second)
            with pytest.raises(AccountsUnavailable):
                read(store)
    assert len(caplog.records) == 3
    assert "(60 times since it was last said)" in caplog.messages[1]
    assert all(record.exc_info is None for record in caplog.records)
    store.close()
