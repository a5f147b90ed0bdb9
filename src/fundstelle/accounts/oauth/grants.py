"""Grants: what a person has allowed a client. Ending one ends its tokens with the next request."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, func, or_, select, update

from fundstelle.accounts.database.locks import change_all, clear, lock
from fundstelle.accounts.database.schema_oauth import grants
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.cache import STALE_S, Principal
from fundstelle.errors import AccountsUnavailable

MOST_OF_A_PERSON = 100
"""Live grants; of more, those end that were used longest ago."""
KEPT_FOR = timedelta(days=90)  # after its end, for those who look back
_MOST_KNOWN = 10_000
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Grant:
    """One client's access in one person's name.

    ``resource`` is the address it was given for, ``None`` of one that is older than that column.
    ``reason`` says why it was revoked: person, admin, client, code_reuse, refresh_reuse,
    displaced.
    """

    id: str
    user_id: str
    client_id: str
    client_name: str
    host: str
    scope: str
    created: datetime
    last_used: datetime | None
    expires: datetime
    revoked: datetime | None
    reason: str | None
    resource: str | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """A grant as the database last had it; times are seconds since the epoch."""

    principal: Principal
    seen_at: float
    ends_at: float


class Grants:
    """The grants of this server."""

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._changed = 0  # so often this process has changed the database
        self._lock = threading.Lock()

    def list(self, user_id: str | None = None) -> tuple[Grant, ...]:
        """All grants, or a person's, the newest first, ended ones included."""
        query = select(grants).order_by(grants.c.created.desc(), grants.c.id)
        if user_id is not None:
            query = query.where(grants.c.user_id == user_id)
        now = self._now()
        with self._store.read() as connection:
            return tuple(_read(row, now) for row in connection.execute(query).mappings())

    def list_live(self, user_id: str) -> tuple[Grant, ...]:
        """Those of a person with which an app still gets in, the newest first."""
        now = self._now()
        which = (grants.c.user_id == user_id, grants.c.revoked.is_(None), grants.c.expires > now)
        query = select(grants).where(*which).order_by(grants.c.created.desc(), grants.c.id)
        with self._store.read() as connection:
            return tuple(_read(row, now) for row in connection.execute(query).mappings())

    def find(self, grant_id: str) -> Grant | None:
        """The grant of this id, ended or not."""
        with self._store.read() as connection:
            query = select(grants).where(grants.c.id == grant_id)
            row = connection.execute(query).mappings().first()
        return None if row is None else _read(row, self._now())

    def find_principal(self, grant_id: str) -> Principal | None:
        """Whom a live grant stands for; ``None`` once it or its person is no longer welcome.

        While the database does not answer, grants known in the last ``STALE_S`` go on.

        Raises:
            AccountsUnavailable: the database does not answer, and the grant is not known.
        """
        changed = self._changed
        try:
            principal, expires = self._read_principal(grant_id)
        except AccountsUnavailable:
            known = self._known.get(grant_id)
            if known is None or not known.seen_at <= self._clock() < known.ends_at:
                raise
            return known.principal
        self._remember(grant_id, principal, expires, changed)
        return principal

    def keep_fresh(self) -> None:
        """Forget the known ones that have ended; to be called every second or so.

        Raises:
            AccountsError: the database cannot be used.
        """
        now = self._clock()
        with self._lock:
            known = [id_ for id_, one in self._known.items() if one.seen_at <= now < one.ends_at]
        live: set[str] = set()
        for page in (known[n : n + _PAGE] for n in range(0, len(known), _PAGE)):
            with self._store.read() as connection:
                live.update(connection.execute(self._select_live(grants.c.id.in_(page))).scalars())
        with self._lock:
            for id_, one in list(self._known.items()):
                if id_ not in live and one.seen_at <= now:
                    del self._known[id_]

    def _remember(
        self, grant_id: str, principal: Principal | None, expires: float, changed: int
    ) -> None:
        """Remember it, unless this process has changed the database since it was asked."""
        now = self._clock()
        with self._lock:
            self._known.pop(grant_id, None)
            if principal is not None and changed == self._changed:
                ends_at = min(now + STALE_S, expires)
                self._known[grant_id] = _Known(principal, now, ends_at)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def _read_principal(self, grant_id: str) -> tuple[Principal | None, float]:
        query = self._select_live(grants.c.id == grant_id).add_columns(
            grants.c.client_name,
            grants.c.user_id,
            grants.c.expires,
            users.c.rate_per_minute,
            users.c.calls_per_month,
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None, 0.0
        _, name, seat, expires, rate, calls = row
        return Principal(grant_id, name, rate, seat, calls), expires.timestamp()

    def _select_live(self, which: ColumnElement[bool]) -> Select[str]:
        return (
            select(grants.c.id)
            .join(users, users.c.id == grants.c.user_id)
            .where(
                which,
                grants.c.revoked.is_(None),
                grants.c.expires > self._now(),
                users.c.disabled.is_(None),
            )
        )

    def has_client(self, client_id: str) -> bool:
        """Whether anybody has ever allowed this client."""
        query = select(grants.c.id).where(grants.c.client_id == client_id).limit(1)
        with self._store.read() as connection:
            return connection.execute(query).first() is not None

    def revoke(self, grant_id: str, reason: str) -> bool:
        """End a grant; whether it was live."""
        return self._revoke(grants.c.id == grant_id, reason) > 0

    def revoke_all(
        self, *, reason: str, client_id: str | None = None, user_id: str | None = None
    ) -> int:
        """End all grants of a client or of a person; how many there were."""
        which = grants.c.client_id == client_id if user_id is None else grants.c.user_id == user_id
        return self._revoke(which, reason)

    def write_last_use(self, uses: Mapping[str, float]) -> None:
        """Remember when grants were last used: id → seconds since the epoch."""
        with self._store.write(may_be_lost=True) as connection:
            lock(connection, grants, grants.c.id.in_(uses))
            for grant_id, used in uses.items():
                moment = datetime.fromtimestamp(used, UTC).replace(microsecond=0)
                is_older = or_(grants.c.last_used.is_(None), grants.c.last_used < moment)
                connection.execute(
                    update(grants).where(grants.c.id == grant_id, is_older).values(last_used=moment)
                )

    def sweep(self) -> int:
        """Delete grants that ended long ago, with their codes and tokens; how many there were."""
        ended = self._now() - KEPT_FOR
        with self._store.write(may_be_lost=True) as connection:
            return clear(
                connection, grants, or_(grants.c.revoked < ended, grants.c.expires < ended)
            )

    def _revoke(self, which: ColumnElement[bool], reason: str) -> int:
        try:
            with self._store.write() as connection:
                return end_grants(connection, which, self._now(), reason)
        finally:
            self.read_again()

    def read_again(self) -> None:
        """Forget the known ones: what this process ended, or is about to, it does not let go on."""
        self._store.run_afterwards(self._forget)

    def _forget(self) -> None:
        with self._lock:
            self._changed += 1
            self._known.clear()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def end_grants(
    connection: Connection, which: ColumnElement[bool], now: datetime, reason: str
) -> int:
    """End the live ones of these grants, in the caller's transaction; how many there were."""
    is_live = grants.c.revoked.is_(None)
    return change_all(connection, grants, which, is_live, revoked=now, reason=reason)


def displace_oldest(connection: Connection, user_id: str, now: datetime) -> tuple[str, ...]:
    """End what a person has beyond the most, less one that is given now; the ids of those."""
    used = func.coalesce(grants.c.last_used, grants.c.created)
    beyond = (
        select(grants.c.id)
        .where(grants.c.user_id == user_id, grants.c.revoked.is_(None), grants.c.expires > now)
        .order_by(used.desc(), grants.c.id)
        .offset(MOST_OF_A_PERSON - 1)
    )
    ended = tuple(connection.execute(beyond).scalars())
    if ended:
        end_grants(connection, grants.c.id.in_(ended), now, "displaced")
    return ended


def _read(row: RowMapping, now: datetime) -> Grant:
    return Grant(**row, is_live=row["revoked"] is None and row["expires"] > now)
