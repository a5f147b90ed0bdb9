"""Public pages have threads and a rate of their own: nothing else waits for them."""

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from fundstelle.accounts.schema_people import sessions
from fundstelle.errors import SourceError
from fundstelle.lookup.library import Library
from fundstelle.portal import public
from fundstelle.portal.gate.gate import Gate, Kind
from fundstelle.portal.gate.visitors import Networks, SignedIn, find_network
from fundstelle.portal.site import build_site
from tests.integration.law_site import Site, open_law_site
from tests.integration.oauth_server import BASE, Http

NORM = "/n/de/demog/1"
HOLDS = {kind: room.holds for kind, room in Gate(0).rooms.items()}


class Held:
    """A library that gives nothing before it is let go."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    @contextmanager
    def __call__(self) -> Iterator[Library | None]:
        assert self.go_on.wait(60)
        yield None


async def fetch(app: Any, path: str, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app, client=("198.51.100.7", 50_000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        return await client.get(path)


async def begin(app: Any, path: str, number: int) -> list[asyncio.Task[httpx.Response]]:
    """So many requests, all of them inside: one more turn of the loop admits one more."""
    tasks = [asyncio.create_task(fetch(app, path)) for _ in range(number)]
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


def test_a_place_is_free_again_after_a_failure(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("what was asked")

    monkeypatch.setattr(public, "_search", fail)
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
def slow_site(demonstration_data: Path, tmp_path: Path) -> Iterator[Site]:
    """Eight pages a minute, four at once; two searches a minute, one at once."""
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


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.200", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("2001:db8::1", "2001:db8:0:ff::9", True),
        ("2001:db8::1", "2001:db8:0:100::1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("", "unix", True),
    ],
)
def test_a_network_is_what_one_sender_holds_cheaply(one: str, other: str, same: bool) -> None:
    assert (find_network(one) == find_network(other)) is same


def test_what_is_kept_of_visitors_is_bounded() -> None:
    now = 0
    networks = Networks(60, lambda: now)
    for number in range(25_000):
        networks.count(f"10.{number // 250}.{number % 250}.1")
    assert len(networks._buckets) <= 10_000
    known = SignedIn()
    for number in range(11_000):
        known.add(str(number))
    assert "10999" in known
    assert "0" not in known
    assert len(known._known) == 10_000
