"""Whether the root that a manifest names, and its signature, are those of the build's texts."""

from collections.abc import Iterator

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.proof.signing import is_signed, load_public
from fundstelle.errors import CorpusError


def check_root(store: WholeStore, manifest: Manifest) -> Iterator[str]:
    """What does not fit; nothing of a build that has no tree."""
    if manifest.root is None:
        return
    held = store.compute_root()
    if held is None or (held.root, held.size) != (manifest.root, manifest.leaves):
        yield "its texts and their tree do not have the root that the manifest names"
    try:
        key = load_public(manifest.key or "")
    except CorpusError:
        yield "the root in the manifest is not signed"
        return
    if not is_signed(key, manifest.signature or "", manifest.root, manifest.leaves):
        yield "the root in the manifest is not signed by the key beside it"
