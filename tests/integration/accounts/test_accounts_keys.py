"""API keys on a real database. The clock is a number that the test moves."""

import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, insert, make_url, select, update

from fundstelle.accounts.database.schema import api_keys, key_revision
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.keys.api_keys import (
    LONGEST_LIFE,
    ApiKeys,
    Principal,
    find_end_of,
)
from fundstelle.accounts.keys.cache import MAX_AGE_S, STALE_S, UNKNOWN_BURST, Changes, Recall
from fundstelle.accounts.keys.format import new_key
from fundstelle.accounts.keys.rows import KEPT_FOR
from fundstelle.errors import AccountsUnavailable, InvalidArgument, NotFound
from tests.integration.services.databases import Database, only_on_sqlite

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Clock:
    """Seconds since the epoch that pass when told to."""

    def __init__(self) -> None:
        self.now = START.timestamp()

    def __call__(self) -> float:
        return self.now


class Later:
    """Holds background tasks until the test runs them."""

    def __init__(self) -> None:
        self.tasks: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, delay_s: float, task: Callable[[], None]) -> None:
        self.tasks.append((delay_s, task))

    def run(self) -> list[float]:
        tasks, self.tasks = self.tasks, []
        for _, task in tasks:
            task()
        return [delay_s for delay_s, _ in tasks]


class Process:
    """One server process: its own connection, its own memory."""

    def __init__(self, data: Path, clock: Clock, database: Database) -> None:
        self.store = database.open(data)
        self.later = Later()
        self.keys = ApiKeys(self.store, clock, self.later)
        self.statements: list[str] = []
        event.listen(self.store._engine, "before_cursor_execute", self._note)

    def _note(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            self.statements.append(statement)

    def queries(self) -> int:
        count = len(self.statements)
        self.statements.clear()
        return count


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(tmp_path: Path, clock: Clock, database: Database) -> Iterator[Callable[[], Process]]:
    started: list[Process] = []

    def start() -> Process:
        started.append(Process(tmp_path, clock, database))
        return started[-1]

    yield start
    for process in started:
        process.keys.close()


@pytest.fixture
def process(start: Callable[[], Process]) -> Process:
    return start()


def test_a_created_key_authenticates_as_its_record(process: Process) -> None:
    plain, record = process.keys.create("Kanzlei Müller", rate_per_minute=600)
    expected = Principal(record.id, "Kanzlei Müller", 600, seat=record.id)
    assert process.keys.authenticate(plain) == expected
    assert process.keys.list() == (record,)
    assert record.created == START
    assert record.id.startswith("key_")
    assert record.displayed == f"{plain[:13]}…{plain[-4:]}"


def test_a_typo_is_refused_without_a_query(process: Process) -> None:
    plain, _ = process.keys.create("a")
    process.queries()
    typo = plain[:20] + ("x" if plain[20] != "x" else "y") + plain[21:]
    assert process.keys.authenticate(typo) is None
    assert process.queries() == 0


def test_a_warm_cache_answers_without_a_query(process: Process, clock: Clock) -> None:
    plain, _ = process.keys.create("a")
    process.keys.authenticate(plain)
    process.queries()
    clock.now += MAX_AGE_S - 0.001
    assert process.keys.authenticate(plain) is not None
    assert process.queries() == 0
    clock.now += 0.001
    assert process.keys.authenticate(plain) is not None
    assert process.queries() == 1  # nothing has changed: only the revision is read


def test_another_process_sees_a_revocation_within_five_seconds(
    start: Callable[[], Process], clock: Clock
) -> None:
    server, command_line = start(), start()
    plain, record = command_line.keys.create("a")
    assert server.keys.authenticate(plain) is not None
    command_line.keys.revoke(record.id)
    assert MAX_AGE_S < 5
    clock.now += MAX_AGE_S
    assert server.keys.authenticate(plain) is None
    assert command_line.keys.authenticate(plain) is None


def test_the_process_that_revokes_a_key_refuses_it_at_once(process: Process) -> None:
    plain, record = process.keys.create("a")
    assert process.keys.authenticate(plain) is not None
    process.keys.revoke(record.id)
    assert process.keys.authenticate(plain) is None


def test_another_process_accepts_a_new_key_at_once(start: Callable[[], Process]) -> None:
    server, command_line = start(), start()
    first, _ = command_line.keys.create("first")
    assert server.keys.authenticate(first) is not None
    second, _ = command_line.keys.create("second")
    assert server.keys.authenticate(second) is not None


def test_made_up_keys_are_neither_remembered_nor_asked_for_without_end(process: Process) -> None:
    process.keys.authenticate(new_key())
    process.queries()
    assert {process.keys.authenticate(new_key()) for _ in range(1000)} == {None}
    assert process.queries() <= UNKNOWN_BURST
    assert len(process.keys._cache._keys) == 0


def test_known_keys_work_while_made_up_ones_rain_down(
    start: Callable[[], Process], clock: Clock
) -> None:
    server, command_line = start(), start()
    plain, _ = command_line.keys.create("a")
    for _ in range(200):
        server.keys.authenticate(new_key())
    assert server.keys.authenticate(plain) is not None
    later, _ = command_line.keys.create("later")
    clock.now += MAX_AGE_S
    assert server.keys.authenticate(later) is not None


def test_a_clock_set_back_does_not_keep_a_revoked_key_alive(
    start: Callable[[], Process], clock: Clock
) -> None:
    server, command_line = start(), start()
    plain, record = command_line.keys.create("a")
    server.keys.authenticate(plain)
    command_line.keys.revoke(record.id)
    clock.now -= 3600
    assert server.keys.authenticate(plain) is None


def test_a_key_ends_with_its_expiry(process: Process, clock: Clock) -> None:
    plain, record = process.keys.create("a", expires=START + timedelta(seconds=2))
    assert record.expires == START + timedelta(seconds=2)
    clock.now += 1.999
    assert process.keys.authenticate(plain) is not None
    clock.now += 0.001
    assert process.keys.authenticate(plain) is None


@only_on_sqlite
def test_a_database_put_back_from_a_backup_is_read_anew(
    tmp_path: Path, start: Callable[[], Process], clock: Clock
) -> None:
    command_line = start()
    kept, _ = command_line.keys.create("kept")
    command_line.store.close()
    backup = (tmp_path / DATABASE).read_bytes()
    lost, _ = command_line.keys.create("lost")
    server = start()
    assert server.keys.authenticate(lost) is not None
    server.store.close()
    command_line.store.close()
    (tmp_path / DATABASE).write_bytes(backup)
    clock.now += MAX_AGE_S
    assert server.keys.authenticate(lost) is None
    assert server.keys.authenticate(kept) is not None


def test_no_plain_key_is_found_in_the_data_folder_or_the_log(
    tmp_path: Path, process: Process, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        plain, record = process.keys.create("a")
        process.keys.authenticate(plain)
        process.keys.authenticate(new_key())
        process.later.run()
        process.keys.revoke(record.id)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert PEPPER in {path.name for path in files}
    secret = plain.removeprefix("sk-legal-")[4:-4]
    assert record.id.encode() in database.dump(tmp_path)
    assert secret.encode() not in database.dump(tmp_path)
    for path in files:
        assert secret.encode() not in path.read_bytes()
    assert secret not in caplog.text
    assert secret not in repr(record)


def test_the_last_use_is_written_in_the_background_once_a_minute(
    process: Process, clock: Clock
) -> None:
    plain, _ = process.keys.create("a")
    process.keys.authenticate(plain)
    process.queries()
    for _ in range(100):
        process.keys.authenticate(plain)
    assert process.queries() == 0
    assert process.keys.list()[0].last_used is None
    assert process.later.run() == [0.0]
    assert process.keys.list()[0].last_used == START

    clock.now += 61
    process.keys.authenticate(plain)
    process.keys.authenticate(plain)
    assert process.later.run() == [0.0]
    assert process.keys.list()[0].last_used == START + timedelta(seconds=61)


def test_a_second_key_waits_for_the_minute_to_end(process: Process, clock: Clock) -> None:
    first, _ = process.keys.create("first")
    second, _ = process.keys.create("second")
    process.keys.authenticate(first)
    process.later.run()
    clock.now += 10
    process.keys.authenticate(second)
    assert process.later.run() == [50.0]
    assert {key.last_used for key in process.keys.list()} == {START, START + timedelta(seconds=10)}


def test_closing_writes_what_is_still_in_memory(start: Callable[[], Process]) -> None:
    server, command_line = start(), start()
    plain, _ = command_line.keys.create("a")
    server.keys.authenticate(plain)
    server.keys.close()
    assert command_line.keys.list()[0].last_used == START


def test_a_last_use_that_cannot_be_written_is_logged_and_harms_nobody(
    tmp_path: Path, process: Process, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    plain, _ = process.keys.create("a")
    process.keys.authenticate(plain)
    process.store.close()
    with database.away(tmp_path):
        process.later.run()
        assert "was not recorded" in caplog.text
        assert process.keys.authenticate(plain) is not None


@pytest.mark.parametrize("how", ["id", "name", "displayed", "prefix", "plain"])
def test_a_key_can_be_revoked_by_whatever_one_has_of_it(process: Process, how: str) -> None:
    plain, record = process.keys.create("laptop")
    process.keys.create("other")
    reference = {
        "id": record.id,
        "name": record.name,
        "displayed": record.displayed,
        "prefix": record.displayed[:13],
        "plain": plain,
    }[how]
    assert process.keys.revoke(process.keys.find(reference).id)
    assert process.keys.get(record.id).revoked == START
    assert [key.name for key in process.keys.list() if key.revoked is None] == ["other"]


def test_revoking_twice_keeps_the_first_moment(process: Process, clock: Clock) -> None:
    _, key = process.keys.create("a")
    assert process.keys.revoke(key.id)
    clock.now += 100
    assert not process.keys.revoke(key.id)
    assert process.keys.get(key.id).revoked == START


def test_a_name_that_two_live_keys_share_is_refused_with_their_ids(process: Process) -> None:
    ids = [process.keys.create("a")[1].id for _ in range(2)]
    with pytest.raises(InvalidArgument) as caught:
        process.keys.find("a")
    assert sorted(caught.value.allowed_values) == sorted(ids)
    process.keys.revoke(ids[0])
    assert process.keys.find("a").id == ids[1]


@pytest.mark.parametrize("reference", ["", "nobody", "sk-legal-", "key_", "sk-legal-zzzz", "%"])
def test_what_names_no_key_revokes_none(process: Process, reference: str) -> None:
    process.keys.create("a")
    with pytest.raises(NotFound):
        process.keys.find(reference)
    with pytest.raises(NotFound):
        process.keys.revoke(reference)


@pytest.mark.parametrize("taken", ["id", "displayed"])
def test_a_name_that_was_given_before_it_was_refused_hides_no_key(
    process: Process, taken: str
) -> None:
    plain, victim = process.keys.create("laptop")
    _, other = process.keys.create("other")
    collision = getattr(victim, taken)
    with process.store.write() as connection:
        connection.execute(update(api_keys).where(api_keys.c.id == other.id).values(name=collision))
    assert process.keys.find(collision).id == victim.id
    process.keys.revoke(victim.id)
    assert process.keys.authenticate(plain) is None
    renewed, new = process.keys.rotate(other.id)
    assert new.name == "renewed key"
    assert process.keys.authenticate(renewed) is not None


def test_a_key_that_was_taken_over_is_shown_to_nobody_who_had_it(process: Process) -> None:
    plain, key = process.keys.create("laptop")
    with pytest.raises(NotFound):
        process.keys.rotate(key.id, owner="usr_somebody")
    assert process.keys.authenticate(plain) is not None
    assert process.keys.rotate(key.id, owner=key.user_id)[1].user_id == key.user_id


@pytest.mark.parametrize(
    ("days", "goes_on"),
    [
        ((0, None, None), 24),
        ((0, 30, 90), 24),
        ((29.5, 30, None), 12),
        ((29.5, None, 30), 12),
        ((29.75, 30, 29.875), 3),
        ((30, None, 30), None),
        ((100, 365, 30), None),
    ],
)
def test_a_replaced_key_outlives_neither_its_own_end_nor_the_rules(
    process: Process,
    clock: Clock,
    days: tuple[float, float | None, float | None],
    goes_on: float | None,
) -> None:
    """Days: its age, its life, the longest that is allowed; then the hours that it goes on."""
    age, life, longest = days
    expires = None if life is None else START + timedelta(days=life)
    plain, old = process.keys.create("a", expires=expires)
    clock.now += age * 86_400
    rule = None if longest is None else timedelta(days=longest)
    _, new = process.keys.rotate(old.id, timedelta(hours=24), rule)
    replaced = process.keys.find(old.id)
    now = START + timedelta(days=age)
    if goes_on is None:
        assert (replaced.revoked, replaced.replaced_by) == (now, new.id)
        assert process.keys.authenticate(plain) is None
    else:
        assert (replaced.revoked, replaced.expires) == (None, now + timedelta(hours=goes_on))
    assert rule is None or new.expires == now + min(rule, timedelta(days=life or 1_000))


def test_no_key_is_revoked_by_its_name_where_its_id_is_asked_for(process: Process) -> None:
    plain, _ = process.keys.create("laptop")
    with pytest.raises(NotFound):
        process.keys.revoke("laptop")
    assert process.keys.authenticate(plain) is not None


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\nb", "a\x00b", "a\x1b[2J"])
def test_a_key_needs_a_name_that_can_be_printed(process: Process, name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        process.keys.create(name)
    assert caught.value.field == "name"
    assert process.keys.list() == ()


@pytest.mark.parametrize("rate", [-1, 1_000_001])
def test_a_rate_out_of_range_is_refused(process: Process, rate: int) -> None:
    with pytest.raises(InvalidArgument) as caught:
        process.keys.create("a", rate_per_minute=rate)
    assert caught.value.field == "rate_per_minute"


def test_a_key_cannot_be_born_expired(process: Process) -> None:
    with pytest.raises(InvalidArgument) as caught:
        process.keys.create("a", expires=START)
    assert caught.value.field == "expires"


def test_a_row_written_by_hand_is_not_a_key(
    tmp_path: Path, clock: Clock, database: Database
) -> None:
    process = Process(tmp_path, clock, database)
    plain, _ = process.keys.create("a")
    process.store.close()
    forger = database.open(tmp_path)
    forger.pepper = bytes(32)  # someone who has the rows but not the pepper
    keys = ApiKeys(forger, clock, Later())
    assert keys.authenticate(plain) is None
    keys.close()


def test_a_failing_database_is_an_error_and_not_a_refusal(
    tmp_path: Path, process: Process, database: Database, clock: Clock
) -> None:
    plain, _ = process.keys.create("a")
    unknown = new_key()
    process.keys.authenticate(plain)
    process.store.close()
    clock.now += MAX_AGE_S
    with database.away(tmp_path), pytest.raises(AccountsUnavailable) as caught:
        process.keys.authenticate(unknown)
    assert unknown not in str(caught.value)
    if database.url is not None:
        password = make_url(database.url).password
        assert password is not None
        assert password not in str(caught.value)
    assert process.keys.authenticate(plain) is not None
    assert process.keys.authenticate(unknown) is None


def test_known_keys_go_on_for_five_minutes_while_the_database_is_away(
    tmp_path: Path, process: Process, database: Database, clock: Clock
) -> None:
    plain, _ = process.keys.create("a")
    short, _ = process.keys.create("b", expires=START + timedelta(minutes=2))
    process.keys.authenticate(plain)
    process.store.close()
    clock.now += MAX_AGE_S
    assert process.keys.recall(plain) is Recall.ASK
    with database.away(tmp_path):
        assert process.keys.authenticate(plain) is not None
        assert isinstance(process.keys.recall(plain), Principal)  # nobody waits a second time
        assert isinstance(process.keys.recall(short), Principal)
        clock.now += 150
        assert process.keys.recall(short) is None  # it has ended by itself
        clock.now = START.timestamp() + STALE_S - 1
        assert isinstance(process.keys.recall(plain), Principal)
        clock.now += 1
        assert process.keys.recall(plain) is Recall.ASK
        with pytest.raises(AccountsUnavailable):
            process.keys.authenticate(plain)
    assert process.keys.authenticate(plain) is not None


def test_a_clock_that_was_set_back_makes_nothing_look_young(
    tmp_path: Path, process: Process, database: Database, clock: Clock
) -> None:
    plain, _ = process.keys.create("a")
    process.keys.authenticate(plain)
    process.store.close()
    clock.now -= 60
    with database.away(tmp_path), pytest.raises(AccountsUnavailable):
        process.keys.authenticate(plain)


def test_a_key_revoked_while_nobody_asked_does_not_go_on_in_an_outage_after_that(
    tmp_path: Path, start: Callable[[], Process], database: Database, clock: Clock
) -> None:
    server, command_line = start(), start()
    plain, record = server.keys.create("a")
    server.keys.authenticate(plain)
    clock.now += 60
    command_line.keys.revoke(record.id)
    server.keys.keep_fresh()  # as it is called every second
    server.store.close()
    clock.now += 60
    with database.away(tmp_path), pytest.raises(AccountsUnavailable):
        server.keys.authenticate(plain)


def test_memory_alone_is_asked_without_a_query(process: Process, clock: Clock) -> None:
    plain, record = process.keys.create("a")
    assert process.keys.recall(plain) is Recall.ASK
    process.keys.authenticate(plain)
    process.queries()
    for _ in range(10):
        clock.now += MAX_AGE_S / 20
        assert process.keys.recall(plain) == process.keys.authenticate(plain)
    assert process.keys.recall(new_key()) is Recall.ASK
    assert process.keys.recall("sk-legal-typo") is None
    assert process.queries() == 0
    process.keys.revoke(record.id)
    assert process.keys.recall(plain) is Recall.ASK


def test_one_reading_does_for_all_who_waited_for_it(process: Process, clock: Clock) -> None:
    plain, _ = process.keys.create("a")
    process.keys.authenticate(plain)
    clock.now += MAX_AGE_S
    process.queries()
    at_once = 16
    with ThreadPoolExecutor(at_once) as pool:
        found = list(pool.map(process.keys.authenticate, [plain] * at_once))
    assert None not in found
    assert process.queries() <= 4


def test_keys_created_at_once_by_many_are_all_seen_by_one_who_looks_on(
    start: Callable[[], Process], clock: Clock
) -> None:
    server, writers = start(), [start() for _ in range(4)]
    plains: list[str] = []

    def create(writer: Process) -> None:
        plains.extend(writer.keys.create("a")[0] for _ in range(10))

    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(create, writer) for writer in writers]
        while not all(future.done() for future in running):
            clock.now += MAX_AGE_S
            server.keys.authenticate(new_key())
    assert all(future.exception() is None for future in running)
    clock.now += MAX_AGE_S
    assert [plain for plain in plains if server.keys.authenticate(plain) is None] == []
    with server.store.read() as connection:
        revisions = connection.execute(select(api_keys.c.revision)).scalars().all()
    assert len(set(revisions)) == 40


def test_no_key_lives_longer_than_anybody(process: Process) -> None:
    for far in (START + LONGEST_LIFE + timedelta(days=1), datetime(9999, 12, 31, tzinfo=UTC)):
        with pytest.raises(InvalidArgument) as caught:
            process.keys.create("a", expires=far)
        assert caught.value.field == "expires"
    assert find_end_of(datetime(2030, 12, 31)) == datetime(2031, 1, 1, tzinfo=UTC)  # noqa: DTZ001 -- a day
    with pytest.raises(InvalidArgument):
        find_end_of(datetime(9999, 12, 31))  # noqa: DTZ001 -- a day
    _, key = process.keys.create("a", expires=START + LONGEST_LIFE)
    end_of_time = datetime(9999, 12, 31, 23, tzinfo=UTC)
    with process.store.write() as connection:
        connection.execute(update(api_keys).values(expires=end_of_time))
    assert process.keys.rotate(key.id)[1].expires == START + LONGEST_LIFE


def add_person(process: Process) -> str:
    row = {"email": "a@kanzlei.example", "name": "Ann", "role": "member", "created": START}
    with process.store.write() as connection:
        connection.execute(insert(users).values(id="usr_ann", **row))
    return "usr_ann"


def test_keys_that_ended_long_ago_are_forgotten_and_few_of_the_others_listed(
    process: Process, clock: Clock
) -> None:
    person = add_person(process)
    keys = process.keys
    for _ in range(4):
        keys.revoke(keys.create("old", user_id=person)[1].id)
    clock.now += KEPT_FOR.total_seconds() + 1
    own = keys.create("the server's own")[1]
    keys.revoke(own.id)
    ended = []
    for _ in range(3):
        ended.append(keys.create("new", user_id=person)[1])
        clock.now += 1  # what is of one second has no order of its own
    for key in ended:
        keys.revoke(key.id)
    live = keys.create("live", user_id=person)[1]
    assert [key.id for key in keys.list(person)] == [*(key.id for key in ended), live.id]
    assert len(keys.list(person, 2)) == 3
    assert [key.id for key in keys.list(person, 0)] == [live.id]
    assert {key.id for key in keys.list(most_ended=10)} >= {own.id, live.id}


LOST_AND_OWN = ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 3))


@pytest.mark.parametrize("older_version", [False, True])
def test_what_ended_in_another_copy_of_the_database_is_seen_within_five_seconds(
    tmp_path: Path, clock: Clock, database: Database, older_version: bool
) -> None:
    """A server goes over to it without a word: whatever has changed there and here."""
    seed = database.open(tmp_path / "data")
    keys = [ApiKeys(seed, clock).create(f"{n}") for n in range(8)]
    if older_version:  # changes were counted one by one
        with seed.write() as connection:
            for number, (_, key) in enumerate(keys, 1):
                which = api_keys.c.id == key.id
                connection.execute(update(api_keys).where(which).values(revision=number))
            connection.execute(update(key_revision).values(revision=len(keys)))
    seed.close()
    for number, (lost, own) in enumerate(LOST_AND_OWN):
        folders = [tmp_path / f"{number}-{name}" for name in ("primary", "older")]
        copies = [database.copy(tmp_path / "data", folder) for folder in folders]
        primary, older = (one.open(folder) for one, folder in zip(copies, folders, strict=True))
        server = ApiKeys(primary, clock)
        assert all(server.authenticate(plain) for plain, _ in keys)
        for _, key in keys[:lost]:
            ApiKeys(primary, clock).revoke(key.id)
        clock.now += MAX_AGE_S
        expected = [n >= lost for n in range(8)]
        assert [server.authenticate(plain) is not None for plain, _ in keys] == expected
        for _, key in keys[4 : 4 + own]:
            ApiKeys(older, clock).revoke(key.id)
        server._store = older
        clock.now += MAX_AGE_S
        expected = [not 4 <= n < 4 + own for n in range(8)]
        assert [server.authenticate(plain) is not None for plain, _ in keys] == expected
        ApiKeys(older, clock).revoke(keys[7][1].id)
        clock.now += MAX_AGE_S
        assert server.authenticate(keys[7][0]) is None
        primary.close()
        older.close()


def test_changes_alone_are_read_in_the_same_copy_of_the_database(
    start: Callable[[], Process], clock: Clock
) -> None:
    server, command_line = start(), start()
    keys = [command_line.keys.create(f"{n}") for n in range(4)]
    assert all(server.keys.authenticate(plain) for plain, _ in keys)
    read: list[Changes] = []
    read_changes = server.keys._cache._read_changes

    def note(seen: int) -> Changes:
        read.append(read_changes(seen))
        return read[-1]

    server.keys._cache._read_changes = note
    for _, key in keys[:3]:
        command_line.keys.revoke(key.id)
        clock.now += MAX_AGE_S
        server.keys.authenticate(new_key())
    assert [(len(one.keys), one.complete) for one in read] == [(1, False)] * 3


def test_a_database_put_back_under_a_running_server_is_read_within_five_seconds(
    tmp_path: Path,
) -> None:
    """It may have had as many changes as the one before."""
    now = [1_800_000_000.0]
    store = AccountsStore.open(tmp_path / "data")
    keys = ApiKeys(store, lambda: now[0])
    revoked, record = keys.create("revoked after the backup")
    (tmp_path / "other").mkdir()
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database:
        database.execute("VACUUM INTO ?", (str(tmp_path / "other" / DATABASE),))
    shutil.copy(tmp_path / "data" / PEPPER, tmp_path / "other")
    gone, _ = keys.create("not in the backup")
    assert keys.authenticate(revoked)
    assert keys.authenticate(gone)
    other = AccountsStore.open(tmp_path / "other")
    ApiKeys(other).revoke(record.id)
    other.close()
    for path in (tmp_path / "data").glob(f"{DATABASE}*"):
        path.unlink()
    (tmp_path / "other" / DATABASE).rename(tmp_path / "data" / DATABASE)
    now[0] += MAX_AGE_S
    assert keys.authenticate(revoked) is None
    assert keys.authenticate(gone) is None
    store.close()


def test_a_key_ends_for_its_own_process_with_the_transaction_that_ends_it(
    process: Process,
) -> None:
    """Asked for while that is under way, it is read as it was, and once more after it."""
    plain, key = process.keys.create("laptop")
    with process.store.together():
        process.keys.revoke(key.id)
        assert process.keys.authenticate(plain) is not None
    assert process.keys.authenticate(plain) is None
    plain, key = process.keys.create("desktop")
    with process.store.together():
        new, _ = process.keys.rotate(key.id)
        assert process.keys.authenticate(plain) is not None
    assert process.keys.authenticate(plain) is None
    assert process.keys.authenticate(new) is not None
