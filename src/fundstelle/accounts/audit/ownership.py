"""Whose keys and grants the ids in the log are: it says so still when their rows are swept."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from fundstelle.accounts.audit.rows import is_numbered, read_page
from fundstelle.accounts.database.schema_records import audit
from fundstelle.accounts.database.store import AccountsStore

MOST_OWNED = 10_000  # lines of one search; the newest

_KEY_CREATED, _KEY_ROTATED, _CONSENT_GIVEN = "key_created", "key_rotated", "consent_given"
_BEGINNINGS = (_KEY_CREATED, _KEY_ROTATED, _CONSENT_GIVEN)


@dataclass(frozen=True, slots=True)
class Owned:
    """Who has made a key, or given a grant; ``client`` is the grant's, "" of a key."""

    owner: str
    client: str


def find_owned(store: AccountsStore, owner: str | None = None) -> Mapping[str, Owned]:
    """Keys and grants by their ids, as the lines tell of their beginning.

    Args:
        store: the accounts database.
        owner: the actor whose; ``None`` = everybody's.

    Raises:
        AccountsError: the database cannot be used.
    """
    query = select(audit).where(audit.c.event.in_(_BEGINNINGS), audit.c.number >= 0)
    if owner is not None:
        query = query.where(audit.c.actor == owner)
    newest = query.order_by(audit.c.number.desc()).limit(MOST_OWNED)
    with store.read() as connection:
        lines = read_page(connection, newest.where(is_numbered(connection)))
    owned: dict[str, Owned] = {}
    for line in lines:
        if line.event == _CONSENT_GIVEN:
            owned[line.object] = Owned(line.actor, str(line.details.get("client", "")))
        elif line.event == _KEY_CREATED:
            owned[line.object] = Owned(line.actor, "")
        elif line.event == _KEY_ROTATED:  # both are whose who has replaced the one by the other
            owned[line.object] = Owned(line.actor, "")
            owned[str(line.details.get("replaced_by", ""))] = Owned(line.actor, "")
    owned.pop("", None)
    return owned
