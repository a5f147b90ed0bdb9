"""Invitations that wait: who was asked in, by whom, until when."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from fundstelle.accounts.database.locks import Turn, take_turn
from fundstelle.accounts.database.schema_people import links, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.records import INVITATION, check_email, drop_links


@dataclass(frozen=True, slots=True)
class Invitation:
    """One that nobody has accepted yet; the link itself is known to nobody but its receiver."""

    email: str
    role: str
    created: datetime
    expires: datetime
    made_by: str | None  # name of the admin who invited; ``None`` = the command line

    def has_expired(self, now: datetime) -> bool:
        """Whether the link no longer works; a new one can be made."""
        return self.expires <= now


class Invitations:
    """The invitations of one server; ``People`` makes and accepts them.

    Args:
        store: the accounts database.
    """

    def __init__(self, store: AccountsStore) -> None:
        self._store = store

    def list(self) -> tuple[Invitation, ...]:
        """Those not accepted, newest first, one to an address; expired ones are among them."""
        query = (
            select(links, users.c.name)
            .outerjoin(users, users.c.id == links.c.made_by)
            .where(links.c.purpose == INVITATION, links.c.used.is_(None))
            .order_by(links.c.created.desc(), links.c.digest)
        )
        with self._store.read() as connection:
            rows = connection.execute(query).mappings().all()
            taken = set(connection.execute(select(users.c.email)).scalars())
        found: dict[str, Invitation] = {}
        for row in rows:
            if row["email"] not in taken:
                invitation = Invitation(
                    *(row["email"], row["role"], row["created"], row["expires"], row["name"])
                )
                found.setdefault(invitation.email, invitation)
        return tuple(found.values())

    def withdraw(self, email: str) -> bool:
        """Make the link of an address worthless; whether there was one that nobody had accepted.

        Raises:
            InvalidArgument: that is no address.
        """
        email = check_email(email)
        with self._store.write() as connection:
            take_turn(connection, Turn.LINKS)
            return drop_links(connection, INVITATION, email=email, used=None) > 0
