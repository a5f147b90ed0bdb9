"""The counters of a throttle in the accounts database: found, locked, judged, raised, forgotten."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, RowMapping, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts.database.locks import clear
from fundstelle.accounts.database.schema_people import throttles
from fundstelle.accounts.limits.limiter import Blocked, Limit

_KEPT = timedelta(days=2)
_WAITED_S = 60.0


def find_counter(connection: Connection, name: str, now: datetime) -> RowMapping | None:
    """The counter, locked for this transaction."""
    del now
    query = select(throttles).where(throttles.c.name == name).with_for_update()
    return connection.execute(query).mappings().one_or_none()


def make_counter(connection: Connection, name: str, now: datetime) -> RowMapping | None:
    """The counter, locked for this transaction, a new one where there is none."""
    if (row := find_counter(connection, name, now)) is not None:
        return row
    try:
        with connection.begin_nested():
            connection.execute(
                insert(throttles).values(name=name, count=0, since=now, refused=0, about="")
            )
    except IntegrityError:  # another process was first
        pass
    return find_counter(connection, name, now)


def count_refusal(
    connection: Connection,
    limits: dict[str, Limit],
    rows: dict[str, RowMapping],
    now: datetime,
    about: str,
) -> Blocked | None:
    """The longest wait there is, counted; ``None`` if there is none."""
    name, wait_s = find_longest(limits, rows, now)
    if not wait_s:
        return None
    refused = rows[name]["refused"] + 1
    connection.execute(
        update(throttles).where(throttles.c.name == name).values(refused=refused, about=about)
    )
    return Blocked(wait_s, is_first=refused == 1)


def find_longest(
    limits: Mapping[str, Limit], rows: Mapping[str, RowMapping], now: datetime
) -> tuple[str, float]:
    """The counter with the longest wait, and the seconds; no name and 0 if there is none."""
    waits = {name: _measure(limits[name], row, now) for name, row in rows.items()}
    name = max(waits, key=lambda one: waits[one], default="")
    return name, waits.get(name, 0.0)


def _measure(limit: Limit, row: RowMapping, now: datetime) -> float:
    """Seconds to wait; 0 = none."""
    if row["blocked_until"] is None:
        return 0.0
    wait: float = (row["blocked_until"] - now).total_seconds()
    # Much longer than any wait we set: the clock has been set back. A little, and the attempt began
    # before the one that set it and waited for the row.
    return wait if 0 < wait <= (limit.most_s or limit.period_s) + _WAITED_S else 0.0


def raise_counter(connection: Connection, limit: Limit, row: RowMapping, now: datetime) -> None:
    """One failure more, and the wait that follows from it."""
    period = timedelta(seconds=limit.period_s)
    is_over = now - row["since"] >= period or now < row["since"] - period
    failures = 1 if is_over else row["count"] + 1
    blocked: datetime | None = None
    if limit.delay_s:
        since = now
        if failures >= limit.free:
            doubled = min(failures - limit.free, 20)
            blocked = now + timedelta(seconds=min(limit.delay_s << doubled, limit.most_s))
    else:
        since = now if is_over else row["since"]
        if failures >= limit.free and not limit.only_counts:
            blocked = since + period
    connection.execute(
        update(throttles)
        .where(throttles.c.name == row["name"])
        .values(count=failures, since=since, blocked_until=blocked, refused=0, about="")
    )


def sweep(connection: Connection, now: datetime, most_rows: int) -> None:
    """Forget what is over; of too many the oldest, those who hold somebody up at last."""
    clear(connection, throttles, throttles.c.since < now - _KEPT)
    rows: int = connection.execute(select(func.count()).select_from(throttles)).scalar_one()
    if rows > most_rows:
        holds = throttles.c.blocked_until.is_not(None) & (throttles.c.blocked_until > now)
        clear(connection, throttles, oldest=[holds, throttles.c.since], most=rows - most_rows)
