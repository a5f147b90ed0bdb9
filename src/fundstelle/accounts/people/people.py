"""People: who has an account, how they come to one, and whether a password is theirs."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, and_, insert, select, update

from fundstelle.accounts.database.locks import Turn, change_all, take_turn
from fundstelle.accounts.database.schema_people import EMAIL_CHARS, links, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing import limits
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.limits.limiter import Limit
from fundstelle.accounts.people.passwords import Passwords, check_choice
from fundstelle.accounts.people.records import (
    FIRST_ADMIN,
    INVITATION,
    PASSWORD,
    OneTimeLink,
    SignInFailed,
    User,
    Within,
    add_user,
    check_email,
    check_name,
    check_role,
    drop_links,
    find_address,
    find_invitation,
    find_link,
    find_user,
    fold_email,
    has_admin,
    lock_maker,
    lock_user,
    read_user,
    refuse_taken,
    use_link,
)
from fundstelle.accounts.people.roster import Roster, end_sessions
from fundstelle.accounts.secrets import create_secret, hash_secret
from fundstelle.errors import InvalidArgument, NotFound
from fundstelle.net.networks import find_network, find_site

__all__ = ["OneTimeLink", "People", "SignInFailed", "User"]

_LIVES = {
    FIRST_ADMIN: timedelta(hours=24),
    INVITATION: timedelta(days=7),
    PASSWORD: timedelta(hours=24),
}


Joining = AbstractContextManager[Callable[[User], None]]
"""A transaction that records who joins, or chooses a password by a link: it is told the person."""


@dataclass(frozen=True, slots=True)
class _NewLink:
    purpose: str
    email: str | None = None
    role: str | None = None
    user_id: str | None = None
    made_by: str | None = None


class People(Roster):
    """The people of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        passwords: how passwords are hashed.
        throttle: counts failures.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        passwords: Passwords | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        super().__init__(store, clock)
        self._passwords = passwords or Passwords()
        self._throttle = throttle or Throttle(store, clock)
        self._devices = Devices(store.pepper, clock)

    def create_first_admin_link(self) -> str:
        """The secret of a link for the first admin; a link made before is worthless.

        Raises:
            InvalidArgument: there is an admin already.
        """
        with self._store.write() as connection:
            take_turn(connection, Turn.LINKS)
            if has_admin(connection):
                raise InvalidArgument(
                    "there is an admin already; an admin can invite others", field="role"
                )
            drop_links(connection, FIRST_ADMIN)
            return self._write_link(connection, _NewLink(FIRST_ADMIN, role="admin"))

    def invite(self, email: str, role: str = "member", by: str | None = None) -> str:
        """The secret of an invitation for one address; an earlier one is worthless.

        Args:
            email: whom.
            role: admin or member.
            by: the admin who invites, without whom it ends; ``None`` = the command line.

        Raises:
            InvalidArgument: address or role cannot be used, or the address has an account.
            NotFound: whoever invites is no admin any more.
        """
        email, role = check_email(email), check_role(role)
        with self._store.write() as connection:
            take_turn(connection, Turn.LINKS)
            lock_maker(connection, by)
            refuse_taken(connection, email)
            drop_links(connection, INVITATION, email=email)
            return self._write_link(connection, _NewLink(INVITATION, email, role, by, by))

    def create_password_link(self, user_id: str, by: str | None = None) -> str:
        """The secret of a link that lets a person choose a new password.

        Args:
            user_id: who shall choose it.
            by: the admin who makes the link, without whom it ends; ``None`` = the command line.

        Raises:
            NotFound: there is no such person, or whoever makes it is no admin any more.
        """
        with self._store.write() as connection:
            lock_maker(connection, by, user_id)
            user = find_user(connection, user_id)
            drop_links(connection, PASSWORD, user_id=user_id)
            return self._write_link(connection, _NewLink(PASSWORD, user.email, None, user_id, by))

    def find_link(self, secret: str) -> OneTimeLink | None:
        """The link with this secret, if it can still be used."""
        with self._store.read() as connection:
            return find_link(connection, hash_secret(secret), self._now())

    def accept(
        self,
        secret: str,
        name: str,
        password: str,
        email: str = "",
        within: Joining | None = None,
    ) -> User:
        """Use a link: a new person, or a new password for one, whose sessions then end.

        Args:
            secret: of the link.
            name: of the new person; a link for a password changes no name.
            password: the one chosen.
            email: of the first admin; other links have theirs.
            within: the transaction that records it; ``None`` = one of its own.

        Raises:
            NotFound: the link is unknown, used, expired or withdrawn.
            InvalidArgument: ``field`` says which of the three cannot be used.
            Busy: too many passwords are being hashed.
        """
        link = self.find_link(secret)
        if link is None:
            raise NotFound("this link has been used or has expired")
        if link.purpose == PASSWORD:
            person = self.find(str(link.user_id))
            assert person is not None
            email, name = person.email, person.name
        else:
            email, name = check_email(link.email or email), check_name(name)
        check_choice(password, email=email, name=name)
        with self._passwords.reserve(known=True, holder=secret) as hasher:
            encoded = hasher.hash(password)  # outside the transaction: it takes long
        with within or nullcontext(_tell_nobody) as tell, self._store.write() as connection:
            # Once more within the transaction: somebody may have been faster.
            now, digest = self._now(), hash_secret(secret)
            if link.purpose == PASSWORD:
                lock_user(connection, str(link.user_id))
            if not find_link(connection, digest, now) or not use_link(connection, digest, now):
                raise NotFound("this link has been used or has expired")
            if link.purpose == PASSWORD:
                user = self._replace_password(connection, str(link.user_id), encoded)
            else:
                role = link.role or "member"
                user = add_user(connection, now, email, name, role, password=encoded)
            tell(user)
            return user

    def sign_up(
        self,
        email: str,
        name: str,
        password: str,
        address: str,
        within: Joining | None = None,
    ) -> User:
        """A new member without an invitation; only where the server's rules allow it.

        Whoever types an address need not have it: one that was invited is left to its link.

        Args:
            email: the address, as it was typed.
            name: the same.
            password: the one chosen.
            address: where they come from.
            within: the transaction that records it; ``None`` = one of its own.

        Raises:
            InvalidArgument: ``field`` says which of the three cannot be used (``allowed_values``
                ``invited``: the address has an invitation).
            SignInFailed: too many have come from there.
            Busy: too many passwords are being hashed.
        """
        email, name = check_email(email), check_name(name)
        check_choice(password, email=email, name=name)
        with self._passwords.reserve(known=False, holder=find_site(address)) as hasher:
            blocked = self._throttle.take(
                (limits.SIGN_UP_NETWORK, find_network(address)),
                (limits.SIGN_UP_SITE, find_site(address)),
            )
            if blocked is not None:
                raise SignInFailed(blocked)
            encoded = hasher.hash(password)
        now = self._now()
        with within or nullcontext(_tell_nobody) as tell, self._store.write() as connection:
            if find_invitation(connection, email, now) is not None:
                raise InvalidArgument(
                    "this address has been invited", field="email", allowed_values=("invited",)
                )
            own = {"password": encoded, "self_made": True}
            user = add_user(connection, now, email, name, "member", **own)
            tell(user)
            return user

    def check_password(
        self, email: str, password: str, address: str, *, device: str = "", session_id: str = ""
    ) -> User:
        """The person with this address and password.

        An unknown, a disabled and a known person cost the same: one hash. Failures are counted for
        where they come from: a known device, an open session, or else account and network.

        Args:
            email: the address, as it was typed.
            password: the same.
            address: where it comes from.
            device: the cookie of the browser.
            session_id: of the person's session, where they show again who they are.

        Raises:
            SignInFailed: they do not fit, or too many did not before.
            Busy: too many passwords are being checked.
        """
        typed = email.strip()[: EMAIL_CHARS + 1]
        email = fold_email(typed)[: EMAIL_CHARS + 1]
        with self._store.read() as connection:
            row = find_address(connection, typed)
        known = "" if row is None else self._devices.find(device, read_user(row).known_as) or ""
        attempts = self._list_attempts(email, address, known, session_id)
        stored = None if row is None or row["disabled"] is not None else row["password"]
        is_known = bool(known or session_id)
        holder = row["id"] if row is not None and is_known else find_site(address)
        about = "" if row is None else row["id"]
        # Whoever has to wait takes no place from those who may try.
        if (refused := self._throttle.refuse(*attempts, about=about)) is not None:
            raise SignInFailed(refused)
        with self._passwords.reserve(known=is_known, holder=holder) as hasher:
            blocked = self._throttle.take(*attempts, about=about)
            if blocked is not None:
                raise SignInFailed(blocked)
            if not hasher.matches(stored, password) or row is None:
                raise SignInFailed
            renewed = hasher.hash(password) if self._passwords.is_outdated(str(stored)) else None
        if not self._is_still(row["id"], str(stored), renewed):
            raise SignInFailed
        self._throttle.give_back(attempts)
        return read_user({**row, "password": renewed or stored})

    def _is_still(self, user_id: str, stored: str, renewed: str | None) -> bool:
        """Whether the password is the one that was checked, which takes long; renews its hash."""
        which = and_(users.c.id == user_id, users.c.password == stored, users.c.disabled.is_(None))
        if renewed is not None:
            with self._store.write() as connection:
                renewal = update(users).where(which).values(password=renewed)
                return connection.execute(renewal).rowcount == 1
        with self._store.read() as connection:
            return connection.execute(select(users.c.id).where(which)).first() is not None

    def _list_attempts(
        self, email: str, address: str, device: str, session_id: str
    ) -> tuple[tuple[Limit, str], ...]:
        if session_id:
            return ((limits.SESSION, session_id),)
        if device:
            return ((limits.DEVICE, device),)
        failures = self._throttle.count(limits.ACCOUNT, email)
        pair = limits.PAIR if failures < limits.ACCOUNT.free else limits.PAIR_WATCHED
        network = find_network(address)
        return (
            (pair, f"{email}\0{network}"),
            (limits.NETWORK, network),
            (limits.SITE, find_site(address)),
            (limits.ACCOUNT, email),
        )

    def set_password(
        self,
        user_id: str,
        password: str,
        mark: str | None = None,
        within: Within | None = None,
    ) -> User:
        """Choose a new password, which ends all sessions; the caller has checked who asks.

        Args:
            user_id: the person.
            password: the one chosen.
            mark: of the person, as it was when they were asked who they are.
            within: the transaction that records it; ``None`` = one of its own.

        Raises:
            NotFound: there is no such person.
            SignInFailed: they have another password or app since then.
            InvalidArgument: the password cannot be used.
            Busy: too many passwords are being hashed.
        """
        with self._store.read() as connection:
            user = find_user(connection, user_id)
        check_choice(password, email=user.email, name=user.name)
        with self._passwords.reserve(known=True, holder=user_id) as hasher:
            encoded = hasher.hash(password)
        with within or self._store.write() as connection:
            if mark not in {None, lock_user(connection, user_id).mark}:
                raise SignInFailed
            return self._replace_password(connection, user_id, encoded)

    def _write_link(self, connection: Connection, new: _NewLink) -> str:
        secret = create_secret()
        now = self._now()
        connection.execute(
            insert(links).values(
                digest=hash_secret(secret),
                purpose=new.purpose,
                email=new.email,
                role=new.role,
                user_id=new.user_id,
                made_by=new.made_by,
                created=now,
                expires=now + _LIVES[new.purpose],
            )
        )
        return secret

    def _replace_password(self, connection: Connection, user_id: str, encoded: str) -> User:
        """Links that would set another, and all sessions, are worthless from now on."""
        change_all(connection, users, users.c.id == user_id, password=encoded)
        drop_links(connection, PASSWORD, user_id=user_id)
        end_sessions(connection, user_id)
        return find_user(connection, user_id)


def _tell_nobody(user: User) -> None:
    """Nobody records it."""
