"""What an admin may change while the server runs: how long keys live, who may join."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import Connection, delete, insert, select

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

    @property
    def mark(self) -> str:
        """What a form keeps of the rules that it was made of, to tell whether they still hold."""
        return " ".join(f"{name}={int(value)}" for name, value in asdict(self).items())


class RulesChanged(Exception):
    """The rules are no longer those that a form was made of: it would undo what changed them."""


def list_changes(
    before: Mapping[str, object], after: Mapping[str, object]
) -> dict[str, dict[str, object]]:
    """What the audit log keeps of rules that were changed: each by its name, before and after."""
    return {
        name: {"before": before[name], "after": value}
        for name, value in after.items()
        if before[name] != value
    }


class Policies:
    """The rules, kept in the database; what was never changed is as a new server has it."""

    def __init__(self, store: AccountsStore) -> None:
        self._store = store

    def read(self) -> Policy:
        """The rules as they are now."""
        with self._store.read() as connection:
            return _read(connection)

    def write(self, policy: Policy, mark: str | None = None) -> Mapping[str, object]:
        """Change the rules; keys that exist keep their expiry.

        Args:
            policy: the new rules, all of them.
            mark: of the rules that they were made of; ``None`` = whatever those are.

        Returns:
            Of the rules that are others now, by name: what ``list_changes`` says.

        Raises:
            RulesChanged: they are not those any more, and nothing is changed.
        """
        with self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            held = _read(connection)
            if mark not in {None, held.mark}:
                raise RulesChanged
            before, after = asdict(held), asdict(policy)
            _write(connection, after)
        return list_changes(before, after)

    def is_put_away(self) -> bool:
        """Whether an admin has put the list of first steps away."""
        with self._store.read() as connection:
            query = select(policies.c.name).where(policies.c.name == _FIRST_STEPS)
            return connection.execute(query).first() is not None

    def put_away(self) -> None:
        """Put the list of first steps away, for all admins."""
        with self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            _write(connection, {_FIRST_STEPS: "away"})


def _read(connection: Connection) -> Policy:
    known = [field.name for field in fields(Policy)]
    query = select(policies.c.name, policies.c.value).where(policies.c.name.in_(known))
    values: dict[str, Any] = {row.name: row.value for row in connection.execute(query)}
    return Policy(**values)


def _write(connection: Connection, values: Mapping[str, object]) -> None:
    rows = [{"name": name, "value": value, "is_secret": False} for name, value in values.items()]
    connection.execute(delete(policies).where(policies.c.name.in_(values)))
    connection.execute(insert(policies), rows)
