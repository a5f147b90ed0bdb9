"""API keys as rows of the database: found, listed, counted, changed; each change has a number."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from fundstelle.accounts.database.locks import NotKept, change_all, lock
from fundstelle.accounts.database.schema import api_keys, key_revision
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.keys.cache import Changes, LiveKey, Principal
from fundstelle.accounts.keys.reach import load_reach
from fundstelle.accounts.keys.records import ApiKey
from fundstelle.errors import InvalidArgument, NotFound

LEFT = "(deleted person)"  # the name of keys whose person was forgotten
KEPT_FOR = timedelta(days=90)
"""After its end, for those who look back."""

_STEP = 2**30
"""A revision is further than this from the one before, by chance up to twice as far.

Another copy of the database (an older one, to which servers fail over) may see as many changes:
counted one by one it would come to the same numbers, and what ended there would not be read. Room
is for some billions of changes.
"""

_REVISION = select(key_revision.c.revision)
_RECORD = [column for column in api_keys.c if column.name not in {"digest", "revision"}]


def insert_key(connection: Connection, record: ApiKey, digest: bytes, revision: int) -> None:
    """A new key."""
    values = {column.name: getattr(record, column.name) for column in _RECORD}
    values["reach"] = record.reach.dump()
    connection.execute(insert(api_keys).values(digest=digest, revision=revision, **values))


def get_key(connection: Connection, key_id: str) -> ApiKey:
    """The key with this id.

    Raises:
        NotFound: there is none.
    """
    query = select(*_RECORD).where(api_keys.c.id == key_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound("there is no such key")
    return _read_key(row)


def _read_key(row: RowMapping) -> ApiKey:
    return ApiKey(**{**row, "reach": load_reach(row["reach"])})


def list_keys(
    connection: Connection, user_id: str | None, most_ended: int | None, now: datetime
) -> tuple[ApiKey, ...]:
    """All keys, or a person's, oldest first; of those that have ended so many of the newest."""
    query = select(*_RECORD).order_by(api_keys.c.created, api_keys.c.id)
    if user_id is not None:
        query = query.where(api_keys.c.user_id == user_id)
    if most_ended is not None:
        is_live = _is_live(now)
        ended = (
            select(api_keys.c.id)
            .where(not_(is_live))
            .order_by(api_keys.c.created.desc(), api_keys.c.id)
            .limit(most_ended)
        )
        if user_id is not None:
            ended = ended.where(api_keys.c.user_id == user_id)
        query = query.where(or_(is_live, api_keys.c.id.in_(ended)))
    return tuple(map(_read_key, connection.execute(query).mappings()))


def refuse_too_many(connection: Connection, user_id: str | None, most: int, now: datetime) -> None:
    """See that a person has fewer live keys than so many.

    Raises:
        InvalidArgument: they have not (``field`` is ``keys``).
    """
    if user_id is None:
        return
    live = select(func.count()).where(api_keys.c.user_id == user_id, _is_live(now))
    if connection.execute(live).scalar_one() >= most:
        raise InvalidArgument(
            f"{most} live keys are the most that one person may have; revoke one first",
            field="keys",
        )


def sweep(connection: Connection, user_id: str | None, now: datetime) -> None:
    """Forget a person's keys that ended long ago; by then every process knows that they did."""
    if user_id is None:
        return
    ended = now - KEPT_FOR
    which = or_(api_keys.c.revoked < ended, api_keys.c.expires < ended)
    connection.execute(delete(api_keys).where(api_keys.c.user_id == user_id, which))


def next_revision(connection: Connection) -> int:
    """The number of a change of the keys, which every server process then reads.

    Whoever has it is alone with the keys until the transaction ends.
    """
    step = _STEP + secrets.randbelow(_STEP)
    before: int = connection.execute(_REVISION).scalar_one()
    connection.execute(update(key_revision).values(revision=key_revision.c.revision + step))
    revision: int = connection.execute(_REVISION).scalar_one()
    if revision < before + step:  # no process would read them
        raise NotKept(key_revision.name)
    return revision


def change_keys(
    connection: Connection, revision: int, which: ColumnElement[bool], **values: object
) -> int:
    """Change these keys, or only have every server process read them anew; how many they were."""
    return change_all(connection, api_keys, which, revision=revision, **values)


def leave_keys(
    connection: Connection, revision: int, user_id: str, heir: str | None, now: datetime
) -> tuple[str, ...]:
    """Part a person's keys from them, before they are forgotten; the ids of those that go over.

    The live ones go over to ``heir``, if there is one. All others end, belong to nobody, have
    neither a name nor networks of theirs any more, and stay so long that every process learns that
    they ended.
    """
    sweep(connection, user_id, now)
    lock(connection, api_keys, api_keys.c.user_id == user_id)
    taken: tuple[str, ...] = ()
    if heir is not None:
        live = and_(api_keys.c.user_id == user_id, _is_live(now))
        taken = tuple(connection.scalars(select(api_keys.c.id).where(live).order_by(api_keys.c.id)))
        change_keys(connection, revision, live, user_id=heir)
    ended = func.coalesce(api_keys.c.revoked, now)
    rest = api_keys.c.user_id == user_id
    left = {"user_id": None, "name": LEFT, "reach": None, "revoked": ended}
    change_keys(connection, revision, rest, **left)
    return taken


def read_changes(connection: Connection, seen: int, now: datetime) -> Changes:
    """What happened to the keys since a revision; -1 = all live keys."""
    revision: int = connection.execute(_REVISION).scalar_one()
    # Less was counted one by one, as versions before did; at 0 no key has ever been changed.
    if revision == seen and (seen >= _STEP or seen == 0):
        return Changes(revision, {})
    complete = not _is_of_here(connection, seen)
    query = select(
        api_keys,
        users.c.disabled,
        users.c.rate_per_minute.label("seat_rate"),
        users.c.calls_per_month,
    ).outerjoin(users)
    query = query.where(_is_live(now) if complete else api_keys.c.revision > seen)
    rows = connection.execute(query).mappings()
    return Changes(revision, {row["digest"]: _live(row) for row in rows}, complete)


def _is_of_here(connection: Connection, seen: int) -> bool:
    """Whether this copy of the database was at a revision: all that came after it is then newer.

    A key that has its number shows it. Where none has it any more nobody can say, and all keys are
    read: the copy may be an older one with changes of its own, before that number and behind it.
    """
    if seen < _STEP:
        return False
    query = select(api_keys.c.id).where(api_keys.c.revision == seen).limit(1)
    return connection.execute(query).first() is not None


def write_last_use(connection: Connection, uses: Mapping[str, float]) -> None:
    """When keys were used last, in seconds since the epoch, where that is later than is known."""
    lock(connection, api_keys, api_keys.c.id.in_(uses))
    for key_id, used in uses.items():
        moment = datetime.fromtimestamp(used, UTC).replace(microsecond=0)
        is_older = or_(api_keys.c.last_used.is_(None), api_keys.c.last_used < moment)
        connection.execute(
            update(api_keys).where(api_keys.c.id == key_id, is_older).values(last_used=moment)
        )


def _is_live(now: datetime) -> ColumnElement[bool]:
    return and_(
        api_keys.c.revoked.is_(None),
        or_(api_keys.c.expires.is_(None), api_keys.c.expires > now),
    )


def _live(row: RowMapping) -> LiveKey | None:
    if row["revoked"] is not None or row["disabled"] is not None:
        return None
    rate = row["seat_rate"] if row["rate_per_minute"] is None else row["rate_per_minute"]
    seat = row["user_id"] or row["id"]
    reach = load_reach(row["reach"])
    principal = Principal(row["id"], row["name"], rate, seat, row["calls_per_month"], reach)
    live = LiveKey(row["digest"], principal)
    if row["expires"] is not None:
        live.expires = row["expires"].timestamp()
    return live
