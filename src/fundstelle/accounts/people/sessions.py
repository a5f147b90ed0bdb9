"""Sessions of browsers: found by a cookie of which only the hash is stored, ended at any time."""

import hmac
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    insert,
    or_,
    select,
    update,
)

from fundstelle.accounts.database.locks import change_all, clear, delete_all, lock
from fundstelle.accounts.database.schema_people import NAME_CHARS, passkeys, sessions, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.format import random_text
from fundstelle.accounts.people.records import (
    SignInFailed,
    User,
    change_mark,
    find_user,
    read_user,
    require_mark,
)
from fundstelle.accounts.secrets import Seal, create_secret, hash_secret
from fundstelle.errors import AccountsError

IDLE = timedelta(hours=12)
LONGEST = timedelta(days=7)
MOST_OPEN = 100  # of a person: when another begins, the one that was seen longest ago ends
NOBODYS_IDLE = timedelta(hours=2)  # of a session that nobody has signed in to

PENDING = "pending"  # in a session's data: who has shown the password and still owes the code

_TOUCH = timedelta(minutes=1)
_CLOCKS_DIFFER = timedelta(minutes=5)  # of processes on several machines
_CLEAN_S = 600


@dataclass(frozen=True, slots=True)
class Session:
    """An open session. ``csrf`` is the token that every form of it carries.

    ``confirmed`` is when the person last showed who they are. ``displaced`` are the ids of the
    sessions that ended because this one began.
    """

    id: str
    user_id: str | None
    csrf: str
    confirmed: datetime | None
    data: Mapping[str, Any]
    agent: str
    created: datetime
    seen: datetime
    displaced: tuple[str, ...] = ()


class Sessions:
    """All sessions of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._clean_at = 0.0
        self._seal = Seal(store.pepper, "session")

    def start(
        self,
        user_id: str | None,
        agent: str,
        data: Mapping[str, Any] = MappingProxyType({}),
        *,
        is_confirmed: bool | None = True,
        mark: str | None = None,
    ) -> tuple[str, Session]:
        """A new session and the value of its cookie, which exists nowhere else.

        A person has ``MOST_OPEN`` at most: the ones that were seen longest ago end.

        Args:
            user_id: whose; ``None`` = nobody's yet.
            agent: the browser, in words.
            data: small things for the next page.
            is_confirmed: the person has just shown all that they have; ``None`` = if they have no
                passkey by now.
            mark: of the person, as it was when they did.

        Raises:
            SignInFailed: they are disabled, or have another password or app since then: whoever
                changed that has ended all sessions, and this one would come after it.
        """
        now = self._now()
        self._clean(now)
        cookie = create_secret()
        row = {
            "digest": hash_secret(cookie),
            "id": f"ses_{random_text(16)}",
            "user_id": user_id,
            "data": dict(data),
            "agent": agent[:NAME_CHARS],
            "created": now,
            "seen": now,
            "confirmed": now if user_id is not None and is_confirmed else None,
        }
        displaced: tuple[str, ...] = ()
        with self._store.write(may_be_lost=user_id is None) as connection:
            if user_id is not None:
                if not _may_begin(connection, user_id, mark):
                    raise SignInFailed
                displaced = _make_room(connection, user_id, now)
            if is_confirmed is None and not _has_passkey(connection, user_id):
                row["confirmed"] = now
            connection.execute(insert(sessions).values(row))
        return cookie, replace(self._read(row), displaced=displaced)

    def seal(self, text: str) -> str:
        """What may be kept in a session of something that names a secret, as an address may."""
        return self._seal.close(text)

    def unseal(self, sealed: object) -> str:
        """The text again; empty if this server has sealed no such thing."""
        try:
            return self._seal.open(sealed) if isinstance(sealed, str) else ""
        except AccountsError:
            return ""

    def find(self, cookie: str) -> Session | None:
        """The live session of a cookie; its ``seen`` is brought up to date once a minute."""
        now = self._now()
        digest = hash_secret(cookie)
        query = select(sessions).where(sessions.c.digest == digest, _is_live(now))
        with self._store.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return None
        if now - row["seen"] >= _TOUCH:
            with self._store.write(may_be_lost=True) as connection:
                connection.execute(
                    update(sessions)
                    .where(sessions.c.digest == digest, sessions.c.seen < now)
                    .values(seen=now)
                )
        return self._read(row)

    def confirm(self, session_id: str) -> None:
        """The person has just shown again who they are."""
        self._change(session_id, confirmed=self._now())

    def unconfirm_others(self, user_id: str, but: str) -> None:
        """Ask anew who it is in all of a person's sessions, save the one with the id ``but``."""
        which = and_(sessions.c.user_id == user_id, sessions.c.id != but)
        with self._store.write() as connection:
            change_all(connection, sessions, which, confirmed=None)

    def put(self, session_id: str, data: Mapping[str, Any]) -> None:
        """Keep small things for the next page, beside what is kept by other names."""
        with self._edit(session_id) as kept:
            if kept is not None:
                kept.update(data)

    def take(self, session_id: str, name: str) -> Any:
        """Remove one thing that was kept and return it, to one caller alone; ``None`` if gone."""
        with self._edit(session_id) as kept:
            return None if kept is None else kept.pop(name, None)

    def enlist(self, session_id: str, name: str, one: str, most: int) -> bool:
        """Put ``one`` at the end of a list of at most so many; ``False`` if it was in it before.

        Of several callers at once one alone is told ``True``, and none if the session has ended.
        """
        with self._edit(session_id) as kept:
            if kept is None:
                return False
            before = list(kept.get(name, []))
            others = [other for other in before if other != one]
            kept[name] = [*others[max(0, len(others) + 1 - most) :], one]
            return one not in before

    def strike(self, session_id: str, name: str, one: str) -> bool:
        """Take ``one`` off a list; ``True`` for one caller alone, ``False`` if it was not in it."""
        with self._edit(session_id) as kept:
            if kept is None:
                return False
            before = list(kept.get(name, []))
            kept[name] = [other for other in before if other != one]
            return one in before

    def end(self, session_id: str) -> None:
        """End a session; nothing happens if it has ended."""
        with self._store.write() as connection:
            delete_all(connection, sessions, sessions.c.id == session_id)

    def end_all(self, user_id: str, but: str | None = None, mark: str | None = None) -> User:
        """End a person's sessions and whatever is being begun; the person with their new mark.

        Args:
            user_id: whose.
            but: the id of the one that goes on.
            mark: of the person, as it was when they asked for it.

        Raises:
            NotFound: there is no such person.
            SignInFailed: what they have begun holds no more.
        """
        which = sessions.c.user_id == user_id
        if but is not None:
            which = and_(which, sessions.c.id != but)
        with self._store.write() as connection:
            require_mark(connection, user_id, mark)
            change_mark(connection, user_id)
            delete_all(connection, sessions, which)
            return find_user(connection, user_id)

    def list(self, user_id: str) -> tuple[Session, ...]:
        """A person's live sessions, the one seen last first; ``MOST_OPEN`` of them at most."""
        query = (
            select(sessions)
            .where(sessions.c.user_id == user_id, _is_live(self._now()))
            .order_by(sessions.c.seen.desc(), sessions.c.id)
            .limit(MOST_OPEN)
        )
        with self._store.read() as connection:
            return tuple(self._read(row) for row in connection.execute(query).mappings())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def _read(self, row: RowMapping | Mapping[str, Any]) -> Session:
        csrf = hmac.digest(self._store.pepper, b"csrf\0" + row["digest"], "sha256").hex()
        names = ("id", "user_id", "confirmed", "agent", "created", "seen")
        data = MappingProxyType(dict(row["data"]))
        return Session(csrf=csrf, data=data, **{name: row[name] for name in names})

    @contextmanager
    def _edit(self, session_id: str) -> Iterator[dict[str, Any] | None]:
        """What a session keeps, to be changed by one after another; ``None`` if it has ended."""
        which = sessions.c.id == session_id
        query = select(sessions.c.data).where(which).with_for_update()
        with self._store.write() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                yield None
                return
            before = dict(row.data or {})
            kept = dict(before)
            yield kept
            if kept != before:
                connection.execute(update(sessions).where(which).values(data=kept))

    def _change(self, session_id: str, **values: object) -> None:
        with self._store.write() as connection:
            connection.execute(update(sessions).where(sessions.c.id == session_id).values(values))

    def _clean(self, now: datetime) -> None:
        if not 0 <= self._clean_at - now.timestamp() <= _CLEAN_S:
            self._clean_at = now.timestamp() + _CLEAN_S
            with self._store.write(may_be_lost=True) as connection:
                clear(connection, sessions, ~_is_live(now))


def require_open(connection: Connection, session_id: str) -> None:
    """See to it that a session is open, and ends no sooner than the caller's transaction.

    For what gives lasting access and takes long to be decided, since whoever ends a session
    ends what it has begun. Lock its person first.

    Raises:
        SignInFailed: it has ended.
    """
    which = sessions.c.id == session_id
    lock(connection, sessions, which)
    if connection.execute(select(sessions.c.id).where(which)).first() is None:
        raise SignInFailed


def _may_begin(connection: Connection, user_id: str, mark: str | None) -> bool:
    """Whether a person may have a session; who changes that waits until it can be ended.

    So do others who begin one for this person: each counts those of the others.
    """
    query = select(users).where(users.c.id == user_id).with_for_update(key_share=True)
    row = connection.execute(query).mappings().one_or_none()
    if row is None or row["disabled"] is not None:
        return False
    return mark is None or hmac.compare_digest(mark, read_user(row).mark)


def _make_room(connection: Connection, user_id: str, now: datetime) -> tuple[str, ...]:
    """End what a person has open beyond the most, less the one that begins; the ids of those."""
    beyond = (
        select(sessions.c.id)
        .where(sessions.c.user_id == user_id, _is_live(now))
        .order_by(sessions.c.seen.desc(), sessions.c.created.desc(), sessions.c.id)
        .offset(MOST_OPEN - 1)
    )
    ended = tuple(connection.execute(beyond).scalars())
    if ended:
        which = sessions.c.id.in_(ended)
        lock(connection, sessions, which)
        connection.execute(delete(sessions).where(which))
    return ended


def _has_passkey(connection: Connection, user_id: str | None) -> bool:
    query = select(passkeys.c.id).where(passkeys.c.user_id == user_id).limit(1)
    return connection.execute(query).first() is not None


def _is_live(now: datetime) -> ColumnElement[bool]:
    return and_(
        sessions.c.created <= now + _CLOCKS_DIFFER,  # else by a clock that was ahead
        sessions.c.seen <= now + _CLOCKS_DIFFER,
        sessions.c.created > now - LONGEST,
        sessions.c.seen > now - IDLE,
        or_(sessions.c.user_id.is_not(None), sessions.c.seen > now - NOBODYS_IDLE),
    )
