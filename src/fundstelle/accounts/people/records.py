"""A person and a one-time link as they are stored, and what their fields may hold."""

import re
import unicodedata
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    exists,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from fundstelle.accounts import names
from fundstelle.accounts.database.locks import NotKept, delete_all, lock
from fundstelle.accounts.database.schema_people import (
    EMAIL_CHARS,
    identities,
    links,
    passkeys,
    users,
)
from fundstelle.accounts.keys.format import random_text
from fundstelle.accounts.limits.limiter import Blocked
from fundstelle.accounts.secrets import hash_secret
from fundstelle.errors import Denied, InvalidArgument, NotFound

ROLES = ("admin", "member")
LANGUAGES = ("de", "en")
FIRST_ADMIN = "first_admin"
INVITATION = "invitation"
PASSWORD = "password"  # noqa: S105  a purpose

Within = AbstractContextManager[Connection]  # a transaction that does something else, too

_MARK_CHARS = 32

_EMAIL = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\.]+(\.[^\s@<>,;:\"()\[\]\\.]+)*")


class SignInFailed(Denied):
    """Who they are could not be shown; nothing is said of why.

    ``retry_after`` are the seconds before another attempt counts, ``None`` if one may be made now.
    ``is_counted`` = it waits like others before it, whose number will be reported: no line for it.
    """

    def __init__(self, blocked: Blocked | None = None) -> None:
        super().__init__("the sign-in was refused")
        self.retry_after = None if blocked is None else blocked.wait_s
        self.is_counted = blocked is not None and not blocked.is_first


@dataclass(frozen=True, slots=True)
class User:
    """A person. Limits are of the seat: ``None`` = the server's default, 0 = unlimited."""

    id: str
    email: str
    name: str
    role: str  # admin, member
    language: str | None
    created: datetime
    last_sign_in: datetime | None
    disabled: datetime | None
    rate_per_minute: int | None
    calls_per_month: int | None
    self_made: bool  # nobody has asked for them, and nobody has proven their address
    has_password: bool
    has_totp: bool
    known_as: str = field(repr=False)  # to browsers; another one with another password or app
    mark: str = field(repr=False)  # another one once what is begun before holds no more


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """A one-time link that can still be used.

    ``user_id`` is whose password it sets, or who invited.
    """

    purpose: str  # first_admin, invitation, password
    email: str | None
    role: str | None
    user_id: str | None
    made_by: str | None  # the admin who made it; ``None`` = the command line
    created: datetime
    expires: datetime


def read_user(row: RowMapping | Mapping[str, Any]) -> User:
    """A row of the table as a person."""
    plain = {one.name for one in fields(User)} - {"has_password", "has_totp", "known_as", "mark"}
    return User(
        **{name: row[name] for name in plain},
        has_password=row["password"] is not None,
        has_totp=row["totp_secret"] is not None,
        known_as=_digest(row["id"], row["password"], row["totp_secret"]),
        # What is begun by showing a password, a code or a passkey holds while this stays the same.
        mark=_digest(row["password"], row["totp_secret"], row["disabled"], row["endings"]),
    )


def _digest(*states: object) -> str:
    return hash_secret("\0".join(map(str, states))).hex()[:_MARK_CHARS]


def change_mark(connection: Connection, user_id: str) -> None:
    """Let nothing be finished that this person, or who seems to be, has begun until now."""
    which = users.c.id == user_id
    asked = select(users.c.endings).where(which)
    before = connection.execute(asked).scalar()
    connection.execute(update(users).where(which).values(endings=users.c.endings + 1))
    if before is not None and connection.execute(asked).scalar() == before:
        raise NotKept(users.name)


def find_user(connection: Connection, user_id: str) -> User:
    """The person with this id.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(select(users).where(users.c.id == user_id)).mappings().one_or_none()
    if row is None:
        raise NotFound("there is no such person")
    return read_user(row)


def find_link(connection: Connection, digest: bytes, now: datetime) -> OneTimeLink | None:
    """The link with this hash, if it is unused, not expired and still means what it said.

    An invitation holds while whoever invited may invite, a password link while its person is not
    disabled, the first admin's while there is none.
    """
    return _find_live(connection, links.c.digest == digest, now)


def find_invitation(connection: Connection, email: str, now: datetime) -> OneTimeLink | None:
    """The invitation of an address, under the same conditions."""
    is_wanted = and_(links.c.purpose == INVITATION, links.c.email == email)
    return _find_live(connection, is_wanted, now)


def _find_live(
    connection: Connection, is_wanted: ColumnElement[bool], now: datetime
) -> OneTimeLink | None:
    query = select(links).where(is_wanted, links.c.used.is_(None), links.c.expires > now)
    # Of two for one address, which older versions could make, the newest counts.
    newest = query.order_by(links.c.created.desc(), links.c.digest).limit(1)
    row = connection.execute(newest).mappings().one_or_none()
    if row is None:
        return None
    link = OneTimeLink(**{field.name: row[field.name] for field in fields(OneTimeLink)})
    if link.purpose == FIRST_ADMIN:
        return None if has_admin(connection) else link
    backers = (
        (link.user_id, users.c.disabled.is_(None)),
        (link.made_by, users.c.role == "admin"),
    )
    for user_id, holds in backers:
        stands_for = (users.c.id == user_id, users.c.disabled.is_(None), holds)
        if user_id and connection.execute(select(users.c.id).where(*stands_for)).first() is None:
            return None
    return link


def use_link(connection: Connection, digest: bytes, now: datetime) -> bool:
    """Mark the link as used; ``False`` if somebody was faster."""
    done = connection.execute(
        update(links)
        .where(links.c.digest == digest, links.c.used.is_(None), links.c.expires > now)
        .values(used=now)
    )
    return done.rowcount == 1


def has_admin(connection: Connection, but: str | None = None) -> bool:
    """Whether there is an admin who can sign in, somebody else than ``but``; locks those rows.

    Whom the directory has sent cannot, before their first sign-in at the provider.
    """
    has_way_in = or_(
        users.c.password.is_not(None),
        *(exists().where(way.c.user_id == users.c.id) for way in (identities, passkeys)),
    )
    query = (
        select(users.c.id)
        .where(users.c.role == "admin", users.c.disabled.is_(None), has_way_in)
        .order_by(users.c.id)
        .with_for_update(of=users)
    )
    return any(user_id != but for user_id in connection.execute(query).scalars())


_MOST_FOLDED = 1_000  # characters; one that is longer is nobody's, however it is folded


def fold_email(email: str) -> str:
    """The form in which addresses are stored and compared, however one was typed.

    Letters are not folded further (ß to ss): those are different hosts.
    """
    normal = unicodedata.normalize("NFKC", email.strip()[:_MOST_FOLDED]).lower()
    return unicodedata.normalize("NFKC", normal)


def find_address(connection: Connection, email: str) -> RowMapping | None:
    """The row of the person with this address, however it was typed.

    Older versions stored some addresses in another form, which is found as it was typed then.
    """
    folded = fold_email(email)
    forms = {folded, email.strip().lower()}
    if not all(form.isprintable() for form in forms):
        return None
    query = select(users).where(users.c.email.in_(forms)).order_by(users.c.email != folded)
    return connection.execute(query).mappings().first()


def check_email(email: str) -> str:
    """The address in the form in which it is stored and compared.

    Raises:
        InvalidArgument: it has not the form of one.
    """
    email = fold_email(email)
    if len(email) > EMAIL_CHARS or not email.isprintable() or not _EMAIL.fullmatch(email):
        raise InvalidArgument(
            "an e-mail address is needed", field="email", example="name@kanzlei.example"
        )
    return email


def check_name(name: str) -> str:
    """The name of a person, or of something of theirs, in the form in which it is kept.

    Raises:
        InvalidArgument: it is empty or too long, cannot be shown, or looks like an id or a key.
    """
    return names.check_name(" ".join(name.split()), "Eva Beck")


def check_role(role: str) -> str:
    """The role.

    Raises:
        InvalidArgument: there is no such role.
    """
    if role not in ROLES:
        raise InvalidArgument("there is no such role", field="role", allowed_values=ROLES)
    return role


def refuse_taken(connection: Connection, email: str) -> None:
    """Refuse an address that somebody has.

    Raises:
        InvalidArgument: somebody has it.
    """
    query = select(users.c.id).where(users.c.email == email)
    if connection.execute(query).first() is not None:
        raise InvalidArgument(
            "there is an account with this address already",
            field="email",
            allowed_values=("taken",),
        )


def drop_links(connection: Connection, purpose: str, **match: str | None) -> int:
    """Make the links of this kind worthless: of several, the newest alone counts; how many."""
    which = [links.c.purpose == purpose]
    which += [links.c[name] == value for name, value in match.items()]
    return delete_all(connection, links, *which)


def drop_links_by(connection: Connection, user_id: str) -> None:
    """Make worthless for good what somebody has made as an admin: invitations, password links."""
    which = or_(
        links.c.made_by == user_id,
        and_(links.c.purpose == INVITATION, links.c.user_id == user_id),
    )
    delete_all(connection, links, which)


def lock_maker(connection: Connection, by: str | None, *others: str) -> None:
    """See that who makes a link is an admin, and stays one until the transaction ends.

    Args:
        connection: in a transaction that writes.
        by: who makes it; ``None`` = the command line.
        others: who must not change meanwhile, either.

    Raises:
        NotFound: they are none, or none any more.
    """
    if people := [one for one in (by, *others) if one]:
        lock(connection, users, users.c.id.in_(people))
    is_admin = (users.c.id == by, users.c.role == "admin", users.c.disabled.is_(None))
    if by and connection.execute(select(users.c.id).where(*is_admin)).first() is None:
        raise NotFound("whoever makes this link is no admin any more")


def lock_user(connection: Connection, user_id: str) -> User:
    """The person with this id, whom nobody else changes until the transaction ends.

    Raises:
        NotFound: there is none.
    """
    lock(connection, users, users.c.id == user_id)
    return find_user(connection, user_id)


def require_mark(connection: Connection, user_id: str, mark: str | None) -> None:
    """Lock a person, and see that what they have begun holds.

    Args:
        connection: in a transaction that writes.
        user_id: who.
        mark: of the person, as it was when they began; ``None`` = nothing that could be over.

    Raises:
        NotFound: there is no such person.
        SignInFailed: it holds no more.
    """
    if mark not in {None, lock_user(connection, user_id).mark}:
        raise SignInFailed


def add_user(
    connection: Connection, now: datetime, email: str, name: str, role: str, **values: Any
) -> User:
    """A new person, within the caller's transaction.

    Raises:
        InvalidArgument: the address has an account.
    """
    refuse_taken(connection, email)
    user_id = f"usr_{random_text(16)}"
    row = {"id": user_id, "email": email, "name": name, "role": role, "created": now, **values}
    try:
        with connection.begin_nested():
            connection.execute(insert(users).values(row))
    except IntegrityError:  # somebody was faster
        refuse_taken(connection, email)
        raise
    return find_user(connection, user_id)
