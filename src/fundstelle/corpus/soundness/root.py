"""Whether the root that a manifest names, and its signature, are those of the build's texts."""

from collections.abc import Iterator
from pathlib import Path

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest, release_hash
from fundstelle.corpus.proof.signing import is_signed, load_public
from fundstelle.corpus.soundness.check import check_quickly
from fundstelle.errors import CorpusError, DamagedBuild

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What reading a row raises whose bytes are others."""


def check_store(store: WholeStore, manifest: Manifest) -> list[str]:
    """What is wrong with a store: by its own check, the texts' hashes, the release's, the root.

    Every text is read.
    """
    problems: list[str] = []
    for check in (_check_content, check_root):
        try:
            problems += check(store, manifest)
        except DamagedBuild as error:
            problems.append(error.what)
        except _UNREADABLE as error:  # what it says may repeat any of the damaged bytes
            problems.append(f"a row is not what was written ({type(error).__name__})")
    return list(dict.fromkeys(problems))


def _check_content(store: WholeStore, manifest: Manifest) -> list[str]:
    problems = store.check()
    if not problems and release_hash(manifest, store.hash_content()) != manifest.sha256:
        problems.append("the content is not the one the release is named after")
    if not manifest.sha256.startswith(manifest.release):
        problems.append(f"{manifest.release} is the name of another release")
    return problems


def check_root(store: WholeStore, manifest: Manifest) -> Iterator[str]:
    """What does not fit; nothing of a build that has no tree."""
    if manifest.root is None:
        return
    held = store.compute_root()
    if held is None or (held.root, held.size) != (manifest.root, manifest.leaves):
        yield "its texts and their tree do not have the root that the manifest names"
    yield from _check_signature(manifest)


def require_signed(folder: Path, manifest: Manifest) -> None:
    """See that the root may be published: the manifest is as written, and the root is signed.

    Raises:
        CorpusError: one of them is not so.
    """
    problems = [*map(str, check_quickly(folder)), *_check_signature(manifest)]
    if problems:
        raise CorpusError(
            f"the root of build {manifest.release} is not to be published: {problems[0]};"
            f" 'fundstelle corpus verify {manifest.release}' says more"
        )


def _check_signature(manifest: Manifest) -> Iterator[str]:
    try:
        key = load_public(manifest.key or "")
    except CorpusError:
        yield "the root in the manifest is not signed"
        return
    if not is_signed(key, manifest.signature or "", manifest.root or "", manifest.leaves):
        yield "the root in the manifest is not signed by the key beside it"
