"""While the database is away, what could not be written and reported waits for one task."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing.throttle import Missed, Throttle
from fundstelle.errors import AccountsUnavailable


class Outage:
    """A database and an audit log that are away until they are said to be back."""

    def __init__(self) -> None:
        self.is_away = True
        self.due: list[Callable[[], None]] = []
        self.reported: list[Missed] = []
        store = cast("AccountsStore", SimpleNamespace(write=self.write))
        self.throttle = Throttle(store, report=self.report)
        self.throttle.run_by_itself(lambda _delay_s, task: self.due.append(task))

    @contextmanager
    def write(self, **_: object) -> Iterator[Any]:
        self._fail_if_away()
        yield SimpleNamespace(execute=lambda _statement: SimpleNamespace(rowcount=0))

    def report(self, missed: Missed) -> None:
        self._fail_if_away()
        self.reported.append(missed)

    def run_due(self) -> None:
        due, self.due = self.due, []
        for task in due:
            task()

    def _fail_if_away(self) -> None:
        if self.is_away:
            raise AccountsUnavailable("it is away")


def test_however_long_the_database_is_away_one_task_waits_for_it() -> None:
    outage = Outage()
    outage.throttle._gather("pair:x", "eva")
    outage.throttle._report_or_keep(Missed("network", "", 3))
    for _ in range(40):
        outage.run_due()
        assert len(outage.due) == 1

    outage.is_away = False
    outage.run_due()
    assert outage.due == []
    assert sorted(outage.reported, key=lambda one: one.limit) == [
        Missed("network", "", 3),
        Missed("pair", "eva", 1),
    ]


def test_what_failed_before_tasks_run_by_themselves_is_tried_again_then() -> None:
    outage = Outage()
    outage.throttle.run_by_itself(lambda _delay_s, _task: None)
    outage.throttle._report_or_keep(Missed("network", "", 3))
    outage.throttle.run_by_itself(lambda _delay_s, task: outage.due.append(task))
    outage.throttle._report_or_keep(Missed("network", "", 3))
    assert len(outage.due) == 1
