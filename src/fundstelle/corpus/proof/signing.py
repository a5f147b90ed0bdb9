"""The operator's key: an Ed25519 key (RFC 8032) that signs the root of every release.

``release.key`` in the data folder holds it as PEM (PKCS #8), for its owner alone. Servers that
only answer do without: the signature is in the manifest of the build.
"""

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fundstelle.disks import read_small
from fundstelle.errors import CorpusError
from fundstelle.sharing import give_name

KEY_FILE = "release.key"
_LONGEST = 8_192  # bytes of a key file
_DRAFT = re.compile(r"\.[0-9a-f]{16}")


def state_root(root: str, size: int) -> bytes:
    """What is signed: so many leaves have that root, 64 hex digits."""
    return f"fundstelle-release-v1\n{size}\n{root}\n".encode()


def sign(key: Ed25519PrivateKey, root: str, size: int) -> str:
    """The signature as 128 hex digits."""
    return key.sign(state_root(root, size)).hex()


def is_signed(key: Ed25519PublicKey, signature: str, root: str, size: int) -> bool:
    """Whether the owner of the key signed that root."""
    try:
        key.verify(bytes.fromhex(signature), state_root(root, size))
    except (InvalidSignature, ValueError):
        return False
    return True


def show_key(key: Ed25519PublicKey) -> str:
    """A public key as 64 hex digits."""
    return key.public_bytes_raw().hex()


def load_public(written: str) -> Ed25519PublicKey:
    """A public key from 64 hex digits or PEM.

    Raises:
        CorpusError: it is none.
    """
    try:
        if not written.lstrip().startswith("-----"):
            return Ed25519PublicKey.from_public_bytes(bytes.fromhex(written.strip()))
        key = serialization.load_pem_public_key(written.encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise CorpusError("this is no public key: give what 'fundstelle release key' prints")
    return key


def open_key(data_dir: Path) -> Ed25519PrivateKey:
    """The key of a data folder; where there is none yet, a new one that only its owner may read.

    Raises:
        CorpusError: it cannot be read or written, or is no key.
    """
    path = data_dir / KEY_FILE
    try:
        if not path.exists():
            _create(path)
        for left in data_dir.glob(f"{KEY_FILE}.*"):  # a draft of a run that was killed
            if _DRAFT.fullmatch(left.suffix):
                left.unlink(missing_ok=True)
        key = serialization.load_pem_private_key(read_small(path, _LONGEST), password=None)
    except OSError as error:
        raise CorpusError(f"{path} cannot be used ({error.strerror}); check its owner") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise CorpusError(f"{path} is damaged; restore it from a backup") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise CorpusError(f"{path} holds no Ed25519 key; restore it from a backup")
    return key


def _create(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    data = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # Whoever was first may have taken the draft away.
        with suppress(FileExistsError, FileNotFoundError):
            give_name(draft, path)
    finally:
        draft.unlink(missing_ok=True)
