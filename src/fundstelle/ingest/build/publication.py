"""Making a finished build the live one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fundstelle.corpus import builds, publishing
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.soundness.check import NO_HASHES, check_completely
from fundstelle.errors import CorpusError
from fundstelle.search.index import SearchEngine
from fundstelle.search.ranking.ranker import has_learned_the_same


def publish(
    data_dir: Path, folder: Path, manifest: Manifest, engine: SearchEngine, base: str | None = None
) -> Manifest:
    """Name the build and make it live; one with the same content is kept as it is.

    That is so unless it has learned its ranking from other sentences: a guard may be new. What is
    given back names the files that this build could not use.

    Raises:
        CorpusError: it was made from ``base``, and another build is live. It has no name then.
    """
    finished: Path | None = None
    try:
        made = open_held(data_dir, manifest.release, engine, folder / builds.INDEX)
    except Exception:  # noqa: BLE001 whatever is wrong with it, the new one takes its place
        made, finished = publishing.finish(folder, manifest), folder
    builds.go_on(data_dir, made.release, finished, base)
    settle(data_dir, engine)
    return replace(made, rejected=manifest.rejected)  # which no content tells of


def settle(data_dir: Path, engine: SearchEngine) -> Sequence[str]:
    """After the live build, or the builds there are, have changed: tell the engine; what it did."""
    live = builds.read_pointer(data_dir)
    index = builds.get_folder(data_dir, live) / builds.INDEX if live else None
    return engine.settle(index, builds.list_indexes(data_dir))


def open_held(data_dir: Path, release: str, engine: SearchEngine, like: Path) -> Manifest:
    """The manifest of a build that is as it was written, whose index is like another.

    Raises:
        CorpusError: it does not.
    """
    held = builds.get_folder(data_dir, release)
    manifest = builds.read_manifest(held)
    if (reason := builds.tell_other_version(manifest)) is not None:
        raise CorpusError(f"build {release} cannot be opened: {reason}")
    # Before anything is opened: reading a shortened file by its mapping would end the process.
    findings = check_completely(held)
    if findings:
        raise CorpusError(f"build {release} is damaged ({'; '.join(map(str, findings))})")
    if manifest.files is None:
        raise CorpusError(f"build {release} was {NO_HASHES}")
    engine.open(held / builds.INDEX).close()
    engine.verify(held / builds.INDEX)
    open_whole(held / builds.DATABASE).close()
    if not has_learned_the_same(held / builds.INDEX, like):
        raise CorpusError("the build that is there has learned another ranking")
    lacking = _list_parts(like) - _list_parts(held / builds.INDEX)
    if lacking:  # which an earlier version did not make
        raise CorpusError(f"the index of the build that is there lacks {', '.join(lacking)}")
    return manifest


def _list_parts(index: Path) -> set[str]:
    return {part.name for part in index.iterdir() if part.is_dir()}
