"""The form of an API key: ``sk-legal-`` + 40 random base62 characters + a 6-character checksum.

The checksum is the CRC-32 of everything before it, in base62. It refuses a typo before anything
else is done with the text; it proves nothing about who wrote it.
"""

import secrets
import string
import zlib

PREFIX = "sk-legal-"
RANDOM_CHARS = 40  # 238 bits
CHECKSUM_CHARS = 6  # 62**6 > 2**32
KEY_CHARS = len(PREFIX) + RANDOM_CHARS + CHECKSUM_CHARS

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_BODY = KEY_CHARS - CHECKSUM_CHARS
# Values of all two-character numerals: three look-ups read a checksum.
_PAIRS = {a + b: 62 * i + j for i, a in enumerate(_ALPHABET) for j, b in enumerate(_ALPHABET)}
_PAIR = 62 * 62


def new_key() -> str:
    """A fresh key from the operating system's randomness."""
    body = PREFIX + random_text(RANDOM_CHARS)
    return body + checksum(body)


def random_text(length: int) -> str:
    """*length* base62 characters of randomness."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def checksum(body: str) -> str:
    """CRC-32 of *body* (ASCII) as six base62 digits, most significant first."""
    number = zlib.crc32(body.encode("ascii"))
    digits = []
    for _ in range(CHECKSUM_CHARS):
        number, digit = divmod(number, 62)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


def encode_if_intact(text: str) -> bytes | None:
    """The key's bytes if *text* has the form of a key and its checksum fits, else ``None``."""
    if len(text) != KEY_CHARS or not text.startswith(PREFIX) or not text.isascii():
        return None
    key = text.encode("ascii")
    try:
        expected = (_PAIRS[text[-6:-4]] * _PAIR + _PAIRS[text[-4:-2]]) * _PAIR + _PAIRS[text[-2:]]
    except KeyError:
        return None
    return key if zlib.crc32(key[:_BODY]) == expected else None


def displayed(key: str) -> str:
    """What may be shown of a key once it has been handed out: ``sk-legal-Ab3d…wXyZ``."""
    return f"{key[: len(PREFIX) + 4]}…{key[-4:]}"
