import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.accounts.keys.format import (
    KEY_CHARS,
    checksum,
    displayed,
    encode_if_intact,
    new_key,
)

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
KEY = "sk-legal-" + "Ab3d" * 10 + checksum("sk-legal-" + "Ab3d" * 10)

bodies = st.text(ALPHABET, min_size=40, max_size=40).map("sk-legal-".__add__)


def test_a_key_has_the_form_that_secret_scanners_look_for() -> None:
    assert re.fullmatch(r"sk-legal-[0-9A-Za-z]{46}", new_key())


def test_no_key_is_made_twice() -> None:
    assert len({new_key() for _ in range(1000)}) == 1000


@given(bodies)
def test_every_key_that_is_made_is_intact(body: str) -> None:
    key = body + checksum(body)
    assert len(key) == KEY_CHARS == 55
    assert encode_if_intact(key) == key.encode()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # The check value of CRC-32, 0xCBF43926, in base 62.
        ("123456789", "3jZRME"),
        ("", "000000"),
    ],
)
def test_the_checksum_is_crc32_in_base62(body: str, expected: str) -> None:
    assert checksum(body) == expected


@given(bodies, st.integers(0, 54), st.sampled_from(ALPHABET + "-_ é"))
def test_one_wrong_character_is_always_noticed(body: str, position: int, wrong: str) -> None:
    key = body + checksum(body)
    typo = key[:position] + wrong + key[position + 1 :]
    assert (encode_if_intact(typo) is not None) == (typo == key)


@given(bodies, st.integers(9, 53))
def test_two_swapped_neighbours_are_always_noticed(body: str, position: int) -> None:
    key = body + checksum(body)
    swapped = key[:position] + key[position + 1] + key[position] + key[position + 2 :]
    assert (encode_if_intact(swapped) is not None) == (swapped == key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sk-legal-",
        KEY[:-1],
        KEY + "x",
        " " + KEY,
        KEY + "\n",
        KEY.lower(),
        "sk-other-" + KEY[9:],
    ],
)
def test_what_is_not_a_key_is_not_read_as_one(text: str) -> None:
    assert encode_if_intact(text) is None


@given(st.text(max_size=60))
def test_any_text_can_be_presented(text: str) -> None:
    assert encode_if_intact(text) is None


@given(st.text(min_size=46, max_size=46))
def test_any_characters_can_follow_the_prefix(text: str) -> None:
    assert encode_if_intact("sk-legal-" + text) is None


def test_what_is_displayed_names_a_key_without_giving_it_away() -> None:
    assert displayed(KEY) == f"sk-legal-Ab3d…{KEY[-4:]}"
