"""PKCE against the vectors of RFC 7636."""

import pytest

from fundstelle.oauth import pkce

# RFC 7636, appendix B
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_the_challenge_is_the_one_of_the_rfc() -> None:
    assert pkce.derive_challenge(VERIFIER) == CHALLENGE
    assert pkce.is_challenge(CHALLENGE)
    assert pkce.is_proof(VERIFIER, CHALLENGE)


@pytest.mark.parametrize(
    "verifier",
    [
        "",
        VERIFIER[:-1],
        VERIFIER[:-1] + "l",
        CHALLENGE,
        "a" * 42,
        "a" * 129,
        VERIFIER + "\n",
        "ä" * 43,
        " " * 43,
    ],
)
def test_no_other_verifier_is_a_proof(verifier: str) -> None:
    assert not pkce.is_proof(verifier, CHALLENGE)


@pytest.mark.parametrize(
    "text", ["", "a" * 42, "a" * 44, "=" * 43, CHALLENGE + "=", "a" * 42 + "\n"]
)
def test_a_challenge_is_256_bits_in_base64url(text: str) -> None:
    assert not pkce.is_challenge(text)


@pytest.mark.parametrize("length", [43, 128])
def test_the_shortest_and_the_longest_verifier_work(length: int) -> None:
    verifier = "~" * length
    assert pkce.is_proof(verifier, pkce.derive_challenge(verifier))
