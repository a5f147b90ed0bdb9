"""The limiter of failures: what is tried too often has to wait, nobody is locked out for good.

An attempt is counted before it is made and given back when it succeeds, so that attempts made at
the same time cannot slip through together. What is counted for is stored as a keyed hash: the
table holds no address. Of the attempts that have to wait, the first is told to the caller and the
others are counted; when the wait is over, their number is reported once.
"""

import hmac
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, or_, select, update

from fundstelle.accounts.database.schema_people import throttles
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing.rows import (
    count_refusal,
    find_counter,
    find_longest,
    make_counter,
    raise_counter,
    sweep,
)
from fundstelle.accounts.limits.limiter import Blocked, Limit
from fundstelle.errors import AccountsError

MOST_ROWS = 100_000

_SWEEP_S = 60.0
_REPORTED_AT_ONCE = 100
_GATHERED_S = 1.0
_AGAIN_S = 30.0  # after the database has failed
_MOST_GATHERED = 10_000  # counters, and reports, that wait in memory; what is more is lost

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Missed:
    """Attempts that had to wait, after the first of them; ``about`` = the user id, if known."""

    limit: str
    about: str
    attempts: int


Later = Callable[[float, Callable[[], None]], None]


def ignore(missed: Missed) -> None:
    """Report nothing."""
    del missed


def never(delay_s: float, task: Callable[[], None]) -> None:
    """Run nothing by itself; what is due is done with the next attempt."""
    del delay_s, task


class Throttle:
    """A limiter over counters in the accounts database, which all server processes share.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        report: takes what was missed, when its wait is over.
        later: runs a task after some seconds, off the calling thread.
        most_rows: counters kept; beyond them the oldest that hold nobody up are forgotten.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        report: Callable[[Missed], None] = ignore,
        later: Later = never,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self._store = store
        self._clock = clock
        self._report = report
        self._later = later
        self._most_rows = most_rows
        self._flush_at = -math.inf
        self._swept_at = -math.inf
        self._lock = threading.Lock()
        # Refused after the first, by counter: how often, and whose account. Written about once a
        # second, so that who is refused a thousand times keeps nobody from the database.
        self._gathered: dict[str, tuple[int, str]] = {}
        self._untold: list[Missed] = []  # what could not be reported yet
        self._is_again_due = False  # one task of all that failed, however long the database is away

    def take(self, *attempts: tuple[Limit, str], about: str = "") -> Blocked | None:
        """Count an attempt for each limit and subject, unless one of them has to wait.

        Args:
            attempts: limits and whom they count.
            about: the id of the person whose account is tried, for the report.

        Returns:
            ``None`` if it may be made.
        """
        if (refused := self.refuse(*attempts, about=about)) is not None:
            return refused
        now = self._now()
        limits = {self._name(limit, subject): limit for limit, subject in attempts}
        missed: list[Missed] = []
        # Rows that are there come first: an attempt that has to wait makes no new ones. Each pass
        # is a transaction of its own and locks in one order, or two attempts wait for each other.
        popped: dict[str, tuple[int, str]] = {}
        try:
            for find in (find_counter, make_counter):
                with self._store.write(may_be_lost=True) as connection:
                    found = ((name, find(connection, name, now)) for name in sorted(limits))
                    rows = {name: row for name, row in found if row is not None}
                    blocked = count_refusal(connection, limits, rows, now, about)
                    if blocked is None and len(rows) == len(limits):
                        popped = self._pop_gathered(rows)
                        missed = [
                            Missed(limits[name].name, row["about"], refused)
                            for name, row in rows.items()
                            if (refused := row["refused"] + popped.get(name, (0, ""))[0]) > 1
                        ]
                        for name, row in rows.items():
                            raise_counter(connection, limits[name], row, now)
                        break
                if blocked is not None:
                    break
        except AccountsError:
            self._put_back(popped)
            raise
        for one in missed:
            self._tell(one)
        self._look_after(now, blocked)
        return blocked

    def refuse(self, *attempts: tuple[Limit, str], about: str = "") -> Blocked | None:
        """Count an attempt that has to wait; one that need not is not counted.

        Nothing is written for it unless it is the first.

        Args:
            attempts: as for ``take``.
            about: the same.

        Returns:
            ``None`` if it may be made.
        """
        now = self._now()
        limits = {self._name(limit, subject): limit for limit, subject in attempts}
        query = select(throttles).where(throttles.c.name.in_(limits))
        with self._store.read() as connection:
            rows = {row["name"]: row for row in connection.execute(query).mappings()}
        name, wait_s = find_longest(limits, rows, now)
        if not wait_s:
            return None
        if rows[name]["refused"]:
            self._gather(name, about)
            blocked = Blocked(wait_s, is_first=False)
        else:
            with self._store.write(may_be_lost=True) as connection:
                row = find_counter(connection, name, now)
                found = count_refusal(connection, limits, {name: row} if row else {}, now, about)
            blocked = found or Blocked(wait_s, is_first=False)
        self._look_after(now, blocked)
        return blocked

    def _gather(self, name: str, about: str) -> None:
        with self._lock:
            is_first = not self._gathered
            self._add(name, 1, about)
        if is_first:
            self._later(_GATHERED_S, self._write_gathered)

    def _add(self, name: str, times: int, about: str) -> None:
        if name in self._gathered or len(self._gathered) < _MOST_GATHERED:
            self._gathered[name] = (self._gathered.get(name, (0, ""))[0] + times, about)

    def _pop_gathered(self, names: Iterable[str]) -> dict[str, tuple[int, str]]:
        with self._lock:
            return {name: self._gathered.pop(name) for name in names if name in self._gathered}

    def _put_back(self, gathered: Mapping[str, tuple[int, str]]) -> None:
        """Keep what could not be written for the next time."""
        if not gathered:
            return
        with self._lock:
            for name, (times, about) in gathered.items():
                self._add(name, times, about)
        self._plan_again()

    def _plan_again(self) -> None:
        with self._lock:
            is_due, self._is_again_due = self._is_again_due, True
        if not is_due:
            self._later(_AGAIN_S, self._try_again)

    def _try_again(self) -> None:
        with self._lock:
            self._is_again_due = False
        self._write_gathered()
        self._report_untold()

    def _write_gathered(self) -> None:
        with self._lock:
            gathered, self._gathered = self._gathered, {}
        untold: list[Missed] = []
        try:
            with self._store.write(may_be_lost=True) as connection:
                for name, (times, about) in sorted(gathered.items()):
                    which = (throttles.c.name == name, throttles.c.refused > 0)
                    values = {"refused": throttles.c.refused + times, "about": about}
                    done = connection.execute(update(throttles).where(*which).values(values))
                    if not done.rowcount:  # the wait is over, and the others were reported
                        untold.append(Missed(name.rpartition(":")[0], about, times + 1))
        except AccountsError as error:
            _log.warning("refused sign-ins are not counted yet: %s", error)
            self._put_back(gathered)
            return
        for one in untold:
            self._tell(one)

    def run_by_itself(self, later: Later) -> None:
        """Report what was missed when its wait is over, though nobody comes again."""
        with self._lock:
            self._later, self._is_again_due = later, False

    def count(self, limit: Limit, subject: str) -> int:
        """The failures that are remembered within the limit's period."""
        query = select(throttles.c.count).where(
            throttles.c.name == self._name(limit, subject),
            throttles.c.since > self._now() - timedelta(seconds=limit.period_s),
        )
        with self._store.read() as connection:
            return connection.execute(query).scalar_one_or_none() or 0

    def give_back(self, attempts: Sequence[tuple[Limit, str]]) -> None:
        """The attempt was none: one failure less, and none at all where delays grow."""
        with self._store.write(may_be_lost=True) as connection:
            for limit, subject in sorted(attempts, key=lambda one: self._name(*one)):
                where = throttles.c.name == self._name(limit, subject)
                if limit.delay_s:
                    connection.execute(delete(throttles).where(where))
                else:
                    connection.execute(
                        update(throttles)
                        .where(where, throttles.c.count > 0)
                        .values(count=throttles.c.count - 1, blocked_until=None)
                    )

    def flush(self) -> None:
        """Report what was missed in waits that are over."""
        self._write_gathered()
        self._report_untold()
        now = self._now()
        is_over = or_(throttles.c.blocked_until.is_(None), throttles.c.blocked_until <= now)
        query = (
            select(throttles.c.name, throttles.c.about, throttles.c.refused)
            .where(throttles.c.refused > 0, is_over)
            .order_by(throttles.c.name)
            .limit(_REPORTED_AT_ONCE)
            .with_for_update()
        )
        try:
            with self._store.write(may_be_lost=True) as connection:
                rows = connection.execute(query).all()
                for row in rows:
                    which = throttles.c.name == row.name
                    connection.execute(update(throttles).where(which).values(refused=0, about=""))
            for row in rows:
                if row.refused > 1:
                    limit = row.name.rpartition(":")[0]
                    self._tell(Missed(limit, row.about, row.refused))
        except AccountsError as error:
            _log.warning("refused sign-ins are not reported yet: %s", error)

    def _report_untold(self) -> None:
        with self._lock:
            untold, self._untold = self._untold, []
        for missed in untold:
            self._report_or_keep(missed)

    def _tell(self, missed: Missed) -> None:
        """The first of them has a line of its own."""
        self._report_or_keep(Missed(missed.limit, missed.about, missed.attempts - 1))

    def _report_or_keep(self, missed: Missed) -> None:
        """Their counter is zero by now: what cannot be reported is kept for the next time."""
        try:
            self._report(missed)
        except AccountsError as error:
            _log.warning("refused sign-ins are not reported yet: %s", error)
            with self._lock:
                if len(self._untold) < _MOST_GATHERED:
                    self._untold.append(missed)
            self._plan_again()

    def _look_after(self, now: datetime, blocked: Blocked | None) -> None:
        """Have a wait reported when it is over, and the table cleared once a minute."""
        moment = now.timestamp()
        if blocked is not None and not self._flush_at - moment >= 0:
            self._flush_at = moment + blocked.wait_s + 1
            self._later(blocked.wait_s + 1, self.flush)
        if not 0 <= moment - self._swept_at < _SWEEP_S:
            self._swept_at = moment
            self.flush()
            with self._store.write(may_be_lost=True) as connection:
                sweep(connection, now, self._most_rows)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _name(self, limit: Limit, subject: str) -> str:
        plain = f"{limit.name}\0{subject}".encode(errors="backslashreplace")
        return f"{limit.name}:{hmac.digest(self._store.pepper, plain, 'sha256').hex()[:40]}"
