"""Sessions: found by a cookie alone, ended at any time, never kept in the clear."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import func, select

from fundstelle.accounts.database.schema_people import sessions as table
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People, User
from fundstelle.accounts.people.sessions import IDLE, LONGEST, MOST_OPEN, NOBODYS_IDLE, Sessions
from tests.integration.services.databases import Database

MINUTE = timedelta(minutes=1)


@dataclass
class Desk:
    store: AccountsStore
    user: User
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.store, self.clock)

    def clock(self) -> float:
        return self.now

    def wait(self, how_long: timedelta) -> None:
        self.now += how_long.total_seconds()


@pytest.fixture
def desk(tmp_path: Path, database: Database) -> Iterator[Desk]:
    store = database.open(tmp_path)
    people = People(store, passwords=Passwords(CHEAPEST))
    link = people.create_first_admin_link()
    yield Desk(store, people.accept(link, "Eva Beck", "vier Hunde lesen", "eva@kanzlei.example"))
    store.close()


def test_a_session_is_found_by_its_cookie_alone(desk: Desk) -> None:
    cookie, session = desk.sessions.start(desk.user.id, "Firefox, Linux", {"a": [1]})
    assert desk.sessions.find(cookie) == session
    assert desk.sessions.find(session.id) is None
    assert desk.sessions.find(cookie[:-1]) is None
    assert (session.user_id, session.agent, dict(session.data)) == (
        desk.user.id,
        "Firefox, Linux",
        {"a": [1]},
    )


def test_of_countless_sessions_those_seen_longest_ago_end(desk: Desk) -> None:
    begun = []
    for number in range(MOST_OPEN):
        begun.append(desk.sessions.start(desk.user.id, f"browser {number}"))
        desk.wait(timedelta(seconds=1))
    other, _ = desk.sessions.start(None, "nobody's")
    desk.wait(MINUTE)
    assert desk.sessions.find(begun[0][0]) is not None  # it is in use
    cookie, last = desk.sessions.start(desk.user.id, "one more")
    assert [session.displaced for _, session in begun] == [()] * MOST_OPEN
    assert last.displaced == (begun[1][1].id,)
    assert desk.sessions.find(begun[1][0]) is None
    assert all(desk.sessions.find(one) for one in (begun[0][0], begun[2][0], cookie, other))
    assert len(desk.sessions.list(desk.user.id)) == MOST_OPEN


def test_of_sessions_that_begin_at_once_no_more_than_the_most_stay(desk: Desk) -> None:
    for number in range(MOST_OPEN - 1):
        desk.sessions.start(desk.user.id, f"browser {number}")
    at_once = threading.Barrier(4)

    def start(_: int) -> str:
        at_once.wait()
        return desk.sessions.start(desk.user.id, "at once")[1].id

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(4)))
    with desk.store.read() as connection:
        rows = select(func.count()).where(table.c.user_id == desk.user.id)
        assert connection.execute(rows).scalar_one() == MOST_OPEN


def test_neither_cookie_nor_form_token_is_in_the_database(
    desk: Desk, tmp_path: Path, database: Database
) -> None:
    cookie, session = desk.sessions.start(desk.user.id, "Firefox")
    dump = database.dump(tmp_path)
    assert cookie.encode() not in dump
    assert session.csrf.encode() not in dump


def test_each_session_has_its_own_form_token_which_stays(desk: Desk) -> None:
    (cookie, first), (_, second) = (desk.sessions.start(desk.user.id, "x") for _ in range(2))
    found = desk.sessions.find(cookie)
    assert found is not None
    assert found.csrf == first.csrf != second.csrf


@pytest.mark.parametrize(
    ("is_known", "pauses", "lives"),
    [
        (True, [IDLE - MINUTE], True),
        (True, [IDLE], False),
        (True, [IDLE - MINUTE] * 14, True),
        (True, [IDLE - MINUTE] * 14 + [3 * timedelta(hours=1)], False),
        (True, [timedelta(hours=11)] * 16, False),
        (False, [NOBODYS_IDLE - MINUTE], True),
        (False, [NOBODYS_IDLE], False),
    ],
)
def test_a_session_ends_when_idle_and_at_its_longest(
    desk: Desk, is_known: bool, pauses: list[timedelta], lives: bool
) -> None:
    cookie, _ = desk.sessions.start(desk.user.id if is_known else None, "x")
    found = None
    for pause in pauses:
        desk.wait(pause)
        found = desk.sessions.find(cookie)
    assert (found is not None) == lives
    assert sum(pauses, timedelta()) < LONGEST + timedelta(days=1)


def test_a_session_of_a_clock_that_was_ahead_is_none(desk: Desk) -> None:
    desk.wait(timedelta(days=365))
    cookie, _ = desk.sessions.start(desk.user.id, "Firefox, Linux")
    desk.wait(-timedelta(minutes=4))  # as clocks of several machines differ
    assert desk.sessions.find(cookie) is not None
    desk.wait(-timedelta(days=1))
    assert desk.sessions.find(cookie) is None


def test_being_seen_is_written_once_a_minute(desk: Desk) -> None:
    cookie, session = desk.sessions.start(desk.user.id, "x")
    desk.wait(MINUTE - timedelta(seconds=1))
    desk.sessions.find(cookie)
    assert desk.sessions.list(desk.user.id)[0].seen == session.seen
    desk.wait(timedelta(seconds=1))
    desk.sessions.find(cookie)
    assert desk.sessions.list(desk.user.id)[0].seen == session.seen + MINUTE


def test_signing_in_confirms_and_time_does_not(desk: Desk) -> None:
    cookie, session = desk.sessions.start(desk.user.id, "x")
    _, nobodys = desk.sessions.start(None, "x")
    assert session.confirmed == session.created
    assert nobodys.confirmed is None
    desk.wait(MINUTE)
    again = desk.sessions.find(cookie)
    assert again is not None
    assert again.confirmed == session.confirmed
    desk.sessions.confirm(session.id)
    again = desk.sessions.find(cookie)
    assert again is not None
    assert again.confirmed == session.created + MINUTE


def test_what_is_kept_for_the_next_page_is_taken_once(desk: Desk) -> None:
    cookie, session = desk.sessions.start(None, "x")
    desk.sessions.put(session.id, {"challenge": "c", "next": "/keys"})
    assert [desk.sessions.take(session.id, "challenge") for _ in range(2)] == ["c", None]
    found = desk.sessions.find(cookie)
    assert found is not None
    assert dict(found.data) == {"next": "/keys"}
    assert desk.sessions.take("ses_0", "challenge") is None


def test_of_several_who_enlist_or_strike_the_same_one_alone_is_told_so(desk: Desk) -> None:
    _, session = desk.sessions.start(None, "x")
    at_once = threading.Barrier(3)

    def enlist(_: int) -> bool:
        at_once.wait()
        return desk.sessions.enlist(session.id, "used", "form", 2)

    def strike(_: int) -> bool:
        at_once.wait()
        return desk.sessions.strike(session.id, "used", "form")

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(enlist, range(3))) == 1
        assert sum(pool.map(strike, range(3))) == 1
    assert [desk.sessions.enlist(session.id, "used", one, 2) for one in "abca"] == [True] * 4
    desk.sessions.put(session.id, {"challenge": "c"})
    assert desk.sessions.take(session.id, "used") == ["c", "a"]
    desk.sessions.end(session.id)
    for gone in ("ses_0", session.id):
        assert not desk.sessions.enlist(gone, "used", "form", 2)
        assert not desk.sessions.strike(gone, "used", "a")
        desk.sessions.put(gone, {"challenge": "c"})
        assert desk.sessions.take(gone, "challenge") is None


def test_ended_sessions_are_gone_and_others_stay(desk: Desk) -> None:
    cookies = [desk.sessions.start(desk.user.id, str(n)) for n in range(4)]
    nobody, _ = desk.sessions.start(None, "x")
    desk.sessions.end(cookies[0][1].id)
    assert {one.agent for one in desk.sessions.list(desk.user.id)} == {"1", "2", "3"}
    desk.sessions.end_all(desk.user.id, but=cookies[2][1].id)
    assert [one.agent for one in desk.sessions.list(desk.user.id)] == ["2"]
    desk.sessions.end_all(desk.user.id)
    assert [cookie for cookie, _ in cookies if desk.sessions.find(cookie)] == []
    assert desk.sessions.find(nobody) is not None


def test_sessions_are_listed_with_the_latest_first(desk: Desk) -> None:
    first, _ = desk.sessions.start(desk.user.id, "first")
    desk.wait(MINUTE)
    desk.sessions.start(desk.user.id, "second")
    desk.wait(MINUTE)
    desk.sessions.find(first)
    assert [one.agent for one in desk.sessions.list(desk.user.id)] == ["first", "second"]


def test_dead_sessions_are_swept_out(desk: Desk) -> None:
    for _ in range(3):
        desk.sessions.start(None, "robot")
    desk.wait(NOBODYS_IDLE)
    desk.sessions.start(desk.user.id, "person")
    with desk.store.read() as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 1
