"""Long work takes turns: counted in turns of the loop, not in seconds."""

import asyncio

import pytest

from fundstelle.web.waiting.turns import LONG_S, MOST_BYTES, MOST_WAITING, Crowded, Turns


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


def test_many_short_ones_in_one_turn_of_the_loop_are_a_long_one() -> None:
    async def run() -> None:
        turns, done = Turns(), []

        async def answer(number: int) -> None:
            has_turn = turns.is_long()
            if has_turn:
                await turns.take("a")
            done.append(number)
            await turns.rest(LONG_S / 4, has_turn=has_turn)

        async def other() -> None:
            done.append(-1)

        ready = [asyncio.create_task(answer(number)) for number in range(12)]
        await asyncio.sleep(0)
        assert done == [0, 1, 2, 3], "the others wait for a turn"
        others = asyncio.create_task(other())
        await asyncio.gather(*ready, others)
        assert done.index(-1) <= 5
        assert sorted(done) == list(range(-1, 12))
        assert not turns.is_long()

    asyncio.run(run())


def test_short_ones_in_turns_of_their_own_are_short() -> None:
    async def run() -> None:
        turns = Turns()
        for _ in range(50):
            await turns.rest(LONG_S / 4, has_turn=False)
            assert not turns.is_long()
            await asyncio.sleep(0)

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


def test_who_comes_while_a_seat_works_is_before_its_next_answer() -> None:
    """The loop stands while it works: whoever comes then is seen only when it has ended."""

    async def run() -> list[str]:
        turns, done = Turns(), []

        async def answer(name: str) -> None:
            has_turn = turns.is_long()
            if has_turn:
                await turns.take(name[0])
            done.append(name)
            if name == "a0":  # b0 is read in the turn of the loop that follows
                others.append(asyncio.create_task(answer("b0")))
            await turns.rest(2 * LONG_S, has_turn=has_turn)

        others: list[asyncio.Task[None]] = []
        await turns.take("x")
        first = [asyncio.create_task(answer(name)) for name in ("a0", "a1", "a2")]
        await asyncio.sleep(0)
        await turns.rest(0.0, has_turn=True)
        await asyncio.gather(*first)
        await asyncio.gather(*others)
        return done

    assert asyncio.run(run()) == ["a0", "b0", "a1", "a2"]


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
    assert events[:7] == ["many", "one", "two", "many", "one", "many", "many"]
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
