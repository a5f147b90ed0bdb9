"""Three servers behind nginx, under load, while something happens to them.

A request may fail only if nobody was there who could have answered it. Nothing here waits for a
clock but an outage, whose length is its point: ``FUNDSTELLE_OUTAGE_S`` (default 4; 30 is what
docs/replicas.md promises).
"""

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from http.client import HTTPConnection

import httpx
import pytest
from lxml.html import document_fromstring

from tests.e2e.server import run_fundstelle
from tests.scale.replicas.fleet import following
from tests.scale.replicas.load import Call, Load
from tests.scale.replicas.whole import Fleet

pytestmark = pytest.mark.e2e

OUTAGE_S = float(os.environ.get("FUNDSTELLE_OUTAGE_S", "4"))
REVOKED_WITHIN_S = 5.0
ENOUGH = 150  # answers, so that every client has had its turn with every server


@pytest.fixture(autouse=True)
def whole(fleet: Fleet) -> None:
    """What a story that failed has left stopped is no matter of the next one."""
    for replica in fleet.replicas:
        if not replica.is_started:
            replica.start()


def settle(fleet: Fleet, load: Load, before: int) -> int:
    """How many answered calls are not in the audit log, once all that can come has come."""
    deadline = time.monotonic() + 30
    with httpx.Client() as client:
        while True:
            lost = before + load.tally.answered - fleet.count_calls()
            if lost <= 0 or time.monotonic() > deadline:
                return max(lost, 0)
            client.get(f"http://127.0.0.1:{fleet.port}/healthz")


def require_spotless(load: Load) -> None:
    assert load.tally.failures == {}
    assert load.tally.wrong == []


def test_every_server_is_restarted_in_turn(fleet: Fleet) -> None:
    before = fleet.count_calls()
    with fleet.load().running() as load:
        for replica in fleet.replicas:
            load.wait_for(ENOUGH)
            replica.stop()
            load.wait_for(ENOUGH)
            replica.start()
        load.wait_for(ENOUGH)
    lost = settle(fleet, load, before)
    fleet.tell("rolling restart", load, lost)
    require_spotless(load)
    assert lost == 0


def test_every_server_is_killed_in_turn(fleet: Fleet) -> None:
    before = fleet.count_calls()
    with fleet.load().running() as load:
        for replica in fleet.replicas:
            load.wait_for(ENOUGH)
            replica.kill()
            load.wait_for(ENOUGH)
            replica.start()
        load.wait_for(ENOUGH)
    lost = settle(fleet, load, before)
    fleet.tell("kill -9 of each server", load, lost)
    require_spotless(load)
    assert lost == 0


def test_a_release_takes_the_place_of_another_on_all_of_them(fleet: Fleet) -> None:
    old, new = fleet.origin.releases
    before = fleet.count_calls()
    with following(fleet.replicas, fleet.target), fleet.load().running() as load:
        fleet.origin.push(fleet.target, new)
        load.wait_until(lambda: all((one.data / "builds" / new).is_dir() for one in fleet.replicas))
        assert set(load.tally.releases) == {old}  # it lies ready, and nobody sees it
        fleet.origin.push(fleet.target, new, "--live")

        def are_all_over() -> bool:
            seen = load.tally.releases[old]
            load.wait_for(ENOUGH)
            return load.tally.releases[old] == seen

        load.wait_until(are_all_over)
    lost = settle(fleet, load, before)
    fleet.tell(f"swap of a release ({load.tally.told} told)", load, lost)
    require_spotless(load)
    assert set(load.tally.releases) == {old, new}
    assert lost == 0


@pytest.mark.parametrize("way", ["frozen", "killed"])
def test_the_accounts_database_goes_and_comes_back(fleet: Fleet, way: str) -> None:
    base = f"http://127.0.0.1:{fleet.port}"
    away: Callable[[], AbstractContextManager[None]] = getattr(fleet.postgres, way)
    before = fleet.count_calls()
    with fleet.load().running() as load, httpx.Client(base_url=base, timeout=30) as browser:
        form = read_form(browser)
        load.wait_for(ENOUGH)
        with away():
            load.go_on_for(OUTAGE_S)
            load.wait_for(ENOUGH)
            assert browser.post("/sign-in", data=form).status_code == 503
            assert ask_once(Call(fleet.port, fleet.key[:-1] + "x")) in {401, 503}
        load.wait_until(lambda: all(is_reachable(fleet, at) for at in range(3)))
        load.wait_for(ENOUGH)
        assert browser.post("/sign-in", data=form).status_code != 503
    lost = settle(fleet, load, before)
    fleet.tell(f"PostgreSQL {way} for {OUTAGE_S:.0f} s", load, lost)
    require_spotless(load)
    assert lost == 0


def test_a_key_that_is_revoked_ends_everywhere(fleet: Fleet) -> None:
    key = fleet.make_key("revoked")
    calls = [Call(replica.port, key) for replica in fleet.replicas]
    assert [ask_once(call) for call in calls] == [200] * 3
    run_fundstelle(fleet.replicas[0].data, "keys", "revoke", "revoked", **fleet.settings)
    revoked = time.monotonic()
    seen = []
    for call in calls:
        while ask_once(call) == 200:
            assert time.monotonic() < revoked + REVOKED_WITHIN_S
        seen.append(time.monotonic() - revoked)
    fleet.rows.append(f"{'revoked key refused after':<34}{max(seen):>9.2f} s")


def test_the_counter_of_limits_goes_and_comes_back(fleet: Fleet) -> None:
    name = "fundstelle_quota_store_reachable"
    before = fleet.count_calls()
    with fleet.load().running() as load:
        load.wait_for(ENOUGH)
        with fleet.counter.killed():
            load.wait_until(lambda: all(one.read_metric(name) == 0 for one in fleet.replicas))
            load.wait_for(ENOUGH)
        load.wait_until(lambda: all(one.read_metric(name) == 1 for one in fleet.replicas))
    lost = settle(fleet, load, before)
    fleet.tell("Redis killed", load, lost)
    require_spotless(load)
    assert lost == 0


def is_reachable(fleet: Fleet, at: int) -> bool:
    return fleet.replicas[at].read_metric("fundstelle_accounts_reachable") == 1


def read_form(browser: httpx.Client) -> dict[str, str]:
    tree = document_fromstring(browser.get("/sign-in").text)
    (form,) = (
        one
        for one in tree.xpath("//form[@method='post']")
        if one.xpath(".//input[@name='password']")
    )
    named = {one.get("name"): one.get("value") or "" for one in form.xpath(".//input[@name]")}
    return named | {"email": "nobody@example.org", "password": "not the right one"}


def ask_once(call: Call) -> int:
    connection = HTTPConnection("127.0.0.1", call.port, timeout=30)
    try:
        return call.ask(connection, "legal_get_stats")[0]
    finally:
        connection.close()
