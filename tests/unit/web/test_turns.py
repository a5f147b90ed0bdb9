"""Long work takes turns: counted in turns of the loop, not in seconds."""

import asyncio

import pytest

from fundstelle.web.turns import LONG_S, MOST_BYTES, MOST_WAITING, Crowded, Turns


def test_the_loop_turns_between_two_long_ones() -> None:
    events: list[str] = []

    async def work(turns: Turns, name: str) -> None:
        has_turn = turns.is_long()
        if has_turn:
            await turns.take("seat")
        events.append(name)
        await turns.rest(2 * LONG_S, has_turn=has_turn)

    async def read_and_write() -> None:
        for _ in range(50):
            events.append(".")
            await asyncio.sleep(0)

    async def run() -> None:
        turns = Turns()
        loop = asyncio.create_task(read_and_write())
        await asyncio.gather(*(work(turns, str(n)) for n in range(5)))
        loop.cancel()

    asyncio.run(run())
    said = "".join(events)
    assert [e for e in said if e != "."] == list("01234")
    gaps = said.strip(".").split("0")[1].split("1")[0], said.split("1")[1].split("2")[0]
    assert all(len(gap) >= 6 for gap in gaps)


def test_short_ones_need_no_turn() -> None:
    async def run() -> None:
        turns = Turns()
        await turns.rest(LONG_S / 2, has_turn=False)
        assert not turns.is_long()
        await turns.take("seat")
        assert turns.is_long()
        await turns.rest(LONG_S / 2, has_turn=True)
        assert not turns.is_long()

    asyncio.run(run())


def test_one_that_is_given_up_while_it_waits_takes_no_turn_from_the_others() -> None:
    async def run() -> None:
        turns = Turns()
        await turns.take("seat")
        waiting = asyncio.create_task(turns.take("seat"))
        await asyncio.sleep(0)
        waiting.cancel()
        await turns.rest(0.0, has_turn=True)
        await asyncio.sleep(0)
        assert not turns.is_long()

    asyncio.run(run())


def test_one_that_is_given_up_as_its_turn_comes_passes_it_on() -> None:
    async def run() -> None:
        turns = Turns()
        await turns.take("seat")
        waiting = [asyncio.create_task(turns.take(seat)) for seat in ("one", "two")]
        await asyncio.sleep(0)
        await turns.rest(0.0, has_turn=True)
        waiting[0].cancel()
        await waiting[1]
        await turns.rest(0.0, has_turn=True)
        assert not turns.is_long()

    asyncio.run(run())


def test_who_asks_much_keeps_nobody_waiting_for_more_than_one_of_its_answers() -> None:
    events: list[str] = []

    async def work(turns: Turns, seat: str) -> None:
        await turns.take(seat)
        events.append(seat)
        await turns.rest(2 * LONG_S, has_turn=True)

    async def run() -> None:
        turns = Turns()
        many = [asyncio.create_task(work(turns, "many")) for _ in range(20)]
        await asyncio.sleep(0)
        few = [asyncio.create_task(work(turns, seat)) for seat in ("one", "two", "one")]
        await asyncio.gather(*many, *few)

    asyncio.run(run())
    assert events[:7] == ["many", "many", "one", "two", "many", "one", "many"]
    assert len(events) == 23


@pytest.mark.parametrize(("size", "most"), [(0, MOST_WAITING), (MOST_BYTES // 4, 4)])
def test_a_seat_has_so_much_waiting_and_no_more(size: int, most: int) -> None:
    async def run() -> None:
        turns = Turns()
        await turns.take("many")
        waiting = [asyncio.create_task(turns.take("many", size)) for _ in range(most)]
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await turns.take("many", size)
        other = asyncio.create_task(turns.take("few", size))
        waiting.pop().cancel()
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(turns.take("many", size)))  # there is room again
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await turns.take("many", size)
        for _ in range(most + 1):
            await turns.rest(0.0, has_turn=True)
        await asyncio.gather(*waiting, other)
        await turns.rest(0.0, has_turn=True)
        assert not turns.is_long()

    asyncio.run(run())


def test_one_request_may_wait_however_large_it_is() -> None:
    async def run() -> None:
        turns = Turns()
        await turns.take("seat")
        waiting = asyncio.create_task(turns.take("seat", 2 * MOST_BYTES))
        await asyncio.sleep(0)
        await turns.rest(0.0, has_turn=True)
        await waiting

    asyncio.run(run())


@pytest.mark.parametrize(
    ("turn_s", "expected"),
    [
        (0.001, 250),  # the loop has much to do: as long as the work took
        (0.00001, 8),  # it has nothing to do
        (1.0, 8),  # it is slow itself
    ],
)
def test_the_loop_turns_for_as_long_as_it_is_busy(turn_s: float, expected: int) -> None:
    now = 0.0
    turned = 0

    def clock() -> float:
        nonlocal now
        now += turn_s
        return now

    async def count() -> None:
        nonlocal turned
        while True:
            turned += 1
            await asyncio.sleep(0)

    async def run() -> None:
        turns = Turns(clock)
        counting = asyncio.create_task(count())
        await turns.take("seat")
        await turns.rest(0.25, has_turn=True)
        counting.cancel()

    asyncio.run(run())
    assert abs(turned - expected) <= 1
