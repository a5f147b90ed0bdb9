"""Grants: what a person has allowed a client. Ending one ends its tokens with the next request."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, RowMapping, delete, or_, select, update

from fundstelle.accounts.key_cache import Principal
from fundstelle.accounts.schema_oauth import grants
from fundstelle.accounts.schema_people import users
from fundstelle.accounts.store import AccountsStore

KEPT_FOR = timedelta(days=90)  # after its end, for those who look back


@dataclass(frozen=True, slots=True)
class Grant:
    """One client's access in one person's name.

    ``reason`` says why it was revoked: person, admin, client, code_reuse, refresh_reuse.
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
    is_live: bool


class Grants:
    """The grants of this server."""

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def list(self, user_id: str | None = None) -> tuple[Grant, ...]:
        """All grants, or a person's, the newest first, ended ones included."""
        query = select(grants).order_by(grants.c.created.desc(), grants.c.id)
        if user_id is not None:
            query = query.where(grants.c.user_id == user_id)
        now = self._now()
        with self._store.read() as connection:
            return tuple(_read(row, now) for row in connection.execute(query).mappings())

    def find(self, grant_id: str) -> Grant | None:
        """The grant of this id, ended or not."""
        with self._store.read() as connection:
            query = select(grants).where(grants.c.id == grant_id)
            row = connection.execute(query).mappings().first()
        return None if row is None else _read(row, self._now())

    def find_principal(self, grant_id: str) -> Principal | None:
        """Whom a live grant stands for; ``None`` once it or its person is no longer welcome."""
        query = (
            select(
                grants.c.client_name,
                grants.c.user_id,
                users.c.rate_per_minute,
                users.c.calls_per_month,
            )
            .join(users, users.c.id == grants.c.user_id)
            .where(
                grants.c.id == grant_id,
                grants.c.revoked.is_(None),
                grants.c.expires > self._now(),
                users.c.disabled.is_(None),
            )
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        name, seat, rate, calls = row
        return Principal(grant_id, name, rate, seat, calls)

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
        with self._store.write() as connection:
            for grant_id, used in uses.items():
                moment = datetime.fromtimestamp(used, UTC).replace(microsecond=0)
                is_older = or_(grants.c.last_used.is_(None), grants.c.last_used < moment)
                connection.execute(
                    update(grants).where(grants.c.id == grant_id, is_older).values(last_used=moment)
                )

    def sweep(self) -> int:
        """Delete grants that ended long ago, with their codes and tokens; how many there were."""
        ended = self._now() - KEPT_FOR
        with self._store.write() as connection:
            return connection.execute(
                delete(grants).where(or_(grants.c.revoked < ended, grants.c.expires < ended))
            ).rowcount

    def _revoke(self, which: ColumnElement[bool], reason: str) -> int:
        with self._store.write() as connection:
            return connection.execute(
                update(grants)
                .where(which, grants.c.revoked.is_(None))
                .values(revoked=self._now(), reason=reason)
            ).rowcount

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _read(row: RowMapping, now: datetime) -> Grant:
    return Grant(**row, is_live=row["revoked"] is None and row["expires"] > now)
