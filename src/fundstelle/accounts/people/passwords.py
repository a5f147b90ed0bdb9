"""Passwords: which may be chosen, how they are kept, and checking one at an even price.

Argon2id with the second profile of RFC 9106 (64 MiB, 3 passes). Few hashes run at a time, few more
wait, and the next one is refused at once: a flood of sign-ins takes neither memory nor the threads
that all pages share. Whom the server knows already has a lane apart, which no stranger can fill.
"""

import base64
import secrets
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from fundstelle.errors import Busy, InvalidArgument

LEAST_CHARS = 12
MOST_CHARS = 256

_RETRY_AFTER_S = 2
_MOST_NORMALISED = 2_048  # a longer one is nobody's; marks are put in order in quadratic time


@dataclass(slots=True)
class Lane:
    """How many hashes run at once, each on 64 MiB and a core, and how many may be under way.

    Attributes:
        running: those that run.
        places: for those that run and wait.
        share: places that one holder may have.
    """

    running: threading.BoundedSemaphore
    places: int
    share: int
    _held: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, holder: str) -> bool:
        """Take a place; ``False`` if there is none, or this holder has its share."""
        with self._lock:
            if self._held.total() >= self.places or self._held[holder] >= self.share:
                return False
            self._held[holder] += 1
            return True

    def leave(self, holder: str) -> None:
        """Give the place back."""
        with self._lock:
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]


def make_lane(running: int, waiting: int, share: int) -> Lane:
    """A lane of its own."""
    return Lane(threading.BoundedSemaphore(running), running + waiting, share)


# Of one process; together they hold at most 13 of the 40 threads that make pages. One network of
# strangers leaves places to others, and whoever is known needs no second one.
_STRANGERS = make_lane(2, 6, share=4)
_KNOWN = make_lane(1, 4, share=1)

# Long enough for our rule, and still the first that are tried.
_WORST = frozenset(
    [
        "123456789012",
        "1234567890123",
        "12345678901234",
        "1234567890123456",
        "password1234",
        "password12345",
        "password123456",
        "passwort1234",
        "passwort12345",
        "passwort123456",
        "passwordpassword",
        "passwortpasswort",
        "qwertyuiopasdf",
        "qwertzuiopasdf",
        "qwertyuiop123",
        "qwertzuiop123",
        "1q2w3e4r5t6y",
        "1q2w3e4r5t6z",
        "iloveyouiloveyou",
        "ichliebedich",
        "hallohallohallo",
        "willkommen123",
        "willkommen1234",
        "welcome12345",
        "letmein12345",
        "administrator",
        "changemechangeme",
        "abcdefghijkl",
        "abcd12345678",
        "fundstelle123",
        "correcthorsebatterystaple",
        "schatzschatz",
        "geheimgeheim",
        "startrek1234",
        "sommer2026!!",
    ]
)


def check_choice(password: str, *, email: str, name: str) -> None:
    """Refuse a password that somebody would guess.

    Raises:
        InvalidArgument: it is too short or too long, repeats one character, contains who it is
            for, or is one of the worst; ``allowed_values`` holds which of ``short``, ``long``,
            ``simple``, ``own``.
    """
    plain = _normalize(password)
    folded = plain.casefold()
    own = {email.casefold(), email.partition("@")[0].casefold(), name.casefold()}
    own |= {word for word in name.casefold().split() if len(word) * 2 >= len(folded)}
    reason = ""
    if len(plain) < LEAST_CHARS:
        reason = "short"
    elif len(plain) > MOST_CHARS:
        reason = "long"
    elif folded in _WORST or len(set(folded)) < 5:
        reason = "simple"
    elif any(len(one) >= 4 and one in folded and len(one) * 2 >= len(folded) for one in own):
        reason = "own"
    if reason:
        raise InvalidArgument(
            f"a password needs {LEAST_CHARS} to {MOST_CHARS} characters and must not be easy to "
            "guess, nor be the name or address of its owner",
            field="password",
            allowed_values=(reason,),
        )


class Passwords:
    """Hashes passwords and checks them.

    Args:
        parameters: of Argon2.
        strangers: the lane for whoever asks.
        known: the lane for known devices, open sessions and holders of a link.
    """

    def __init__(
        self,
        parameters: Parameters = RFC_9106_LOW_MEMORY,
        strangers: Lane = _STRANGERS,
        known: Lane = _KNOWN,
    ) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        self._nobodys = _make_nobodys(parameters)
        self._lanes = {False: strangers, True: known}

    @contextmanager
    def reserve(self, *, known: bool, holder: str) -> Iterator["Hasher"]:
        """A place in a lane, for as long as the block lasts.

        Args:
            known: whether the server knows already who asks.
            holder: the person, or the network of strangers; nobody fills the lane of all.

        Raises:
            Busy: all are taken; nothing has been waited for.
        """
        lane = self._lanes[known]
        if not lane.enter(holder):
            raise Busy("too many passwords are being checked", _RETRY_AFTER_S)
        try:
            yield Hasher(self, lane.running)
        finally:
            lane.leave(holder)

    def hash(self, password: str) -> str:
        """What is stored of a password: Argon2's own encoding, with salt and parameters."""
        return self._hasher.hash(_normalize(password))

    def matches(self, stored: str | None, password: str) -> bool:
        """Whether it is the password; without one it takes as long and is never right."""
        try:
            self._hasher.verify(stored or self._nobodys, _normalize(password[: 2 * MOST_CHARS]))
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Whether it was hashed with other parameters than are used today."""
        return self._hasher.check_needs_rehash(stored)


@dataclass(frozen=True, slots=True)
class Hasher:
    """Whoever has a place waits for those before, and for nobody else."""

    passwords: Passwords
    running: threading.BoundedSemaphore

    def hash(self, password: str) -> str:
        """See ``Passwords.hash``."""
        with self.running:
            return self.passwords.hash(password)

    def matches(self, stored: str | None, password: str) -> bool:
        """See ``Passwords.matches``."""
        with self.running:
            return self.passwords.matches(stored, password)


def _normalize(password: str) -> str:
    """One form for what keyboards write differently (NIST SP 800-63B, 3.1.1.2)."""
    plain = password[:_MOST_NORMALISED].encode(errors="surrogatepass").decode(errors="replace")
    return unicodedata.normalize("NFKC", plain)


def _make_nobodys(parameters: Parameters) -> str:
    """A hash that no password has, at the price of a real one; made without hashing."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(size)).rstrip(b"=").decode()
        for size in (parameters.salt_len, parameters.hash_len)
    )
    price = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2id$v={parameters.version}${price}${salt}${digest}"
