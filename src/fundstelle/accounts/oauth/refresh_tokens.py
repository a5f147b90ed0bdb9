"""Refresh tokens: rotated on each use; an old one that comes back ends the grant (RFC 9700 §4.14).

Clients race with themselves and lose answers. So a token is good once more for ``GRACE`` after its
first use, and yields a sibling of the newest. Siblings are branches of one line, of which one may
live on: when one has been used, the use of another ends the grant, save within the grace of the
token that both came from. Whoever copied a token is therefore noticed, in whatever branch.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from fundstelle.accounts.database.locks import change_all, clear
from fundstelle.accounts.database.schema_oauth import grants, refresh_tokens
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.accounts.secrets import create_secret, hash_secret

LIFE = timedelta(days=60)  # sliding, under the grant's ceiling
GRACE = timedelta(seconds=30)
MOST_SIBLINGS = 20
# Uses of a grant that are remembered: an older token is refused without ending anything.
MOST_REMEMBERED = 10_000
_CLEAN_EVERY = 100


_A_MINUTE = 120  # an access token lasts a quarter of an hour
_AT_ONCE = 240


class Refusal(Enum):
    """Why a refresh token is not taken."""

    UNKNOWN = "unknown"  # or expired, or of a grant that has ended
    FOREIGN = "foreign"  # it is another client's
    REUSED = "reused"  # the grant is ended by that
    CROWDED = "crowded"  # its person has had too many of late


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The token that follows, whose it is, and the address that its grant was given for."""

    token: str = field(repr=False)
    grant_id: str
    user_id: str
    scope: str
    resource: str | None


class RefreshTokens:
    """The refresh tokens of this server, stored as hashes."""

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._rate = TokenBuckets(_A_MINUTE, _AT_ONCE)  # by person, of this process

    def create(self, grant_id: str) -> str:
        """The first token of a grant."""
        now = self._now()
        with self._store.write() as connection:
            ceiling = connection.execute(
                select(grants.c.expires).where(grants.c.id == grant_id)
            ).scalar_one()
            ends = min(now + LIFE, ceiling)
            return _insert(connection, grant_id, 0, created=now, expires=ends)

    def rotate(self, token: str, client_id: str) -> Refreshed | tuple[Refusal, str]:
        """The token that follows; or why there is none, and the grant's id if it is known."""
        now = self._now()
        digest = hash_secret(token)
        with self._store.write() as connection:
            grant = _lock_grant(connection, digest)
            row = _find(connection, digest)
            if grant is None or row is None:
                return Refusal.UNKNOWN, ""
            grant_id: str = grant["id"]
            if grant["client_id"] != client_id:
                return Refusal.FOREIGN, grant_id
            is_over = min(grant["expires"], row["expires"]) <= now
            if is_over or grant["revoked"] or grant["disabled"]:
                return Refusal.UNKNOWN, grant_id
            if _is_reused(connection, grant_id, row, now):
                _end_grant(connection, grant_id, now)
                return Refusal.REUSED, grant_id
            generation = row["generation"] + 1
            is_full = _count(connection, grant_id, generation) >= MOST_SIBLINGS
            if is_full or self._rate.take(grant["user_id"]) is not None:
                return (Refusal.UNKNOWN if is_full else Refusal.CROWDED), grant_id
            _mark_used(connection, digest, now)
            ends = min(now + LIFE, grant["expires"])
            new = _insert(
                connection, grant_id, generation, previous=digest, created=now, expires=ends
            )
            connection.execute(
                update(grants)
                .where(grants.c.id == grant_id)
                .values(last_used=now.replace(microsecond=0))
            )
        return Refreshed(new, grant_id, grant["user_id"], grant["scope"], grant["resource"])

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
        with self._store.write(may_be_lost=True) as connection:
            clear(connection, refresh_tokens, refresh_tokens.c.expires < self._now())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _lock_grant(connection: Connection, digest: bytes) -> RowMapping | None:
    """The grant of a token, locked, so that all uses of its tokens are judged one after another.

    What decides them is read afterwards: a statement sees what was written before it began.
    """
    query = (
        select(
            grants.c.id,
            grants.c.client_id,
            grants.c.user_id,
            grants.c.scope,
            grants.c.resource,
            grants.c.revoked,
            grants.c.expires,
            users.c.disabled,
        )
        .join(refresh_tokens, refresh_tokens.c.grant_id == grants.c.id)
        .join(users, users.c.id == grants.c.user_id)
        .where(refresh_tokens.c.digest == digest)
        .with_for_update(of=grants)
    )
    return connection.execute(query).mappings().first()


def _find(connection: Connection, digest: bytes) -> RowMapping | None:
    query = select(
        refresh_tokens.c.generation, refresh_tokens.c.expires, refresh_tokens.c.used
    ).where(refresh_tokens.c.digest == digest)
    return connection.execute(query).mappings().first()


def _is_reused(connection: Connection, grant_id: str, row: RowMapping, now: datetime) -> bool:
    """Whether two hold this grant: an old token, or one of a branch that was left, comes back."""
    generation: int = row["generation"]
    query = (
        select(refresh_tokens.c.generation, func.min(refresh_tokens.c.used).label("first"))
        .where(
            refresh_tokens.c.grant_id == grant_id,
            refresh_tokens.c.generation.between(generation - 1, generation + 1),
            refresh_tokens.c.used.is_not(None),
        )
        .group_by(refresh_tokens.c.generation)
    )
    first = {one.generation: one.first for one in connection.execute(query)}
    if generation + 1 in first:
        return True  # the line has gone on
    if row["used"] is not None:
        return bool(now - row["used"] > GRACE)
    if generation not in first:
        return False
    parent = first.get(generation - 1)
    return parent is None or bool(now - parent > GRACE)


def _count(connection: Connection, grant_id: str, generation: int) -> int:
    query = select(func.count()).where(
        refresh_tokens.c.grant_id == grant_id, refresh_tokens.c.generation == generation
    )
    count: int = connection.execute(query).scalar_one()
    return count


def _mark_used(connection: Connection, digest: bytes, now: datetime) -> None:
    """The first use counts: the grace is not prolonged by using it."""
    connection.execute(
        update(refresh_tokens)
        .where(refresh_tokens.c.digest == digest, refresh_tokens.c.used.is_(None))
        .values(used=now)
    )


def _end_grant(connection: Connection, grant_id: str, now: datetime) -> None:
    which = (grants.c.id == grant_id, grants.c.revoked.is_(None))
    change_all(connection, grants, *which, revoked=now, reason="refresh_reuse")


def _insert(connection: Connection, grant_id: str, generation: int, **values: object) -> str:
    token = create_secret()
    connection.execute(
        insert(refresh_tokens).values(
            digest=hash_secret(token), grant_id=grant_id, generation=generation, **values
        )
    )
    if generation % _CLEAN_EVERY == 0:
        clear(
            connection,
            refresh_tokens,
            refresh_tokens.c.grant_id == grant_id,
            refresh_tokens.c.generation < generation - MOST_REMEMBERED,
        )
    return token
