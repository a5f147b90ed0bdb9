import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from fundstelle.accounts.database.writers import Writers


class Crowd:
    """Threads that write one after the other; ``order`` = who had the turn."""

    def __init__(self, writers: Writers) -> None:
        self.writers = writers
        self.order: list[str] = []
        self.threads: list[threading.Thread] = []

    def add(self, name: str, patience_s: float = 60) -> None:
        """Begin a thread, and come back when it waits."""
        before = len(self.writers._waiting)
        thread = threading.Thread(target=self._write, args=(name, patience_s))
        thread.start()
        self.threads.append(thread)
        while len(self.writers._waiting) == before:
            thread.join(0.001)
            assert thread.is_alive()

    def _write(self, name: str, patience_s: float) -> None:
        try:
            with self.writers.turn(patience_s):
                self.order.append(name)
        except NoFreeConnection:
            self.order.append(f"{name} gave up")

    def end(self) -> list[str]:
        for thread in self.threads:
            thread.join(60)
        return self.order


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    crowd = Crowd(Writers())
    yield crowd
    crowd.end()


def test_writers_come_in_their_order(crowd: Crowd) -> None:
    with crowd.writers.turn(0):
        for name in "abcdef":
            crowd.add(name)
        assert crowd.order == []
    assert crowd.end() == list("abcdef")


def test_who_is_not_let_in_time_gives_the_place_up(crowd: Crowd) -> None:
    with ExitStack() as held:
        held.enter_context(crowd.writers.turn(0))
        with pytest.raises(NoFreeConnection), crowd.writers.turn(0.001):
            pytest.fail("two have the turn")
        crowd.add("b")
    assert crowd.end() == ["b"]
    with crowd.writers.turn(0):
        assert not crowd.writers._waiting


def test_a_turn_that_comes_while_one_gives_up_goes_to_the_next() -> None:
    writers = Writers()
    late, patient = threading.Event(), threading.Event()
    with writers.turn(0):
        writers._waiting.extend([late, patient])
    assert late.is_set()
    writers._give_up(late)
    assert patient.is_set()


def test_a_failure_inside_ends_the_turn(crowd: Crowd) -> None:
    with pytest.raises(KeyError), crowd.writers.turn(0):
        raise KeyError("it failed")
    with crowd.writers.turn(0):
        pass
