"""Work that is due later, with a clock and threads that only pretend."""

from fundstelle.accounts.timetable import AGAIN_S, Task, Timetable


class Threads:
    """Runs tasks at once; the one that keeps the timetable is left out, and some are refused."""

    def __init__(self, refused: int = 0) -> None:
        self.refused = refused
        self.keepers = 0

    def start(self, task: Task) -> None:
        if self.refused:
            self.refused -= 1
            raise RuntimeError("can't start new thread")
        if getattr(task, "__name__", "") == "_keep":
            self.keepers += 1
        else:
            task()


def test_each_task_is_started_when_it_is_due_and_in_order() -> None:
    done: list[str] = []
    now = [0.0]
    threads = Threads()
    timetable = Timetable(threads.start, lambda: now[0])
    for delay_s, name in ((5.0, "late"), (1.0, "first"), (1.0, "second"), (0.0, "now")):
        timetable.add(delay_s, lambda name=name: done.append(name))  # type: ignore[misc]
    assert timetable.start_due() == 1.0
    assert done == ["now"]
    now[0] = 1.0
    assert timetable.start_due() == 4.0
    now[0] = 9.0
    assert timetable.start_due() is None
    assert done == ["now", "first", "second", "late"]
    assert threads.keepers == 1


def test_a_task_for_which_there_is_no_thread_is_tried_again() -> None:
    done: list[str] = []
    threads = Threads()
    timetable = Timetable(threads.start, lambda: 0.0)
    timetable.add(0.0, lambda: done.append("task"))
    threads.refused = 3
    for _ in range(3):
        assert timetable.start_due() == AGAIN_S
        assert done == []
    assert timetable.start_due() is None
    assert done == ["task"]


def test_a_system_without_threads_fails_nobody_who_adds_a_task() -> None:
    done: list[str] = []
    threads = Threads(refused=1)
    timetable = Timetable(threads.start, lambda: 0.0)
    timetable.add(0.0, lambda: done.append("first"))
    assert threads.keepers == 0
    timetable.add(0.0, lambda: done.append("second"))
    assert threads.keepers == 1
    timetable.start_due()
    assert done == ["first", "second"]


def test_a_task_may_add_the_next_one() -> None:
    done: list[float] = []
    now = [0.0]
    timetable = Timetable(Threads().start, lambda: now[0])

    def task() -> None:
        done.append(now[0])
        timetable.add(10.0, task)

    timetable.add(0.0, task)
    for second in (0.0, 10.0, 20.0):
        now[0] = second
        assert timetable.start_due() == 10.0
    assert done == [0.0, 10.0, 20.0]
