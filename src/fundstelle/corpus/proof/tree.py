"""Merkle trees as RFC 9162 has them, section 2.1. Pure.

A level is the hashes of one height, 32 bytes each, leaves first. The last node of a level without
a partner stands in the next one as it is, which is the tree that the RFC defines by halves.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

HASH_BYTES = 32
_LEAF = b"\x00"
_NODE = b"\x01"


def hash_leaf(data: bytes) -> bytes:
    """The hash of a leaf, which no inner node can have."""
    return sha256(_LEAF + data).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """The hash of two nodes side by side."""
    return sha256(_NODE + left + right).digest()


def build_levels(leaves: bytes) -> Iterator[bytes]:
    """Every level from the hashes of the leaves up to the root, which is the last one.

    No leaf at all gives one level, the hash of nothing (RFC 9162, 2.1.1).
    """
    level = leaves or sha256().digest()
    yield level
    while len(level) > HASH_BYTES:
        paired = len(level) - len(level) % (2 * HASH_BYTES)
        pairs = range(0, paired, 2 * HASH_BYTES)
        nodes = [sha256(_NODE + level[at : at + 2 * HASH_BYTES]).digest() for at in pairs]
        level = b"".join(nodes) + level[paired:]
        yield level


def list_siblings(index: int, size: int) -> list[tuple[int, int]]:
    """Level and place of each node that the audit path of a leaf has, from the leaf upwards."""
    siblings = []
    level, last = 0, size - 1
    while last > 0:
        if index ^ 1 <= last:
            siblings.append((level, index ^ 1))
        level, index, last = level + 1, index >> 1, last >> 1
    return siblings


def compute_root(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that an audit path leads to (RFC 9162, 2.1.3.2); ``None`` if it is of another form.

    Args:
        leaf: the hash of the leaf.
        index: its place among the leaves, from 0.
        size: how many leaves there are.
        path: the hashes beside the way from the leaf to the root.
    """
    if not 0 <= index < size or len(path) != len(list_siblings(index, size)):
        return None
    node, last, rest = leaf, size - 1, iter(path)
    while last > 0:
        if index & 1:
            node = hash_node(next(rest), node)
        elif index < last:
            node = hash_node(node, next(rest))
        index, last = index >> 1, last >> 1
    return node
