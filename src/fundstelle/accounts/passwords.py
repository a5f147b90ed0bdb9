"""Passwords: which may be chosen, how they are kept, and checking one at an even price.

Argon2id with the second profile of RFC 9106 (64 MiB, 3 passes). Few hashes run at a time, so that
a flood of sign-ins costs time and not memory.
"""

import base64
import secrets
import threading
import unicodedata

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from fundstelle.errors import InvalidArgument

LEAST_CHARS = 12
MOST_CHARS = 256

# At once, in one process: each takes 64 MiB and a core.
_SLOTS = threading.BoundedSemaphore(2)

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
    """Hashes passwords and checks them."""

    def __init__(self, parameters: Parameters = RFC_9106_LOW_MEMORY) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        self._nobodys = _make_nobodys(parameters)

    def hash(self, password: str) -> str:
        """What is stored of a password: Argon2's own encoding, with salt and parameters."""
        with _SLOTS:
            return self._hasher.hash(_normalize(password))

    def matches(self, stored: str | None, password: str) -> bool:
        """Whether it is the password; without one it takes as long and is never right."""
        try:
            with _SLOTS:
                self._hasher.verify(stored or self._nobodys, _normalize(password[: 2 * MOST_CHARS]))
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Whether it was hashed with other parameters than are used today."""
        return self._hasher.check_needs_rehash(stored)


def _normalize(password: str) -> str:
    """One form for what keyboards write differently (NIST SP 800-63B, 3.1.1.2)."""
    return unicodedata.normalize("NFKC", password)


def _make_nobodys(parameters: Parameters) -> str:
    """A hash that no password has, at the price of a real one; made without hashing."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(size)).rstrip(b"=").decode()
        for size in (parameters.salt_len, parameters.hash_len)
    )
    price = f"m={parameters.memory_cost},t={parameters.time_cost},p={parameters.parallelism}"
    return f"$argon2id$v={parameters.version}${price}${salt}${digest}"
