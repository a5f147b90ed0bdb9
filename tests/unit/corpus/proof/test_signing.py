"""Signatures of roots, by the first test key of RFC 8032."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fundstelle.corpus.proof.signing import is_signed, load_public, show_key, sign, state_root
from fundstelle.errors import CorpusError

SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SECRET))
ROOT = "ab" * 32


def write_pem(key: Ed25519PublicKey) -> str:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def test_what_is_signed_is_root_and_size() -> None:
    assert state_root(ROOT, 7) == f"fundstelle-release-v1\n7\n{ROOT}\n".encode()
    signature = sign(KEY, ROOT, 7)
    assert is_signed(KEY.public_key(), signature, ROOT, 7)
    assert not is_signed(KEY.public_key(), signature, ROOT, 8)
    assert not is_signed(KEY.public_key(), signature, "cd" * 32, 7)
    assert not is_signed(Ed25519PrivateKey.generate().public_key(), signature, ROOT, 7)
    for broken in ("", "x", signature[:-2], "é"):
        assert not is_signed(KEY.public_key(), broken, ROOT, 7)


def test_a_public_key_is_read_as_it_is_shown() -> None:
    assert show_key(KEY.public_key()) == PUBLIC
    for written in (PUBLIC, f"{PUBLIC}\n", write_pem(KEY.public_key())):
        assert show_key(load_public(written)) == PUBLIC


def test_what_is_no_public_key_of_this_kind_is_refused() -> None:
    other = X25519PrivateKey.generate().public_key()
    other_pem = other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    for written in ("", "x", PUBLIC[:-2], "-----BEGIN", other_pem):
        with pytest.raises(CorpusError, match="no public key"):
            load_public(written)
