"""Browsers in which somebody has signed in before: what they know them by is a signed cookie.

A stranger's failures make the owner of an account wait on strange devices at most ("Slow Down
Online Guessing Attacks with Device Cookies", OWASP). The cookie proves no more than that: it opens
nothing, names nobody, and is bound by a MAC under the pepper to its person and to what they signed
in with: with another password or app their browsers are strange again, so that nobody gathers known
ones for the day when there is something to guess.
"""

import hmac
import re
import time
from collections.abc import Callable

from fundstelle.accounts.keys.format import random_text

LIFE_S = 365 * 86_400
MOST_PEOPLE = 4  # that share a browser

_NONCE_CHARS = 16
_TIME_CHARS = 9  # seconds since the epoch, hexadecimal
_ENTRY = re.compile(r"[0-9A-Za-z]{16}[0-9a-f]{9}[0-9a-f]{32}")
_MOST_CHARS = 58 * MOST_PEOPLE


class Devices:
    """Issues and reads the cookies of known devices.

    Args:
        pepper: the server's secret.
        clock: seconds since the epoch.
    """

    def __init__(self, pepper: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = hmac.digest(pepper, b"device", "sha256")
        self._clock = clock

    def issue(self, owner: str, cookie: str = "") -> str:
        """The cookie of a browser in which this person has just signed in.

        Args:
            owner: the person, as ``User.known_as`` names them.
            cookie: what the browser has so far; what it holds of others is kept.
        """
        others = [one for one in _split(cookie) if self._read(one, owner) is None]
        stem = f"{random_text(_NONCE_CHARS)}{int(self._clock()):0{_TIME_CHARS}x}"
        return ".".join([*others[1 - MOST_PEOPLE :], stem + self._sign(stem, owner)])

    def find(self, cookie: str, owner: str) -> str | None:
        """The name of the device, if this person has signed in there; for counting by it."""
        names = (self._read(entry, owner) for entry in _split(cookie))
        return next((name for name in names if name is not None), None)

    def _read(self, entry: str, owner: str) -> str | None:
        stem = entry[: _NONCE_CHARS + _TIME_CHARS]
        if not hmac.compare_digest(entry[len(stem) :], self._sign(stem, owner)):
            return None
        age = self._clock() - int(stem[_NONCE_CHARS:], 16)
        return stem[:_NONCE_CHARS] if age < LIFE_S else None

    def _sign(self, stem: str, owner: str) -> str:
        return hmac.digest(self._key, f"{stem}\0{owner}".encode(), "sha256").hex()[:32]


def _split(cookie: str) -> list[str]:
    entries = cookie[:_MOST_CHARS].split(".")
    return [entry for entry in entries if _ENTRY.fullmatch(entry)]
