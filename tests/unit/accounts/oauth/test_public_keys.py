"""Keys that strangers publish: what checks signatures is read of them, and nothing else."""

from typing import Any

import pytest
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey, import_key

from fundstelle.accounts.oauth import public_keys
from fundstelle.accounts.oauth.public_keys import holds_private_key, import_public_keys


@pytest.mark.parametrize(
    "key",
    [
        RSAKey.generate_key(2048, {"kid": "k", "use": "sig", "alg": "RS256"}),
        ECKey.generate_key("P-256", {"kid": "k"}),
        OKPKey.generate_key("Ed25519", {"kid": "k", "key_ops": ["verify"]}),
    ],
)
def test_the_private_part_of_a_key_is_never_read(
    key: RSAKey | ECKey | OKPKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Importing an RSA key of 8192 bits with it stops the whole process for ten seconds."""
    imported: list[dict[str, Any]] = []
    right = import_key

    def note(data: dict[str, Any]) -> Any:
        imported.append(data)
        return right(data)

    monkeypatch.setattr(public_keys, "import_key", note)
    published = {"keys": [key.as_dict(private=True)]}
    (found,) = import_public_keys(published)
    assert imported == [key.as_dict(private=False)]
    assert not found.is_private
    assert found.kid == "k"
    assert holds_private_key(published)
    assert not holds_private_key({"keys": [key.as_dict(private=False)]})


def test_a_shared_secret_is_no_public_key() -> None:
    published = {"keys": [OctKey.generate_key(256).as_dict(private=True)]}
    assert import_public_keys(published) == []
    assert holds_private_key(published)


@pytest.mark.parametrize(
    "published",
    [
        None,
        [],
        {},
        {"keys": None},
        {"keys": {"kty": "RSA"}},
        {"keys": [None, 1, "x", [], {}]},
        {"keys": [{"kty": ["RSA"]}]},
        {"keys": [{"kty": "RSA"}]},
        {"keys": [{"kty": "RSA", "n": 1, "e": []}]},
        {"keys": [{"kty": "RSA", "n": "/w" * 30_000, "e": "AQAB"}]},
        {"keys": [{"kty": "EC", "crv": {}, "x": "AA", "y": "AA"}]},
        {"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]},
        {"keys": [{"kty": "FUTURE", "kid": "f"}]},
    ],
)
def test_what_is_no_set_of_keys_holds_none(published: object) -> None:
    assert import_public_keys(published) == []
    assert not holds_private_key(published)


def test_so_many_keys_are_looked_at_and_no_more() -> None:
    key = ECKey.generate_key("P-256").as_dict(private=False)
    assert len(import_public_keys({"keys": [key] * 1_000})) == public_keys.MOST_KEYS


def test_a_key_for_encryption_signs_nothing() -> None:
    key = ECKey.generate_key("P-256", {"use": "enc"}).as_dict(private=False)
    assert import_public_keys({"keys": [key]}) == []
