"""Proof Key for Code Exchange, by S256 alone (RFC 7636)."""

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import sha256

METHOD = "S256"

_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")  # 256 bits


def is_challenge(text: str) -> bool:
    """Whether it can be the S256 of something."""
    return _CHALLENGE.fullmatch(text) is not None


def derive_challenge(verifier: str) -> str:
    """BASE64URL(SHA256(ASCII(verifier))), without padding (RFC 7636 §4.2)."""
    return urlsafe_b64encode(sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode()


def is_proof(verifier: str, challenge: str) -> bool:
    """Whether the verifier is the one that the challenge was derived from (RFC 7636 §4.6)."""
    if not _VERIFIER.fullmatch(verifier):
        return False
    return hmac.compare_digest(derive_challenge(verifier), challenge)
