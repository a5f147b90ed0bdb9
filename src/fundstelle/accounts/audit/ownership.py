"""Whose keys and grants the ids in the log are: it says so still when their rows are swept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from fundstelle.accounts.audit.events import SYSTEM
from fundstelle.accounts.audit.rows import is_numbered, read_page
from fundstelle.accounts.database.schema_records import audit
from fundstelle.accounts.database.store import AccountsStore

MOST_OWNED = 10_000  # lines of one search; the newest

_KEY_CREATED, _KEY_ROTATED, _CONSENT_GIVEN = "key_created", "key_rotated", "consent_given"
_KEY_TAKEN_OVER = "key_taken_over"
_TOLD = (_KEY_CREATED, _KEY_ROTATED, _CONSENT_GIVEN, _KEY_TAKEN_OVER)


@dataclass(frozen=True, slots=True)
class Owned:
    """Who has made a key, or given a grant; ``client`` is the grant's, "" of a key.

    ``since``: number of the line from which on it is theirs; ``until``: before which, ``None`` =
    it still is.
    """

    owner: str
    client: str
    since: int = 0
    until: int | None = None

    def covers(self, number: int) -> bool:
        """Whether it was theirs when this line was written."""
        return self.since <= number and (self.until is None or number < self.until)


def find_owned(store: AccountsStore, owner: str | None = None) -> Mapping[str, Sequence[Owned]]:
    """Keys and grants by their ids, as the lines tell of their beginning, and of new owners.

    Args:
        store: the accounts database.
        owner: whose; ``None`` = everybody's.

    Raises:
        AccountsError: the database cannot be used.
    """
    query = select(audit).where(audit.c.event.in_(_TOLD), audit.c.number >= 0)
    if owner is not None:  # what was taken over from them tells of its end
        query = query.where((audit.c.actor == owner) | (audit.c.event == _KEY_TAKEN_OVER))
    newest = query.order_by(audit.c.number.desc()).limit(MOST_OWNED)
    with store.read() as connection:
        lines = read_page(connection, newest.where(is_numbered(connection)))
    owned: dict[str, list[Owned]] = {}
    for line in reversed(lines):
        if line.event == _CONSENT_GIVEN:
            owned[line.object] = [Owned(line.actor, str(line.details.get("client", "")))]
        elif line.event == _KEY_CREATED:
            owned[line.object] = [Owned(line.actor, "")]
        elif line.event == _KEY_ROTATED:  # both are whose who has replaced the one by the other
            held = owned.get(line.object)
            if held is None or held[-1].owner == SYSTEM:  # made at the command line, for them
                owned[line.object] = [Owned(line.actor, "")]
            owned[str(line.details.get("replaced_by", ""))] = [Owned(line.actor, "")]
        elif line.event == _KEY_TAKEN_OVER:
            before = owned.get(line.object) or [Owned(str(line.details.get("owner", "")), "")]
            ended = replace(before[-1], until=line.number)
            owned[line.object] = [*before[:-1], ended, Owned(line.actor, "", line.number)]
    owned.pop("", None)
    if owner is None:
        return owned
    theirs = {id_: [one for one in held if one.owner == owner] for id_, held in owned.items()}
    return {id_: held for id_, held in theirs.items() if held}
