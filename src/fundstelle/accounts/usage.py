"""Calls by day, credential and tool: counted in memory, written in the background.

Days and months are those of UTC. No question and no answer stands here, only how often.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.database.schema_records import usage
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

PERIOD_S = 5.0

_DAY_S = 86_400
_PAGE = 500  # names in one query
_EPOCH = date(1970, 1, 1)
_ATTEMPTS = 2  # two processes may want to insert the same row; the second then finds it

_log = logging.getLogger(__name__)

_Key = tuple[int, str, str, str]  # day since the epoch, credential, tool, seat


class Usage:
    """The calls of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        later: runs a task after some seconds, off the calling thread.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        later: Callable[[float, Callable[[], None]], None] = run_later,
    ) -> None:
        self._store = store
        self._clock = clock
        self._later = later
        self._lock = threading.Lock()
        self._pending: dict[_Key, int] = {}
        self._is_due = False
        self._complaints = Complaints(_log)

    def note(self, seat: str, credential: str, tool: str) -> None:
        """Count one call; returns at once."""
        key = (int(self._clock() // _DAY_S), credential, tool, seat)
        with self._lock:
            self._pending[key] = self._pending.get(key, 0) + 1
            starts, self._is_due = not self._is_due, True
        if starts:
            self._later(PERIOD_S, self.flush)

    def flush(self) -> None:
        """Write what has been counted. After a failure it is kept for the next time."""
        with self._lock:
            pending, self._pending = self._pending, {}
            self._is_due = False
        if not pending:
            return
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self._write(pending)
            except AccountsError as error:
                if attempt == _ATTEMPTS:
                    self._complaints.add(error.code, f"usage could not be recorded yet: {error}")
                    self._put_back(pending)
            else:
                return

    def by_day(self, seat: str, days: int) -> list[tuple[date, int]]:
        """The calls of a seat on each of the last days, oldest first, today last."""
        today = self._today()
        first = today - timedelta(days=days - 1)
        found = self._count_days(usage.c.seat == seat, first, lambda key: key[3] == seat)
        return [(day, found.get(day, 0)) for day in (first + timedelta(n) for n in range(days))]

    def count(self, credential: str, days: int = 30) -> int:
        """The calls of a key or grant in the last days, today included."""
        return self.count_each([credential], days)[credential]

    def count_each(self, credentials: Iterable[str], days: int = 30) -> Counter[str]:
        """The same for many at once."""
        wanted = sorted(set(credentials))
        first = self._today() - timedelta(days=days - 1)
        found: Counter[str] = Counter()
        with self._lock:
            for (number, credential, *_), calls in self._pending.items():
                if _EPOCH + timedelta(days=number) >= first:
                    found[credential] += calls
        for page in (wanted[n : n + _PAGE] for n in range(0, len(wanted), _PAGE)):
            query = (
                select(usage.c.credential, func.sum(usage.c.calls))
                .where(usage.c.credential.in_(page), usage.c.day >= first)
                .group_by(usage.c.credential)
            )
            with self._store.read() as connection:
                for credential, calls in connection.execute(query):
                    found[credential] += int(calls)
        return found

    def by_tool(self, credential: str, days: int) -> dict[date, Counter[str]]:
        """The calls of a key or grant by tool, on each of the last days on which there were any."""
        first = self._today() - timedelta(days=days - 1)
        found: dict[date, Counter[str]] = {}
        query = select(usage.c.day, usage.c.tool, usage.c.calls).where(
            usage.c.credential == credential, usage.c.day >= first
        )
        with self._lock:
            waiting = [
                (_EPOCH + timedelta(days=number), tool, calls)
                for (number, owner, tool, _), calls in self._pending.items()
                if owner == credential
            ]
        with self._store.read() as connection:
            written = [(day, tool, calls) for day, tool, calls in connection.execute(query)]
        for day, tool, calls in (*written, *waiting):
            if day >= first:
                found.setdefault(day, Counter())[tool] += calls
        return found

    def calls_this_month(self, seat: str) -> int:
        """The calls of a seat since the month began.

        Raises:
            AccountsError: the database cannot be used.
        """
        first = self._today().replace(day=1)
        found = self._count_days(usage.c.seat == seat, first, lambda key: key[3] == seat)
        return sum(found.values())

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()

    def _count_days(
        self, which: ColumnElement[bool], first: date, belongs: Callable[[_Key], bool]
    ) -> dict[date, int]:
        """Calls by day, those included that are not written yet."""
        query = (
            select(usage.c.day, func.sum(usage.c.calls))
            .where(which, usage.c.day >= first)
            .group_by(usage.c.day)
        )
        with self._lock:
            waiting = [(key[0], n) for key, n in self._pending.items() if belongs(key)]
        with self._store.read() as connection:
            found = {day: int(calls) for day, calls in connection.execute(query)}
        for number, calls in waiting:
            day = _EPOCH + timedelta(days=number)
            if day >= first:
                found[day] = found.get(day, 0) + calls
        return found

    def _write(self, pending: Mapping[_Key, int]) -> None:
        with self._store.write(may_be_lost=True) as connection:
            for key in sorted(pending):  # in one order everywhere, so that writers never lock up
                _add(connection, key, pending[key])

    def _put_back(self, pending: Mapping[_Key, int]) -> None:
        with self._lock:
            for key, calls in pending.items():
                self._pending[key] = self._pending.get(key, 0) + calls


def _add(connection: Connection, key: _Key, calls: int) -> None:
    number, credential, tool, seat = key
    row = {"day": _EPOCH + timedelta(days=number), "credential": credential, "tool": tool}
    raised = connection.execute(
        update(usage)
        .where(*(usage.c[name] == value for name, value in row.items()))
        .values(calls=usage.c.calls + calls, seat=seat)  # of whoever has taken the key over today
    )
    if not raised.rowcount:
        connection.execute(insert(usage).values(**row, seat=seat, calls=calls))
