"""Work that does not end is cut, whatever it does; what is not cut is left alone."""

import signal
import threading
import time
from collections.abc import Callable
from functools import lru_cache

import pytest

from fundstelle.errors import CallCut
from fundstelle.mcp.budget import Budget, OverBudget
from fundstelle.mcp.shapes import describe_shape
from tests.adversarial.endless import loop, match, recurse, swallow, swallow_everything

BUDGET_S = 0.15
GENEROUS_S = 5.0  # of the processor; what is not cut takes hours


def make_another_error() -> None:
    try:
        loop()
    except BaseException as error:
        raise ValueError from error


def clean_up_for_ever() -> None:
    try:
        loop()
    finally:
        loop()


@lru_cache
def remember(number: int) -> int:
    if number:
        loop()
    return number


ENDLESS: tuple[Callable[[], object], ...] = (
    *(loop, match, swallow, swallow_everything, recurse, make_another_error, clean_up_for_ever),
    lambda: remember(1),
    lambda: sorted(range(1_000), key=lambda _: remember(1)),
    lambda: sum(1 for _ in iter(int, 1)),
)


@pytest.mark.parametrize("work", ENDLESS)
def test_work_without_end_is_cut(work: Callable[[], object]) -> None:
    budget = Budget(BUDGET_S)
    begin = time.thread_time()
    for _ in range(2):
        with pytest.raises(CallCut, match="try a shorter one"):
            budget.run(work)
        budget.close()
    assert time.thread_time() - begin < GENEROUS_S
    assert budget.run(lambda: remember(0)) == 0
    budget.close()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_what_ships_is_cut_after_a_second_of_the_processor() -> None:
    budget = Budget()
    begin = time.thread_time()

    def work() -> None:
        while time.thread_time() - begin < GENEROUS_S:
            pass

    try:
        with pytest.raises(CallCut, match="more than 1 s to work out"):
            budget.run(work)
    finally:
        budget.close()
    assert 0.9 < time.thread_time() - begin < GENEROUS_S


def test_nothing_is_raised_outside_the_work() -> None:
    budget = Budget(BUDGET_S)
    budget.run(int)
    # The kernel may count a busy machine's ticks late: until one has come, but not for ever.
    end = time.thread_time() + GENEROUS_S
    while time.thread_time() < end and budget.used_s < 2 * BUDGET_S:
        pass
    with pytest.raises(CallCut):  # the request as a whole has had its time
        budget.run(int)
    budget.close()
    assert budget.run(int) == 0
    budget.close()


def test_the_budget_is_one_for_all_the_work_of_a_request() -> None:
    budget = Budget(BUDGET_S)
    done = []

    def work() -> None:
        end = time.thread_time() + BUDGET_S / 3
        while time.thread_time() < end:
            pass
        done.append(1)

    def ask_often() -> None:
        for _ in range(60):
            budget.run(work)

    with pytest.raises(CallCut):
        ask_often()
    budget.close()
    assert 1 <= len(done) < 60


def test_it_can_be_cut_at_any_instruction_without_leaking() -> None:
    """Ticks as often as the system gives them, over work that ends at about the same time."""
    budget = Budget(0.0)
    outcomes = set()
    for size in range(1, 3_000):
        budget._open()
        signal.setitimer(signal.ITIMER_PROF, 0.0005, 0.0005)
        try:
            budget.run(lambda size=size: sum(range(size)))  # type: ignore[misc]
            outcomes.add("done")
        except CallCut:
            outcomes.add("cut")
        finally:
            budget.close()
    assert "done" in outcomes


def test_errors_of_the_work_are_its_own() -> None:
    budget = Budget(BUDGET_S)
    with pytest.raises(ZeroDivisionError):
        budget.run(lambda: 1 // 0)
    budget.close()


def test_the_time_of_other_threads_is_not_counted() -> None:
    budget = Budget(BUDGET_S)
    stop = threading.Event()

    def burn() -> None:
        while not stop.is_set():
            sum(range(1_000))

    thread = threading.Thread(target=burn)
    thread.start()
    try:
        end = time.process_time() + 4 * BUDGET_S

        def wait() -> str:
            while time.process_time() < end:
                threading.Event().wait(0.01)
            return "done"

        assert budget.run(wait) == "done"
    finally:
        stop.set()
        thread.join()
        budget.close()


def test_other_threads_work_without_a_budget() -> None:
    results: list[object] = []
    budget = Budget(0.0)
    thread = threading.Thread(target=lambda: results.append(budget.run(lambda: 7)))
    thread.start()
    thread.join()
    assert results == [7]
    assert not budget.is_open


def test_a_module_that_holds_locks_is_left_first() -> None:
    budget = Budget(0.0)
    budget.run(int)
    budget._is_inside = True
    places: dict[str, object] = {"__name__": "logging"}
    exec("import sys\ndef here(): return sys._getframe()", places)
    here: Callable[[], object] = places["here"]  # type: ignore[assignment]
    budget.tick(here())  # type: ignore[arg-type]
    with pytest.raises(OverBudget):  # but not for ever
        [budget.tick(here()) for _ in range(100)]  # type: ignore[arg-type, func-returns-value]
    budget._is_inside = False
    budget.close()


def test_a_shape_holds_no_word_of_the_caller() -> None:
    arguments = {
        "citation": "Geheim",
        "quotes": ["Geheim", "ganz Geheim"],
        "Geheim": {"Geheim": 1},
        "mixed": ["Geheim", 1],
        "top_k": 7,
        **{f"Geheim {n}": None for n in range(20)},
    }
    shape = describe_shape(arguments, ("citation", "quotes", "mixed", "top_k"))
    assert "Geheim" not in shape
    assert shape.startswith(
        "citation: text of 6, quotes: 2 texts of at most 11, 17 in all, other: object of 1, "
        "mixed: list of 2, top_k: int, other: NoneType"
    )
    assert shape.endswith("13 more")
    assert describe_shape({}, ()) == "none"
