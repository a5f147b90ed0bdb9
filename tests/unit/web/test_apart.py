"""Answers that wait for another server: how many may, and for how long."""

import asyncio
from threading import Barrier, Event

import pytest

from fundstelle.mcp.engine import Charge, Reply
from fundstelle.web.waiting.apart import Apart
from fundstelle.web.waiting.turns import Crowded

REPLY = Reply(200)


def test_no_more_wait_than_may_begin_when_those_under_way_are_done() -> None:
    gate, all_begun = Event(), Barrier(17)
    begun: list[int] = []

    def ask(_: Charge) -> Reply:
        begun.append(1)
        if len(begun) <= 16:
            all_begun.wait(30)
        gate.wait(30)
        return REPLY

    async def work() -> tuple[int, list[Reply]]:
        apart = Apart()
        asked = [
            asyncio.ensure_future(apart.answer(ask, lambda _: None, f"seat_{number}"))
            for number in range(32)
        ]
        await asyncio.to_thread(all_begun.wait, 30)
        with pytest.raises(Crowded):
            await apart.answer(ask, lambda _: None, "seat_32")
        under_way = len(begun)
        gate.set()
        replies = list(await asyncio.gather(*asked))
        apart.close()
        return under_way, replies

    under_way, replies = asyncio.run(work())
    assert under_way == 16
    assert replies == [REPLY] * 32
