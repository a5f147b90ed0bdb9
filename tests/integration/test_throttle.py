"""Failures of sign-in: counted before they happen, waited for, and never a lock for good."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST

from fundstelle.accounts.passwords import Passwords
from fundstelle.accounts.people import People, SignInFailed
from fundstelle.accounts.store import AccountsStore
from fundstelle.accounts.throttle import ACCOUNT, ADDRESS, EVERYTHING, Throttle, find_network
from tests.integration.databases import Database

EMAIL = "eva@kanzlei.example"
GOOD = "vier Hunde lesen leise"


@dataclass
class Door:
    store: AccountsStore
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.people = People(self.store, self.clock, Passwords(CHEAPEST))
        self.throttle = Throttle(self.store, self.clock)

    def clock(self) -> float:
        return self.now

    def knock(self, password: str, email: str = EMAIL, address: str = "192.0.2.1") -> object:
        """``True`` if let in, ``None`` if refused, else the seconds to wait."""
        try:
            self.people.check_password(email, password, address)
        except SignInFailed as failed:
            return failed.retry_after
        return True


@pytest.fixture
def door(tmp_path: Path, database: Database) -> Iterator[Door]:
    store = database.open(tmp_path)
    door = Door(store)
    door.people.accept(door.people.create_first_admin_link(), "Eva Beck", GOOD, EMAIL)
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
        wait = door.throttle.take((ACCOUNT, EMAIL))
        door.now += wait or 0
        assert (wait or 0) <= 900


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


def test_all_addresses_together_are_held_for_less_than_a_minute(door: Door) -> None:
    for number in range(EVERYTHING.free):
        assert door.throttle.take((EVERYTHING, "")) is None, number
    assert door.throttle.take((EVERYTHING, "")) == EVERYTHING.period_s == 60
    door.now += 60
    assert door.knock(GOOD) is True


def test_attempts_made_together_do_not_slip_through(door: Door) -> None:
    outcomes: list[object] = []
    together = threading.Barrier(8)

    def knock() -> None:
        together.wait()
        outcomes.append(door.throttle.take((ACCOUNT, EMAIL), (ADDRESS, "192.0.2.1")))

    threads = [threading.Thread(target=knock) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(None) == ACCOUNT.free


def test_a_clock_set_back_does_not_lock_anybody_out_for_long(door: Door) -> None:
    for _ in range(30):
        door.knock("x", f"{_}@kanzlei.example")
    door.now -= 10 * 86_400
    wait = door.knock(GOOD)
    assert wait is True or (isinstance(wait, float) and wait <= ADDRESS.period_s)


def test_the_table_holds_no_address(door: Door, tmp_path: Path, database: Database) -> None:
    door.knock("x", "somebody@nowhere.example", "192.0.2.77")
    dump = database.dump(tmp_path)
    assert b"somebody@nowhere.example" not in dump
    assert b"192.0.2.77" not in dump


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_a_sender_is_one_however_many_addresses_they_hold(address: str, network: str) -> None:
    assert find_network(address) == network
