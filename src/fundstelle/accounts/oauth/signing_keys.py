"""The keys that access tokens are signed with: ES256, published a day before they sign.

A key is *next* until ``active_from``, *active* until ``retired``, and *retired* until ``gone``,
when the last token it signed has expired. The states follow from the times alone, so server
processes that share a database agree on them without talking to each other.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from joserfc.jwk import ECKey
from sqlalchemy import Connection, RowMapping, insert, select

from fundstelle.accounts.database.locks import Turn, change_all, clear, delete_all, take_turn
from fundstelle.accounts.database.pepper_mark import SIGNING_KEYS
from fundstelle.accounts.database.schema_oauth import signing_keys
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.cache import STALE_S
from fundstelle.accounts.secrets import Seal
from fundstelle.errors import AccountsUnavailable

ALGORITHM = "ES256"
AGE = timedelta(days=90)  # of a key, when the next is published
PUBLISHED_FOR = timedelta(hours=24)  # before it signs
TOKEN_LIFE = timedelta(hours=1, minutes=1)  # the longest that an access token may live, and leeway
READ_AGAIN_S = 4.0  # a second less than what is promised after a rotation at once
_SOON_S = 2.0  # from this age on they are read anew in the background
_UNKNOWN_AGAIN_S = 2.0  # how often a made-up key id may cause a query


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key as the pages show it. ``state`` is next, active or retired."""

    kid: str
    state: str
    public: Mapping[str, Any]
    created: datetime
    active_from: datetime
    retired: datetime | None
    gone: datetime | None


@dataclass(frozen=True, slots=True)
class _Held:
    record: SigningKey
    key: ECKey  # with its private part


class SigningKeys:
    """The signing keys of this server, private parts sealed in the database.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
    """

    def __init__(self, store: AccountsStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._seal = Seal(store.pepper, SIGNING_KEYS)
        self._held: tuple[_Held, ...] = ()
        self._read_at = float("-inf")
        self._changed = 0  # so often this process has changed the database
        self._unknown_at = float("-inf")  # when an id that is not held was last asked for
        self._lock = threading.Lock()

    def list(self) -> tuple[SigningKey, ...]:
        """The published keys, the newest first."""
        self._refresh()
        return tuple(one.record for one in self._current())

    def publish(self) -> dict[str, Any]:
        """The public keys as a JWK set (RFC 7517 §5); the first is made if there is none.

        As they were read ``READ_AGAIN_S`` ago at most: whoever fetches the set keeps it for longer.
        """
        self.get_active()
        return {"keys": [dict(one.record.public) for one in self._current()]}

    def get_active(self) -> ECKey:
        """The key that signs now; made, or its successor published, when that is due."""
        held = self._current()
        active = _find_active(held)
        if active is None or self._is_due(held, active.record):
            self._replace_by_age()
            active = _find_active(self._current())
        assert active is not None
        return active.key

    def find(self, kid: str) -> ECKey | None:
        """The key of this id, if tokens that it signed may still be good."""
        for again in (False, True):
            if again:
                # whenever they were read: another server may have made it since
                if 0 <= self._clock() - self._unknown_at < _UNKNOWN_AGAIN_S:
                    return None
                self._unknown_at = self._clock()
                self._refresh()
            for one in self._current():
                if one.record.kid == kid:
                    return one.key
        return None

    def keep_fresh(self) -> None:
        """Read the keys before somebody has to wait for it; to be called every second or so.

        Raises:
            AccountsError: the database cannot be used.
        """
        if not 0 <= self._clock() - self._read_at < _SOON_S:
            self._refresh()

    def rotate(self, *, at_once: bool = False) -> str:
        """Publish the next key; the id of it.

        A key that is published already is that one. ``at_once`` is for a key that may have been
        stolen: the new one signs now, and tokens of all others are refused; by other processes
        within ``READ_AGAIN_S``, or ``STALE_S`` where the database does not answer. The others are
        deleted: whether they still hold must be no question of whose clock is ahead.
        """
        now = self._now()
        with self._store.write() as connection:
            take_turn(connection, Turn.SIGNING_KEYS)
            rows = _read_rows(connection, now)
            starts = now if at_once else now + PUBLISHED_FOR
            coming = [row for row in rows if row["active_from"] > now]
            if coming and not at_once:
                return str(coming[0]["kid"])
            kid = self._insert(connection, now, starts if rows else now)
            which = signing_keys.c.kid != kid
            if at_once:
                delete_all(connection, signing_keys, which)
            else:
                which &= signing_keys.c.retired.is_(None)
                ends = {"retired": starts, "gone": starts + TOKEN_LIFE}
                change_all(connection, signing_keys, which, **ends)
        self._store.run_afterwards(self._read_again)
        return kid

    def sweep(self) -> None:
        """Delete keys whose last token has expired."""
        with self._store.write(may_be_lost=True) as connection:
            clear(connection, signing_keys, signing_keys.c.gone <= self._now())

    def _is_due(self, held: tuple[_Held, ...], active: SigningKey) -> bool:
        if any(one.record.state == "next" for one in held):
            return False
        return self._now() >= active.active_from + AGE - PUBLISHED_FOR

    def _replace_by_age(self) -> None:
        """What another process may have done a moment ago is looked at first."""
        self._refresh()
        held = self._current()
        active = _find_active(held)
        if active is None or self._is_due(held, active.record):
            self.rotate()

    def _current(self) -> tuple[_Held, ...]:
        """The keys as they stand now; states move with the clock, not with the database.

        While that does not answer, those read in the last ``STALE_S`` go on.
        """
        age = self._clock() - self._read_at
        if not 0 <= age < READ_AGAIN_S:
            try:
                self._refresh()
            except AccountsUnavailable:
                if not 0 <= age < STALE_S:
                    raise
        now = self._now()
        return tuple(
            _Held(_describe(one.record, now), one.key)
            for one in self._held
            if one.record.gone is None or one.record.gone > now
        )

    def _read_again(self) -> None:
        """What is being read meanwhile may be from before the change, and counts as old."""
        self._changed += 1
        self._read_at = float("-inf")

    def _refresh(self) -> None:
        with self._lock:
            now, changed = self._now(), self._changed
            known = {one.record.kid: one.key for one in self._held}
            with self._store.read() as connection:
                rows = _read_rows(connection, now)
            self._held = tuple(
                _Held(_read(row), known.get(row["kid"]) or self._open(row)) for row in rows
            )
            self._read_at = self._clock()
            if self._changed != changed:
                self._read_at = float("-inf")

    def _open(self, row: RowMapping) -> ECKey:
        return ECKey.import_key(json.loads(self._seal.open(row["private"])))

    def _insert(self, connection: Connection, now: datetime, active_from: datetime) -> str:
        key = ECKey.generate_key("P-256")
        kid = key.thumbprint()
        public = {**key.as_dict(private=False), "kid": kid, "use": "sig", "alg": ALGORITHM}
        connection.execute(
            insert(signing_keys).values(
                kid=kid,
                public=public,
                private=self._seal.close(json.dumps(key.as_dict(private=True))),
                created=now,
                active_from=active_from,
            )
        )
        return kid

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _read_rows(connection: Connection, now: datetime) -> list[RowMapping]:
    query = (
        select(signing_keys)
        .where(signing_keys.c.gone.is_(None) | (signing_keys.c.gone > now))
        .order_by(signing_keys.c.active_from.desc(), signing_keys.c.kid)
    )
    return list(connection.execute(query).mappings())


def _read(row: RowMapping) -> SigningKey:
    names = ("kid", "public", "created", "active_from", "retired", "gone")
    return SigningKey(state="", **{name: row[name] for name in names})


def _describe(key: SigningKey, now: datetime) -> SigningKey:
    if key.active_from > now:
        state = "next"
    else:
        state = "active" if key.retired is None or key.retired > now else "retired"
    return SigningKey(
        key.kid, state, key.public, key.created, key.active_from, key.retired, key.gone
    )


def _find_active(held: tuple[_Held, ...]) -> _Held | None:
    """The newest active key; two processes may have made the first one at the same moment.

    Where none is yet, the clock that made the only one there is was ahead, and that one signs.
    """
    active = (one for one in held if one.record.state == "active")
    return next(active, held[-1] if held and held[-1].record.state == "next" else None)
