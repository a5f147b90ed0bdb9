"""Random secrets, the hashes they are stored as, and a seal for what must be read again."""

import hashlib
import hmac
import secrets

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from fundstelle.errors import AccountsError

_HEADER = {"alg": "dir", "enc": "A256GCM"}
_SECRET_BYTES = 32


def create_secret() -> str:
    """256 bits of randomness for an address, a cookie or a token: 43 characters."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_secret(secret: str) -> bytes:
    """What is stored of a secret that ``create_secret`` made: SHA-256, 32 bytes.

    At 256 random bits a slow hash would add nothing.
    """
    return hashlib.sha256(secret.encode()).digest()


class Seal:
    """Encrypts what must be stored and read again (JWE, RFC 7516: ``dir`` with ``A256GCM``).

    Args:
        pepper: the server's secret, which never lies in the database.
        purpose: separates keys, so that what was sealed for one purpose opens for no other.
    """

    def __init__(self, pepper: bytes, purpose: str) -> None:
        self._key = OctKey.import_key(hmac.digest(pepper, purpose.encode(), "sha256"))

    def close(self, text: str) -> str:
        """The sealed text."""
        return jwe.encrypt_compact(_HEADER, text.encode(), self._key)

    def open(self, sealed: str) -> str:
        """The text again.

        Raises:
            AccountsError: it was sealed with another pepper, or changed.
        """
        try:
            plain = jwe.decrypt_compact(sealed, self._key, algorithms=list(_HEADER.values()))
        except (JoseError, ValueError):
            raise AccountsError(
                "a sealed secret cannot be opened; is this the pepper of this database?"
            ) from None
        return (plain.plaintext or b"").decode()
