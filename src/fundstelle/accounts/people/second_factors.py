"""One-time codes of authenticator apps (TOTP, RFC 6238) and the recovery from losing them."""

import hmac
import io
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import pyotp
import segno
from sqlalchemy import Connection, delete, or_, select, update

from fundstelle.accounts.database.locks import change_all, lock
from fundstelle.accounts.database.schema_people import passkeys, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing import limits
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.limits.limiter import Limit
from fundstelle.accounts.people.passkeys import Passkeys
from fundstelle.accounts.people.people import SignInFailed, User
from fundstelle.accounts.people.records import Within, find_user, lock_user, require_mark
from fundstelle.accounts.people.recovery import (
    RecoveryCodes,
    forget_recovery,
    forget_recovery_alone,
    looks_like_recovery,
)
from fundstelle.accounts.people.roster import end_sessions
from fundstelle.accounts.secrets import Seal
from fundstelle.errors import InvalidArgument
from fundstelle.net.networks import find_network, find_site

STEP_S = 30
CODE = "code"  # what has been shown: a code of the app
RECOVERY = "recovery"  # or one that takes its place

_ISSUER = "Fundstelle"
_CODE = re.compile(r"[0-9]{6}")


@dataclass(frozen=True, slots=True)
class TotpOffer:
    """A secret that an app may take over. It holds once a code of the app has been shown.

    ``sealed`` may be kept in a session; ``secret`` and ``uri`` are for the person alone.
    """

    sealed: str
    secret: str
    uri: str

    def draw(self) -> str:
        """The address as a QR code: SVG without any style of its own, for an image file."""
        drawn = io.BytesIO()
        segno.make(self.uri, error="m", micro=False).save(
            drawn, kind="svg", scale=4, border=4, light="#fff", xmldecl=False
        )
        return drawn.getvalue().decode()


class SecondFactors:
    """What people show beside a password, or in its place.

    Args:
        store: the accounts database.
        base_url: the server's public address; passkeys belong to its host.
        clock: seconds since the epoch.
        throttle: counts failures.
    """

    def __init__(
        self,
        store: AccountsStore,
        base_url: str,
        clock: Callable[[], float] = time.time,
        throttle: Throttle | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._seal = Seal(store.pepper, "totp")
        self._throttle = throttle or Throttle(store, clock)
        self._devices = Devices(store.pepper, clock)
        self.passkeys = Passkeys(store, base_url, clock)
        self.recovery = RecoveryCodes(store)

    def has_passkey(self, user: User) -> bool:
        """Whether this person has a passkey that browsers would use here."""
        return self.passkeys.are_possible and bool(self.passkeys.list(user.id))

    def has_any(self, user: User) -> bool:
        """Whether this person has anything to show beside a password."""
        return user.has_totp or self.has_passkey(user)

    def offer_totp(self, email: str) -> TotpOffer:
        """A fresh secret, kept nowhere yet."""
        return self._make_offer(pyotp.random_base32(), email)

    def reopen_totp(self, sealed: str, email: str) -> TotpOffer:
        """The offer that was sealed before.

        Raises:
            AccountsError: it is not one of this server's.
        """
        return self._make_offer(self._seal.open(sealed), email)

    def confirm_totp(self, user_id: str, sealed: str, code: str, mark: str | None = None) -> User:
        """Keep the offered secret, if the app shows its code; the person with their new mark.

        Args:
            user_id: whose app it is.
            sealed: the offer.
            code: as it was typed.
            mark: of the person, as it was when they were asked who they are.

        Raises:
            NotFound: there is no such person.
            InvalidArgument: the code is another.
            SignInFailed: they have another password or app since then, or are disabled.
        """
        step = self._match(self._seal.open(sealed), code, after=None)
        if step is None:
            raise InvalidArgument("the code does not fit", field="code")
        with self._store.write() as connection:
            require_mark(connection, user_id, mark)
            connection.execute(
                update(users)
                .where(users.c.id == user_id)
                .values(totp_secret=sealed, totp_step=step)
            )
            return find_user(connection, user_id)

    def check_code(
        self, user_id: str, code: str, address: str, *, device: str = "", session_id: str = ""
    ) -> str:
        """Check a code of the app, or a recovery code, and use it up: none is taken twice.

        Args:
            user_id: of somebody who has shown the password.
            code: as it was typed.
            address: where it comes from.
            device: the cookie of the browser.
            session_id: of the person's session, where they show again who they are.

        Returns:
            Which it was: ``CODE`` or ``RECOVERY``.

        Raises:
            NotFound: there is no such person.
            SignInFailed: it is wrong, old, used, or too many were wrong before.
        """
        with self._store.read() as connection:
            known = self._devices.find(device, find_user(connection, user_id).known_as) or ""
        attempts = _list_attempts(user_id, address, known, session_id)
        blocked = self._throttle.take(*attempts, about=user_id)
        if blocked is not None:
            raise SignInFailed(blocked)
        query = select(users.c.totp_secret, users.c.totp_step).where(
            users.c.id == user_id, users.c.disabled.is_(None)
        )
        with self._store.read() as connection:
            row = connection.execute(query).one_or_none()
        is_recovery = looks_like_recovery(code)
        if row is None or not (
            self.recovery.use(user_id, code)
            if is_recovery
            else self._use_totp(user_id, row.totp_secret, code, row.totp_step)
        ):
            raise SignInFailed
        self._throttle.give_back(attempts)
        return RECOVERY if is_recovery else CODE

    def _use_totp(self, user_id: str, sealed: str | None, code: str, after: int | None) -> bool:
        if sealed is None:
            return False
        step = self._match(self._seal.open(sealed), code, after=after)
        return step is not None and self._use(user_id, step)

    def remove_totp(self, user_id: str) -> None:
        """Ask this person for no code any more."""
        with self._store.write() as connection:
            lock_user(connection, user_id)
            _forget_totp(connection, user_id)
            forget_recovery_alone(connection, user_id)

    def reset(self, user_id: str, within: Within | None = None) -> None:
        """Remove app, passkeys and recovery codes of somebody who has lost them; an admin's act.

        Their sessions end, too: whoever found what was lost may be signed in with it.

        Args:
            user_id: whose.
            within: the transaction that records it; ``None`` = one of its own.

        Raises:
            NotFound: there is no such person.
        """
        with within or self._store.write() as connection:
            lock_user(connection, user_id)
            _forget_totp(connection, user_id)
            lock(connection, passkeys, passkeys.c.user_id == user_id)
            connection.execute(delete(passkeys).where(passkeys.c.user_id == user_id))
            forget_recovery(connection, user_id)
            end_sessions(connection, user_id)

    def _make_offer(self, secret: str, email: str) -> TotpOffer:
        uri = pyotp.TOTP(secret, interval=STEP_S).provisioning_uri(name=email, issuer_name=_ISSUER)
        return TotpOffer(self._seal.close(secret), secret, uri)

    def _match(self, secret: str, code: str, *, after: int | None) -> int | None:
        """The time step whose code it is: this one, or one beside it for clocks that differ."""
        code = code.replace(" ", "")
        if not _CODE.fullmatch(code):
            return None
        now = self._count_steps()
        totp = pyotp.TOTP(secret, interval=STEP_S)
        fitting = [
            step
            for step in (now - 1, now, now + 1)
            if hmac.compare_digest(totp.generate_otp(step), code)
            and (after is None or step > after or after > now + 1)
        ]
        return fitting[0] if fitting else None

    def _count_steps(self) -> int:
        return int(self._clock() // STEP_S)

    def _use(self, user_id: str, step: int) -> bool:
        """Remember the step; ``False`` if it was used meanwhile.

        One that has yet to come was used while the clock ran ahead: it locks nobody out.
        """
        used = users.c.totp_step
        is_newer = or_(used.is_(None), used < step, used > self._count_steps() + 1)
        with self._store.write() as connection:
            done = connection.execute(
                update(users).where(users.c.id == user_id, is_newer).values(totp_step=step)
            )
        return done.rowcount == 1


def _forget_totp(connection: Connection, user_id: str) -> None:
    which = users.c.id == user_id
    change_all(connection, users, which, totp_secret=None, totp_step=None)


def _list_attempts(
    user_id: str, address: str, device: str, session_id: str
) -> tuple[tuple[Limit, str], ...]:
    if session_id:
        return ((limits.SESSION_CODE, session_id),)
    if device:
        return ((limits.DEVICE_CODE, device),)
    return (
        (limits.CODE, user_id),
        (limits.NETWORK, find_network(address)),
        (limits.SITE, find_site(address)),
    )
