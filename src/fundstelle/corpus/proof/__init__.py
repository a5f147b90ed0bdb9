"""The proof of a release: leaves, their Merkle tree, and the key that signs its root.

In come the texts of a build, out come the root in its manifest and the inclusion proof of each
text. ``leaf`` says what is proved, ``tree`` is RFC 9162, ``signing`` the operator's key. Begin
with docs/proof.md.
"""
