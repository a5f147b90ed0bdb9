"""What an admin may change while the server runs: how long keys live, who may join."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import delete, insert, select

from fundstelle.accounts.database.locks import Turn, take_turn
from fundstelle.accounts.database.schema_people import policies
from fundstelle.accounts.database.store import AccountsStore

_FIRST_STEPS = "first_steps"

KEY_DAYS = (30, 90, 180, 365)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of this server.

    ``key_days`` is the longest life of a key; 0 = keys need not expire. ``second_factor``: in the
    portal everybody shows one, or has come by the identity provider; keys and apps go on.
    """

    key_days: int = 0
    open_sign_up: bool = False
    public_pages: bool = True
    second_factor: bool = False


class Policies:
    """The rules, kept in the database; what was never changed is as a new server has it."""

    def __init__(self, store: AccountsStore) -> None:
        self._store = store

    def read(self) -> Policy:
        """The rules as they are now."""
        known = [field.name for field in fields(Policy)]
        query = select(policies.c.name, policies.c.value).where(policies.c.name.in_(known))
        with self._store.read() as connection:
            values: dict[str, Any] = {row.name: row.value for row in connection.execute(query)}
        return Policy(**values)

    def write(self, policy: Policy) -> None:
        """Change the rules; keys that exist keep their expiry."""
        self._write(asdict(policy))

    def is_put_away(self) -> bool:
        """Whether an admin has put the list of first steps away."""
        with self._store.read() as connection:
            query = select(policies.c.name).where(policies.c.name == _FIRST_STEPS)
            return connection.execute(query).first() is not None

    def put_away(self) -> None:
        """Put the list of first steps away, for all admins."""
        self._write({_FIRST_STEPS: "away"})

    def _write(self, values: Mapping[str, object]) -> None:
        rows = [
            {"name": name, "value": value, "is_secret": False} for name, value in values.items()
        ]
        with self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            connection.execute(delete(policies).where(policies.c.name.in_(values)))
            connection.execute(insert(policies), rows)
