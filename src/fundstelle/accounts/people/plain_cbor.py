"""Refuses in a browser's answer what no authenticator writes, before a library reads it.

CBOR (RFC 8949) may share values, so that some hundred bytes unfold to terabytes. Authenticators
write the canonical form of CTAP2 (section 8), of which this is the most that matters: no tags, four
levels, lengths that are known and as short as they can be. It is then read by the library byte for
byte as it was read here.
"""

import json
from typing import Any

from webauthn.helpers import base64url_to_bytes

_MOST_LEVELS = 8
_HEAD = 37  # bytes: hash of the host, flags, counter (Web Authentication Level 3, 6.1)
_FLAGS = 32
_HAS_KEY, _HAS_EXTENSIONS = 0x40, 0x80
_NUMBERS = frozenset({0, 1})
_BYTES, _TEXT, _ARRAY, _MAP, _TAG, _OTHER = range(2, 8)
_WORDS = frozenset({20, 21, 22})  # false, true, null
_LENGTHS = {24: 1, 25: 2, 26: 4, 27: 8}  # bytes that follow, by the five low bits


class NotPlain(ValueError):
    """It is no answer, or none that an authenticator has written."""


def check_answer(answer: str) -> None:
    """Whatever CBOR there is in what a browser says of a passkey.

    Raises:
        ValueError: it is none, or one that no authenticator has written.
    """
    try:
        told = json.loads(answer)["response"]
    except (KeyError, TypeError, RecursionError) as error:
        raise NotPlain("no answer") from error
    if not isinstance(told, dict):
        raise NotPlain("no answer")
    if (attestation := _decode(told, "attestationObject")) is not None:
        _check_attestation(attestation)
    if (authenticator := _decode(told, "authenticatorData")) is not None:
        _check_authenticator(authenticator)


def _decode(told: dict[str, Any], name: str) -> bytes | None:
    value = told.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise NotPlain(name)
    return base64url_to_bytes(value)


def _check_attestation(data: bytes) -> None:
    """An attestation object: a map with what the authenticator says of itself among it."""
    reader = _Reader(data)
    reader.read_all()
    for name, value in reader.bytes_by_name:
        if name == b"authData":
            _check_authenticator(value)


def _check_authenticator(data: bytes) -> None:
    """Authenticator data: a key and extensions stand behind its head (6.1, 6.5.1)."""
    flags = data[_FLAGS] if len(data) > _FLAGS else 0
    start = _HEAD
    if flags & _HAS_KEY:
        size = int.from_bytes(data[start + 16 : start + 18], "big")
        start += 18 + size
    if flags & (_HAS_KEY | _HAS_EXTENSIONS):
        _Reader(data, start).read_all()


class _Reader:
    """Goes through items, one after the other; nothing is made of them."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self._at = at
        self.bytes_by_name: list[tuple[bytes, bytes]] = []

    def read_all(self) -> None:
        while self._at < len(self._data):
            self._read(_MOST_LEVELS)

    def _read(self, levels: int) -> tuple[int, bytes]:
        """One item: its kind, and of a string its bytes."""
        kind, size = self._read_head()
        if kind in {_BYTES, _TEXT}:
            return kind, self._take(size)
        if kind in {_ARRAY, _MAP} and (not levels or size > len(self._data)):
            raise NotPlain("too deep, or longer than it is")
        if kind == _ARRAY:
            for _ in range(size):
                self._read(levels - 1)
        elif kind == _MAP:
            for _ in range(size):
                self._read_pair(levels - 1)
        return kind, b""

    def _read_pair(self, levels: int) -> None:
        kind, name = self._read(levels)
        if kind != _TEXT and kind not in _NUMBERS:
            raise NotPlain("a name that is neither a text nor a number")
        kind, value = self._read(levels)
        if kind == _BYTES:
            self.bytes_by_name.append((name, value))

    def _read_head(self) -> tuple[int, int]:
        """The kind of an item, and its number or length."""
        first = self._take(1)[0]
        kind, low = first >> 5, first & 31
        if kind == _TAG or (kind == _OTHER and low not in _WORDS):
            raise NotPlain("what no authenticator writes")
        if low < 24:
            return kind, low
        count = _LENGTHS.get(low, 0)
        if not count:
            raise NotPlain("a length that is not known")
        value = int.from_bytes(self._take(count), "big")
        if value < 24 or (value.bit_length() <= 4 * count and count > 1):
            raise NotPlain("a number that is longer than it must be")
        return kind, value

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise NotPlain("longer than it is")
        taken, self._at = self._data[self._at : end], end
        return taken
