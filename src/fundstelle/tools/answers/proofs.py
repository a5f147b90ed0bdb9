"""The proof that a text belongs to its release, as detailed answers give it."""

from fundstelle.lookup.answers import DecisionHit, Hit
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.units import ShownProof, ShownProvenance


def add_proof(shown: ShownProvenance, hit: Hit, library: Library) -> None:
    """The inclusion proof of the whole stored text; a build without a tree has none."""
    manifest = library.store.manifest
    if manifest.root is None:
        return
    if isinstance(hit, DecisionHit):
        held = library.decisions.find_inclusion(hit.held_id)
    else:
        held = library.store.find_inclusion(hit.fassung)
    if held is None:
        return
    proof: ShownProof = {
        "root": manifest.root,
        "tree_size": manifest.leaves,
        "leaf_index": held.index,
        "leaf": held.leaf,
        "path": held.path,
    }
    if manifest.signature is not None:
        proof["signature"] = manifest.signature
    shown["proof"] = proof
