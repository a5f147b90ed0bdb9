"""API keys: created once, shown once, stored as a hash, revocable.

The database holds HMAC-SHA-256(pepper, key) alone. Keys carry 238 bits of randomness, so a slow
hash would add nothing; the pepper keeps rows written into the database by hand from being keys.
"""

import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, and_

from fundstelle.accounts.database.schema import api_keys
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.cache import Changes, KeyCache, LiveKey, Principal, Recall
from fundstelle.accounts.keys.format import (
    PREFIX,
    displayed,
    encode_if_intact,
    new_key,
    random_text,
)
from fundstelle.accounts.keys.last_use import PERIOD_S, LastUse
from fundstelle.accounts.keys.reach import EVERYTHING, Reach
from fundstelle.accounts.keys.records import (
    LONGEST_LIFE,
    MAX_RATE_PER_MINUTE,
    ApiKey,
    check_expiry,
    check_rate,
    find_end_of,
)
from fundstelle.accounts.keys.rows import (
    change_keys,
    get_key,
    insert_key,
    list_keys,
    next_revision,
    read_changes,
    refuse_too_many,
    sweep,
    write_last_use,
)
from fundstelle.accounts.names import check_name, is_name, tidy_name
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import InvalidArgument, NotFound

__all__ = [
    "LONGEST_LIFE",
    "MAX_RATE_PER_MINUTE",
    "ApiKey",
    "ApiKeys",
    "Principal",
    "Recall",
    "find_end_of",
]

MOST_OF_A_PERSON = 50  # that are live
MOST_ENDED = 100  # that a page lists

_RENAMED = "renewed key"  # one whose name was given before names were checked as they are now


class ApiKeys:
    """The keys of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        later: runs a task after some seconds, off the calling thread.
        most_of_a_person: live keys that one may have; those of the server itself are not counted.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        most_of_a_person: int = MOST_OF_A_PERSON,
    ) -> None:
        self._store = store
        self.most_of_a_person = most_of_a_person
        self._keyed = hmac.new(store.pepper, digestmod="sha256")
        self._clock = clock
        self._cache = KeyCache(self._read_changes, clock)
        self._last_use = LastUse(self._write_last_use, later, clock)

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        """Who presents this key, from memory: it never waits.

        ``None``: it is surely none. ``ASK``: only the database can tell (``authenticate``).
        """
        digest = self._hash(presented)
        if digest is None:
            return None
        now = self._clock()
        key = self._cache.recall(digest, now)
        return Recall.ASK if key is None else self._accept(key, digest, now)

    def authenticate(self, presented: str) -> Principal | None:
        """Who presents this key, or ``None`` if it is not a live one.

        Needs no query while the keys in memory are fresh, and never one for a typo. A revocation
        anywhere is seen within ``cache.MAX_AGE_S``; while the database does not answer, known
        keys go on for ``cache.STALE_S``.

        Raises:
            AccountsUnavailable: the database is needed, and does not answer.
            AccountsError: it cannot be used.
        """
        digest = self._hash(presented)
        if digest is None:
            return None
        now = self._clock()
        key = self._cache.find(digest, now)
        return None if key is None else self._accept(key, digest, now)

    def keep_fresh(self) -> None:
        """Read what has changed, if that is due; to be called every second or so.

        Raises:
            AccountsError: the database cannot be used.
        """
        self._cache.keep_fresh(self._clock())

    def _hash(self, presented: str) -> bytes | None:
        plain = encode_if_intact(presented)
        if plain is None:
            return None
        keyed = self._keyed.copy()  # half the price of setting the pepper up anew
        keyed.update(plain)
        return keyed.digest()

    def _accept(self, key: LiveKey, digest: bytes, now: float) -> Principal | None:
        if not hmac.compare_digest(key.digest, digest) or key.expires <= now:
            return None
        if not 0 <= now - key.use_noted < PERIOD_S:
            key.use_noted = now
            self._last_use.note(key.principal.key_id, now)
        return key.principal

    def create(  # noqa: PLR0913 all that a key may have
        self,
        name: str,
        *,
        rate_per_minute: int | None = None,
        expires: datetime | None = None,
        user_id: str | None = None,
        client: str | None = None,
        reach: Reach = EVERYTHING,
    ) -> tuple[str, ApiKey]:
        """A new key: its plain text, which exists nowhere else, and its record.

        Raises:
            InvalidArgument: name, rate or expiry cannot be used; or the person has as many live
                keys as one may have (``field`` is ``keys``).
            AccountsError: the database cannot be used.
        """
        now = self._now()
        record = ApiKey(
            id=f"key_{random_text(16)}",
            name=check_name(name, "kanzlei-laptop"),
            displayed="",
            created=now,
            expires=check_expiry(expires, now),
            rate_per_minute=check_rate(rate_per_minute),
            user_id=user_id,
            client=client,
            reach=reach,
        )
        with self._store.write() as connection:
            revision = next_revision(connection)
            refuse_too_many(connection, user_id, self.most_of_a_person, self._now())
            sweep(connection, user_id, now)
            return self._insert(connection, record, revision)

    def list(self, user_id: str | None = None, most_ended: int | None = None) -> tuple[ApiKey, ...]:
        """All keys, or a person's, oldest first, revoked and expired ones included.

        Args:
            user_id: whose.
            most_ended: of those that have ended, so many of the newest; ``None`` = all.
        """
        with self._store.read() as connection:
            return list_keys(connection, user_id, most_ended, self._now())

    def rotate(
        self,
        key_id: str,
        overlap: timedelta = timedelta(),
        longest: timedelta | None = None,
        owner: str | None = None,
    ) -> tuple[str, ApiKey]:
        """A new key in the place of a live one, which ends at once or after ``overlap``.

        The new one lives as long as the old one was made for, at most ``longest``. The old one goes
        on until its own end at most, and no longer than ``longest`` after it was made. Old ones
        that live on beside their successors may double the number of keys that a person may have.
        ``owner`` is who it is shown to, if that is its person alone.

        Raises:
            NotFound: there is no such key, or ``owner`` has it no more.
            InvalidArgument: it is revoked, expired or replaced already; or too many live on
                (``field`` is ``keys``).
        """
        now = self._now()
        with self._store.write() as connection:
            revision = next_revision(connection)  # whoever has it is alone
            old = get_key(connection, key_id)
            if owner is not None and old.user_id != owner:  # it was taken over meanwhile
                raise NotFound("there is no such key")
            if old.revoked or old.replaced_by or (old.expires is not None and old.expires <= now):
                raise InvalidArgument("only a live key can be rotated", field="key")
            ends = [now + overlap]
            ends += [] if old.expires is None else [old.expires]
            ends += [] if longest is None else [old.created + longest]
            goes_on = min(ends) > now
            if goes_on:
                refuse_too_many(connection, old.user_id, 2 * self.most_of_a_person, self._now())
            lives = [] if old.expires is None else [old.expires - old.created, LONGEST_LIFE]
            lives += [] if longest is None else [longest]
            new = ApiKey(
                id=f"key_{random_text(16)}",
                name=old.name if is_name(tidy_name(old.name)) else _RENAMED,
                displayed="",
                created=now,
                expires=now + min(lives) if lives else None,
                rate_per_minute=old.rate_per_minute,
                user_id=old.user_id,
                client=old.client,
                reach=old.reach,
            )
            plain, new = self._insert(connection, new, revision)
            values = {"expires": min(ends)} if goes_on else {"revoked": now}
            which = api_keys.c.id == key_id
            change_keys(connection, revision, which, replaced_by=new.id, **values)
        self.read_again()
        return plain, new

    def read_again(self) -> None:
        """Ask the database with the next request: this process has changed it, or is about to."""
        self._store.run_afterwards(self._cache.read_again)

    def get(self, key_id: str) -> ApiKey:
        """The key with this id.

        Raises:
            NotFound: there is none.
            AccountsError: the database cannot be used.
        """
        with self._store.read() as connection:
            return get_key(connection, key_id)

    def revoke(self, key_id: str, name: str | None = None) -> bool:
        """End a key; whether that was this call's doing: of several at once it is one's alone.

        Args:
            key_id: which.
            name: what it is called from then on, if it says why.

        Raises:
            NotFound: there is no key with this id.
            AccountsError: the database cannot be used.
        """
        with self._store.write() as connection:
            revision = next_revision(connection)
            get_key(connection, key_id)
            is_open = and_(api_keys.c.id == key_id, api_keys.c.revoked.is_(None))
            named = {} if name is None else {"name": name}
            ended = change_keys(connection, revision, is_open, revoked=self._now(), **named)
        self.read_again()
        return ended > 0

    def find(self, reference: str) -> ApiKey:
        """The key that somebody at the command line means.

        By its id, or else by the key itself, or what is displayed of it, or its name, or the
        beginning of what is displayed, in this order: what a member calls a key never stands in
        the way of another one's id. Live keys come before revoked ones.

        Raises:
            NotFound: no key is called that.
            InvalidArgument: several live keys are.
            AccountsError: the database cannot be used.
        """
        keys = self.list()
        plain = encode_if_intact(reference)
        shown = reference if plain is None else displayed(reference)
        is_start = reference.startswith(PREFIX) and reference != PREFIX
        ways: tuple[Callable[[ApiKey], bool], ...] = (
            lambda key: key.id == reference,
            lambda key: key.displayed == shown,
            lambda key: key.name == reference,
            lambda key: is_start and key.displayed.startswith(reference),
        )
        found = next((hits for way in ways if (hits := [*filter(way, keys)])), [])
        live = [key for key in found if key.revoked is None]
        if len(live) > 1:
            raise InvalidArgument(
                f"{len(live)} keys match; name one by its id",
                field="reference",
                allowed_values=[key.id for key in live],
            )
        if not found:
            raise NotFound("no key matches; `fundstelle keys list` shows them all")
        return (live or found)[0]

    def close(self) -> None:
        """Write what is still in memory and close the database."""
        self._last_use.flush()
        self._store.close()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC).replace(microsecond=0)

    def _insert(self, connection: Connection, record: ApiKey, revision: int) -> tuple[str, ApiKey]:
        plain = new_key()
        record = replace(record, displayed=displayed(plain))
        digest = hmac.digest(self._store.pepper, plain.encode("ascii"), "sha256")
        insert_key(connection, record, digest, revision)
        return plain, record

    def _read_changes(self, seen: int) -> Changes:
        with self._store.read() as connection:
            return read_changes(connection, seen, self._now())

    def _write_last_use(self, uses: Mapping[str, float]) -> None:
        with self._store.write(may_be_lost=True) as connection:
            write_last_use(connection, uses)
