"""What a browser says of a passkey goes to a library only if an authenticator can write it."""

import json

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from webauthn.helpers import bytes_to_base64url

from fundstelle.accounts.people.plain_cbor import check_answer

HEAD = b"\1" * 32
KEY_AND_EXTENSIONS = b"\xc5" + bytes(4)
ATTESTED = bytes(16) + b"\0\4" + b"four"
KEY = {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32}


def answer(**response: bytes) -> str:
    encoded = {name: bytes_to_base64url(value) for name, value in response.items()}
    return json.dumps({"response": encoded})


def report(*items: bytes) -> bytes:
    """Authenticator data with a key and extensions."""
    return HEAD + KEY_AND_EXTENSIONS + ATTESTED + b"".join(items)


def attest(data: object, **more: object) -> bytes:
    return cbor2.dumps({"fmt": "none", "attStmt": {}, **more, "authData": data})


def share(levels: int) -> bytes:
    """An array that holds the next one twice, which does so, too: two to the power of levels."""
    shared = b"\xd8\x1c\x80"
    for level in range(levels - 1, -1, -1):
        index = level + 1
        number = bytes([index]) if index < 24 else bytes([0x18, index])
        shared = b"\xd8\x1c\x82" + shared + b"\xd8\x1d" + number
    return shared


PLAIN = st.recursive(
    st.integers(-(2**64), 2**64 - 1) | st.binary(max_size=9) | st.text(max_size=9) | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.integers(-99, 99), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(PLAIN, PLAIN)
def test_what_authenticators_write_is_let_through(key: object, extensions: object) -> None:
    data = report(cbor2.dumps(key), cbor2.dumps(extensions))
    check_answer(answer(authenticatorData=data))
    check_answer(answer(attestationObject=attest(data, more=[key]), clientDataJSON=b"{}"))


def test_a_key_that_counts_one_pair_too_few_is_let_through() -> None:
    """Some authenticators write that, which the library mends."""
    key = cbor2.dumps({1: "OKP", 3: -8, -1: "Ed25519", -2: b"x" * 32})
    check_answer(answer(authenticatorData=report(b"\xa3" + key[1:])))


HOSTILE = {
    "shared values": share(60),
    "shared values as a name": b"\xa1" + share(60) + b"\1",
    "a pattern": b"\xd8\x23\x63" + b"(a)",
    "a number of any length": b"\xc2\x41\1",
    "an array as a name": b"\xa1\x80\1",
    "bytes as a name": b"\xa1\x41a\1",
    "an array without an end": b"\x9f\1\xff",
    "a text without an end": b"\x7f\x61a\xff",
    "many levels": b"\x81" * 9 + b"\1",
    "half a number": b"\xf9\0\0",
    "a length written longer": b"\x58\1a",
    "a number written longer": b"\x19\0\xff",
    "a number that ends early": b"\x1b\0",
    "an array longer than all": b"\x9b" + b"\xff" * 8,
    "bytes longer than all": b"\x5b" + b"\xff" * 8,
    "an unknown word": b"\xf8\xff",
}


@pytest.mark.parametrize("item", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("place", ["statement", "key", "extensions", "signed"])
def test_what_none_writes_is_refused_wherever_it_stands(item: bytes, place: str) -> None:
    key = cbor2.dumps(KEY)
    data = {
        "statement": lambda: b"\xa1\x67attStmt" + item,
        "key": lambda: attest(report(item)),
        "extensions": lambda: attest(report(key, item)),
        "signed": lambda: report(key, item),
    }[place]()
    name = "authenticatorData" if place == "signed" else "attestationObject"
    with pytest.raises(ValueError):  # noqa: PT011 - of any kind
        check_answer(answer(**{name: data}))


@pytest.mark.parametrize(
    "written",
    [
        *("", "{", "[]", "{}", '{"response": []}', '{"response": {"attestationObject": 1}}'),
        *('{"response": {"authenticatorData": "ä"}}', "[" * 5_000),
    ],
)
def test_what_is_no_answer_is_refused_or_says_nothing(written: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of any kind
        check_answer(written)


@given(st.binary(max_size=80))
def test_any_bytes_are_let_through_or_refused(data: bytes) -> None:
    for name in ("authenticatorData", "attestationObject"):
        try:
            check_answer(answer(**{name: data}))
        except ValueError:
            continue


@given(PLAIN)
def test_what_is_let_through_is_as_long_written_again(item: object) -> None:
    """The library finds where extensions begin by writing the key again."""
    written = cbor2.dumps(item)
    check_answer(answer(authenticatorData=report(written)))
    assert cbor2.dumps(cbor2.loads(written)) == written
