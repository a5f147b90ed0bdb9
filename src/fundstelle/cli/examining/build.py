"""Whether the live build is what was written, and one that this version can read."""

from collections.abc import Iterator
from pathlib import Path

from fundstelle.cli.examining.findings import Finding
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import check_completely, check_quickly
from fundstelle.corpus.soundness.inventory import VECTORS
from fundstelle.corpus.soundness.record import find_recorded
from fundstelle.corpus.soundness.root import require_signed
from fundstelle.errors import CorpusError
from fundstelle.search.meaning.vector_sums import check_vectors

_MOST = 5  # findings that are written out; 'corpus verify' has them all


def find_build(data: Path) -> tuple[Manifest | None, Finding | None]:
    """What the live build says of itself; or nothing, and why."""
    try:
        release = builds.get_live(data)
        if release is None:
            return None, Finding.wrong(
                "build", f"there is no build in {data}", "'fundstelle up' or 'fundstelle ingest'"
            )
        manifest = builds.read_manifest(builds.get_folder(data, release))
    except (CorpusError, OSError) as error:
        return None, Finding.wrong(
            "build",
            f"the live build cannot be read ({error})",
            "make another one live with 'fundstelle corpus activate', or build again with"
            " 'fundstelle ingest'",
        )
    return manifest, None


def examine_build(data: Path, manifest: Manifest, *, thorough: bool) -> Iterator[Finding]:
    """Compare it with its manifest, and the manifest with its signature.

    Args:
        data: the data folder.
        manifest: of the live build.
        thorough: read every byte, which takes about a second for 500 MB.
    """
    folder = builds.get_folder(data, manifest.release)
    if manifest.schema_version != SCHEMA_VERSION:
        yield Finding.wrong(
            "build",
            f"{manifest.release} was made by another version of Fundstelle",
            "'fundstelle up' or 'fundstelle ingest' builds it again",
        )
        return
    if thorough:
        damage = check_completely(folder)
    else:  # what somebody has found who read every byte holds until the build is another
        damage = [*check_quickly(folder), *find_recorded(data, manifest.release)]
    for finding in damage[:_MOST]:
        yield Finding.wrong(
            "build",
            f"{manifest.release} is damaged: {finding}",
            "'fundstelle corpus verify' names every file; 'fundstelle ingest' builds it again",
        )
    wrong = check_vectors(folder / VECTORS)[0] if thorough else []
    for problem in wrong:
        yield Finding.wrong(
            "build",
            f"{manifest.release}: {VECTORS}: {problem}",
            "'fundstelle embed' computes them anew",
        )
    if damage or wrong:
        return
    if manifest.root is not None:
        try:
            require_signed(folder, manifest)
        except CorpusError as error:
            yield Finding.wrong("build", str(error), "'fundstelle ingest' builds it again")
            return
    read = "every byte was compared" if thorough else "names and sizes were compared"
    yield Finding.ok("build", f"{manifest.release} is what was written ({read})")
