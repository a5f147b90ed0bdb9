"""Refresh tokens: rotated on each use; an old one that comes back ends the grant (RFC 9700 §4.14).

Clients race with themselves and lose answers. So the token before the newest one is good for
another ``GRACE``, and yields a sibling of the newest.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from fundstelle.accounts.schema_oauth import grants, refresh_tokens
from fundstelle.accounts.schema_people import users
from fundstelle.accounts.secrets import create_secret, hash_secret
from fundstelle.accounts.store import AccountsStore

LIFE = timedelta(days=60)  # sliding, under the grant's ceiling
GRACE = timedelta(seconds=30)


class Refusal(Enum):
    """Why a refresh token is not taken."""

    UNKNOWN = "unknown"  # or expired, or of a grant that has ended
    FOREIGN = "foreign"  # it is another client's
    REUSED = "reused"  # the grant is ended by that


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The token that follows, and whose it is."""

    token: str = field(repr=False)
    grant_id: str
    user_id: str
    scope: str


class RefreshTokens:
    """The refresh tokens of this server, stored as hashes."""

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def create(self, grant_id: str) -> str:
        """The first token of a grant."""
        now = self._now()
        with self._store.write() as connection:
            ceiling = connection.execute(
                select(grants.c.expires).where(grants.c.id == grant_id)
            ).scalar_one()
            return _insert(connection, grant_id, None, now, ceiling)

    def rotate(self, token: str, client_id: str) -> Refreshed | tuple[Refusal, str]:
        """The token that follows; or why there is none, and the grant's id if it is known."""
        now = self._now()
        digest = hash_secret(token)
        with self._store.write() as connection:
            row = _find(connection, digest)
            if row is None:
                return Refusal.UNKNOWN, ""
            grant_id: str = row["grant_id"]
            if row["client_id"] != client_id:
                return Refusal.FOREIGN, grant_id
            if row["revoked"] or row["disabled"] or min(row["ceiling"], row["expires"]) <= now:
                return Refusal.UNKNOWN, grant_id
            if row["used"] is None:
                _mark_used(connection, digest, now)
            elif now - row["used"] > GRACE or _has_used_child(connection, digest):
                _end_grant(connection, grant_id, now)
                return Refusal.REUSED, grant_id
            new = _insert(connection, grant_id, digest, now, row["ceiling"])
            connection.execute(
                update(grants)
                .where(grants.c.id == grant_id)
                .values(last_used=now.replace(microsecond=0))
            )
        return Refreshed(new, grant_id, row["user_id"], row["scope"])

    def find_grant(self, token: str) -> tuple[str, str] | None:
        """The ids of the grant and of the client that a token is for."""
        query = (
            select(refresh_tokens.c.grant_id, grants.c.client_id)
            .join(grants)
            .where(refresh_tokens.c.digest == hash_secret(token))
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row[0], row[1])

    def sweep(self) -> None:
        """Forget tokens that are past their life."""
        with self._store.write() as connection:
            connection.execute(delete(refresh_tokens).where(refresh_tokens.c.expires < self._now()))

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _find(connection: Connection, digest: bytes) -> RowMapping | None:
    # The row is locked, so that two uses of one token are judged one after the other.
    query = (
        select(
            refresh_tokens.c.grant_id,
            refresh_tokens.c.expires,
            refresh_tokens.c.used,
            grants.c.client_id,
            grants.c.user_id,
            grants.c.scope,
            grants.c.revoked,
            grants.c.expires.label("ceiling"),
            users.c.disabled,
        )
        .join(grants, grants.c.id == refresh_tokens.c.grant_id)
        .join(users, users.c.id == grants.c.user_id)
        .where(refresh_tokens.c.digest == digest)
        .with_for_update(of=refresh_tokens)
    )
    return connection.execute(query).mappings().first()


def _mark_used(connection: Connection, digest: bytes, now: datetime) -> None:
    connection.execute(
        update(refresh_tokens).where(refresh_tokens.c.digest == digest).values(used=now)
    )


def _has_used_child(connection: Connection, digest: bytes) -> bool:
    """Whether the chain has gone on: then this token is older than the one before the newest."""
    query = select(refresh_tokens.c.digest).where(
        refresh_tokens.c.previous == digest, refresh_tokens.c.used.is_not(None)
    )
    return connection.execute(query.limit(1)).first() is not None


def _end_grant(connection: Connection, grant_id: str, now: datetime) -> None:
    connection.execute(
        update(grants)
        .where(grants.c.id == grant_id, grants.c.revoked.is_(None))
        .values(revoked=now, reason="refresh_reuse")
    )


def _insert(
    connection: Connection,
    grant_id: str,
    previous: bytes | None,
    now: datetime,
    ceiling: datetime,
) -> str:
    token = create_secret()
    connection.execute(
        insert(refresh_tokens).values(
            digest=hash_secret(token),
            grant_id=grant_id,
            previous=previous,
            created=now,
            expires=min(now + LIFE, ceiling),
        )
    )
    return token
