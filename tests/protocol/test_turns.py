"""Requests that wait for their turn: bounded for each seat, and given up with their client."""

import asyncio
from typing import Any, Literal

import orjson
import pytest

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.errors import AccountsError
from fundstelle.web import app as web_app
from fundstelle.web.app import Application
from fundstelle.web.waiting.turns import MOST_WAITING
from fundstelle.web.waiting.unread import EXTENSION, MOST_BYTES
from tests.protocol.client import KEY, KnownKey, Lines, build_app, legacy


class Client:
    """One request, and a connection that ends when it is told to."""

    def __init__(self, app: Application, number: int, unread: int = 0) -> None:
        lookup = {"name": "legal_lookup", "arguments": {"citation": f"§ {number} MusterG"}}
        body = orjson.dumps(legacy("tools/call", lookup))
        self.status = 0
        self.unread = unread  # bytes in its connection
        self._body = body
        self._is_sent = False
        self._ends = asyncio.Event()
        names = {"host": "127.0.0.1:8000", "authorization": f"Bearer {KEY}"}
        names |= {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        headers = [(name.encode(), value.encode()) for name, value in names.items()]
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/mcp",
            "query_string": b"",
        }
        scope["extensions"] = {EXTENSION: {"count": lambda: self.unread, "abort": self.leave}}
        self.task = asyncio.create_task(
            app({**scope, "headers": headers}, self._receive, self._send)
        )

    def leave(self) -> None:
        self._ends.set()

    async def _receive(self) -> dict[str, Any]:
        if self._is_sent:
            await self._ends.wait()
            return {"type": "http.disconnect"}
        self._is_sent = True
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def _send(self, event: Any) -> None:
        self.status = event.get("status", self.status)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_what_nobody_waits_for_any_more_is_not_worked_out() -> None:
    async def run() -> None:
        lines = Lines()
        app = build_app(log=lines)
        await app._turns.take("somebody who works long")
        clients = [Client(app, number) for number in range(1, 5)]
        await settle()
        assert lines.lines == []
        for client in clients[:3]:
            client.leave()
        await settle()
        await app._turns.rest(0.0, has_turn=True)
        await asyncio.gather(*(client.task for client in clients))
        assert [client.status for client in clients] == [0, 0, 0, 200]
        assert [line["status"] for line in lines.lines] == [499, 499, 499, 200]
        assert not app._turns.is_long()

    asyncio.run(run())


def test_a_seat_that_has_too_much_waiting_is_told_so() -> None:
    async def run() -> None:
        app = build_app()
        await app._turns.take("somebody who works long")
        clients = [Client(app, number) for number in range(1, MOST_WAITING + 2)]
        await settle()
        assert clients[-1].status == 429
        await app._turns.rest(0.0, has_turn=True)
        await asyncio.gather(*(client.task for client in clients))
        assert {client.status for client in clients[:-1]} == {200}

    asyncio.run(run())


def test_a_seat_that_reads_none_of_its_answers_gets_no_more() -> None:
    async def run() -> None:
        lines = Lines()
        app = build_app(log=lines)
        first = Client(app, 1, unread=MOST_BYTES + 1)
        await first.task
        await app._turns.take("somebody who works long")
        for _ in range(2):  # when its turn comes, and where it needs none
            second = Client(app, 2)
            await settle()
            if app._turns.is_long():
                await app._turns.rest(0.0, has_turn=True)
            await second.task
            assert second.status == 429
        assert not app._turns.is_long()
        first.unread = 0
        third = Client(app, 3)
        await third.task
        assert third.status == 200
        assert [line["status"] for line in lines.lines] == [200, 429, 429, 200]

    asyncio.run(run())


class EndingKey(KnownKey):
    """Good until it is ended."""

    is_ended = False

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        return None if self.is_ended else super().recall(presented)


def test_a_key_that_ends_while_its_request_waits_answers_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_app, "_ADMITTED_S", 0.0)

    async def run() -> None:
        keys = EndingKey()
        app = build_app(keys=keys)
        await app._turns.take("somebody who works long")
        first, second = Client(app, 1), Client(app, 2)
        await settle()
        keys.is_ended = True
        await app._turns.rest(0.0, has_turn=True)
        await asyncio.gather(first.task, second.task)
        assert [first.status, second.status] == [401, 401]
        assert not app._turns.is_long()  # and each has given its turn back
        keys.is_ended = False
        third = Client(app, 3)
        await third.task
        assert third.status == 200

    asyncio.run(run())


class StandingClient(Client):
    """Reads nothing of its answer until it is told to."""

    def __init__(self, app: Application, number: int) -> None:
        self.reads = asyncio.Event()
        super().__init__(app, number)

    async def _send(self, event: Any) -> None:
        self.status = event.get("status", self.status)
        await self.reads.wait()


@pytest.mark.parametrize("is_away", [False, True])
def test_who_does_not_read_a_refusal_holds_no_turn(
    monkeypatch: pytest.MonkeyPatch, *, is_away: bool
) -> None:
    """Its key ended, or the accounts are away, while it waited."""
    monkeypatch.setattr(web_app, "_ADMITTED_S", 0.0)

    async def run() -> None:
        keys = EndingKey()
        app = build_app(keys=keys)
        await app._turns.take("somebody who works long")
        first = StandingClient(app, 1)
        await settle()
        if is_away:
            monkeypatch.setattr(keys, "recall", fail)
        else:
            keys.is_ended = True
        await app._turns.rest(0.0, has_turn=True)
        await settle()
        assert first.status == (503 if is_away else 401)
        assert not app._turns.is_long()
        first.reads.set()
        await first.task

    asyncio.run(run())


def fail(_presented: str) -> None:
    raise AccountsError("the accounts database is away")
