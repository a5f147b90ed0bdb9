"""The accounts database itself: opened, migrated, shared, damaged."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from argon2.profiles import CHEAPEST
from sqlalchemy import Connection, delete, event, select, text

import fundstelle.accounts.database.pepper_mark as pepper_mark_module
from fundstelle.accounts.audit.calls import CallLog
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.pepper_mark import fingerprint
from fundstelle.accounts.database.schema import HEAD, metadata, pepper_mark
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.guessing import limits
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.recovery import RecoveryCodes
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.accounts.pepper import create_pepper, read_pepper
from fundstelle.accounts.usage import Usage
from fundstelle.errors import AccountsError
from tests.integration.services.databases import (
    Database,
    PostgresServer,
    SqliteDatabase,
    find_free_port,
)

PASSWORD = "vier Hunde lesen leise"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """A database without a table: here the migrations are what is looked at."""
    if request.param == "sqlite":
        return SqliteDatabase(is_migrated=False)
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create_empty()


def test_the_migrations_build_what_the_schema_says(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD
    store.close()


def test_the_schema_names_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", "fundstelle:accounts/migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def _name_bytes(database: Database) -> str:
    return "BLOB" if database.url is None else "bytea"


def test_tokens_of_an_older_server_find_their_place_in_their_line(
    tmp_path: Path, database: Database
) -> None:
    store = database.open(tmp_path)
    config = Config()
    config.set_main_option("script_location", "fundstelle:accounts/migrations")
    with store.write() as connection:
        config.attributes["connection"] = connection
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
        command.upgrade(config, "0002")
        moment = "'2026-11-21 12:00:00+00:00'"
        line = {"a": None, "b": "a", "c": "a", "d": "c", "x": "swept", "y": "x"}
        for name, previous in line.items():
            token = "NULL" if previous is None else f"CAST('{previous}' AS {_name_bytes(database)})"
            connection.execute(
                text(
                    "INSERT INTO refresh_tokens (digest, previous, created, expires) VALUES "
                    f"(CAST('{name}' AS {_name_bytes(database)}), {token}, {moment}, {moment})"
                )
            )
        command.upgrade(config, "head")
        found = connection.execute(text("SELECT digest, generation FROM refresh_tokens"))
        places = {bytes(digest).decode(): place for digest, place in found}
    assert places == {"a": 0, "b": 1, "c": 1, "d": 2, "x": 0, "y": 1}
    store.close()


def test_opening_again_changes_nothing(tmp_path: Path, database: Database) -> None:
    first = database.open(tmp_path)
    plain, record = ApiKeys(first).create("a")
    first.close()
    again = database.open(tmp_path)
    assert again.pepper == first.pepper
    keys = ApiKeys(again, later=lambda _delay, _task: None)
    assert keys.list() == (record,)
    assert keys.authenticate(plain) is not None
    keys.close()


def test_only_the_owner_can_read_the_secrets(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path / "new" / "folder")
    ApiKeys(store).create("a")
    files = list((tmp_path / "new" / "folder").iterdir())
    assert {path.name for path in files} == {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", PEPPER}
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    store.close()


def test_readers_do_not_wait_for_a_writer(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    with store.write() as writer, store.read() as reader:
        writer.execute(text("UPDATE key_revision SET revision = 7"))
        assert reader.execute(text("SELECT revision FROM key_revision")).scalar_one() == 0
    store.close()


def test_a_failed_transaction_leaves_no_trace(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    with pytest.raises(AccountsError), store.write() as connection:  # noqa: PT012  # two steps
        connection.execute(text("UPDATE key_revision SET revision = 7"))
        connection.execute(text("UPDATE key_revision SET nonsense = 7"))
    with store.read() as connection:
        assert connection.execute(text("SELECT revision FROM key_revision")).scalar_one() == 0
    store.close()


def test_processes_that_start_together_share_one_database_and_one_pepper(
    tmp_path: Path, database: Database
) -> None:
    program = (
        "import sys, pathlib\n"
        "from fundstelle.accounts.keys.api_keys import ApiKeys\n"
        "from fundstelle.accounts.database.store import AccountsStore\n"
        "sys.stdin.readline()\n"
        "keys = ApiKeys(AccountsStore.open(pathlib.Path(sys.argv[1]), sys.argv[2] or None))\n"
        "print(keys.create('a')[0])\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path), database.url or ""]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    plains = [process.communicate(timeout=60)[0].strip() for process in started]
    assert [process.returncode for process in started] == [0] * 4
    keys = ApiKeys(database.open(tmp_path), later=lambda _delay, _task: None)
    assert [plain for plain in plains if keys.authenticate(plain) is None] == []
    keys.close()


def test_another_that_is_first_between_two_looks_is_followed(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, others = tmp_path / "data", list[AccountsStore]()

    def read_and_be_overtaken(path: Path) -> bytes | None:
        monkeypatch.undo()
        found = read_pepper(path)
        others.append(database.open(data))
        return found

    monkeypatch.setattr(pepper_mark_module, "read_pepper", read_and_be_overtaken)
    late = database.open(data)
    assert [other.pepper for other in others] == [late.pepper]
    for store in (late, *others):
        store.close()


def test_a_lost_pepper_is_reported_instead_of_replaced(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    ApiKeys(store).create("a")
    store.close()
    (tmp_path / PEPPER).unlink()
    with pytest.raises(AccountsError, match="restore it from a backup"):
        database.open(tmp_path)
    assert not (tmp_path / PEPPER).exists()


def test_a_pepper_made_first_on_another_server_is_asked_for(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    database = postgres.create()
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:  # two servers, first started on one empty database
        folder.mkdir()
        create_pepper(folder / PEPPER)
    barrier = threading.Barrier(2)

    def start(folder: Path) -> str | bytes:
        barrier.wait()
        try:
            store = database.open(folder)
        except AccountsError as error:
            return str(error)
        store.close()
        return store.pepper

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(start, folders)
    if isinstance(first, str):
        first, second = second, first
        folders.reverse()
    assert isinstance(first, bytes)
    assert isinstance(second, str)
    assert "Copy the file 'pepper' from that server's data folder" in second
    assert str(folders[1] / PEPPER) in second
    (folders[1] / PEPPER).write_bytes(first)
    database.open(folders[1]).close()


def test_a_database_from_before_takes_the_pepper_it_is_opened_with(
    tmp_path: Path, database: Database
) -> None:
    store = database.open(tmp_path)
    SigningKeys(store).publish()
    for _ in range(2):  # at the first start, and at the next one
        with store.write() as connection:
            connection.execute(delete(pepper_mark))
        database.open(tmp_path).close()
        with store.read() as connection:
            mark = connection.execute(select(pepper_mark.c.fingerprint)).scalar_one()
        assert mark == fingerprint(store.pepper)
        assert store.pepper.hex() not in mark
    with store.write() as connection:
        connection.execute(delete(pepper_mark))
    (tmp_path / PEPPER).write_bytes(bytes(32))
    with pytest.raises(AccountsError, match="not the pepper of this database"):
        database.open(tmp_path)  # it cannot open the signing keys
    store.close()


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_lost_pepper_is_not_made_anew_where_there_are_people(
    tmp_path: Path, database: Database, *, is_marked: bool
) -> None:
    store = database.open(tmp_path)
    SigningKeys(store).publish()
    with store.write() as connection:
        if not is_marked:
            connection.execute(delete(pepper_mark))
    store.close()
    (tmp_path / PEPPER).unlink()
    with pytest.raises(AccountsError, match="copy it from the data folder of another server"):
        database.open(tmp_path)
    assert not (tmp_path / PEPPER).exists()


def test_a_damaged_pepper_is_reported(tmp_path: Path) -> None:
    AccountsStore.open(tmp_path).close()
    (tmp_path / PEPPER).write_bytes(b"short")
    with pytest.raises(AccountsError, match="damaged"):
        AccountsStore.open(tmp_path)


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"This is not a database. " * 100)
    with pytest.raises(AccountsError, match="not a database"):
        AccountsStore.open(tmp_path)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AccountsError, match="file"):
        AccountsStore.open(tmp_path / "file" / "data")


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(AccountsError, match="newest version"):
        database.open(tmp_path)


def test_a_database_elsewhere_is_named_by_its_url(tmp_path: Path) -> None:
    store = AccountsStore.open(tmp_path, f"sqlite:///{tmp_path / 'elsewhere.db'}")
    ApiKeys(store).create("a")
    store.close()
    assert (tmp_path / "elsewhere.db").exists()
    assert not (tmp_path / DATABASE).exists()


def test_a_database_that_cannot_be_reached_is_reported_without_its_password(
    tmp_path: Path,
) -> None:
    url = f"postgresql+psycopg://fundstelle:geheim@127.0.0.1:{find_free_port()}/accounts"
    with pytest.raises(AccountsError) as caught:
        AccountsStore.open(tmp_path, url)
    assert "127.0.0.1" in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_a_connection_that_the_server_has_ended_is_replaced(
    tmp_path: Path, database: Database
) -> None:
    store = database.open(tmp_path)
    keys = ApiKeys(store)
    keys.create("a")
    if database.url is not None:
        with database.away(tmp_path):  # ends all connections
            pass
    assert len(keys.list()) == 1
    store.close()


@pytest.mark.parametrize("url", ["postgresql+nodriver://a:geheim@b/c", "geheim", "oracle://geheim"])
def test_an_address_that_cannot_be_used_is_reported_without_its_password(
    tmp_path: Path, url: str
) -> None:
    with pytest.raises(AccountsError) as caught:
        AccountsStore.open(tmp_path, url)
    assert "geheim" not in str(caught.value)


def test_what_is_under_way_when_a_store_is_closed_gives_its_connection_back(
    tmp_path: Path, database: Database
) -> None:
    """Also what is begun only then: background work does not know of it."""
    store = database.open(tmp_path)
    with store.read() as connection:
        early = connection.connection.driver_connection
        store.close()
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    with store.read() as connection:
        late = connection.connection.driver_connection
    for one in (early, late):
        assert one is not None
        with pytest.raises(Exception, match="closed"):
            one.execute("SELECT 1")


def _list_levels(store: AccountsStore) -> list[int]:
    """What SQLite waits for in each transaction from now on: 1 = for no disk, 2 = for the disk."""
    levels: list[int] = []

    def note(connection: Connection) -> None:
        levels.append(connection.exec_driver_sql("PRAGMA synchronous").scalar_one())

    event.listen(store._engine, "commit", note)
    return levels


NORMAL, FULL = 1, 2


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[AccountsStore]:
    store = SqliteDatabase().open(tmp_path)
    yield store
    store.close()


def test_what_is_changed_is_on_the_disk_when_it_is_said_to_be(lasting: AccountsStore) -> None:
    log, keys, grants = AuditLog(lasting), ApiKeys(lasting), Grants(lasting)
    people = People(lasting, passwords=Passwords(CHEAPEST))
    log.begin()
    eva = people.accept(people.create_first_admin_link(), "Eva Beck", PASSWORD, "eva@k.example")
    _, key = keys.create("a key", user_id=eva.id)
    user = people.set_password(eva.id, PASSWORD + "!")
    codes = RecoveryCodes(lasting).renew(user.id)
    levels = _list_levels(lasting)

    def revoke() -> None:
        with log.together() as note:
            keys.revoke(key.id)
            note("key_revoked", "system", key.id)

    def end_factors() -> None:
        within = log.recording("factors_reset", "system", eva.id)
        SecondFactors(lasting, "https://law.example").reset(eva.id, within)

    changes: list[Callable[[], object]] = [
        revoke,
        lambda: RecoveryCodes(lasting).use(user.id, codes[0]),
        end_factors,
        lambda: people.set_password(eva.id, PASSWORD),
        lambda: people.invite("max@k.example"),
        lambda: grants.revoke_all(reason="admin", user_id=eva.id),
        lambda: SigningKeys(lasting).rotate(at_once=True),
        lambda: Sessions(lasting).end_all(eva.id),
        lambda: log.record("sign_in", eva.id),
    ]
    for change in changes:
        before = len(levels)
        _count(lasting)  # on the same connection, so that each change has to say it
        change()
        assert levels[before:] == [NORMAL, *[FULL] * (len(levels) - before - 1)]
        assert len(levels) > before + 1


def _count(store: AccountsStore) -> None:
    with store.write(may_be_lost=True) as connection:
        connection.execute(text("UPDATE key_revision SET revision = revision"))


def test_what_is_counted_and_noted_waits_for_no_disk(
    lasting: AccountsStore, tmp_path: Path
) -> None:
    log, keys = AuditLog(lasting), ApiKeys(lasting, later=lambda _delay, _task: None)
    usage = Usage(lasting, later=lambda _delay, _task: None)
    calls = CallLog(log, lasting.pepper, tmp_path / "spool", lambda _delay, _task: None)
    log.begin()
    plain, key = keys.create("a key")
    levels = _list_levels(lasting)
    assert keys.authenticate(plain)
    usage.note("seat", key.id, "legal_search")
    given = {"tool": "legal_search", "release": "build-1", "request": "r-1"}
    calls.note(credential=key.id, arguments={}, result_ids=(), **given)
    usage.flush()
    calls.flush()
    keys._last_use.flush()
    Throttle(lasting).take((limits.NETWORK, "192.0.2.0"))
    Sessions(lasting).start(None, "Firefox")
    assert levels == [NORMAL] * len(levels)
    assert len(levels) >= 5
