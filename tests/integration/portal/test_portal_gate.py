"""Public pages have threads and a rate of their own: nothing else waits for them."""

import asyncio
import itertools
import logging
import math
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
from sqlalchemy import func, select

from fundstelle.accounts.database.schema_people import sessions
from fundstelle.accounts.limits.places import Full
from fundstelle.errors import SourceError
from fundstelle.lookup.library import Library
from fundstelle.net.networks import find_neighbourhood
from fundstelle.portal.gate.gate import _A_PAGE_S, Gate, Kind
from fundstelle.portal.gate.rooms import Room
from fundstelle.portal.gate.visitors import SignedIn
from fundstelle.portal.public import finding
from fundstelle.portal.site import build_site
from tests.integration.sites.law_site import Site, open_law_site
from tests.integration.sites.oauth_server import BASE, Http

NORM = "/n/de/demog/1"
HOLDS = {kind: room.places.holds for kind, room in Gate(0).rooms.items()}
SHARES = {kind: room.places.share for kind, room in Gate(0).rooms.items()}
NEAR, FAR, ELSEWHERE = "198.51.100.7", "203.0.113.9", "192.0.2.1"


class Held:
    """A library that gives nothing before it is let go."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    @contextmanager
    def __call__(self) -> Iterator[Library | None]:
        assert self.go_on.wait(60)
        yield None


async def fetch(app: Any, path: str, address: str = ELSEWHERE, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app, client=(address, 50_000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        return await client.get(path)


async def begin(app: Any, path: str, number: int) -> list[asyncio.Task[httpx.Response]]:
    """So many requests of two networks, all inside: one more turn of the loop admits one more."""
    senders = [(NEAR, FAR)[place % 2] for place in range(number)]
    tasks = [asyncio.create_task(fetch(app, path, sender)) for sender in senders]
    for _ in range(200):
        await asyncio.sleep(0)
    assert not [task for task in tasks if task.done()]
    return tasks


@pytest.mark.parametrize(
    ("kind", "slow", "others"),
    [
        (
            Kind.SEARCH,
            "/search?q=Recht",
            ("/", "/sign-in", "/oauth/jwks.json", "/static/fundstelle.js"),
        ),
        (
            Kind.READ,
            NORM,
            ("/search?q=Recht", "/sign-in", "/oauth/jwks.json", "/static/fundstelle.js"),
        ),
    ],
)
def test_when_all_of_a_kind_are_stuck_all_else_is_answered(
    site: Site, kind: Kind, slow: str, others: tuple[str, ...]
) -> None:
    held = Held()
    name = "searchable" if kind is Kind.SEARCH else "library"
    app = build_site(replace(site.services, **{name: held}))  # type: ignore[arg-type]  # by name

    async def crowd() -> None:
        waiting = await begin(app, slow, HOLDS[kind])
        for language, words in (("de", "fragen sehr viele"), ("en", "are asking")):
            refused = await fetch(app, slow, **{"Accept-Language": language})
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "5"
            assert refused.headers["cache-control"] == "no-store"
            assert words in refused.text
        for path in others:
            assert (await fetch(app, path)).status_code in {200, 303}, path
        held.go_on.set()
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {303}  # to the start: no corpus
        assert (await fetch(app, slow)).status_code == 303

    try:
        asyncio.run(crowd())
    finally:
        held.go_on.set()


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_who_asks_for_much_at_once_leaves_others_their_places(
    site: Site, is_signed_in: bool
) -> None:
    held = Held()
    held.go_on.set()
    app = build_site(replace(site.services, searchable=held))
    slow = "/search?q=Recht"
    cookies = [""]
    if is_signed_in:  # twice, from many networks
        visits = [site.visit(site.member).http.cookies for _ in range(2)]
        cookies = [f"__Host-sid={visit['__Host-sid']}" for visit in visits]

    async def crowd() -> None:
        for cookie in cookies:
            assert (await fetch(app, slow, Cookie=cookie)).status_code == 303  # who it is, is known
        held.go_on.clear()
        addresses = [f"198.51.{number}.7" for number in range(9)] if is_signed_in else [NEAR]

        def ask(number: int) -> Any:
            address = addresses[number % len(addresses)]
            cookie = cookies[number % len(cookies)]
            return fetch(app, slow, address, Cookie=cookie)

        waiting = [asyncio.create_task(ask(number)) for number in range(SHARES[Kind.SEARCH])]
        for _ in range(200):
            await asyncio.sleep(0)
        assert not [task for task in waiting if task.done()]
        for number in range(2):
            assert (await ask(number)).status_code == 503
        other = asyncio.create_task(fetch(app, slow, FAR))
        for _ in range(200):
            await asyncio.sleep(0)
        assert not other.done()
        held.go_on.set()
        answers = await asyncio.gather(*waiting, other)
        assert {answer.status_code for answer in answers} == {303}
        assert (await ask(0)).status_code == 303

    try:
        asyncio.run(crowd())
    finally:
        held.go_on.set()


def test_a_provider_that_does_not_answer_keeps_nobody_else_waiting(site: Site) -> None:
    """Its page is a stranger's to ask for, and waits for a host that is not ours."""
    held = threading.Event()

    class Hanging:
        def begin(self, **_: object) -> object:
            assert held.wait(60)
            raise SourceError("the identity provider does not answer")

    site.services.identities.provider = Hanging()  # type: ignore[assignment]  # the one method
    app = build_site(site.services)
    slow = "/sign-in/provider"

    async def crowd() -> None:
        waiting = await begin(app, slow, HOLDS[Kind.PROVIDER])
        refused = await fetch(app, slow)
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "5"
        for path in ("/", "/sign-in", "/oauth/jwks.json", "/search?q=Recht", NORM):
            assert (await fetch(app, path)).status_code in {200, 303}, path
        held.set()
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {403}

    try:
        asyncio.run(crowd())
    finally:
        held.set()


def test_a_person_sends_so_many_forms_and_no_more(demonstration_data: Path, tmp_path: Path) -> None:
    with open_law_site(demonstration_data, tmp_path, pages_per_minute="120") as site:
        browser = site.visit(site.member)
        shown = browser.get("/account").text
        form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
        form |= {"name": "Max Muster", "language": ""}
        answers = [browser.http.post("/account/profile", data=form) for _ in range(70)]
        statuses = [answer.status_code for answer in answers]
        assert 429 in statuses[50:], statuses
        assert 429 not in statuses[:50]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert browser.get("/account").status_code == 200


def test_a_long_log_is_sent_while_it_is_read(demonstration_data: Path, tmp_path: Path) -> None:
    with open_law_site(demonstration_data, tmp_path) as site:
        for number in range(1_000):
            site.services.audit.record("key_created", "usr_x", f"key_{number}")
        parts: list[bytes] = []

        async def fetch_all() -> None:
            scope = {
                "type": "http",
                "method": "GET",
                "path": "/admin/audit.jsonl",
                "query_string": b"",
                "http_version": "1.1",
                "client": (NEAR, 1),
                "headers": [(b"host", urlsplit(BASE).netloc.encode()), cookie],
            }

            asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

            async def receive() -> dict[str, object]:
                for message in asked:
                    return message
                await asyncio.Event().wait()  # whoever asks stays to the end
                raise AssertionError

            async def send(message: Any) -> None:
                parts.append(message.get("body", b""))

            await site.app(scope, receive, send)

        browser = site.visit(site.admin)
        value = browser.http.cookies["__Host-sid"]
        cookie = (b"cookie", f"__Host-sid={value}".encode())
        asyncio.run(fetch_all())
    lines = b"".join(parts).splitlines()
    assert len(lines) >= 1_000
    assert max(map(len, parts)) < 200_000
    assert [orjson.loads(line)["number"] for line in lines] == sorted(
        orjson.loads(line)["number"] for line in lines
    )


def test_senders_come_round_in_turn() -> None:
    """Whoever asks for much keeps another waiting for one of their pages at most."""
    room, go_on = Room("test", threads=1, waiting=19), threading.Event()
    made: list[str] = []

    def make(name: str) -> None:
        go_on.wait(60)
        made.append(name)

    async def crowd() -> None:
        begun = [
            asyncio.create_task(room.work(partial(make, f"{sender}{number}"), sender))
            for sender, pages in (("a", 6), ("b", 2), ("c", 1))
            for number in range(pages)
        ]
        await asyncio.sleep(0)
        begun[4].cancel()  # a4: nobody waits for it any more
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*begun, return_exceptions=True)

    try:
        asyncio.run(crowd())
    finally:
        go_on.set()
    assert made == ["a0", "a1", "b0", "c0", "a2", "b1", "a3", "a5"]
    for _ in range(room.places.share):  # all were given back
        room.places.enter("a")


def test_a_page_that_fails_frees_its_thread() -> None:
    room = Room("test", threads=1, waiting=3)

    async def ask() -> None:
        for _ in range(10):
            with pytest.raises(ZeroDivisionError):
                await room.work(lambda: 1 // 0, "a")
        assert await room.work(lambda: 7, "a") == 7

    asyncio.run(ask())


def test_a_page_that_takes_long_counts_as_several(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = itertools.count(0.0, 0.45)
    monkeypatch.setattr(time, "thread_time", lambda: next(spent))
    gate = Gate(20)  # of which half may come at once

    async def ask(network: str, *, is_stranger: bool) -> int:
        pages = 0
        while pages < 30 and gate.take(Kind.READ, network) is None:
            await gate.make(Kind.READ, bool, find_neighbourhood(network), is_stranger=is_stranger)
            pages += 1
        return pages

    assert asyncio.run(ask("198.51.100.7", is_stranger=True)) == 2  # of five each
    assert asyncio.run(ask("203.0.113.7", is_stranger=False)) == 10
    monkeypatch.undo()
    assert asyncio.run(ask("192.0.2.7", is_stranger=True)) == 10


def test_nobody_has_all_threads_of_the_pages_that_are_their_own() -> None:
    gate, go_on = Gate(0), threading.Event()

    async def crowd() -> None:
        pages = [
            asyncio.create_task(gate.make(Kind.OWN, partial(go_on.wait, 60), "usr_max"))
            for _ in range(gate.own.share)
        ]
        await asyncio.sleep(0)
        for _ in range(20):
            with pytest.raises(Full):
                await gate.make(Kind.OWN, bool, "usr_max")
        assert await gate.make(Kind.OWN, bool, "usr_eva") is False
        go_on.set()
        assert all(await asyncio.gather(*pages))
        assert await gate.make(Kind.OWN, bool, "usr_max") is False

    try:
        asyncio.run(crowd())
    finally:
        go_on.set()
    assert gate.own.share < 40 // 2, "of the framework's threads"


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/jwks.json", "/missing"])
def test_no_network_has_all_threads_of_what_programs_ask_for(
    site: Site, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the framework's forty; a made-up cookie makes even a missing page look for a session."""
    held = threading.Event()

    def wait(*_: object) -> None:
        assert held.wait(60)

    server = site.services.authorization
    for name in ("give_token", "revoke"):
        monkeypatch.setattr(server, name, wait)
    monkeypatch.setattr(server.signing_keys, "publish", wait)
    monkeypatch.setattr(site.services.sessions, "find", wait)
    is_form = path in {"/oauth/token", "/oauth/revoke"}

    async def ask(address: str) -> httpx.Response:
        transport = httpx.ASGITransport(site.app, client=(address, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            if is_form:
                return await client.post(path, data={"grant_type": "refresh_token"})
            return await client.get(path, headers={"Cookie": "__Host-sid=" + "x" * 43})

    async def crowd() -> None:
        tasks = [asyncio.create_task(ask(NEAR)) for _ in range(20)]
        refused, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        while len(refused) < 8:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            refused |= done
        expected = 404 if path == "/missing" else 503  # a problem's page that is too much is short
        assert {one.result().status_code for one in refused} == {expected}
        other = asyncio.create_task(ask(FAR))
        for _ in range(200):
            await asyncio.sleep(0)
        assert not other.done(), "others have threads"
        assert len(waiting) == 12
        held.set()
        await asyncio.gather(*waiting, other)

    try:
        asyncio.run(crowd())
    finally:
        held.set()


def test_passwords_that_are_being_checked_keep_nothing_else_waiting(site: Site) -> None:
    """Their threads are those of all own pages, but never all of them."""
    lane = site.services.people._passwords._lanes[False]
    places = lane.places
    app = site.app
    person = site.visit()
    shown = person.get("/sign-in").text
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    cookie = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())

    async def knock(number: int) -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(f"198.51.{number}.7", 50_000))
        data = {**form, "email": f"{number}@example.org", "password": "x" * 20}
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.post("/sign-in", data=data, headers={"Cookie": cookie})

    async def crowd() -> None:
        knocks = [asyncio.create_task(knock(number)) for number in range(places + 3)]
        refused, waiting = await asyncio.wait(knocks, return_when=asyncio.FIRST_COMPLETED)
        while len(refused) < 3:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            refused |= done
        assert {one.result().status_code for one in refused} == {503}
        assert {one.result().headers["retry-after"] for one in refused} == {"2"}
        for path in ("/oauth/jwks.json", "/", "/sign-in", "/search?q=Recht", NORM):
            assert (await fetch(app, path)).status_code == 200, path
        assert not any(one.done() for one in waiting)
        release()
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {422}

    running = lane.running._value

    def release() -> None:
        for _ in range(held.pop() if held else 0):
            lane.running.release()

    assert places < 20, "of the 40 threads"
    for _ in range(running):
        lane.running.acquire()
    held = [running]
    try:
        asyncio.run(crowd())
    finally:
        release()


def test_a_place_is_free_again_after_a_failure(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("what was asked")

    monkeypatch.setattr(finding, "_search", fail)
    browser = site.visit(site.member)
    with caplog.at_level(logging.ERROR):
        for _ in range(HOLDS[Kind.SEARCH] + 1):
            answer = browser.get("/search?q=Recht")
            assert answer.status_code == 500
    assert "was asked" not in answer.text
    assert "KeyError" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cache-control"] == "no-store"
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == HOLDS[Kind.SEARCH] + 1
    assert lines[0].startswith("a page failed: KeyError at test_portal_gate.py:")
    assert "asked" not in caplog.text.replace("test_portal_gate", "")


@pytest.fixture
def slow_site(
    demonstration_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """Eight pages a minute, four at once; two searches a minute, one at once.

    Each counts as one, however slow the machine.
    """
    for kind in list(_A_PAGE_S):
        monkeypatch.setitem(_A_PAGE_S, kind, math.inf)
    with open_law_site(demonstration_data, tmp_path, pages_per_minute="8") as opened:
        yield opened


def test_a_network_of_strangers_has_so_many_pages_and_people_have_more(slow_site: Site) -> None:
    crawler, near, far = (
        Http(slow_site.app, address=address)
        for address in ("198.51.100.7", "198.51.100.250", "203.0.113.9")
    )
    assert [crawler.get(NORM).status_code for _ in range(6)] == [200] * 4 + [429] * 2
    refused = near.get(NORM, headers={"Accept-Language": "de"})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 8
    assert "melden Sie sich an" in refused.text
    assert "set-cookie" not in refused.headers
    assert [crawler.get("/search?q=Recht").status_code for _ in range(2)] == [200, 429]
    assert far.get(NORM).status_code == 200
    assert crawler.get("/sign-in").status_code == 200
    forged = {"Cookie": "__Host-sid=" + "x" * 43}
    assert crawler.get(NORM, headers=forged).status_code == 429
    person = slow_site.visit(slow_site.member)
    person.http.address = "198.51.100.7"
    assert person.get("/keys").status_code == 200  # now they are known
    assert [person.get(NORM).status_code for _ in range(9)] == [200] * 9
    slow_site.services.sessions.end_all(slow_site.member)
    assert [person.get(NORM).status_code for _ in range(2)] == [200, 429]  # and no longer


def test_sessions_that_strangers_begin_are_counted_too(slow_site: Site) -> None:
    crawler = Http(slow_site.app)
    answers = []
    for _ in range(10):
        crawler.cookies.clear()
        answers.append(crawler.get("/sign-in").status_code)
    assert answers == [200] * 8 + [429] * 2
    with slow_site.services.people._store.read() as connection:
        assert connection.execute(select(func.count()).select_from(sessions)).scalar_one() == 8
    assert Http(slow_site.app, address="203.0.114.1").get("/sign-in").status_code == 200


def test_what_is_kept_of_visitors_is_bounded() -> None:
    gate = Gate(60)
    for number in range(25_000):
        gate.take(Kind.READ, f"10.{number // 250}.{number % 250}.1")
    assert 0 < len(gate._strangers[Kind.READ]) <= 10_000
    known = SignedIn()
    for number in range(11_000):
        known.add(str(number), "somebody")
    assert known.find("10999") == "somebody"
    assert known.find("0") is None
    assert len(known._known) == 10_000
