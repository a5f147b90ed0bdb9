"""The token by which the firm's directory makes, changes and ends accounts (SCIM)."""

import hmac
import math
import time
from collections.abc import Callable

from sqlalchemy import insert, select

from fundstelle.accounts.database.locks import Turn, delete_all, take_turn
from fundstelle.accounts.database.schema_people import policies
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.records import Within
from fundstelle.accounts.secrets import create_secret, hash_secret

_NAME = "scim_token"
_PREFIX = "fs-scim-"  # so that scanners for secrets can find one
_SEEN_S = 2.0


class ProvisioningToken:
    """One token for one server, stored as SHA-256; a new one ends the one before.

    Args:
        store: the accounts database.
        clock: monotonic, in seconds.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._seen: tuple[float, str | None] = (-math.inf, None)  # when it was read, and its hash

    def exists(self) -> bool:
        """Whether there is one."""
        return self._read() is not None

    def matches(self, presented: str) -> bool:
        """Whether it is the token, compared in constant time."""
        return _is_of(presented, self._read())

    def has_differed(self, presented: str) -> bool:
        """Whether it was not the token when that was last read, a moment ago; nothing is asked."""
        read, held = self._seen
        return self._clock() - read < _SEEN_S and not _is_of(presented, held)

    def create(self, within: Within | None = None) -> str:
        """A new token, which exists nowhere else.

        Args:
            within: the transaction that records it; ``None`` = one of its own.
        """
        token = _PREFIX + create_secret()
        row = {"name": _NAME, "value": hash_secret(token).hex(), "is_secret": True}
        with within or self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            delete_all(connection, policies, policies.c.name == _NAME)
            connection.execute(insert(policies).values(row))
        return token

    def end(self, within: Within | None = None) -> None:
        """Refuse the directory from now on; accounts stay as they are."""
        with within or self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            delete_all(connection, policies, policies.c.name == _NAME)

    def _read(self) -> str | None:
        query = select(policies.c.value).where(policies.c.name == _NAME)
        with self._store.read() as connection:
            held: str | None = connection.execute(query).scalar_one_or_none()
        self._seen = (self._clock(), held)
        return held


def _is_of(presented: str, held: str | None) -> bool:
    return held is not None and hmac.compare_digest(hash_secret(presented).hex(), held)
