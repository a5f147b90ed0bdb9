"""The list of people: finding them, and changing what is known of them."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, and_, or_, select, update

from fundstelle.accounts.database.locks import change_all, delete_all, lock
from fundstelle.accounts.database.schema import api_keys
from fundstelle.accounts.database.schema_oauth import grants
from fundstelle.accounts.database.schema_people import sessions, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.rows import change_keys, leave_keys, next_revision
from fundstelle.accounts.oauth.grants import end_grants
from fundstelle.accounts.people.records import (
    INVITATION,
    LANGUAGES,
    PASSWORD,
    User,
    add_user,
    change_mark,
    check_email,
    check_name,
    check_role,
    drop_links,
    drop_links_by,
    find_address,
    find_user,
    has_admin,
    lock_maker,
    read_user,
)
from fundstelle.accounts.people.sessions import PENDING
from fundstelle.errors import InvalidArgument


class Roster:
    """The people of one server, as far as it takes neither password nor link.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def find(self, user_id: str) -> User | None:
        """The person with this id."""
        return self._find_by(id=user_id)

    def find_by_email(self, email: str) -> User | None:
        """The person with this address, however it is capitalised."""
        with self._store.read() as connection:
            row = find_address(connection, email)
        return None if row is None else read_user(row)

    def has_anybody(self) -> bool:
        """Whether there is an account at all."""
        with self._store.read() as connection:
            return connection.execute(select(users.c.id).limit(1)).first() is not None

    def list(self) -> tuple[User, ...]:
        """Everybody, oldest first, disabled ones included."""
        query = select(users).order_by(users.c.created, users.c.id)
        with self._store.read() as connection:
            return tuple(read_user(row) for row in connection.execute(query).mappings())

    def set_name(self, user_id: str, name: str) -> str:
        """Change what a person is called; gives the name as it is kept.

        Raises:
            InvalidArgument: it cannot be used.
        """
        kept = check_name(name)
        self._change(user_id, name=kept)
        return kept

    def set_language(self, user_id: str, language: str | None) -> None:
        """Remember the language of the pages; ``None`` = as the browser asks.

        Raises:
            InvalidArgument: the pages do not exist in it.
        """
        if language is not None and language not in LANGUAGES:
            raise InvalidArgument(
                "there are no pages in this language", field="language", allowed_values=LANGUAGES
            )
        self._change(user_id, language=language)

    def set_limits(
        self, user_id: str, rate_per_minute: int | None, calls_per_month: int | None
    ) -> Mapping[str, int | None]:
        """Change the limits of a person's seat: ``None`` = the default, 0 = unlimited.

        Every server process reads their keys anew.

        Returns:
            What they were before; empty if there is no such person.

        Raises:
            InvalidArgument: a number is negative or beyond what the database holds.
        """
        for field, number in (("rate", rate_per_minute), ("month", calls_per_month)):
            if number is not None and not 0 <= number <= 1_000_000_000:
                raise InvalidArgument("limits are whole numbers from 0", field=field)
        limits = {"rate_per_minute": rate_per_minute, "calls_per_month": calls_per_month}
        with self._store.write() as connection:
            revision = next_revision(connection)
            lock(connection, users, users.c.id == user_id)
            held = select(*(users.c[name] for name in limits)).where(users.c.id == user_id)
            before = connection.execute(held).mappings().first()
            connection.execute(update(users).where(users.c.id == user_id).values(limits))
            change_keys(connection, revision, api_keys.c.user_id == user_id)
        return dict(before or {})

    def set_role(self, user_id: str, role: str, by: str | None = None) -> bool:
        """Make somebody admin or member, who then has none of the links that they made.

        Whoever gives a role knows who it is: the account is as good as one that was asked for.

        Args:
            user_id: whom.
            role: admin or member.
            by: the admin who does it, and is one still; ``None`` = somebody else may.

        Returns:
            Whether they were something else before.

        Raises:
            NotFound: there is no such person.
            InvalidArgument: there is no such role, or nobody else is admin.
        """
        keeps_admin = check_role(role) == "admin"
        with self._store.write() as connection:
            is_other = self._change_status(
                connection,
                user_id,
                users.c.role != role,
                by,
                keeps_admin=keeps_admin,
                role=role,
                self_made=False,
            )
            if is_other and not keeps_admin:
                drop_links_by(connection, user_id)
        return is_other

    def disable(self, user_id: str, by: str | None = None) -> bool:
        """Let somebody in no longer, all at once or not at all.

        Their sessions, grants, links for a new password and the links that they made end; every
        server process reads their keys anew.

        Args:
            user_id: whom.
            by: the admin who does it, and is one still; ``None`` = somebody else may.

        Returns:
            Whether they were let in before.

        Raises:
            NotFound: there is no such person.
            InvalidArgument: nobody else is admin.
        """
        with self._store.write() as connection:
            revision = next_revision(connection)
            is_in, now = users.c.disabled.is_(None), self._now()
            if not self._change_status(
                connection, user_id, is_in, by, keeps_admin=False, disabled=now
            ):
                return False
            drop_links(connection, PASSWORD, user_id=user_id)
            drop_links_by(connection, user_id)
            end_sessions(connection, user_id)
            end_grants(connection, grants.c.user_id == user_id, now, "admin")
            change_keys(connection, revision, api_keys.c.user_id == user_id)
        return True

    def enable(self, user_id: str, by: str | None = None) -> bool:
        """Let somebody in again: their keys, too, on every server process.

        Args:
            user_id: whom.
            by: the admin who does it, and is one still; ``None`` = somebody else may.

        Returns:
            Whether they were not let in before.

        Raises:
            NotFound: there is no such person.
        """
        with self._store.write() as connection:
            revision = next_revision(connection)
            is_out = users.c.disabled.is_not(None)
            if not self._change_status(
                connection, user_id, is_out, by, keeps_admin=True, disabled=None
            ):
                return False
            change_keys(connection, revision, api_keys.c.user_id == user_id)
        return True

    def provision(self, email: str, name: str) -> User:
        """A member whom the firm's directory sends, who has nothing yet to sign in with.

        Whoever the identity provider vouches for with this address takes the account over, once;
        or an admin makes them a link for a password.

        Args:
            email: their address.
            name: what the directory calls them; where that cannot be shown, the address is used.

        Raises:
            InvalidArgument: that is no address, or it has an account (``allowed_values`` says so).
        """
        email = check_email(email)
        try:
            name = check_name(name)
        except InvalidArgument:
            name = email.partition("@")[0]
        with self._store.write() as connection:
            return add_user(connection, self._now(), email, check_name(name), "member")

    def delete(
        self, user_id: str, heir: str | None = None, by: str | None = None
    ) -> tuple[str, ...]:
        """Forget somebody: all that they have ends, and nothing is left that says who they were.

        Their keys end and belong to nobody; or those that are live go over to ``heir``, by whose
        limits they count from then on.

        Args:
            user_id: whom.
            heir: an admin who takes the keys over; ``None`` = the keys end.
            by: the admin who does it, and is one still; ``None`` = somebody else may.

        Returns:
            The ids of the keys that went over.

        Raises:
            NotFound: there is no such person, or no such admin.
            InvalidArgument: nobody else is admin; or there is nothing to take over of somebody who
                is disabled (``field`` is ``keys``).
        """
        now = self._now()
        with self._store.write() as connection:
            revision = next_revision(connection)
            lock_maker(connection, heir or by, user_id)
            user = find_user(connection, user_id)
            if not has_admin(connection, but=user_id):
                raise InvalidArgument("the last admin stays one", field="role")
            if heir and (user.disabled or heir == user_id):
                raise InvalidArgument("there are no keys to take over", field="keys")
            drop_links_by(connection, user_id)
            drop_links(connection, PASSWORD, user_id=user_id)
            drop_links(connection, INVITATION, email=user.email)
            end_sessions(connection, user_id)
            lock(connection, grants, grants.c.user_id == user_id)
            taken = leave_keys(connection, revision, user_id, heir, now)
            delete_all(connection, users, users.c.id == user_id)
        return taken

    def note_sign_in(self, user_id: str) -> None:
        """Remember that a person has signed in just now."""
        self._change(user_id, last_sign_in=self._now())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC).replace(microsecond=0)

    def _find_by(self, **match: str) -> User | None:
        query = select(users).where(*(users.c[name] == value for name, value in match.items()))
        with self._store.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else read_user(row)

    def _change(self, user_id: str, **values: object) -> None:
        with self._store.write() as connection:
            connection.execute(update(users).where(users.c.id == user_id).values(values))

    def _change_status(
        self,
        connection: Connection,
        user_id: str,
        differs: ColumnElement[bool],
        by: str | None,
        *,
        keeps_admin: bool,
        **values: object,
    ) -> bool:
        """Change somebody whose row ``differs``; ``False`` for one that is so already."""
        # All admins first, in their order, as whoever else demotes one does.
        is_spared = keeps_admin or has_admin(connection, but=user_id)
        lock_maker(connection, by)
        find_user(connection, user_id)
        which = (users.c.id == user_id, differs)
        if connection.execute(select(users.c.id).where(*which)).first() is None:
            return False
        if not is_spared:
            raise InvalidArgument("the last admin stays one", field="role")
        return change_all(connection, users, *which, **values) == 1


def end_sessions(connection: Connection, user_id: str) -> None:
    """End a person's sessions and sign-ins that wait for a code, in the caller's transaction."""
    waits_for = sessions.c.data[PENDING]["user"].as_string()
    is_begun = and_(sessions.c.user_id.is_(None), waits_for == user_id)
    which = or_(sessions.c.user_id == user_id, is_begun)
    change_mark(connection, user_id)
    delete_all(connection, sessions, which)
