"""Failures of sign-in: counted before they happen, waited for, and never a lock for good."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyotp
import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import func, select

from fundstelle.accounts.database.schema_people import throttles
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing import limits
from fundstelle.accounts.guessing.devices import LIFE_S, MOST_PEOPLE, Devices
from fundstelle.accounts.guessing.limits import (
    ACCOUNT,
    CODE,
    NETWORK,
    PAIR,
    SITE,
)
from fundstelle.accounts.guessing.throttle import Missed, Throttle
from fundstelle.accounts.limits.limiter import Limit
from fundstelle.accounts.people.passwords import Passwords, make_lane
from fundstelle.accounts.people.people import People, SignInFailed
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.errors import AccountsUnavailable, Busy
from fundstelle.oauth.throttles import LIMITS
from tests.integration.services.databases import Database

EMAIL = "eva@kanzlei.example"
GOOD = "vier Hunde lesen leise"


@dataclass
class Door:
    store: AccountsStore
    now: float = 1_800_000_000.0
    eva: str = ""

    def __post_init__(self) -> None:
        self.missed: list[Missed] = []
        self.later: list[float] = []
        self.throttle = Throttle(
            self.store,
            self.clock,
            self.missed.append,
            lambda delay_s, _task: self.later.append(delay_s),
        )
        self.people = People(self.store, self.clock, Passwords(CHEAPEST), self.throttle)
        self.devices = Devices(self.store.pepper, self.clock)

    def clock(self) -> float:
        return self.now

    @property
    def known_as(self) -> str:
        eva = self.people.find(self.eva)
        assert eva is not None
        return eva.known_as

    def knock(
        self, password: str, email: str = EMAIL, address: str = "192.0.2.1", device: str = ""
    ) -> object:
        """``True`` if let in, ``None`` if refused, else the seconds to wait."""
        try:
            self.people.check_password(email, password, address, device=device)
        except SignInFailed as failed:
            return failed.retry_after
        return True


@pytest.fixture
def door(tmp_path: Path, database: Database) -> Iterator[Door]:
    store = database.open(tmp_path)
    door = Door(store)
    door.eva = door.people.accept(door.people.create_first_admin_link(), "Eva Beck", GOOD, EMAIL).id
    yield door
    store.close()


def test_five_failures_are_free_and_then_each_costs_twice_the_time(door: Door) -> None:
    assert [door.knock("x") for _ in range(5)] == [None] * 5
    waits = []
    for _ in range(9):
        wait = door.knock("x")
        assert isinstance(wait, float)
        waits.append(wait)
        door.now += wait - 1
        assert door.knock(GOOD) == 1.0, "the right password has to wait, too"
        door.now += 1
        assert door.knock("x") is None
    assert waits == [15, 30, 60, 120, 240, 480, 900, 900, 900]


def test_waiting_is_all_it_takes(door: Door) -> None:
    for _ in range(5):
        door.knock("x")
    door.now += 15
    assert door.knock(GOOD) is True
    assert [door.knock("x") for _ in range(5)] == [None] * 5


def test_nobody_waits_longer_than_a_quarter_of_an_hour(door: Door) -> None:
    for _ in range(200):
        blocked = door.throttle.take((PAIR, EMAIL))
        wait = 0.0 if blocked is None else blocked.wait_s
        door.now += wait
        assert wait <= 900


def test_refused_attempts_make_nobody_wait_longer(door: Door) -> None:
    for _ in range(5):
        door.knock("x")
    assert {door.knock("x") for _ in range(20)} == {15.0}


def test_accounts_that_do_not_exist_are_counted_alike(door: Door) -> None:
    assert [door.knock("x", "nobody@kanzlei.example") for _ in range(7)] == [*[None] * 5, 15, 15]
    assert [door.knock("x") for _ in range(7)] == [*[None] * 5, 15, 15]


def test_a_day_of_quiet_forgets_all_failures(door: Door) -> None:
    for _ in range(4):
        door.knock("x")
    door.now += 86_400
    assert [door.knock("x") for _ in range(6)] == [*[None] * 5, 15]


def test_an_address_may_fail_thirty_times_an_hour_over_all_accounts(door: Door) -> None:
    knocks = [door.knock("x", f"{number}@kanzlei.example") for number in range(31)]
    assert knocks == [*[None] * 30, 3600]
    assert door.knock(GOOD) == 3600
    assert door.knock(GOOD, address="192.0.2.2") is True
    door.now += 3600
    assert door.knock(GOOD) is True


def test_people_behind_one_address_who_know_their_password_do_not_wait(door: Door) -> None:
    assert {door.knock(GOOD) for _ in range(40)} == {True}


def test_failures_of_strangers_hold_nobody_up_anywhere_else(door: Door) -> None:
    for number in range(40):
        for _ in range(8):
            door.knock("x", address=f"198.51.{number}.7")
    assert door.knock(GOOD, address="203.0.113.9") is True
    assert isinstance(door.knock(GOOD, address="198.51.0.7"), float)


def test_fifty_addresses_together_lock_nobody_out(door: Door) -> None:
    for number in range(50):
        for _ in range(8):
            taken = (NETWORK, f"198.51.{number}.7"), (SITE, f"198.51.{number}.0/24")
            assert door.throttle.take(*taken) is None
    assert door.knock(GOOD, address="203.0.113.9") is True
    assert door.knock("x", address="203.0.113.9") is None


def test_an_account_that_is_tried_from_everywhere_gives_each_network_one_attempt(
    door: Door,
) -> None:
    for number in range(ACCOUNT.free):
        assert door.knock("x", address=f"198.51.{number}.7") is None
    assert door.knock(GOOD, address="203.0.113.9") is True, "the owner needs one, too"
    assert door.knock("x", address="203.0.113.8") is None
    assert door.knock("x", address="203.0.113.8") == 15.0


def test_many_networks_of_one_site_are_one_sender(door: Door) -> None:
    knocks = [
        door.knock("x", f"{number}@kanzlei.example", f"2001:db8:7:{number:x}::1")
        for number in range(SITE.free + 1)
    ]
    assert [knock is None for knock in knocks] == [*[True] * SITE.free, False]
    assert door.knock(GOOD, address="2001:db8:8::1") is True


def test_a_known_device_passes_whatever_strangers_do(door: Door) -> None:
    device = door.devices.issue(door.known_as)
    for _ in range(40):
        door.knock("x")
    assert door.knock(GOOD) == 15.0
    assert door.knock(GOOD, device=device) is True
    assert [door.knock("x", device=device) for _ in range(6)] == [*[None] * 5, 15.0]
    assert door.knock(GOOD, address="203.0.113.9") is True, "nor the other way round"
    other = door.devices.issue(door.known_as)
    assert door.knock(GOOD, device=other) is True


def test_a_cookie_that_is_another_persons_made_up_or_old_is_no_known_device(door: Door) -> None:
    mine = door.devices.issue(door.known_as)
    invitation = door.people.invite("ali@kanzlei.example")
    ali = door.people.accept(invitation, "Ali Can", GOOD)
    assert door.devices.find(mine, ali.known_as) is None
    assert door.devices.find(mine[:-1] + ("0" if mine[-1] != "0" else "1"), door.known_as) is None
    assert Devices(bytes(32), door.clock).find(mine, door.known_as) is None
    for wrong in ("", ".", "x" * 57, "\ud800" * 57, "0" * 10_000, f"{mine}\0"):
        assert door.devices.find(wrong, door.known_as) is None
    assert door.eva not in mine
    door.now += LIFE_S
    assert door.devices.find(mine, door.known_as) is None


def test_devices_are_strange_again_with_another_password_or_app(door: Door) -> None:
    """Or whoever once knew the password gathers cookies, and guesses with all of them."""
    gathered = [door.devices.issue(door.known_as) for _ in range(3)]
    app = SecondFactors(door.store, "https://law.example", door.clock, door.throttle)
    offer = app.offer_totp(EMAIL)
    app.confirm_totp(door.eva, offer.sealed, pyotp.TOTP(offer.secret).at(int(door.now)))
    assert [door.devices.find(one, door.known_as) for one in gathered] == [None] * 3
    with_app = door.devices.issue(door.known_as)
    assert door.devices.find(with_app, door.known_as)
    door.people.set_password(door.eva, "neun Katzen rechnen laut")
    assert door.devices.find(with_app, door.known_as) is None


def test_whoever_has_to_wait_takes_no_place_from_others(door: Door) -> None:
    while door.knock("x") is None:
        pass
    door.people._passwords = Passwords(CHEAPEST, make_lane(1, 0, share=0))  # a place for nobody
    assert isinstance(door.knock("x"), float)
    with pytest.raises(Busy):
        door.knock("x", address="203.0.113.9")


def test_people_who_share_a_browser_are_each_known_in_it(door: Door) -> None:
    cookie = ""
    people = [f"usr_{number}" for number in range(MOST_PEOPLE + 1)]
    for person in (*people[:-1], people[0], people[-1]):
        cookie = door.devices.issue(person, cookie)
    known = [person for person in people if door.devices.find(cookie, person)]
    assert known == [people[0], *people[2:]]
    assert len(cookie) < 300


def test_an_open_session_is_counted_for_itself(door: Door) -> None:
    def confirm(password: str, session_id: str) -> object:
        try:
            door.people.check_password(EMAIL, password, "192.0.2.1", session_id=session_id)
        except SignInFailed as failed:
            return failed.retry_after
        return True

    for _ in range(40):
        door.knock("x")
    assert [confirm("x", "ses_stolen") for _ in range(6)] == [*[None] * 5, 15.0]
    assert confirm(GOOD, "ses_own") is True


def test_of_attempts_that_wait_the_first_is_told_and_the_others_are_counted(door: Door) -> None:
    lines = 0
    for _ in range(300):
        try:
            door.people.check_password(EMAIL, "x", "192.0.2.1")
        except SignInFailed as failed:
            lines += not failed.is_counted
    assert lines == 6, "five failures and the first that had to wait"
    assert door.missed == []
    assert door.later == [16.0, 1.0], "the report, and once what was gathered"
    door.now += 15
    assert door.knock("x") is None
    assert door.missed == [Missed(PAIR.name, door.eva, 294)]


def test_who_is_refused_again_and_again_writes_nothing(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    while door.knock("x") is None:
        pass
    writing, write = [], door.store.write

    def note(**how: bool) -> Any:
        writing.append(1)
        return write(**how)

    monkeypatch.setattr(door.store, "write", note)
    for _ in range(100):
        assert door.knock("x") == 15.0
    assert writing == []
    door.throttle.flush()
    with door.store.read() as connection:
        refused = connection.execute(select(func.max(throttles.c.refused))).scalar_one()
    assert refused == 101


def test_refusals_are_counted_though_the_database_fails_while_they_are_written(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AccountsUnavailable("it is away")

    for _ in range(20):
        door.knock("x")
    door.now += 15
    with monkeypatch.context() as patched:  # while they are written, beside and within an attempt
        patched.setattr(door.store, "write", fail)
        door.throttle.flush()
        assert 30.0 in door.later
    with monkeypatch.context() as patched:
        patched.setattr("fundstelle.accounts.guessing.throttle.raise_counter", fail)
        with pytest.raises(AccountsUnavailable):
            door.knock("x")
    with monkeypatch.context() as patched:  # and while they are reported
        patched.setattr(door.throttle, "_report", fail)
        door.knock("x")
    assert door.missed == []
    door.throttle.flush()
    assert door.missed == [Missed(PAIR.name, door.eva, 14)]
    door.throttle.flush()
    assert len(door.missed) == 1


def test_what_waits_for_the_database_takes_no_more_memory_than_is_there(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.accounts.guessing.throttle._MOST_GATHERED", 3)
    for number in range(9):
        door.throttle._gather(f"one:{number % 5}", "")
    assert door.throttle._gathered == {"one:0": (2, ""), "one:1": (2, ""), "one:2": (2, "")}


def test_what_was_missed_is_reported_though_nobody_comes_again(door: Door) -> None:
    for _ in range(20):
        door.knock("x")
    for _ in range(10):
        door.knock("x", "nobody@kanzlei.example")
    door.throttle.flush()
    assert door.missed == []
    door.now += 16
    door.throttle.flush()
    assert sorted(door.missed, key=lambda one: one.attempts) == [
        Missed(PAIR.name, "", 4),
        Missed(PAIR.name, door.eva, 14),
    ]
    door.throttle.flush()
    assert len(door.missed) == 2


def test_two_servers_report_each_refusal_once(
    door: Door, tmp_path: Path, database: Database
) -> None:
    other = Door(database.open(tmp_path), door.now)
    for _ in range(5):
        door.knock("x")
    for _ in range(10):
        door.knock("x")
        other.knock("x")
    for one in (door, other):
        one.now += 16
        one.throttle.flush()
    told = [*door.missed, *other.missed]
    assert {(one.limit, one.about) for one in told} == {(PAIR.name, door.eva)}
    assert sum(one.attempts for one in told) == 19
    other.store.close()


def test_attempts_that_wait_make_no_rows_and_old_rows_give_way(door: Door) -> None:
    def count() -> int:
        with door.store.read() as connection:
            return connection.execute(select(func.count()).select_from(throttles)).scalar_one()

    for number in range(60):
        door.knock("x", f"{number}@kanzlei.example")
    assert count() == 2 * NETWORK.free + 2
    few = Throttle(door.store, door.clock, most_rows=20)
    door.now += 61
    few.take((CODE, "a"))
    assert count() <= 21
    assert isinstance(door.knock(GOOD), float), "whoever waits is forgotten last"


def test_attempts_made_together_do_not_slip_through(door: Door) -> None:
    outcomes: list[object] = []
    together = threading.Barrier(8)

    def knock() -> None:
        together.wait()
        outcomes.append(door.throttle.take((PAIR, EMAIL), (NETWORK, "192.0.2.1")))

    threads = [threading.Thread(target=knock) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(None) == PAIR.free


def test_attempts_at_many_accounts_at_once_never_wait_for_each_other(door: Door) -> None:
    """Counters that are there, new ones and swept ones, locked in every order there is."""
    together = threading.Barrier(8)
    few = Throttle(door.store, door.clock, most_rows=8)

    def knock(seed: int) -> int:
        chance = random.Random(seed)
        together.wait()
        for turn in range(25):
            limits = chance.sample([PAIR, ACCOUNT, NETWORK, SITE], 3)
            attempts = [(limit, f"{turn // 5}-{chance.randrange(3)}") for limit in limits]
            few.take(*attempts)
            if chance.random() < 0.3:
                few.give_back(attempts)
            if chance.random() < 0.2:  # a throttle of its own sweeps at once
                Throttle(door.store, door.clock, most_rows=8).take((CODE, str(turn)))
        return turn

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(knock, range(8))) == [24] * 8


def test_an_attempt_that_waited_for_the_row_is_blocked_by_the_one_before(door: Door) -> None:
    """Its time was read before: the wait seems longer than any there is."""
    attempt = (NETWORK, "192.0.2.1")
    for _ in range(NETWORK.free):
        assert door.throttle.take(attempt) is None
    door.now -= 3
    assert door.throttle.take(attempt) is not None


def test_a_clock_set_back_does_not_lock_anybody_out_for_long(door: Door) -> None:
    for _ in range(30):
        door.knock("x", f"{_}@kanzlei.example")
    door.now -= 10 * 86_400
    wait = door.knock(GOOD)
    assert wait is True or (isinstance(wait, float) and wait <= NETWORK.period_s)


def test_the_table_holds_no_address(door: Door, tmp_path: Path, database: Database) -> None:
    door.knock("x", "somebody@nowhere.example", "192.0.2.77")
    dump = database.dump(tmp_path)
    assert b"somebody@nowhere.example" not in dump
    assert b"192.0.2.77" not in dump


def test_no_limit_that_makes_strangers_wait_is_of_everybody() -> None:
    """A few senders must not be able to use up what all others need."""
    everybody = [one for one in vars(limits).values() if isinstance(one, Limit)]
    everybody += chain.from_iterable(LIMITS.values())
    assert {one.name for one in everybody if one.name.endswith(":all")} == set()
