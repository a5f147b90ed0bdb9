"""Merkle trees: known vectors, and every leaf of drawn trees."""

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.corpus.proof.tree import (
    HASH_BYTES,
    build_levels,
    compute_root,
    hash_leaf,
    hash_node,
    list_siblings,
)

# The inputs and roots of the tests of Certificate Transparency, whose trees RFC 9162 has: for the
# sizes 0 to 8, the first so many inputs.
INPUTS = (
    *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
    "606162636465666768696a6b6c6d6e6f",
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def grow(leaves: list[bytes]) -> list[bytes]:
    return list(build_levels(b"".join(map(hash_leaf, leaves))))


def define(leaves: list[bytes]) -> bytes:
    """The root as RFC 9162 defines it: by the largest power of two below the size."""
    if len(leaves) < 2:
        return hash_leaf(leaves[0]) if leaves else sha256().digest()
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return hash_node(define(leaves[:left]), define(leaves[left:]))


def find_path(levels: list[bytes], index: int) -> list[bytes]:
    size = len(levels[0]) // HASH_BYTES
    return [
        levels[level][place * HASH_BYTES : (place + 1) * HASH_BYTES]
        for level, place in list_siblings(index, size)
    ]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    leaves = [bytes.fromhex(one) for one in INPUTS[:size]]
    assert grow(leaves)[-1].hex() == ROOTS[size]


def test_nine_leaves_by_hand() -> None:
    leaves = [bytes([number]) for number in range(9)]
    a, b, c, d, e, f, g, h, i = map(hash_leaf, leaves)
    left = hash_node(hash_node(a, b), hash_node(c, d))
    right = hash_node(hash_node(e, f), hash_node(g, h))
    assert grow(leaves)[-1] == hash_node(hash_node(left, right), i)
    assert find_path(grow(leaves), 8) == [hash_node(left, right)]


def test_no_leaf_is_an_inner_node() -> None:
    a, b = hash_leaf(b"a"), hash_leaf(b"b")
    assert hash_leaf(a + b) != hash_node(a, b)


@given(st.lists(st.binary(max_size=8), max_size=70))
def test_every_leaf_of_a_tree_is_proved_and_no_other(leaves: list[bytes]) -> None:
    levels = grow(leaves)
    root = levels[-1]
    assert root == define(leaves)
    assert all(len(low) > len(high) for low, high in pairwise(levels))
    for index, leaf in enumerate(leaves):
        path = find_path(levels, index)
        assert compute_root(hash_leaf(leaf), index, len(leaves), path) == root
        assert compute_root(hash_leaf(leaf + b"x"), index, len(leaves), path) != root
        assert compute_root(hash_leaf(leaf), index, len(leaves), [*path, root]) is None
        for at, node in enumerate(path):
            other = [*path[:at], bytes([node[0] ^ 1]) + node[1:], *path[at + 1 :]]
            assert compute_root(hash_leaf(leaf), index, len(leaves), other) != root


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0), (9, 3)])
def test_a_place_outside_the_tree_proves_nothing(index: int, size: int) -> None:
    assert compute_root(hash_leaf(b""), index, size, [hash_leaf(b"")]) is None
