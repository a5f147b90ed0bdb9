"""Whether a source is the very file that somebody vouches for: by its hash, by a signature.

A signature is one of minisign (https://jedisct1.github.io/minisign/, "Signature format"): four
lines, of which the second is the Base64 of ``ED``, eight bytes of key id and the Ed25519 signature
(RFC 8032) of the file's BLAKE2b-512; the fourth signs that signature and the trusted comment. A
public key is the Base64 of ``Ed``, key id and key, or the file that ``minisign -G`` wrote.

    minisign -G -p firm.pub -s firm.key && minisign -S -s firm.key -m gii-xml.tar.zst
"""

import binascii
import hmac
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fundstelle.errors import SourceError

_CHUNK = 2**20
_LONGEST = 8_192  # bytes of a signature or key file
_KEY_BYTES = 42
_SIGNATURE_BYTES = 74
_GLOBAL_BYTES = 64
_TRUSTED = "trusted comment: "


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Whose signatures are taken."""

    key_id: bytes
    key: Ed25519PublicKey

    @classmethod
    def read(cls, written: str) -> "PublicKey":
        """From the key itself, or from the file that holds it.

        Raises:
            SourceError: it is none.
        """
        lines = [written]
        path = Path(written)
        if len(written) < _LONGEST and path.is_file():
            lines = _read_lines(path, "public key")[-1:]
        data = _decode(lines[0] if lines else "", _KEY_BYTES)
        if data is None or data[:2] != b"Ed":
            raise SourceError(
                "the public key is none of minisign: give the line that begins with RW, or the"
                " file that holds it"
            )
        return cls(data[2:10], Ed25519PublicKey.from_public_bytes(data[10:]))


@dataclass(frozen=True, slots=True)
class Signature:
    """What a signature file holds."""

    key_id: bytes
    signature: bytes
    comment: str
    comment_signature: bytes

    @classmethod
    def read(cls, path: Path) -> "Signature":
        """From its file.

        Raises:
            SourceError: it is none, or cut off.
        """
        lines = _read_lines(path, "signature")
        signed = _decode(lines[1], _SIGNATURE_BYTES) if len(lines) == 4 else None
        whole = _decode(lines[3], _GLOBAL_BYTES) if len(lines) == 4 else None
        if signed is None or whole is None or not lines[2].startswith(_TRUSTED):
            raise SourceError(f"{path} is no whole signature of minisign")
        if signed[:2] != b"ED":
            raise SourceError(f"{path} is a signature of the old kind; sign with minisign 0.10")
        comment = lines[2].removeprefix(_TRUSTED)
        return cls(signed[2:10], signed[10:], comment, whole)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a source must be: each that is given must fit."""

    sha256: str | None = None  # 64 hexadecimal digits
    signature: Signature | None = None
    key: PublicKey | None = None

    @property
    def is_asked(self) -> bool:
        """Whether anything is demanded."""
        return self.sha256 is not None or self.signature is not None

    def check_file(self, path: Path) -> None:
        """See that a file is the one vouched for, before anything in it is read.

        Raises:
            SourceError: it is not, or it is no file.
        """
        if not self.is_asked:
            return
        if not path.is_file():
            raise SourceError(f"{path} is no file: only an archive has a hash or a signature")
        try:
            with path.open("rb") as file:
                self._check(iter(lambda: file.read(_CHUNK), b""), path.name)
        except OSError as error:
            raise SourceError(f"{path} cannot be read ({error.strerror})") from error

    def check(self, data: bytes, name: str) -> None:
        """As ``check_file``, of what was fetched."""
        if self.is_asked:
            self._check([data], name)

    def _check(self, pieces: Iterable[bytes], name: str) -> None:
        plain, signed = sha256(), blake2b()
        for piece in pieces:
            plain.update(piece)
            signed.update(piece)
        if self.sha256 is not None and not hmac.compare_digest(
            plain.hexdigest(), self.sha256.lower()
        ):
            raise SourceError(
                f"{name} has the SHA-256 {plain.hexdigest()}, not {self.sha256.lower()}; nothing"
                " of it was read"
            )
        if self.signature is not None:
            self._check_signature(signed.digest(), name)

    def _check_signature(self, digest: bytes, name: str) -> None:
        assert self.signature is not None
        assert self.key is not None
        wrong = f"{name} does not bear the signature of this key; nothing of it was read"
        if self.signature.key_id != self.key.key_id:
            raise SourceError(f"{wrong} (the signature is of another key)")
        comment = self.signature.signature + self.signature.comment.encode()
        try:
            self.key.key.verify(self.signature.signature, digest)
            self.key.key.verify(self.signature.comment_signature, comment)
        except InvalidSignature as error:
            raise SourceError(wrong) from error


def _read_lines(path: Path, what: str) -> list[str]:
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"the {what} {path} cannot be read") from error
    return text.splitlines()


def _decode(line: str, length: int) -> bytes | None:
    try:
        data = b64decode(line.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if len(data) == length else None
