"""Counting failures: what is tried too often has to wait, and nobody is locked out for good.

An attempt is counted before it is made and given back when it succeeds, so that attempts made at
the same time cannot slip through together. What is counted for is stored as a keyed hash: the
table holds no address.
"""

import hmac
import ipaddress
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts.schema_people import throttles
from fundstelle.accounts.store import AccountsStore

_DAY_S = 86_400
_HOUR_S = 3_600
_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Limit:
    """How many failures are free, and what comes after them.

    Without a ``delay_s``: at most ``free`` in ``period_s``, then nothing until that has passed.
    With it: the next attempt waits ``delay_s``, the one after it twice as long, up to ``most_s``;
    after ``period_s`` without a failure all is forgotten.
    """

    name: str
    free: int
    period_s: int
    delay_s: int = 0
    most_s: int = 0


ACCOUNT = Limit("sign-in:account", 5, _DAY_S, delay_s=15, most_s=900)
CODE = Limit("sign-in:code", 5, _DAY_S, delay_s=15, most_s=900)
ADDRESS = Limit("sign-in:address", 30, _HOUR_S)
EVERYTHING = Limit("sign-in:all", 300, 60)
SIGN_UP_ADDRESS = Limit("sign-up:address", 10, _HOUR_S)
SIGN_UP_ALL = Limit("sign-up:all", 100, _HOUR_S)


class Throttle:
    """Counters of failures, shared by all server processes.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def take(self, *attempts: tuple[Limit, str]) -> float | None:
        """Count an attempt for each limit and subject, unless one of them has to wait.

        Returns:
            ``None`` if it may be made, else the seconds until one may.
        """
        now = self._now()
        with self._store.write() as connection:
            names = [self._name(limit, subject) for limit, subject in attempts]
            rows = {name: _find(connection, name, now) for name in sorted(names)}
            waits = [
                _measure(limit, rows[name], now)
                for (limit, _), name in zip(attempts, names, strict=True)
            ]
            if any(waits):
                return max(waits)
            for (limit, _), name in zip(attempts, names, strict=True):
                _count(connection, limit, rows[name], now)
        return None

    def give_back(self, attempts: Sequence[tuple[Limit, str]]) -> None:
        """The attempt was none: one failure less, and none at all where delays grow."""
        with self._store.write() as connection:
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

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _name(self, limit: Limit, subject: str) -> str:
        keyed = hmac.digest(self._store.pepper, f"{limit.name}\0{subject}".encode(), "sha256")
        return f"{limit.name}:{keyed.hex()[:40]}"


def find_network(address: str) -> str:
    """What one sender can hold: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _find(connection: Connection, name: str, now: datetime) -> RowMapping:
    """The counter, locked for this transaction."""
    query = select(throttles).where(throttles.c.name == name).with_for_update()
    row = connection.execute(query).mappings().one_or_none()
    if row is not None:
        return row
    connection.execute(delete(throttles).where(throttles.c.since < now - _KEPT))
    try:
        with connection.begin_nested():
            connection.execute(insert(throttles).values(name=name, count=0, since=now))
    except IntegrityError:  # another process was first
        pass
    return connection.execute(query).mappings().one()


def _measure(limit: Limit, row: RowMapping, now: datetime) -> float:
    """Seconds to wait; 0 = none."""
    if row["blocked_until"] is None:
        return 0.0
    wait: float = (row["blocked_until"] - now).total_seconds()
    # Longer than any wait we set: the clock has been set back.
    return wait if 0 < wait <= (limit.most_s or limit.period_s) else 0.0


def _count(connection: Connection, limit: Limit, row: RowMapping, now: datetime) -> None:
    period = timedelta(seconds=limit.period_s)
    is_over = now - row["since"] >= period or now < row["since"] - period
    count = 1 if is_over else row["count"] + 1
    blocked: datetime | None = None
    if limit.delay_s:
        since = now
        if count >= limit.free:
            doubled = min(count - limit.free, 20)
            blocked = now + timedelta(seconds=min(limit.delay_s << doubled, limit.most_s))
    else:
        since = now if is_over else row["since"]
        if count >= limit.free:
            blocked = since + period
    connection.execute(
        update(throttles)
        .where(throttles.c.name == row["name"])
        .values(count=count, since=since, blocked_until=blocked)
    )
