"""Assertions of clients that were taken: each is good once, on every process (RFC 7523 §3)."""

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts.database.locks import clear
from fundstelle.accounts.database.schema_oauth import used_assertions
from fundstelle.accounts.database.store import AccountsStore

MOST_OF_A_CLIENT = 1_000  # that have not expired


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
        """Use one up; ``False`` if it was used before, or the client has used too many.

        Args:
            client_id: who signed it.
            name: the assertion's ``jti``.
            expires: seconds since the epoch, after which it is refused anyway.
        """
        client = _digest(client_id)
        is_own = used_assertions.c.client == client
        row = {
            "digest": _digest(f"{client_id}\0{name}"),
            "client": client,
            "expires": datetime.fromtimestamp(expires, UTC),
        }
        with self._store.write() as connection:
            count = select(func.count()).select_from(used_assertions).where(is_own)
            if connection.execute(count).scalar_one() >= MOST_OF_A_CLIENT:
                is_over = used_assertions.c.expires < self._now()
                clear(connection, used_assertions, is_own, is_over)
                if connection.execute(count).scalar_one() >= MOST_OF_A_CLIENT:
                    return False
            try:
                with connection.begin_nested():
                    connection.execute(insert(used_assertions).values(row))
            except IntegrityError:
                return False
        return True

    def sweep(self) -> None:
        """Forget those that have expired."""
        with self._store.write() as connection:
            clear(connection, used_assertions, used_assertions.c.expires < self._now())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
