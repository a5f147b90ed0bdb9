"""Recovery codes: ten for whoever has a second factor, each good once in the place of it."""

import hmac
import re
import secrets

from sqlalchemy import Connection, delete, func, insert, select

from fundstelle.accounts.database.locks import delete_all
from fundstelle.accounts.database.schema_people import passkeys, recovery_codes, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.records import require_mark

CODES = 10

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
_CHARS = 12  # 59 bits, behind the throttle of codes and under the pepper
_GROUP = 4
_FORM = re.compile(f"[{_ALPHABET}]{{{_CHARS}}}")
_BETWEEN = re.compile(r"[\s-]+")


class RecoveryCodes:
    """The codes of one server, which are stored as HMAC-SHA-256 under the pepper alone.

    Args:
        store: the accounts database.
    """

    def __init__(self, store: AccountsStore) -> None:
        self._store = store

    def count(self, user_id: str) -> int:
        """How many of a person's codes are left."""
        query = select(func.count()).where(recovery_codes.c.user_id == user_id)
        with self._store.read() as connection:
            return int(connection.execute(query).scalar_one())

    def renew(self, user_id: str, mark: str | None = None) -> tuple[str, ...]:
        """Ten new codes in the place of those there are; they exist nowhere else.

        Args:
            user_id: whose.
            mark: of the person, as it was when they were asked who they are.

        Raises:
            NotFound: there is no such person.
            SignInFailed: they have another password or app since then, or are disabled.
        """
        with self._store.write() as connection:
            require_mark(connection, user_id, mark)
            return self._renew(connection, user_id)

    def begin(self, user_id: str, mark: str | None = None) -> tuple[str, ...]:
        """The codes that come with a second factor; none for whoever has some already.

        Raises:
            NotFound: there is no such person.
            SignInFailed: they have another password or app since then, or are disabled.
        """
        with self._store.write() as connection:
            require_mark(connection, user_id, mark)
            is_there = select(recovery_codes.c.digest).where(recovery_codes.c.user_id == user_id)
            if connection.execute(is_there.limit(1)).first() is not None:
                return ()
            return self._renew(connection, user_id)

    def use(self, user_id: str, code: str) -> bool:
        """Use a code up, for one caller alone; ``False`` if it is none of this person's."""
        code = _fold(code)
        if not _FORM.fullmatch(code):
            return False
        which = (
            recovery_codes.c.digest == self._hash(user_id, code),
            recovery_codes.c.user_id == user_id,
        )
        with self._store.write() as connection:
            return connection.execute(delete(recovery_codes).where(*which)).rowcount == 1

    def _renew(self, connection: Connection, user_id: str) -> tuple[str, ...]:
        forget_recovery(connection, user_id)
        codes = tuple(_create() for _ in range(CODES))
        rows = [{"digest": self._hash(user_id, one), "user_id": user_id} for one in codes]
        connection.execute(insert(recovery_codes), rows)
        return tuple(_write(one) for one in codes)

    def _hash(self, user_id: str, code: str) -> bytes:
        return hmac.digest(self._store.pepper, f"recovery\0{user_id}\0{code}".encode(), "sha256")


def looks_like_recovery(code: str) -> bool:
    """Whether something that was typed has the form of a recovery code."""
    return _FORM.fullmatch(_fold(code)) is not None


def forget_recovery(connection: Connection, user_id: str) -> None:
    """Make a person's codes worthless, in the caller's transaction."""
    which = recovery_codes.c.user_id == user_id
    delete_all(connection, recovery_codes, which)


def forget_recovery_alone(connection: Connection, user_id: str) -> None:
    """The same, if the person has no second factor any more whose place they could take."""
    has_app = select(users.c.id).where(users.c.id == user_id, users.c.totp_secret.is_not(None))
    has_passkey = select(passkeys.c.id).where(passkeys.c.user_id == user_id).limit(1)
    if not any(connection.execute(one).first() for one in (has_app, has_passkey)):
        forget_recovery(connection, user_id)


def _create() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_CHARS))


def _write(code: str) -> str:
    return "-".join(code[at : at + _GROUP] for at in range(0, _CHARS, _GROUP))


def _fold(code: str) -> str:
    return _BETWEEN.sub("", code).lower()
