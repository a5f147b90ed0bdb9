"""Whose account an identity at the provider is: by issuer and subject, never by address alone."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts.database.locks import change_all, delete_all, lock
from fundstelle.accounts.database.schema_people import (
    NAME_CHARS,
    identities,
    links,
    passkeys,
    users,
)
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.identity_provider import (
    IdentityProvider,
    IdentityRefused,
    ProvenIdentity,
)
from fundstelle.accounts.people.records import (
    INVITATION,
    PASSWORD,
    User,
    add_user,
    change_mark,
    check_email,
    check_name,
    drop_links_by,
    find_invitation,
    find_link,
    find_user,
    has_admin,
    lock_user,
    require_mark,
    use_link,
)
from fundstelle.accounts.people.sessions import require_open
from fundstelle.errors import InvalidArgument

__all__ = ["Identities", "Identity", "IdentityRefused", "SignedIn"]

_NAMELESS = "–"  # of somebody whose provider and address give no name that can be shown


@dataclass(frozen=True, slots=True)
class Identity:
    """A connection between an account and somebody at a provider."""

    issuer: str
    subject: str
    created: datetime


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who has signed in, and what that has changed."""

    user: User
    is_new: bool  # the identity is theirs from now on
    old_role: str  # before the provider's groups were looked at


class Identities:
    """The identities of one server's people.

    Args:
        store: the accounts database.
        provider: where people may sign in, ``None`` = nowhere else.
        clock: seconds since the epoch.
        admin_group: whose members at the provider are admins here, and nobody else who signs in
            there; ``None`` = roles are given here.
    """

    def __init__(
        self,
        store: AccountsStore,
        provider: IdentityProvider | None = None,
        clock: Callable[[], float] = time.time,
        admin_group: str | None = None,
    ) -> None:
        self._store = store
        self._admin_group = admin_group
        self._clock = clock
        self.provider = provider

    def list(self, user_id: str) -> tuple[Identity, ...]:
        """A person's identities, oldest first."""
        query = (
            select(identities)
            .where(identities.c.user_id == user_id)
            .order_by(identities.c.created, identities.c.subject)
        )
        with self._store.read() as connection:
            return tuple(
                Identity(row.issuer, row.subject, row.created) for row in connection.execute(query)
            )

    def find(self, proven: ProvenIdentity) -> User | None:
        """Whose identity it is, disabled or not."""
        with self._store.read() as connection:
            return _find_owner(connection, proven)

    def sign_in(
        self, proven: ProvenIdentity, *, may_join: bool = False, link: bytes | None = None
    ) -> SignedIn:
        """The person with this identity, or a new one where that is allowed.

        Args:
            proven: from the provider.
            may_join: the server's rules let everybody in whom the provider knows.
            link: the hash of the secret of an invitation, or of the first admin's link.

        Raises:
            IdentityRefused: ``reason`` is ``disabled``, ``unknown`` (nobody has invited them),
                ``taken`` (their address has an account that is not connected; where nobody may
                join, said of verified addresses alone) or ``email`` (there is no address).
        """
        with self._store.write() as connection:
            user = _find_owner(connection, proven)
            if user is not None:
                return self._follow_group(connection, user, proven)
            try:
                with connection.begin_nested():
                    user = self._join(connection, proven, may_join=may_join, link=link)
                    self._write(connection, user.id, proven)
            except (IdentityRefused, IntegrityError) as refused:
                # They may have come in beside this, as with an answer that was sent twice.
                user = _find_owner(connection, proven)
                if user is not None:
                    return self._follow_group(connection, user, proven)
                if isinstance(refused, IdentityRefused):
                    raise
                raise IdentityRefused("taken") from None
            return replace(self._follow_group(connection, user, proven), is_new=True)

    def _join(
        self, connection: Connection, proven: ProvenIdentity, *, may_join: bool, link: bytes | None
    ) -> User:
        """The person who has this identity from now on: whom the directory has sent, or a new one.

        Raises:
            IdentityRefused: they may not come in.
        """
        sent = _find_provisioned(connection, proven)
        if sent is not None:
            lock(connection, users, users.c.id == sent)
            # Asked again: of several identities at once the first takes the account over.
            if _find_provisioned(connection, proven) == sent:
                return find_user(connection, sent)
        email, role, is_asked = self._admit(connection, proven, may_join=may_join, link=link)
        name = _choose_name(proven, email)
        own = {"self_made": not is_asked and not proven.is_email_verified}
        try:
            return add_user(connection, self._now(), email, name, role, **own)
        except InvalidArgument:
            raise IdentityRefused("taken") from None

    def confirm(self, user_id: str, proven: ProvenIdentity) -> SignedIn:
        """Somebody who is signed in has shown anew who they are, and in which groups.

        Raises:
            IdentityRefused: ``reason`` is ``other`` (it is not theirs) or ``disabled``.
        """
        with self._store.write() as connection:
            owner = _find_owner(connection, proven)
            if owner is None or owner.id != user_id:
                raise IdentityRefused("other")
            return self._follow_group(connection, owner, proven)

    def _follow_group(self, connection: Connection, user: User, proven: ProvenIdentity) -> SignedIn:
        """Give somebody the role that their groups at the provider say.

        A token without the claim names no group. The last admin stays one: a claim that is set up
        wrongly must lock nobody out for good.
        """
        if user.disabled is not None:
            raise IdentityRefused("disabled")
        role = user.role
        if self._admin_group is not None:
            role = "admin" if self._admin_group in proven.groups else "member"
        if role == user.role or (role == "member" and not has_admin(connection, but=user.id)):
            return SignedIn(user, is_new=False, old_role=user.role)
        lock_user(connection, user.id)
        is_other = (users.c.id == user.id, users.c.role != role)  # of two sign-ins at once one's
        values = {"role": role, "self_made": False}  # the provider's groups know who it is
        changed = change_all(connection, users, *is_other, **values)
        if role == "member":
            drop_links_by(connection, user.id)
        old_role = user.role if changed else role
        return SignedIn(find_user(connection, user.id), is_new=False, old_role=old_role)

    def connect(
        self,
        user_id: str,
        proven: ProvenIdentity,
        session_id: str | None = None,
        mark: str | None = None,
    ) -> None:
        """Let a person who is signed in use this identity from now on.

        Args:
            user_id: who.
            proven: what the provider says.
            session_id: in which they have gone there.
            mark: of the person, as it was then.

        Raises:
            InvalidArgument: it is somebody else's.
            SignInFailed: the session has ended meanwhile, or they have another password or app.
        """
        with self._store.write() as connection:
            require_mark(connection, user_id, mark)
            if session_id is not None:
                require_open(connection, session_id)
            owner = _find_owner(connection, proven)
            if owner is None:
                try:
                    with connection.begin_nested():
                        self._write(connection, user_id, proven)
                except IntegrityError:  # somebody was faster
                    owner = _find_owner(connection, proven)
            if owner is not None and owner.id != user_id:
                raise InvalidArgument("this identity belongs to another account", field="identity")
            if proven.is_email_verified and _read_email(proven):
                which = (users.c.id == user_id, users.c.email == _read_email(proven))
                connection.execute(update(users).where(*which).values(self_made=False))

    def disconnect(self, user_id: str, issuer: str, subject: str) -> bool:
        """Forget an identity; ``False`` if there was none such.

        Raises:
            InvalidArgument: the person could not sign in any more.
        """
        with self._store.write() as connection:
            user = lock_user(connection, user_id)
            if not user.has_password:
                raise InvalidArgument("choose a password first", field="identity")
            gone = delete_all(
                connection,
                identities,
                identities.c.user_id == user_id,
                identities.c.issuer == issuer,
                identities.c.subject == subject,
            )
            change_mark(connection, user_id)  # who is signing in with it does so in vain
            return gone == 1

    def _admit(
        self, connection: Connection, proven: ProvenIdentity, *, may_join: bool, link: bytes | None
    ) -> tuple[str, str, bool]:
        """Address and role of somebody new, and whether an invitation or a link says so.

        Raises:
            IdentityRefused: they may not come in.
        """
        now = self._now()
        claimed = _read_email(proven)
        invitation = find_link(connection, link, now) if link else None
        if link and invitation is not None and invitation.purpose != PASSWORD:
            email = invitation.email or claimed
            if not email:
                raise IdentityRefused("email")
            if use_link(connection, link, now):  # else somebody was faster
                return email, invitation.role or "member", True
        if not claimed:
            raise IdentityRefused("email" if may_join else "unknown")
        if proven.is_email_verified:
            invitation = find_invitation(connection, claimed, now)
            if invitation is not None:
                which = (links.c.purpose == INVITATION, links.c.email == claimed)
                unused = (*which, links.c.used.is_(None))
                lock(connection, links, *which)
                if connection.execute(update(links).where(*unused).values(used=now)).rowcount:
                    return claimed, invitation.role or "member", True
        elif may_join and find_invitation(connection, claimed, now) is not None:
            raise IdentityRefused("unknown")  # whoever claims an address need not have it
        if not may_join:
            # Who only claims an address is not told whose account has it.
            is_taken = (
                proven.is_email_verified
                and connection.execute(select(users.c.id).where(users.c.email == claimed)).first()
            )
            raise IdentityRefused("taken" if is_taken else "unknown")
        return claimed, "member", False

    def _write(self, connection: Connection, user_id: str, proven: ProvenIdentity) -> None:
        connection.execute(
            insert(identities).values(
                issuer=proven.issuer, subject=proven.subject, user_id=user_id, created=self._now()
            )
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC).replace(microsecond=0)


def _find_owner(connection: Connection, proven: ProvenIdentity) -> User | None:
    query = select(identities.c.user_id).where(
        identities.c.issuer == proven.issuer, identities.c.subject == proven.subject
    )
    user_id = connection.execute(query).scalar_one_or_none()
    return None if user_id is None else find_user(connection, user_id)


def _find_provisioned(connection: Connection, proven: ProvenIdentity) -> str | None:
    """The id of somebody whom the directory has sent and who has nothing yet to sign in with.

    By an address that the provider has verified, as with an invitation. Whoever has chosen
    anything already connects the provider on their account page.
    """
    email = _read_email(proven)
    if not email or not proven.is_email_verified:
        return None
    claimed = exists().where(identities.c.user_id == users.c.id)
    has_passkey = exists().where(passkeys.c.user_id == users.c.id)
    query = select(users.c.id).where(
        users.c.email == email,
        users.c.password.is_(None),
        users.c.disabled.is_(None),
        ~claimed,
        ~has_passkey,
    )
    return connection.execute(query).scalar_one_or_none()


def _read_email(proven: ProvenIdentity) -> str:
    try:
        return check_email(proven.email)
    except InvalidArgument:
        return ""


def _choose_name(proven: ProvenIdentity, email: str) -> str:
    """A name that can be shown; people may change it."""
    for name in (proven.name[:NAME_CHARS], email.partition("@")[0][:NAME_CHARS]):
        try:
            return check_name(name)
        except InvalidArgument:
            continue
    return _NAMELESS
