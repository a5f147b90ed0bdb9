"""The build in a backup: whether it is as it was made, by all that a build says of itself."""

from collections.abc import Iterator, Mapping

from fundstelle.backup.contents import MANIFEST, File, Manifest
from fundstelle.corpus.manifest import Manifest as BuildManifest
from fundstelle.corpus.manifest import load_manifest
from fundstelle.corpus.soundness.check import NO_HASHES
from fundstelle.corpus.soundness.inventory import CHECKSUM, is_counted, sum_manifest
from fundstelle.errors import CorpusError

_DAMAGED = "the build in the backup is damaged: "


def check_build(manifest: Manifest, held: Mapping[str, bytes]) -> Iterator[str]:
    """What of the build is not as it was made; its vectors are not known to its manifest.

    Args:
        manifest: of the backup, which the files fit.
        held: the content of the build's own manifest and of its checksum, by name.
    """
    if not manifest.has_build:
        return
    folder = manifest.build_manifest.removesuffix(MANIFEST)
    data = held.get(manifest.build_manifest, b"")
    try:
        build = load_manifest(data, manifest.build_manifest)
    except CorpusError as error:
        yield f"{_DAMAGED}{error}"
        return
    checksum = held.get(folder + CHECKSUM)
    if checksum is not None and checksum != sum_manifest(data):
        yield f"{_DAMAGED}{MANIFEST} does not fit {CHECKSUM}"
    if build.release != manifest.release or not build.sha256.startswith(build.release):
        yield f"{_DAMAGED}{MANIFEST} is of another release, {build.release!r}"
    if build.files is None:
        yield f"the build in the backup was {NO_HASHES}, and only once it is restored"
        return
    if checksum is None:
        yield f"{_DAMAGED}{CHECKSUM} is missing"
    yield from _check_files(build, manifest.files, folder)


def _check_files(build: BuildManifest, files: Mapping[str, File], folder: str) -> Iterator[str]:
    states = {folder + one.name: File(one.size, one.sha256) for one in build.files or ()}
    for name, state in states.items():
        if files.get(name) != state:
            yield f"{_DAMAGED}{name.removeprefix(folder)} is not as it was made"
    for name in sorted(files.keys() - states.keys()):
        if name.startswith(folder) and is_counted(name.removeprefix(folder)):
            yield f"{_DAMAGED}{name.removeprefix(folder)} does not belong to it"
