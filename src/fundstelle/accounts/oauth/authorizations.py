"""What clients ask people for, and the codes that carry a yes back to them (RFC 6749 §4.1)."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Update, func, insert, or_, select, update

from fundstelle.accounts.database.locks import clear
from fundstelle.accounts.database.schema_oauth import HOST_CHARS, authorizations, codes, grants
from fundstelle.accounts.database.schema_people import NAME_CHARS, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.format import random_text
from fundstelle.accounts.oauth.grants import displace_oldest
from fundstelle.accounts.secrets import create_secret, hash_secret

PENDING_FOR = timedelta(minutes=15)  # to sign in and decide
CODE_LIFE = timedelta(seconds=60)
GRANT_LIFE = timedelta(days=365)
MOST_PENDING = 20_000  # beyond them the oldest give way: nobody is refused for the sake of others
_CLEAN_EVERY = 100
_KEPT_FOR = timedelta(days=1)  # a code that comes back later is still known as used

_ASKED = ("client_id", "redirect_uri", "state", "challenge", "scope", "resource")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a client asked for, checked. ``challenge`` is PKCE's, by S256."""

    client_id: str
    redirect_uri: str
    state: str | None
    challenge: str
    scope: str
    resource: str


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code as it is stored; ``used`` = it has been redeemed."""

    grant_id: str
    client_id: str
    user_id: str
    redirect_uri: str
    challenge: str
    resource: str
    scope: str
    expires: datetime
    used: datetime | None


class Authorizations:
    """Requests that wait for a person, and codes that wait for a client."""

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        most_pending: int = MOST_PENDING,
    ) -> None:
        self._store = store
        self._clock = clock
        self._most_pending = most_pending
        self._begun = 0

    def begin(self, asked: Asked) -> str:
        """Keep a request; the secret by which the browser names it."""
        secret = create_secret()
        now = self._now()
        with self._store.write(may_be_lost=True) as connection:
            connection.execute(
                insert(authorizations).values(
                    digest=hash_secret(secret),
                    created=now,
                    expires=now + PENDING_FOR,
                    **{name: getattr(asked, name) for name in _ASKED},
                )
            )
            self._begun += 1
            if self._begun % _CLEAN_EVERY == 0:
                _make_room(connection, now, self._most_pending)
        return secret

    def find(self, secret: str) -> Asked | None:
        """A request that nobody has decided, and that still may be."""
        query = select(*(authorizations.c[name] for name in _ASKED)).where(
            authorizations.c.digest == hash_secret(secret),
            authorizations.c.decided.is_(None),
            authorizations.c.expires > self._now(),
        )
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else Asked(**row)

    def deny(self, secret: str) -> bool:
        """Decide against a request; ``False`` if it has been decided, or is too old."""
        with self._store.write() as connection:
            return connection.execute(_decide(secret, self._now())).rowcount == 1

    def allow(
        self, secret: str, asked: Asked, user_id: str, client_name: str, host: str
    ) -> tuple[str, str, tuple[str, ...]] | None:
        """Decide for a request: the code, the grant's id, and those of grants that it displaces.

        The grant lives as long as its code until the code is redeemed.

        Returns:
            ``None`` if it has been decided, or is too old, or the person is disabled by now.
        """
        now = self._now()
        code, grant_id = create_secret(), f"grant_{random_text(24)}"
        with self._store.write() as connection:
            # Who disables the person waits until there is a grant to end, or has done so before.
            person = select(users.c.id).where(users.c.id == user_id, users.c.disabled.is_(None))
            if connection.execute(person.with_for_update(read=True)).first() is None:
                return None
            if connection.execute(_decide(secret, now)).rowcount != 1:
                return None
            displaced = displace_oldest(connection, user_id, now)
            connection.execute(
                insert(grants).values(
                    id=grant_id,
                    user_id=user_id,
                    client_id=asked.client_id,
                    client_name=client_name[:NAME_CHARS],
                    host=host[:HOST_CHARS],
                    scope=asked.scope,
                    created=now,
                    expires=now + CODE_LIFE,
                    resource=asked.resource,
                )
            )
            connection.execute(
                insert(codes).values(
                    digest=hash_secret(code),
                    grant_id=grant_id,
                    client_id=asked.client_id,
                    redirect_uri=asked.redirect_uri,
                    challenge=asked.challenge,
                    resource=asked.resource,
                    created=now,
                    expires=now + CODE_LIFE,
                )
            )
        return code, grant_id, displaced

    def find_code(self, code: str) -> Code | None:
        """A code of a grant and a person that are not ended, redeemed or not."""
        query = (
            select(
                *(codes.c[name] for name in ("grant_id", "client_id", "redirect_uri")),
                *(codes.c[name] for name in ("challenge", "resource", "expires", "used")),
                grants.c.user_id,
                grants.c.scope,
            )
            .join(grants, grants.c.id == codes.c.grant_id)
            .join(users, users.c.id == grants.c.user_id)
            .where(
                codes.c.digest == hash_secret(code),
                grants.c.revoked.is_(None),
                users.c.disabled.is_(None),
            )
        )
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else Code(**row)

    def redeem(self, code: str, grant_id: str) -> bool:
        """Use a code up and give its grant its full life; ``False`` if somebody was faster."""
        now = self._now()
        with self._store.write() as connection:
            taken = connection.execute(
                update(codes)
                .where(
                    codes.c.digest == hash_secret(code),
                    codes.c.used.is_(None),
                    codes.c.expires > now,
                )
                .values(used=now)
            ).rowcount
            if taken:
                connection.execute(
                    update(grants)
                    .where(grants.c.id == grant_id)
                    .values(expires=now + GRANT_LIFE, last_used=now.replace(microsecond=0))
                )
        return taken == 1

    def sweep(self) -> None:
        """Forget requests and codes that ended."""
        now = self._now()
        with self._store.write(may_be_lost=True) as connection:
            is_over = or_(authorizations.c.expires < now, authorizations.c.decided.is_not(None))
            clear(connection, authorizations, is_over)
            clear(connection, codes, codes.c.expires < now - _KEPT_FOR)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _make_room(connection: Connection, now: datetime, most: int) -> None:
    clear(connection, authorizations, authorizations.c.expires < now)
    rows = connection.execute(select(func.count()).select_from(authorizations)).scalar_one()
    if rows > most:
        clear(connection, authorizations, oldest=[authorizations.c.created], most=rows - most)


def _decide(secret: str, now: datetime) -> Update:
    return (
        update(authorizations)
        .where(
            authorizations.c.digest == hash_secret(secret),
            authorizations.c.decided.is_(None),
            authorizations.c.expires > now,
        )
        .values(decided=now)
    )
