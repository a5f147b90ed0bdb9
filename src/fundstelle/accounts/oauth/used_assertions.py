"""Assertions of clients that were taken: each is good once, on every process (RFC 7523 §3)."""

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts.database.locks import clear
from fundstelle.accounts.database.schema_oauth import grants, used_assertions
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.errors import Busy

MOST_OF_A_CLIENT = 1_000  # that have not expired
MOST_OF_A_GRANT = 100  # beside these: one client may be everybody's assistant
_RETRY_AFTER_S = 60


class UsedAssertions:
    """The names (``jti``) of assertions until they expire, stored as hashes.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def use(self, client_id: str, name: str, expires: float) -> bool:
        """Use one up; ``False`` if it was used before.

        Args:
            client_id: who signed it.
            name: the assertion's ``jti``.
            expires: seconds since the epoch, after which it is refused anyway.

        Raises:
            Busy: the client has used too many of late.
        """
        client = _digest(client_id)
        is_own = used_assertions.c.client == client
        row = {
            "digest": _digest(f"{client_id}\0{name}"),
            "client": client,
            "expires": datetime.fromtimestamp(expires, UTC),
        }
        with self._store.write() as connection:
            has_room = self._make_room(connection, client_id, is_own)
            if has_room:
                try:
                    with connection.begin_nested():
                        connection.execute(insert(used_assertions).values(row))
                except IntegrityError:
                    return False
        if not has_room:
            raise Busy("the client has shown who it is too often of late", _RETRY_AFTER_S)
        return True

    def _make_room(
        self, connection: Connection, client_id: str, is_own: ColumnElement[bool]
    ) -> bool:
        """Whether there is room for one more of a client, once those that expired have gone."""
        count = select(func.count()).select_from(used_assertions).where(is_own)
        held = connection.execute(count).scalar_one()
        if held < MOST_OF_A_CLIENT:
            return True
        now = self._now()
        allowed = select(func.count()).where(
            grants.c.client_id == client_id, grants.c.revoked.is_(None), grants.c.expires > now
        )
        most = MOST_OF_A_CLIENT + MOST_OF_A_GRANT * int(connection.execute(allowed).scalar_one())
        if held >= most:
            clear(connection, used_assertions, is_own, used_assertions.c.expires < now)
            held = connection.execute(count).scalar_one()
        return bool(held < most)

    def sweep(self) -> None:
        """Forget those that have expired."""
        with self._store.write(may_be_lost=True) as connection:
            clear(connection, used_assertions, used_assertions.c.expires < self._now())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
