"""Passkeys (Web Authentication Level 3): a key in the person's device instead of a password.

The device checks finger, face or PIN, so a passkey is both factors at once. Challenges are kept
by the caller, in the session, and used once.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import webauthn
from sqlalchemy import func, insert, or_, select, update
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from fundstelle.accounts.database.locks import delete_all
from fundstelle.accounts.database.schema_people import passkeys, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.people import SignInFailed, User
from fundstelle.accounts.people.plain_cbor import check_answer
from fundstelle.accounts.people.records import (
    change_mark,
    check_name,
    lock_user,
    read_user,
    require_mark,
)
from fundstelle.accounts.people.recovery import forget_recovery_alone
from fundstelle.errors import InvalidArgument, NotFound

MOST = 20  # of one person

_NAME = "Fundstelle"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as its owner sees it; ``id`` is the credential id in base64url."""

    id: str
    name: str
    created: datetime
    last_used: datetime | None


@dataclass(frozen=True, slots=True)
class Ceremony:
    """What the browser is asked: ``options`` as JSON for it, ``challenge`` for the session."""

    options: str
    challenge: str


class Passkeys:
    """The passkeys of one server.

    Args:
        store: the accounts database.
        base_url: the server's public address, whose host the passkeys belong to.
        clock: seconds since the epoch.
    """

    def __init__(
        self, store: AccountsStore, base_url: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._origin = base_url
        self._host = urlsplit(base_url).hostname or ""
        self._clock = clock

    @property
    def are_possible(self) -> bool:
        """Browsers have passkeys for names alone, by https or on localhost."""
        try:
            ip_address(self._host)
        except ValueError:
            return self._origin.startswith("https:") or self._host == "localhost"
        return False

    def list(self, user_id: str) -> tuple[Passkey, ...]:
        """A person's passkeys, oldest first."""
        query = (
            select(passkeys)
            .where(passkeys.c.user_id == user_id)
            .order_by(passkeys.c.created, passkeys.c.id)
        )
        with self._store.read() as connection:
            return tuple(
                Passkey(bytes_to_base64url(row.id), row.name, row.created, row.last_used)
                for row in connection.execute(query)
            )

    def begin_registration(self, user: User) -> Ceremony:
        """Ask a device for a new passkey."""
        known = [
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.id))
            for one in self.list(user.id)
        ]
        options = webauthn.generate_registration_options(
            rp_id=self._host,
            rp_name=_NAME,
            user_id=user.id.encode(),
            user_name=user.email,
            user_display_name=user.name,
            exclude_credentials=known,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        return Ceremony(webauthn.options_to_json(options), bytes_to_base64url(options.challenge))

    def register(
        self, user_id: str, challenge: str, answer: str, name: str, mark: str | None = None
    ) -> Passkey:
        """Keep the passkey that a device has made.

        Args:
            user_id: whose it is.
            challenge: what the device was asked.
            answer: what it answered.
            name: what its person calls it.
            mark: of the person, as it was when they were asked who they are.

        Raises:
            SignInFailed: they have another password or app since then, or are disabled.
            NotFound: there is no such person.
            InvalidArgument: the answer is not one to this challenge, the name cannot be used, or
                there are too many.
        """
        name = check_name(name)
        if not challenge:
            raise InvalidArgument("nothing was asked", field="passkey")
        try:
            check_answer(answer)
            made = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._host,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        except Exception:  # noqa: BLE001 -- whatever parsers raise on a stranger's bytes
            raise InvalidArgument("the passkey could not be checked", field="passkey") from None
        now = self._now()
        count = select(func.count()).where(passkeys.c.user_id == user_id)
        is_known = select(passkeys.c.id).where(passkeys.c.id == made.credential_id)
        with self._store.write() as connection:
            # locked, so that a session that begins meanwhile sees the passkey
            require_mark(connection, user_id, mark)
            if connection.execute(count).scalar_one() >= MOST:
                raise InvalidArgument(f"{MOST} passkeys are the most", field="passkey")
            if connection.execute(is_known).first() is not None:
                raise InvalidArgument("this passkey is registered already", field="passkey")
            connection.execute(
                insert(passkeys).values(
                    id=made.credential_id,
                    user_id=user_id,
                    name=name,
                    public_key=made.credential_public_key,
                    sign_count=made.sign_count,
                    created=now,
                )
            )
        return Passkey(bytes_to_base64url(made.credential_id), name, now, None)

    def begin_authentication(self) -> Ceremony:
        """Ask for any passkey of this server; the device knows whose it is."""
        options = webauthn.generate_authentication_options(
            rp_id=self._host, user_verification=UserVerificationRequirement.REQUIRED
        )
        return Ceremony(webauthn.options_to_json(options), bytes_to_base64url(options.challenge))

    def authenticate(self, challenge: str, answer: str) -> User:
        """Whose passkey has signed the challenge.

        Raises:
            SignInFailed: nobody's, or of somebody who is disabled.
        """
        if not challenge:
            raise SignInFailed
        credential_id = _read_id(answer)
        query = (
            select(users, passkeys.c.public_key, passkeys.c.sign_count)
            .join(passkeys, passkeys.c.user_id == users.c.id)
            .where(passkeys.c.id == credential_id, users.c.disabled.is_(None))
        )
        with self._store.read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            raise SignInFailed
        try:
            check_answer(answer)
            verified = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._host,
                expected_origin=self._origin,
                credential_public_key=row["public_key"],
                credential_current_sign_count=row["sign_count"],
                require_user_verification=True,
            )
        except Exception:  # noqa: BLE001 -- whatever parsers raise on a stranger's bytes
            raise SignInFailed from None
        if not self._use(credential_id, verified.new_sign_count):
            raise SignInFailed
        return read_user(row)

    def remove(self, user_id: str, passkey_id: str) -> None:
        """Forget a passkey.

        Raises:
            NotFound: the person has none with this id.
        """
        try:
            credential_id = base64url_to_bytes(passkey_id)
        except ValueError:
            raise NotFound("there is no such passkey") from None
        which = (passkeys.c.id == credential_id, passkeys.c.user_id == user_id)
        with self._store.write() as connection:
            lock_user(connection, user_id)
            if delete_all(connection, passkeys, *which) != 1:
                raise NotFound("there is no such passkey")
            change_mark(connection, user_id)  # who is signing in with it does so in vain
            forget_recovery_alone(connection, user_id)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC).replace(microsecond=0)

    def _use(self, credential_id: bytes, sign_count: int) -> bool:
        """Raise the counter; ``False`` if the same answer was used meanwhile."""
        is_newer = or_(passkeys.c.sign_count < sign_count, passkeys.c.sign_count == 0)
        with self._store.write() as connection:
            done = connection.execute(
                update(passkeys)
                .where(passkeys.c.id == credential_id, is_newer)
                .values(sign_count=sign_count, last_used=self._now())
            )
        return done.rowcount == 1


def _read_id(answer: str) -> bytes:
    """The credential id of a browser's answer.

    Raises:
        SignInFailed: it is no answer.
    """
    try:
        read: Any = json.loads(answer)
        return base64url_to_bytes(read["rawId"])
    except Exception:  # noqa: BLE001 -- whatever parsers raise on a stranger's bytes
        raise SignInFailed from None
